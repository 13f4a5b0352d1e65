"""Clock events: how choices, arrivals and stand-in bots change the clocks."""

import struct
from dataclasses import replace as changed

from msgspec.structs import replace

from sparring.engine.items import asked
from sparring.web.bots.time_slots import slot_of
from sparring.web.tables.changes import TableChange
from sparring.web.tables.table import Table

from .clock_state import FREE, ClockState
from .early_endings import EarlyEnding

#: The longest thinking time that is stored: tenths of a second in four bytes.
LONGEST = (1 << 32) - 1
#: Bots refuse draws before this many choices per seat.
EARLY = 10


def runs(table: Table, timing: ClockState, ended: EarlyEnding, seat: int) -> bool:
    """Return whether time runs for the seat that is to choose: its person is present, and the match is on."""
    here = seat in timing.come and seat not in timing.absent and seat not in ended.seats
    return here and timing.begun and not timing.paused and bool(table.sitters[seat - 1].person)


def clock_ends(timing: ClockState, seat: int) -> int | None:
    """Return when the running clock of a seat runs out (ms since 1970); None if there are no clocks."""
    return timing.since + FREE + timing.left[seat - 1] if timing.left else None


def armed(table: Table, timing: ClockState, ended: EarlyEnding, seat: int, away_from: int = 0) -> ClockState:
    """Return the clock state with its next due time: when the clock runs out or the absence is too long."""
    moments = list[int]()
    if seat and not ended.how and runs(table, timing, ended, seat):
        if (ends := clock_ends(timing, seat)) is not None:
            moments.append(ends)
        if table.terms.away:
            moments.append(max(timing.since, away_from) + 1000 * table.terms.away)
    return replace(timing, due=min(moments, default=None))


def in_time(table: Table, change: TableChange, now: int) -> TableChange:
    """Return a change of the match with its thinking time and its effect on the clocks."""
    made, seat, following = len(table.match.history), table.shown.asked, table.match.seat or 0
    if change.kind != "choice":
        return changed(change, spent=table.spent[: 4 * made])
    spent = table.spent[: 4 * (made - 1)].ljust(4 * (made - 1), b"\0") + struct.pack("<I", _thought(table, seat, now))
    if following == seat:
        return changed(change, spent=spent)
    timing = table.timing
    if runs(table, timing, table.ended, seat):
        timing = timing.charged(table.terms, seat, now)
    if not table.bot_at(seat):
        timing = timing.answered(seat)
    timing = timing.asking(table.terms, following, now)
    return changed(change, spent=spent, timing=armed(table, timing, table.ended, following))


def _thought(table: Table, seat: int, now: int) -> int:
    """Return how long a seat has thought, in tenths of a second; for a bot always its time slot."""
    if bot := table.bot_at(seat):
        return round(10 * slot_of(bot))
    return min(max(0, now - table.timing.since) // 100, LONGEST) if table.timing.since else 0


def arrived(table: Table, seat: int, now: int) -> ClockState | None:
    """Return the clocks after a player's arrival, or None if nothing changes.

    The clocks start when everyone has arrived, and a stand-in bot makes way for its person.
    """
    timing = table.timing
    if seat in timing.absent:
        absent = {who: since for who, since in timing.absent.items() if who != seat}
        played_for = {**timing.played_for, seat: now - timing.absent[seat]}
        since = now if table.shown.asked == seat else timing.since
        timing = replace(timing, absent=absent, played_for=played_for, since=since)
    if (table.terms.bank or table.terms.away) and seat not in timing.come:
        since = now if table.shown.asked == seat else timing.since
        timing = replace(timing, come=(*timing.come, seat), since=since)
        if not timing.begun and all(sitter.bot or who in timing.come for who, sitter in enumerate(table.sitters, 1)):
            timing = timing.started(table.terms, len(table.sitters), now)
    return timing if timing != table.timing else None


def absented(table: Table, seat: int, now: int) -> ClockState:
    """Return the clocks after a stand-in bot has taken over for an absent player."""
    return replace(table.timing.stopped(seat, now), absent={**table.timing.absent, seat: now})


def bot_agrees(table: Table, seat: int) -> bool:
    """Return whether a bot agrees to a draw: not early in a match, and only if it isn't visibly ahead."""
    if len(table.match.history) < EARLY * table.match.seats:
        return False
    seen = table.match.view(0)
    ahead = asked(table.match.game).ahead
    far = {who: float(ahead(seen.box.kit, seen.state, who - 1)) for who in table.ended.staying(table.match.seats)}
    return far[seat] <= max(value for who, value in far.items() if who != seat)
