"""What a table consists of: areas, seats, the prompt and banners."""

from typing import NamedTuple

from .base import Button, Choosable, Colour, Thing
from .boards import Board
from .cards import Pile, Row


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
    """A seat's (from 1) named move, which players can describe, and the words they can compose a description from."""

    seat: int
    name: str
    words: tuple[str, ...] = ()
