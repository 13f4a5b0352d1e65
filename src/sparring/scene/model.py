"""The table as one seat sees it, in things rather than pixels. Games make scenes, renderers draw them.

A scene holds seats above, areas (rows, piles, boards, tracks, facts) in the middle, one's own hand below, and a prompt.
What can be chosen carries the number of the choice; every legal choice stands in a scene exactly once.

Keys name things from one scene to the next, so that what moved can be shown moving. A card that lies face up is known
by itself (`card 17`), one that lies face down only by its place (`seat 2 hand 3`): a key tells nothing the eye does not
see.

Sentences and labels name seats as `Seat 2`; a renderer that knows who sits there puts the name in its place.
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace as replace  # noqa: PLC0414 - handed on to those who make scenes

#: A place on a board: column and row of squares, or q and r of hexes (axial; q grows to the east, r to the south-east).
Place = tuple[int, int]


class Thing(Struct, frozen=True, gc=False, cache_hash=True, omit_defaults=True, tag_field="kind", tag=str.lower):
    """What a scene is put together from: there are many, none ever holds itself, and what is drawn is found by them.

    Programs read it as JSON, in which every thing says its kind and leaves out what is as usual.
    """


class Colour(Thing, frozen=True):
    """A colour, which never stands alone: it has a word, a letter, and a pattern."""

    #: The CSS custom property that holds it: `red` is drawn with `--red`.
    key: str
    word: str
    letter: str
    #: One of `patterns.PATTERNS`: solid, diagonal, dots, waves, cross, ...
    pattern: str = "solid"


class Picture(Thing, frozen=True):
    """A drawing of simple shapes: an SVG fragment made by a game (never by a user), mostly 100 x 100."""

    name: str
    #: Empty where it is not to be drawn.
    svg: str = ""


class Face(Thing, frozen=True):
    """What is on the upper side of a card."""

    name: str
    colour: Colour | None = None
    #: The large sign in the corner: a number, a rank.
    value: str = ""
    picture: Picture | None = None
    #: Text below the picture, one entry a line.
    lines: tuple[str, ...] = ()
    #: Circles along the top; None is an empty one.
    circles: tuple[Colour | None, ...] = ()
    #: Signs in the lower corners, as `("attack", "3")`: what it is, and what is written.
    feet: tuple[tuple[str, str], ...] = ()
    #: A drawing along the lower edge, 63 x 19.
    base: Picture | None = None
    #: How it is laid out: `window` (name, picture, lines) `full` (the picture fills the card, signs in the corners) or
    #: `pack` (the picture is the whole card, 63 x 88: see `pack.py`).
    layout: str = "window"
    #: What it is called in words where name, colour and value are signs: `Queen of spades`.
    said: str = ""

    @property
    def title(self) -> str:
        """All of it in words, for people who do not see it."""
        colour = self.colour.word if self.colour else ""
        feet = [f"{word} {sign}" for word, sign in self.feet]
        circles = [circle.word for circle in self.circles if circle]
        cost = f"circles {' '.join(circles)}" if circles else ""
        called = (self.said,) if self.said else (self.name, f"{colour} {self.value}".strip())
        return ", ".join(dict.fromkeys(part for part in (*called, cost, *feet, *self.lines) if part))


class Choosable(Thing, frozen=True, kw_only=True):
    """Something that may stand for a choice: its number and words, or else why it cannot be chosen now."""

    action: int | None = None
    words: str = ""
    why_not: str = ""
    #: What it is, in full, for a closer look and a screen reader.
    label: str = ""


class Button(Choosable, frozen=True):
    """A choice with nothing on the table to click: finish, pass, a number."""

    text: str = ""
    #: The one that is most often wanted; at most one of a prompt.
    main: bool = False


class Card(Choosable, frozen=True):
    """A card in a row or on a pile; without a face it lies face down."""

    key: str
    face: Face | None = None
    #: Equal cards that are one choice are one card with a count.
    count: int = 1
    #: Lies sideways: spent, tapped, knocked down.
    sideways: bool = False
    #: Small words on it: asleep, 2 damage, super.
    marks: tuple[str, ...] = ()
    #: Where it comes from if it was not in sight before: the key of a pile, row or seat.
    origin: str = ""
    #: Which back, for a game with several kinds of card.
    back: str = ""
    #: Several things that can be done with it, in place of `action`: small buttons on the card.
    choices: tuple[Button, ...] = ()


@lru_cache(maxsize=4096)
def upturned(key: str, face: Face, origin: str = "", marks: tuple[str, ...] = ()) -> Card:
    """A card that lies there for all to see; the same one from one scene to the next."""
    return Card(key, face, origin=origin, marks=marks)


class Slot(Choosable, frozen=True):
    """A place in a row where no card lies."""

    key: str
    text: str = ""


class Row(Thing, frozen=True):
    """Cards side by side."""

    key: str
    title: str = ""
    cards: tuple[Card | Slot, ...] = ()
    #: `row` (whole cards), `hand` (large, overlapping when there are many), `small` (as tokens of cards),
    #: `lanes` (each card faces the one with the same place in the neighbouring lanes row).
    layout: str = "row"
    #: What is added up, as it stands: `2 + 3 = 5`.
    total: str = ""
    #: What is said where no card lies.
    empty: str = ""
    #: Whose it is, from 1; 0 for nobody's.
    seat: int = 0


class Pile(Choosable, frozen=True):
    """Cards on one another: how many, and those that everybody may look through (the top one last)."""

    key: str
    title: str
    count: int
    cards: tuple[Card, ...] = ()
    back: str = ""


class Track(Thing, frozen=True):
    """A number on its way: points, health, momentum. Drawn as a bar, as pips, or as a number."""

    key: str
    title: str
    value: int
    #: What it goes up to; 0 for no end.
    goal: int = 0
    style: str = "pips"
    colour: Colour | None = None
    #: What it says in full, for a tooltip and a screen reader; title, value and goal if nothing is said.
    label: str = ""


class Fact(Thing, frozen=True):
    """A name and what it says; `key` lets a changed one be marked."""

    key: str
    title: str
    text: str
    #: What it says in full, for a tooltip and a screen reader.
    label: str = ""


class Cell(Choosable, frozen=True):
    """A square or hex of a board."""

    at: Place
    #: How it is filled: a word of the game's theme such as `floor`, `edge`, `wall`, `start`, `reach`.
    tone: str = "floor"
    text: str = ""
    #: Whose it is, from 1 (a start); 0 for nobody's.
    seat: int = 0
    #: Who is to come here, from 1; 0 for nobody.
    goal: int = 0
    #: Keys of cards that would lead here: a theme may light the place while one of them is looked at.
    lit_by: tuple[str, ...] = ()
    #: What it is called where a choice is typed: `c3`, `2,-1`.
    name: str = ""


class Token(Choosable, frozen=True):
    """A piece on a board."""

    key: str
    at: Place
    #: Whose it is, from 1: gives colour and pattern.
    seat: int
    text: str = ""
    #: Knocked down, frozen, gone to the goal: a word of the game's theme.
    state: str = ""
    #: Drawn in place of the disc: 20 x 20 around 0,0, with the classes `rim` (outline) and `disc` (seat's colour).
    picture: Picture | None = None


class Stroke(Thing, frozen=True):
    """A line over the board from place to place: a move, a knock back, a distance."""

    key: str
    places: tuple[Place, ...]
    #: Whether it leads somewhere: with an arrow head.
    arrow: bool = True
    text: str = ""
    seat: int = 0


class Label(Thing, frozen=True):
    """Words along a line from point to point, such as the name of a side; upright where both are one.

    A point is a place or between places: half a square from the middle of (3, 0) lies (3.5, 0).
    """

    ends: tuple[tuple[float, float], tuple[float, float]]
    text: str
    seat: int = 0


class Board(Thing, frozen=True):
    """Squares or hexes with what stands on them."""

    key: str
    title: str
    cells: tuple[Cell, ...]
    tokens: tuple[Token, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    labels: tuple[Label, ...] = ()
    hexes: bool = False
    #: Turned clockwise on the screen by so many quarters (squares) or sixths (hexes).
    turns: int = 0


class Group(Thing, frozen=True):
    """Areas that belong together, side by side or one below the other."""

    parts: "tuple[Area, ...]"
    title: str = ""
    down: bool = False


class Facts(Thing, frozen=True):
    """Short facts in a list."""

    facts: tuple[Fact, ...]
    title: str = ""


Area = Row | Pile | Board | Track | Facts | Group


class Seat(Choosable, frozen=True):
    """Who plays: a panel at the top. It can be chosen itself, as a target."""

    number: int
    #: What the seat plays as, if the game says so: a fighter's name.
    title: str = ""
    #: The label of the button over it, if it can be chosen; its words if empty.
    text: str = ""
    you: bool = False
    #: Whether the table waits for this seat.
    turn: bool = False
    out: bool = False
    tags: tuple[str, ...] = ()
    tracks: tuple[Track, ...] = ()
    parts: tuple[Area, ...] = ()


class Prompt(Thing, frozen=True):
    """One plain sentence that says what is asked, or what is waited for; and the choices that lie nowhere else."""

    sentence: str
    buttons: tuple[Button, ...] = ()


class Banner(Thing, frozen=True):
    """What everybody should see: the name of a move, a round's number, who won."""

    key: str
    text: str
    detail: str = ""
    seat: int = 0


