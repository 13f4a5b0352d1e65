"""The scene model: a table as one seat sees it. Games build scenes, renderers draw them.

A scene has seats at the top, areas (rows, piles, boards, tracks, facts) in the middle, the viewer's hand at the bottom,
and a prompt. Objects that can be chosen have the number of an action; every legal action appears exactly once.

Keys identify objects across scenes, so that renderers can animate moves. The key of a face-up card identifies the card
(`card 17`), that of a face-down card only its position (`seat 2 hand 3`), so that a key reveals no more than the
picture.

Sentences and labels refer to seats as `Seat 2`; renderers replace that with the player's name.
"""

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace as replace  # noqa: PLC0414 - re-exported for games

#: A board space: column and row for squares, axial q and r for hexes (q grows to the east, r to the south-east).
Place = tuple[int, int]


class Thing(Struct, frozen=True, gc=False, cache_hash=True, omit_defaults=True, tag_field="kind", tag=str.lower):
    """Base class of all objects in a scene.

    They are immutable and hashable, because they are keys of drawing caches. They never contain themselves, so
    `gc=False` is safe. Programs get them as JSON, with their kind and without default values.
    """


class Colour(Thing, frozen=True):
    """A colour, with a word, a letter and a pattern for people who can't tell colours apart."""

    #: The CSS custom property with its value: `red` uses `--red`.
    key: str
    word: str
    letter: str
    #: One of `patterns.PATTERNS`: solid, diagonal, dots, waves, cross, ...
    pattern: str = "solid"


class Picture(Thing, frozen=True):
    """A drawing: an SVG fragment from a game (never from a user), usually 100 x 100."""

    name: str
    #: Empty in plain data (`without_drawings`).
    svg: str = ""


class Face(Thing, frozen=True):
    """The face of a card."""

    name: str
    colour: Colour | None = None
    #: The large symbol in the corner: a number or rank.
    value: str = ""
    picture: Picture | None = None
    #: Text below the picture, one entry per line.
    lines: tuple[str, ...] = ()
    #: Circles along the top; None is an empty one.
    circles: tuple[Colour | None, ...] = ()
    #: Symbols in the lower corners, each with its meaning: `("attack", "3")`.
    feet: tuple[tuple[str, str], ...] = ()
    #: The meanings of the symbols in `feet` that are better, and worse, than on the printed card: `("attack",)`.
    raised: tuple[str, ...] = ()
    lowered: tuple[str, ...] = ()
    #: A drawing along the lower edge, 63 x 19.
    base: Picture | None = None
    #: `window` (name, picture, lines), `full` (the picture fills the card, symbols in the corners) or `pack`
    #: (the picture is the whole card, 63 x 88: see `playing_cards.py`).
    layout: str = "window"
    #: The name in words if name, colour and value are symbols: `Queen of spades`.
    spoken_name: str = ""

    @property
    def title(self) -> str:
        """The whole face in words, for screen readers."""
        colour = self.colour.word if self.colour else ""
        feet = [f"{word} {sign}" for word, sign in self.feet]
        circles = [circle.word for circle in self.circles if circle]
        cost = f"circles {' '.join(circles)}" if circles else ""
        called = (self.spoken_name,) if self.spoken_name else (self.name, f"{colour} {self.value}".strip())
        return ", ".join(dict.fromkeys(part for part in (*called, cost, *feet, *self.lines) if part))


class Shortcut(Thing, frozen=True):
    """Several choices of a turn that one tap makes in order: a card, then the space it leads to."""

    #: The words of the choices, separated by semicolons: `FL; token d5; to c4`.
    words: str
    #: What it does, to distinguish it from the object's other shortcuts.
    text: str


class Choosable(Thing, frozen=True, kw_only=True):
    """An object that can represent a choice: its action and words, or why it can't be chosen now."""

    action: int | None = None
    words: str = ""
    why_not: str = ""
    #: For an object without an action: a tap on it takes the only shortcut, or asks which one.
    shortcuts: tuple[Shortcut, ...] = ()
    #: A full description, for a closer look and screen readers.
    label: str = ""


class Button(Choosable, frozen=True):
    """A choice that isn't an object on the table: finish, pass, a number."""

    text: str = ""
    #: Whether it is the most common choice; at most one per prompt.
    main: bool = False


