"""The scene model: a table as one seat sees it. Games build scenes, renderers draw them.

A scene has seats at the top, areas (rows, piles, boards, tracks, facts) in the middle, the viewer's hand at the bottom,
and a prompt. Objects that can be chosen have the number of an action; every legal action appears exactly once.

Keys identify objects across scenes, so that renderers can animate moves. The key of a face-up card identifies the card
(`card 17`), that of a face-down card only its position (`seat 2 hand 3`), so that a key reveals no more than the
picture.

Sentences and labels refer to seats as `Seat 2`; renderers replace that with the player's name.
"""

from functools import cached_property
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace


from .objects import (
    Board,
    Button,
    Card,
    Cell,
    Choosable,
    Colour,
    Face,
    Label,
    Picture,
    Pile,
    Place,
    Row,
    Shortcut,
    Slot,
    Stroke,
    Thing,
    Token,
    face_up_card,
    things,
    with_shortcuts,
    without_choices,
    without_drawings,
    without_shortcuts,
)


__all__ = [
    "EFFECTS",
    "Area",
    "Banner",
    "Board",
    "Button",
    "Card",
    "Cell",
    "Choosable",
    "Colour",
    "Effect",
    "Face",
    "Fact",
    "Facts",
    "Group",
    "Label",
    "NamedMove",
    "Picture",
    "Pile",
    "Place",
    "Prompt",
    "Row",
    "Scene",
    "Seat",
    "Shortcut",
    "Slot",
    "Stroke",
    "Thing",
    "Token",
    "Track",
    "face_up_card",
    "replace",
    "terms",
    "things",
    "with_shortcuts",
    "without_choices",
    "without_drawings",
    "without_shortcuts",
]


#: The kinds of effects: two objects fight (`source` wins if `amount` is positive, `target` if it is negative; their
#: totals meet, if both have one); a blow that lands, is stopped or falls short; a piece moves (`source` pushes it), or
#: is thrown off the board; cards are drawn; something is destroyed; points are scored; a move's name or a headline is
#: called out; a player wins.
EFFECTS = ("clash", "hit", "block", "miss", "move", "throw", "draw", "destroy", "score", "call_out", "win")


class Track(Thing, frozen=True):
    """A changing number such as points, health or momentum. Drawn as a bar, as pips or as a number."""

    key: str
    title: str
    value: int
    #: The maximum; 0 for none.
    goal: int = 0
    style: str = "pips"
    colour: Colour | None = None
    #: A full description, for a closer look and screen readers (default: title, value and goal).
    label: str = ""


class Fact(Thing, frozen=True):
    """A name and its value; `key` lets renderers mark changes."""

    key: str
    title: str
    text: str
    #: A full description, for a closer look and screen readers.
    label: str = ""


class Facts(Thing, frozen=True):
    """A list of short facts."""

    facts: tuple[Fact, ...]
    title: str = ""


class Group(Thing, frozen=True):
    """Areas that belong together, side by side or (`down`) one below the other."""

    parts: "tuple[Area, ...]"
    title: str = ""
    down: bool = False


Area = Row | Pile | Board | Track | Facts | Group


class Seat(Choosable, frozen=True):
    """A player's panel at the top. It can be chosen itself, as a target."""

    #: The seat, from 1.
    number: int = 0
    #: What the seat plays as, such as a fighter's name.
    title: str = ""
    #: The text of the button over it if it can be chosen (default: the words of the choice).
    text: str = ""
    #: Whether it is the seat of the reader, and whether it is its turn to choose.
    you: bool = False
    turn: bool = False
    out: bool = False
    tags: tuple[str, ...] = ()
    tracks: tuple[Track, ...] = ()
    parts: tuple[Area, ...] = ()


class Prompt(Thing, frozen=True):
    """A sentence that says what to choose or who is choosing, and the choices that aren't objects on the table."""

    sentence: str
    buttons: tuple[Button, ...] = ()


class Banner(Thing, frozen=True):
    """An announcement: the name of a move, the number of a round, the winner."""

    key: str
    text: str
    detail: str = ""
    seat: int = 0


