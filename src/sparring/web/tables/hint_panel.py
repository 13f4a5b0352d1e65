"""Hints at a casual table: that somebody took one all are told; what it says is theirs alone, until they choose."""

import hashlib

from markupsafe import Markup

from sparring.bots import STRENGTHS
from sparring.scene.markup import NOTHING, el, join

from .hint_state import HintGiven
from .table import Table

#: Who is asked what it thinks: the strongest of the bots that every game has.
ADVISER = STRENGTHS[-1]


def place_of(table: Table) -> str:
    """Where the match stands, as a name that tells nothing of it."""
    choices = repr((table.match.seed, table.match.history)).encode()
    return hashlib.blake2b(choices, digest_size=12).hexdigest()


def hint_of(table: Table, viewer: int) -> HintGiven | None:
    """The hint that somebody looks at who is asked."""
    given = table.help.given
    holds = given and given.seat == viewer == table.chooser and given.place == place_of(table)
    return given if holds else None


def first_in_turn(table: Table, seat: int) -> bool:
    """Whether this is the first hint of a turn: others hear of one alone, as more would tell how often one chose."""
    last = next((taken for taken in reversed(table.help.taken) if taken.seat == seat), None)
    return last is None or any(int(course.before.player) + 1 != seat for course in table.courses[last.after :])


def told(table: Table) -> list[str]:
    """What everybody knows of who took hints."""
    seats = sorted({taken.seat for taken in table.help.taken})
    return [f"Seat {seat} has taken hints." for seat in seats]


def beside(table: Table, viewer: int) -> Markup:
    """The way to a hint beside the question, or what it said."""
    if not table.terms.hints or not viewer or viewer != table.chooser:
        return NOTHING
    if given := hint_of(table, viewer):
        lines = [el("li", el("b", words), f" {worth}", el("small", f" {sure}")) for words, worth, sure in given.lines()]
        said = el("ol", join(lines), role="list")
        return el("div", el("p", "What a strong bot thinks, from what you know:"), said, class_="hint", role="note")
    return el("button", "Hint", type="submit", formaction=f"/table/{table.id}/hint", data_post="hint",
              aria_description="What a strong bot thinks of your choices; all are told that you asked")  # fmt: skip