class Card(Choosable, frozen=True):
    """A card in a row or pile; without a face, it is face down."""

    key: str
    face: Face | None = None
    #: Identical cards that share one choice are one card with a count.
    count: int = 1
    #: Turned sideways: spent, tapped, knocked down.
    sideways: bool = False
    #: Small labels on it: asleep, 2 damage, super.
    marks: tuple[str, ...] = ()
    #: The key of the pile, row or seat that it came from, if it wasn't visible before.
    origin: str = ""
    #: The name of its back, if the game has several.
    back: str = ""
    #: Several choices instead of `action`: small buttons on the card.
    choices: tuple[Button, ...] = ()


@lru_cache(maxsize=4096)
def face_up_card(key: str, face: Face, origin: str = "", marks: tuple[str, ...] = ()) -> Card:
    """Return a face-up card; cached, so that scenes share it."""
    return Card(key, face, origin=origin, marks=marks)


class Slot(Choosable, frozen=True):
    """An empty place in a row."""

    key: str
    text: str = ""


class Row(Thing, frozen=True):
    """A row of cards."""

    key: str
    title: str = ""
    cards: tuple[Card | Slot, ...] = ()
    #: `row` (whole cards), `hand` (large, overlapping if there are many), `small` (tiny cards), or `lanes` (each card
    #: faces the one at the same position in the neighbouring `lanes` row).
    layout: str = "row"
    #: A sum as text: `2 + 3 = 5`.
    total: str = ""
    #: Shown if there are no cards.
    empty: str = ""
    #: The owner's seat, from 1; 0 for none.
    seat: int = 0


class Pile(Choosable, frozen=True):
    """A pile: its size, and its cards if they are public (the top one last)."""

    key: str
    title: str
    count: int
    cards: tuple[Card, ...] = ()
    back: str = ""


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


class Cell(Choosable, frozen=True):
    """A square or hex of a board."""

    at: Place
    #: The ground: words of the game's theme such as `floor`, `edge`, `wall`, `start`, `reach`.
    tone: str = "floor"
    text: str = ""
    #: The seat that starts here, from 1; 0 for none.
    seat: int = 0
    #: The seat whose goal it is, from 1; 0 for none.
    goal: int = 0
    #: Keys of cards that lead here; a theme can highlight the space while one of them has the focus.
    lit_by: tuple[str, ...] = ()
    #: Its name in typed choices: `c3`, `2,-1`.
    name: str = ""
    #: `from` or `to` if a token left it or arrived in the last move (`last_move.py`); games leave it empty.
    last: str = ""


class Token(Choosable, frozen=True):
    """A piece on a board."""

    key: str
    at: Place
    #: The owner's seat, from 1, which gives colour and pattern.
    seat: int
    text: str = ""
    #: A word of the game's theme: knocked down, frozen, at the goal.
    state: str = ""
    #: Drawn instead of the disc: 20 x 20 around 0,0, with the classes `rim` (outline) and `disc` (seat's colour).
    picture: Picture | None = None


class Stroke(Thing, frozen=True):
    """A line over the board: a move, a knockback, a distance."""

    key: str
    places: tuple[Place, ...]
    #: Whether it ends in an arrowhead.
    arrow: bool = True
    text: str = ""
    seat: int = 0


class Label(Thing, frozen=True):
    """Text along a line, such as the name of a side; upright if both ends are the same point.

    A point is a space or lies between spaces: (3.5, 0) is half a square to the right of the middle of (3, 0).
    """

    ends: tuple[tuple[float, float], tuple[float, float]]
    text: str
    seat: int = 0


