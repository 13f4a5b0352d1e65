"""Seat notes: the clock, who is away or has a bot playing for them, and who uses hints, on the seat itself."""

from collections.abc import Mapping

from markupsafe import Markup

from sparring.scene.markup import NOTHING, el, join
from sparring.tables.state.clock_state import Why
from sparring.tables.state.players import Presence, Viewer
from sparring.tables.state.table import Table

from .clock_panel import clock_views

#: What a seat shows after its player has left the match.
LEFT: dict[Why, str] = {
    "gave up": "gave up, bot playing", "time": "out of time, bot playing", "away": "away too long, bot playing",
}  # fmt: skip


def seat_notes(table: Table, viewer: Viewer) -> Mapping[int, Markup]:
    """Return what to show on each seat besides its scene, as `viewer` sees it.

    The note that a player is away is always there; `seat_notes.css` shows it while `away_seats` names the seat, since
    presence changes without a new version of the table.
    """
    clocks, hinted = clock_views(table), {taken.seat for taken in table.hints.taken}
    if table.shown.over:
        return clocks
    notes = {left.seat: _notes(el("em", LEFT[left.why], class_="note")) for left in table.ended.left}
    for seat, player in enumerate(table.players_seen_by(viewer), 1):
        if not player.person or seat in table.ended.seats:
            continue
        absent = seat in table.clocks.absent
        lines = [
            el("em", "away, bot playing", class_="note") if absent else NOTHING,
            el("em", "away", class_="note away") if seat != viewer.seat and not absent else NOTHING,
            el("em", "uses hints", class_="note") if seat in hinted else NOTHING,
        ]
        notes[seat] = clocks.get(seat, NOTHING) + _notes(join(lines))
    return notes


def _notes(lines: Markup) -> Markup:
    return el("span", lines, class_="notes") if lines else NOTHING


def away_seats(table: Table, viewer: Viewer, presence: Presence) -> list[int]:
    """Return the seats of people who don't have the table open, except the viewer's own."""
    present = presence.people()
    return [
        seat for seat, player in enumerate(table.players_seen_by(viewer), 1)
        if player.person and player.person not in present and seat not in viewer.seats
    ]  # fmt: skip
