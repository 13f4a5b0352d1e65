"""Clock events: how choices, arrivals and stand-in bots change the clocks."""

from typing import Any

from msgspec.structs import replace

from sparring.engine.items import item_rules
from sparring.engine.match import Match
from sparring.engine.messages import say
from sparring.store.person import Person
from sparring.tables.workers.bot_players import slot_of

from .changes import TableChange
from .clock_state import BOT_WAITS, FREE_TIME, ClockState, EarlyEnding, Proposal, Why
from .table import NotAllowed, Table, TableChanged

#: The longest thinking time that is stored: tenths of a second in four bytes.
LONGEST_THINKING_TIME = (1 << 32) - 1
#: Bots refuse draws before this many choices per seat.
MIN_CHOICES_FOR_DRAW = 10


def is_running(table: Table, timing: ClockState, ended: EarlyEnding, seat: int) -> bool:
    """Return whether time runs for the seat that is to choose: its person is present, and the match is on."""
    present = seat in timing.come and seat not in timing.absent and seat not in ended.seats
    return present and timing.begun and not timing.paused and bool(table.players[seat - 1].person)


def clock_runs(table: Table, seat: int) -> bool:
    """Return whether a seat's clock is running, as viewers see it."""
    return seat == table.shown.turn_seat and is_running(table, table.clocks, table.ended, seat)


def shown_left(table: Table) -> dict[int, int]:
    """Return the time that each player's clock shows now, by seat, in ms."""
    if not table.settings.bank:
        return {}
    left = table.clocks.left or (table.settings.bank,) * len(table.players)
    used = table.clocks.used(table.now())
    return {seat: max(0, left[seat - 1] - used * clock_runs(table, seat)) for seat in table.playing}


def runs_out_at(timing: ClockState, seat: int) -> int | None:
    """Return when the running clock of a seat runs out (ms since 1970); None if there are no clocks."""
    return timing.since + FREE_TIME + timing.left[seat - 1] if timing.left else None


def with_due_time(table: Table, timing: ClockState, ended: EarlyEnding, seat: int, away_from: int = 0) -> ClockState:
    """Return the clock state with its next due time.

    That is when the clock runs out, the absence is too long, or a bot stops waiting for answers to a take-back request.
    """
    times = list[int]()
    by_bot = seat and (table.players[seat - 1].bot or seat in timing.absent or seat in ended.seats)
    if by_bot and timing.proposal and timing.proposal.what == "take-back":
        times.append(timing.proposal.since + BOT_WAITS)
    if seat and not ended.how and is_running(table, timing, ended, seat):
        if (ends := runs_out_at(timing, seat)) is not None:
            times.append(ends)
        if table.settings.away:
            times.append(max(timing.since, away_from) + 1000 * table.settings.away)
    return replace(timing, due=min(times, default=None))


def waiting_for(table: Table, proposal: Proposal) -> set[int]:
    """Return the seats whose consent a proposal still needs. A player who is away can't hold up a take-back."""
    voters = set(table.playing) - {proposal.by, *proposal.agreed}
    return voters - set(table.clocks.absent) if proposal.what == "take-back" else voters


def clock_change(table: Table, timing: ClockState, ended: EarlyEnding | None = None) -> TableChange:
    """Return a change that everyone sees: of clocks, presence or proposals, or a seat that has left the match."""
    timing = with_due_time(table, timing, ended or table.ended, table.shown.turn_seat)
    return replace(table.public(), timing=timing, ended=ended)


def leaving(table: Table, seat: int, why: Why) -> TableChange:
    """Return the change by which a seat loses; a bot plays for it if the match goes on."""
    ended = table.ended.leaving(seat, why, table.match.seats, table.seats_without_bots)
    timing, turn_seat = table.clocks, table.shown.turn_seat
    if is_running(table, timing, table.ended, turn_seat):
        timing = timing.stopped(turn_seat, table.now())
    return clock_change(table, replace(timing, proposal=None), ended)


