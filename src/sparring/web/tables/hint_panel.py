"""Hints at casual tables: everyone sees that a player asked, but only that player sees the hint, until they choose."""

import hashlib

from markupsafe import Markup

from sparring.bots import STRENGTHS
from sparring.scene.markup import NOTHING, el, join

from .hint_state import HintGiven
from .table import Table

#: The bot that gives hints: the strongest one that every game has.
HINT_BOT = STRENGTHS[-1]


def position_id(table: Table) -> str:
    """Return an opaque name of the current position."""
    choices = repr((table.match.seed, table.match.history)).encode()
    return hashlib.blake2b(choices, digest_size=12).hexdigest()


def hint_of(table: Table, viewer: int) -> HintGiven | None:
    """Return the hint that a viewer whose turn it is still sees."""
    given = table.hints.given
    valid = given and given.seat == viewer == table.chooser and given.place == position_id(table)
    return given if valid else None


def first_in_turn(table: Table, seat: int) -> bool:
    """Return whether this is a seat's first hint this turn: announcing more would reveal how often it chose."""
    last = next((taken for taken in reversed(table.hints.taken) if taken.seat == seat), None)
    return last is None or any(
        int(transition.before.player) + 1 != seat for transition in table.transitions[last.after :]
    )


def status_lines(table: Table) -> list[str]:
    """Return which players have asked for hints, for everyone."""
    seats = sorted({taken.seat for taken in table.hints.taken})
    return [f"Seat {seat} uses hints." for seat in seats]


def highlighted(scene: Markup, table: Table, viewer: int) -> Markup:
    """Mark the suggested choice in the scene with `data-hinted`, while the viewer sees a hint."""
    given = hint_of(table, viewer)
    if not given:
        return scene
    button = f'name="choice" value="{given.promises[0].action}"'
    return Markup(str.replace(str(scene), button, f"{button} data-hinted"))  # Markup.replace would escape it


def controls(table: Table, viewer: int) -> Markup:
    """Return the hint button, or the hint itself."""
    if not table.settings.hints or not viewer or viewer != table.chooser:
        return NOTHING
    if given := hint_of(table, viewer):
        lines = [el("li", el("b", words), f" {worth}", el("small", f" {sure}")) for words, worth, sure in given.lines()]
        details = el("details", el("summary", "Details"), el("ol", join(lines), role="list"))
        advice = el("p", "A strong bot, knowing what you know, suggests ", el("b", given.promises[0].words), ".")
        return el("div", advice, details, class_="hint", role="note")
    return el("button", "Get hint", type="submit", formaction=f"/table/{table.id}/hint", data_post="hint",
              aria_description="A strong bot rates your choices; everyone sees that you asked")  # fmt: skip
