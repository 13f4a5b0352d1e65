"""Hints at a casual table: that somebody took one all are told; what it says is theirs alone, until they choose."""

import hashlib
from typing import TYPE_CHECKING, Annotated, Self

import msgspec
from markupsafe import Markup

from sparring.bots import STRENGTHS
from sparring.engine.hints import Hint
from sparring.scene.markup import NOTHING, el, join
from sparring.web.storage.stored import Stored

from .clocks.ended import Seat

if TYPE_CHECKING:
    from .table import Table

#: Who is asked what it thinks: the strongest of the bots that every game has.
ADVISER = STRENGTHS[-1]
#: Of how many choices it is told.
TOLD = 3
#: No record that can be brought holds more of them.
MOST = 100_000


class Taken(msgspec.Struct, frozen=True):
    """A hint that was taken: from which seat, and after how many choices of the match."""

    seat: Seat
    after: Annotated[int, msgspec.Meta(ge=0, le=MOST)]


class Promise(msgspec.Struct, frozen=True):
    """What a bot thinks of a choice: the chance to win (or what is paid) and where that lies with 95% certainty."""

    action: int
    words: str
    value: float | None
    low: float
    high: float


class Given(msgspec.Struct, frozen=True):
    """What somebody was told who is asked; `place` is the match up to there, of which nothing can be read."""

    seat: Seat
    place: str
    promises: tuple[Promise, ...]
    #: What is paid, as chips; empty: the chance to win is told.
    unit: str = ""

    @classmethod
    def of(cls, hint: Hint, place: str) -> Self:
        """The best of a hint."""
        told = [Promise(one.action, one.words, one.value, one.low, one.high) for one in hint.choices[:TOLD]]
        return cls(hint.seat, place, tuple(told), hint.unit)

    def lines(self) -> list[tuple[str, str, str]]:
        """Choices, what they are worth in words, and where that lies."""
        return [(one.words, *_worth(one, self.unit)) for one in self.promises]


class Help(Stored, frozen=True):
    """All hints that were taken at a table, and the one that its owner still looks at."""

    taken: tuple[Taken, ...] = ()
    given: Given | None = None


AllTaken = Annotated[tuple[Taken, ...], msgspec.Meta(max_length=MOST)]


def place_of(table: "Table") -> str:
    """Where the match stands, as a name that tells nothing of it."""
    choices = repr((table.match.seed, table.match.history)).encode()
    return hashlib.blake2b(choices, digest_size=12).hexdigest()


def hint_of(table: "Table", viewer: int) -> Given | None:
    """The hint that somebody looks at who is asked."""
    given = table.help.given
    holds = given and given.seat == viewer == table.chooser and given.place == place_of(table)
    return given if holds else None


def first_in_turn(table: "Table", seat: int) -> bool:
    """Whether this is the first hint of a turn: others hear of one alone, as more would tell how often one chose."""
    last = next((taken for taken in reversed(table.help.taken) if taken.seat == seat), None)
    return last is None or any(int(course.before.player) + 1 != seat for course in table.courses[last.after :])


def told(table: "Table") -> list[str]:
    """What everybody knows of who took hints."""
    seats = sorted({taken.seat for taken in table.help.taken})
    return [f"Seat {seat} has taken hints." for seat in seats]


def beside(table: "Table", viewer: int) -> Markup:
    """The way to a hint beside the question, or what it said."""
    if not table.terms.hints or not viewer or viewer != table.chooser:
        return NOTHING
    if given := hint_of(table, viewer):
        lines = [el("li", el("b", words), f" {worth}", el("small", f" {sure}")) for words, worth, sure in given.lines()]
        said = el("ol", join(lines), role="list")
        return el("div", el("p", "What a strong bot thinks, from what you know:"), said, class_="hint", role="note")
    return el("button", "Hint", type="submit", formaction=f"/table/{table.id}/hint", data_post="hint",
              aria_description="What a strong bot thinks of your choices; all are told that you asked")  # fmt: skip


def _worth(one: Promise, unit: str) -> tuple[str, str]:
    if one.value is None:
        return "was never tried", ""
    if unit:
        return f"{one.value:+.1f} {unit}", f"({one.low:+.1f} to {one.high:+.1f})"
    return f"{one.value:.0%} to win", f"({one.low:.0%} to {one.high:.0%})"