def closing(table: Table, **how: Any) -> TableChange:
    """Return the change that ends a match without a winner; raise TableChanged if it is over.

    `how` are the fields of `EarlyEnding` that say why.
    """
    if table.shown.over:
        raise TableChanged(say("The match at this table is already over."))
    timing = replace(table.clocks, due=None, proposal=None, paused=False)
    return replace(table.public(), timing=timing, ended=replace(table.ended, how="closed", **how))


def with_clocks(table: Table, match: Match, change: TableChange, now: int) -> TableChange:
    """Return a choice with its thinking time, its effect on the clocks, and whether an automatic choice follows.

    `match` is the match after it.
    """
    seat, next_seat = table.shown.turn_seat, match.seat or 0
    thought = _thinking_time(table, seat, now)
    change = replace(change, thought=thought, follows=change.follows or table.automatic_choice(match) is not None)
    timing, proposal = table.clocks, table.clocks.proposal
    if proposal and proposal.what == "take-back" and (seat == proposal.by or match.beats(proposal.by)):
        timing = timing.proposal_failed()  # it was about an earlier choice
    if next_seat == seat:
        return replace(change, timing=None if timing is table.clocks else timing)
    if is_running(table, timing, table.ended, seat):
        timing = timing.charged(table.settings, seat, now)
    if not table.bot_at(seat):
        timing = timing.turn_ended(seat)
    timing = timing.turn_begun(table.settings, next_seat, now)
    return replace(change, timing=with_due_time(table, timing, table.ended, next_seat))


def _thinking_time(table: Table, seat: int, now: int) -> int:
    """Return how long a seat has thought, in tenths of a second; for a bot always its time slot."""
    if bot := table.bot_at(seat):
        return round(10 * slot_of(bot))
    return min(max(0, now - table.clocks.since) // 100, LONGEST_THINKING_TIME) if table.clocks.since else 0


def after_arrival(table: Table, seat: int, now: int) -> ClockState | None:
    """Return the clocks after a player's arrival, or None if nothing changes.

    The clocks start when everyone has arrived, and a stand-in bot makes way for its person.
    """
    timing = table.clocks
    if seat in timing.absent:
        absent = {other: start for other, start in timing.absent.items() if other != seat}
        played_for = {**timing.played_for, seat: max(0, now - timing.absent[seat])}
        since = now if table.shown.turn_seat == seat else timing.since
        timing = replace(timing, absent=absent, played_for=played_for, since=since)
    if (table.settings.bank or table.settings.away) and seat not in timing.come:
        since = now if table.shown.turn_seat == seat else timing.since
        timing = replace(timing, come=(*timing.come, seat), since=since)
        if not timing.begun and all(
            player.bot or other in timing.come for other, player in enumerate(table.players, 1)
        ):
            timing = timing.started(table.settings, len(table.players), now)
    return timing if timing != table.clocks else None


def after_absence(table: Table, seat: int, now: int) -> ClockState:
    """Return the clocks after a stand-in bot has taken over for an absent player."""
    return replace(table.clocks.stopped(seat, now), absent={**table.clocks.absent, seat: now})


def check_playing(table: Table, person: Person) -> int:
    """Return the seat of a person who is still playing; raise NotAllowed or TableChanged otherwise."""
    seat = table.acting(person)
    if not seat:
        raise NotAllowed(say("Only players at this table can do that."))
    if table.shown.over:
        raise TableChanged(say("The match is over."))
    if seat in table.ended.seats:
        raise TableChanged(say("You have already lost this match."))
    return seat


def bot_agrees(table: Table, seat: int) -> bool:
    """Return whether a bot agrees to a draw: not early in a match, and only if it isn't visibly ahead."""
    if len(table.match.history) < MIN_CHOICES_FOR_DRAW * table.match.seats:
        return False
    public = table.match.view(0)
    progress_of = item_rules(table.match.game).progress
    progress = {
        other: float(progress_of(public.setup.params, public.state, other - 1))
        for other in table.ended.staying(table.match.seats)
    }
    return progress[seat] <= max(value for other, value in progress.items() if other != seat)