class NamedMove(NamedTuple):
    """A seat's (from 1) named move, which players can describe, and the words they can compose a description from."""

    seat: int
    name: str
    words: tuple[str, ...] = ()


class Effect(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a beat does to an object on the table, for renderers that animate it and play a sound.

    `source` and `target` are keys of objects in this seat's scene at the beat or before it (`Scene.keys`). `amount` is
    a number to show: damage, points, cards.

    >>> Effect("hit", "card 3", "health 1", 2).amount
    2
    """

    #: One of EFFECTS.
    kind: str
    source: str = ""
    target: str = ""
    amount: int = 0
    #: The totals of source and target in a clash that aren't written beside them on the table.
    totals: tuple[int, ...] = ()
    #: What is stamped on something that is stopped, if it isn't "Blocked": a template of the catalogue.
    word: str = ""


class Scene(Struct, frozen=True, dict=True, omit_defaults=True):
    """Everything that a seat sees of a match at one time."""

    #: The game's name, for its theme.
    game: str
    title: str
    #: The state of the match in a few words: `Turn 5`.
    status: str
    seats: tuple[Seat, ...]
    prompt: Prompt
    middle: tuple[Area, ...] = ()
    left: tuple[Area, ...] = ()
    right: tuple[Area, ...] = ()
    hand: tuple[Area, ...] = ()
    banner: Banner | None = None
    #: The exchange decided at this beat, with its cards; it stays beside the table until the next one.
    exchange: Area | None = None
    over: bool = False
    #: What the beat that this scene shows does to objects on the table, in order.
    effects: tuple[Effect, ...] = ()
    #: When a forfeit by this seat would take effect: `at the end of the Round`; empty if it can't forfeit.
    forfeit: str = ""
    #: The game's card backs, each 63 x 88; the first is the default.
    backs: tuple[Picture, ...] = ()

    @cached_property
    def _on_table(self) -> tuple[object, ...]:
        return tuple(things((self.seats, self.left, self.middle, self.right, self.hand)))

    @cached_property
    def choosable(self) -> tuple[Choosable, ...]:
        """All objects that represent a choice, in reading order."""
        objects = (*self._on_table, *things(self.prompt))
        return tuple(thing for thing in objects if isinstance(thing, Choosable) and thing.action is not None)

    @cached_property
    def shortcuts(self) -> tuple[Shortcut, ...]:
        """All shortcuts, in reading order."""
        return tuple(thing for thing in (*self._on_table, *things(self.prompt)) if isinstance(thing, Shortcut))

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys that effects can name: of objects with a key, `seat 2`, `banner KEY`, and `3,0` for a space."""
        found = set[str]() if self.banner is None else {f"banner {self.banner.key}"}
        for thing in self._on_table:
            match thing:
                case Seat():
                    found.add(f"seat {thing.number}")
                case Cell():
                    found.add(f"{thing.at[0]},{thing.at[1]}")
                case Card() | Slot() | Row() | Pile() | Track() | Fact() | Token() | Board():
                    found.add(thing.key)
        return frozenset(found)

    def actions(self) -> list[int]:
        """Return the actions in the scene in reading order; each legal one appears exactly once."""
        return [thing.action for thing in self.choosable if thing.action is not None]


def terms(thing: object) -> tuple[str, ...]:
    """Return the words that an object shows, most specific first, without those of its parts; a tag is a word."""
    match thing:
        case str():
            return (thing,)
        case Card():
            face = thing.face
            if face is None:
                return thing.marks
            colour = face.colour.word if face.colour else ""
            feet = (f"{word} {sign}" for word, sign in face.feet)
            return (*thing.marks, *face.lines, colour, *feet, "circles" if face.circles else "")
        case Fact():
            return thing.title, f"{thing.title} {thing.text}"
        case Track() | Pile() | Row() | Group():
            return (thing.title,)
        case Cell():
            return tuple(thing.tone.split())
        case Token():
            return thing.state, "token"
        case Button():
            return (thing.text,)
        case Banner():
            return thing.text, thing.detail
        case Scene():
            return (thing.status,)
    return ()