class Deed(NamedTuple):
    """What a seat (from 1) has done, by the name that the game makes of it: people may tell it in their own words."""

    seat: int
    name: str


class Scene(Struct, frozen=True, dict=True, omit_defaults=True):
    """All that a seat sees of a match at one time."""

    #: The game's name, for its theme.
    game: str
    title: str
    #: Where the match stands, in a few words: `Turn 5`.
    status: str
    seats: tuple[Seat, ...]
    prompt: Prompt
    middle: tuple[Area, ...] = ()
    left: tuple[Area, ...] = ()
    right: tuple[Area, ...] = ()
    hand: tuple[Area, ...] = ()
    banner: Banner | None = None
    #: What was decided at this beat, with the cards that decided it: it stays beside the table until the next one.
    exchange: Area | None = None
    over: bool = False
    #: When this seat gives up, if it says so now: `at the end of the Round`; empty if it cannot say so.
    forfeit: str = ""
    #: The game's card backs, each a drawing of 63 x 88; the first is the usual one.
    backs: tuple[Picture, ...] = ()

    @cached_property
    def choosable(self) -> tuple[Choosable, ...]:
        """Everything that stands for a choice, in reading order."""
        parts = (self.seats, self.left, self.middle, self.right, self.hand, self.prompt)
        return tuple(thing for thing in things(parts) if isinstance(thing, Choosable) and thing.action is not None)

    def actions(self) -> list[int]:
        """The numbers of all choices in the scene, in reading order: each legal one exactly once."""
        return [thing.action for thing in self.choosable if thing.action is not None]