class Board(Thing, frozen=True):
    """A board of squares or hexes with its tokens, lines and labels."""

    key: str
    title: str
    cells: tuple[Cell, ...]
    tokens: tuple[Token, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    labels: tuple[Label, ...] = ()
    hexes: bool = False
    #: Clockwise rotation on the screen, in quarter turns (squares) or sixths (hexes).
    turns: int = 0
    #: Whether to draw the names of spaces: in each hex; for squares, which are then named as in `squares.square_name`,
    #: as letters and numbers along the edges, as turned.
    coordinates: bool = False


class Group(Thing, frozen=True):
    """Areas that belong together, side by side or (`down`) one below the other."""

    parts: "tuple[Area, ...]"
    title: str = ""
    down: bool = False


class Facts(Thing, frozen=True):
    """A list of short facts."""

    facts: tuple[Fact, ...]
    title: str = ""


Area = Row | Pile | Board | Track | Facts | Group


class Seat(Choosable, frozen=True):
    """A player's panel at the top. It can be chosen itself, as a target."""

    number: int
    #: What the seat plays as, such as a fighter's name.
    title: str = ""
    #: The text of the button over it if it can be chosen (default: the words of the choice).
    text: str = ""
    you: bool = False
    #: Whether it is this seat's turn to choose.
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
    """A seat's (from 1) named move, which players can describe in their own words."""

    seat: int
    name: str


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
    #: What is stamped on something that is stopped, if it isn't "Blocked".
    word: str = ""


#: The kinds of effects: two objects fight (`source` wins if `amount` is positive, `target` if it is negative; their
#: totals meet, if both have one); a blow that lands, is stopped or falls short; a piece moves (`source` pushes it), or
#: is thrown off the board; cards are drawn; something is destroyed; points are scored; a move's name or a headline is
#: called out; a player wins.
EFFECTS = ("clash", "hit", "block", "miss", "move", "throw", "draw", "destroy", "score", "call_out", "win")


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
    def choosable(self) -> tuple[Choosable, ...]:
        """All objects that represent a choice, in reading order."""
        parts = (self.seats, self.left, self.middle, self.right, self.hand, self.prompt)
        return tuple(thing for thing in things(parts) if isinstance(thing, Choosable) and thing.action is not None)

    @cached_property
    def shortcuts(self) -> tuple[Shortcut, ...]:
        """All shortcuts, in reading order."""
        parts = (self.seats, self.left, self.middle, self.right, self.hand, self.prompt)
        return tuple(thing for thing in things(parts) if isinstance(thing, Shortcut))

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys that effects can name: of objects with a key, `seat 2`, `banner KEY`, and `3,0` for a space."""
        parts = (self.seats, self.left, self.middle, self.right, self.hand)
        found = set[str]() if self.banner is None else {f"banner {self.banner.key}"}
        for thing in things(parts):
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


def things(part: object) -> Iterator[object]:
    """Yield all objects in a part of a scene, starting with the part itself."""
    if isinstance(part, tuple):
        for each in part:
            yield from things(each)
    elif isinstance(part, Struct):
        yield part
        for name in part.__struct_fields__:
            yield from things(getattr(part, name))


def without_choices(part: Any) -> Any:
    """Return a part of a scene without choices and keys, to show it later."""
    return _emptied(part, _EMPTY)


def without_shortcuts(part: Any) -> Any:
    """Return a part of a scene without shortcuts: a puzzle asks for one choice."""
    return _emptied(part, {"shortcuts": ()})


def with_shortcuts(part: Any, keep: Callable[[Shortcut], bool]) -> Any:
    """Return a part of a scene with only the shortcuts that `keep` accepts."""
    if isinstance(part, tuple):
        return tuple(with_shortcuts(each, keep) for each in part)
    if not isinstance(part, Struct) or isinstance(part, Face | Colour | Picture | Shortcut):
        return part
    kept = {name: with_shortcuts(getattr(part, name), keep) for name in part.__struct_fields__}
    if kept.get("shortcuts"):
        kept["shortcuts"] = tuple(filter(keep, kept["shortcuts"]))
    return replace(part, **kept)


def _emptied(part: Any, fields: dict[str, Any]) -> Any:
    """Return a part of a scene with these fields of all its objects set to empty values."""
    if isinstance(part, tuple):
        return tuple(_emptied(each, fields) for each in part)
    if not isinstance(part, Struct) or isinstance(part, Face | Colour | Picture):
        return part
    names = part.__struct_fields__
    changed = {name: empty for name, empty in fields.items() if name in names}
    return replace(part, **{**{name: _emptied(getattr(part, name), fields) for name in names}, **changed})


def without_drawings(part: Any) -> Any:
    """Return a part of a scene as plain data: pictures keep only their names, NumPy numbers become Python's."""
    if isinstance(part, tuple):
        return tuple(without_drawings(each) for each in part)
    if isinstance(part, Picture):
        return Picture(part.name)
    if not isinstance(part, Struct):
        return part.item() if isinstance(part, np.generic) else part
    return replace(part, **{name: without_drawings(getattr(part, name)) for name in part.__struct_fields__})


#: The fields that `without_choices` resets, with their empty values.
_EMPTY = {"key": "", "origin": "", "action": None, "why_not": "", "shortcuts": (), "choices": (), "lit_by": ()}
