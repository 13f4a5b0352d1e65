"""The objects of a scene: cards, rows, piles and boards, their base classes, and how to go through all of them."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple, replace

from sparring.engine.messages import say


class Thing(Struct, frozen=True, gc=False, cache_hash=True, omit_defaults=True, tag_field="kind", tag=str.lower):
    """Base class of all objects in a scene.

    They are immutable and hashable, because they are keys of drawing caches. They never contain themselves, so
    `gc=False` is safe. Programs get them as JSON, with their kind and without default values.
    """


class Colour(Thing, frozen=True):
    """A colour, with a word, a letter and a pattern for people who can't tell colours apart."""

    #: The CSS custom property with its value: `red` uses `--red`.
    key: str
    #: A template of the catalogue, which `said` shows.
    word: str
    letter: str
    #: One of `patterns.PATTERNS`: solid, diagonal, dots, waves, cross, ...
    pattern: str = "solid"

    @property
    def said(self) -> str:
        """The word in the reader's language."""
        return say(self.word) if self.word else ""


class Picture(Thing, frozen=True):
    """A drawing: an SVG fragment from a game (never from a user), usually 100 x 100."""

    name: str
    #: Empty in plain data (`without_drawings`).
    svg: str = ""


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


def value_of(thing: Choosable) -> int | str | None:
    """Return what the button over an object posts: its action, or its only shortcut; None if there is neither."""
    return thing.shortcuts[0].words if thing.action is None and len(thing.shortcuts) == 1 else thing.action


class Button(Choosable, frozen=True):
    """A choice that isn't an object on the table: finish, pass, a number."""

    text: str = ""
    #: Whether it is the most common choice; at most one per prompt.
    main: bool = False


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
    #: The initials of the card's maker, on a tab at the right edge of a `window`.
    initials: str = ""

    @property
    def title(self) -> str:
        """The whole face in words, for screen readers."""
        colour = self.colour.said if self.colour else ""
        feet = [f"{word} {sign}" for word, sign in self.feet]
        circles = [circle.said for circle in self.circles if circle]
        cost = say("circles {colours}", colours=" ".join(circles)) if circles else ""
        maker = say("made by {initials}", initials=self.initials) if self.initials else ""
        called = (self.spoken_name,) if self.spoken_name else (self.name, f"{colour} {self.value}".strip())
        return say(", ").join(dict.fromkeys(part for part in (*called, cost, *feet, *self.lines, maker) if part))


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


#: A board space: column and row for squares, axial q and r for hexes (q grows to the east, r to the south-east).
Place = tuple[int, int]


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
    #: `from` or `to` if a token left it or arrived in the last move (`moves.py`); games leave it empty.
    last: str = ""


class Token(Choosable, frozen=True):
    """A piece on a board."""

    key: str
    at: Place
    #: The owner's seat, from 1, which gives colour and pattern.
    seat: int
    text: str = ""
    #: `picked`, `down`, `out`, or a word that only the game's theme draws: frozen, at the goal.
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
    #: as letters and numbers along the edges, as turned. They need a border of squares (tone `border`).
    coordinates: bool = False


#: The fields that `without_choices` resets, with their empty values.
_EMPTY = {"key": "", "origin": "", "action": None, "why_not": "", "shortcuts": (), "choices": (), "lit_by": ()}


def things(part: object) -> Iterator[object]:
    """Yield all objects in a part of a scene, starting with the part itself."""
    waiting = [part]  # nested generators would pass each object through every level
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part[::-1]
        elif isinstance(part, Struct):
            yield part
            waiting += astuple(part)[::-1]


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


def without_drawings(part: Any) -> Any:
    """Return a part of a scene as plain data: pictures keep only their names, NumPy numbers become Python's."""
    if isinstance(part, tuple):
        return tuple(without_drawings(each) for each in part)
    if isinstance(part, Picture):
        return Picture(part.name)
    if not isinstance(part, Struct):
        return part.item() if isinstance(part, np.generic) else part
    return replace(part, **{name: without_drawings(getattr(part, name)) for name in part.__struct_fields__})


def _emptied(part: Any, fields: dict[str, Any]) -> Any:
    """Return a part of a scene with these fields of all its objects set to empty values."""
    if isinstance(part, tuple):
        return tuple(_emptied(each, fields) for each in part)
    if not isinstance(part, Struct) or isinstance(part, Face | Colour | Picture):
        return part
    names = part.__struct_fields__
    changed = {name: empty for name, empty in fields.items() if name in names}
    return replace(part, **{**{name: _emptied(getattr(part, name), fields) for name in names}, **changed})