def things(part: object) -> Iterator[object]:
    """Everything in a part of a scene, the part itself first."""
    if isinstance(part, tuple):
        for each in part:
            yield from things(each)
    elif isinstance(part, Struct):
        yield part
        for name in part.__struct_fields__:
            yield from things(getattr(part, name))


def bare(part: Any) -> Any:
    """A part of a scene to look back at: nothing in it can be chosen, and nothing is known again by its key."""
    if isinstance(part, tuple):
        return tuple(bare(each) for each in part)
    if not isinstance(part, Struct) or isinstance(part, Face | Colour | Picture):
        return part
    names = part.__struct_fields__
    changed = {name: nothing for name, nothing in _NOTHING.items() if name in names}
    return replace(part, **{**{name: bare(getattr(part, name)) for name in names}, **changed})


def undrawn(part: Any) -> Any:
    """A part of a scene in things alone: pictures have their names, nothing is drawn, NumPy's numbers are Python's."""
    if isinstance(part, tuple):
        return tuple(undrawn(each) for each in part)
    if isinstance(part, Picture):
        return Picture(part.name)
    if not isinstance(part, Struct):
        return part.item() if isinstance(part, np.generic) else part
    return replace(part, **{name: undrawn(getattr(part, name)) for name in part.__struct_fields__})


#: What `bare` leaves out.
_NOTHING = {"key": "", "origin": "", "action": None, "why_not": "", "choices": (), "lit_by": ()}
