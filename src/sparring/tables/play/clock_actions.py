"""Clock actions: give up, propose a draw or a pause, arrive, and end a turn whose time has run out."""

import asyncio
import contextlib

from msgspec.structs import replace

from sparring.scene.sentences import listed
from sparring.settings.secrets import random_id
from sparring.store.person import Person
from sparring.tables.state.changes import TableChange
from sparring.tables.state.clock_events import (
    MIN_CHOICES_FOR_DRAW,
    after_absence,
    after_arrival,
    bot_agrees,
    clock_change,
    is_running,
    leaving,
    runs_out_at,
    waiting_for,
    with_due_time,
)
from sparring.tables.state.clock_state import BOT_WAITS, MAX_FAILED_PROPOSALS, RETURN_TIME, Proposal, What, Why
from sparring.tables.state.table import NotAllowed, Table, TableChanged, WriteConflict
from sparring.tables.state.table_settings import IS_RANDOM

from .bot_turns import BotTurns
from .commits import TableCommits
from .take_backs import RULE, steps_to_ask_for

#: How long players have to come back after a server start before they count as away (milliseconds).
COMING_BACK = 60_000


class ClockActions:
    """What players and time do to the clocks of a table, and to a match that ends early."""

    def __init__(self, commits: TableCommits, bots: BotTurns) -> None:
        self.commits = commits
        self.registry = commits.registry
        self.bots = bots
        self._began = self.registry.now()

    # Actions of players

    async def give_up(self, table: Table, person: Person) -> int:
        """Let a person give up the match; return their new version of the table."""
        async with self.commits.locked(table):
            seat = _check_playing(table, person)
            await self.lose(table, seat, "gave up")
            return table.feed(seat).version

    async def propose(self, table: Table, person: Person, what: What) -> int:
        """Propose a draw, a pause or a take-back, which all others must accept; return the person's new version."""
        async with self.commits.locked(table):
            seat = _check_playing(table, person)
            if table.clocks.proposal:
                raise NotAllowed("There is already an open proposal. Answer or withdraw it first.")
            if table.shown.paused:
                raise NotAllowed("The match is paused. Resume it first.")
            if not table.clocks.may_propose(what, seat):
                raise NotAllowed(
                    f"You have already proposed a {what} {MAX_FAILED_PROPOSALS} times, the limit for one match."
                )
            if what == "draw":
                _ask_bots(table)
            if what == "take-back" and not await asyncio.to_thread(steps_to_ask_for, table, seat):
                raise NotAllowed("You can't take back a choice in a rated match." if table.settings.rated else RULE)
            agreed = _shared_seats(table, person, seat)
            await self._resolve_proposal(table, Proposal(what, seat, agreed, id=random_id(6), since=table.now()))
            return table.feed(seat).version

    async def answer(self, table: Table, person: Person, agrees: bool, number: str) -> int:
        """Accept or decline the proposal with an id, or withdraw one's own; return the person's new version.

        Raise TableChanged if it is no longer open, whether or not another one has come in since.
        """
        async with self.commits.locked(table):
            seat = _check_playing(table, person)
            proposal = table.clocks.proposal
            if proposal is None or proposal.id != number:
                raise TableChanged("This proposal is no longer open.")
            if not agrees:
                await self.commits.commit(table, clock_change(table, table.clocks.proposal_failed()))
                await self.bots.continue_match(table)
            elif seat != proposal.by and seat not in proposal.agreed:
                await self._resolve_proposal(
                    table, replace(proposal, agreed=(*proposal.agreed, seat, *_shared_seats(table, person, seat)))
                )
            return table.feed(seat).version

    async def go_on(self, table: Table, person: Person) -> int:
        """End a pause; return the person's new version of the table.

        Another player whose turn it is gets time to come back.
        """
        async with self.commits.locked(table):
            seat = _check_playing(table, person)
            if not table.shown.paused:
                raise TableChanged("The match isn't paused.")
            since = table.now() + (0 if seat == table.shown.turn_seat else RETURN_TIME)
            await self.commits.commit(table, clock_change(table, replace(table.clocks, paused=False, since=since)))
            await self.bots.continue_match(table)
            return table.feed(seat).version

    async def new_deal(self, table: Table, person: Person) -> int:
        """Deal everything hidden at a table with a known deal again; return the person's new version of the table.

        Secret choices that are not revealed yet are taken back. The turn begins again, with a fresh clock.
        """
        async with self.commits.locked(table):
            seat = _check_playing(table, person)
            if not table.known_deal:
                raise NotAllowed(IS_RANDOM)
            deal = await asyncio.to_thread(table.match.new_deal, table.transitions)
            undone = table.transitions[deal.after :]
            turn_seat = int(undone[0].before.player) + 1 if undone else table.shown.turn_seat
            kept = tuple(each for each in table.clocks.take_backs if each.left <= deal.after)
            timing = replace(table.clocks, proposal=None, take_backs=kept)
            timing = with_due_time(
                table, timing.turn_begun(table.settings, turn_seat, table.now()), table.ended, turn_seat
            )
            change = TableChange("taken back", left=deal.after, agreed=True, timing=timing, deal=deal, seats=(seat,))
            await self.commits.commit(table, change)
            await self.bots.continue_match(table)
            return table.feed(seat).version

    async def arrive(self, table: Table, seat: int) -> None:
        """Record that a player has arrived or acted; seat 0 is a spectator."""
        if not seat or table.shown.over:
            return
        if table.settings.away:
            self.registry.presence(table.id).record_activity(table.players[seat - 1].person)
        if after_arrival(table, seat, table.now()) is None:
            return
        async with self.commits.locked(table):
            while not table.cleared and (timing := after_arrival(table, seat, table.now())) is not None:
                with contextlib.suppress(WriteConflict):  # another process may have recorded it
                    await self.commits.commit(table, clock_change(table, timing))

    async def _resolve_proposal(self, table: Table, proposal: Proposal) -> None:
        """Carry out a proposal that everyone has agreed to; otherwise record who has agreed so far."""
        timing, turn_seat, ended = table.clocks, table.shown.turn_seat, None
        if waiting_for(table, proposal):
            timing = replace(timing, proposal=proposal)
        elif proposal.what == "take-back":
            await self._take_back(table, proposal.by)
            return
        elif proposal.what == "draw":
            timing, ended = replace(timing, proposal=None), replace(table.ended, how="draw")
        else:
            if is_running(table, timing, table.ended, turn_seat):
                timing = timing.stopped(turn_seat, table.now())
            timing = replace(timing, proposal=None, paused=True)
        await self.commits.commit(table, clock_change(table, timing, ended))

    async def _take_back(self, table: Table, seat: int) -> None:
        """Take back a seat's last choice, as all have agreed. Bots always agree."""
        steps = await asyncio.to_thread(steps_to_ask_for, table, seat)
        if not steps:  # something that the seat can't see has happened since it asked
            await self.commits.commit(table, clock_change(table, table.clocks.proposal_failed()))
            await self.bots.continue_match(table)
            raise TableChanged("This choice can't be taken back any more.")
        left = len(table.match.history) - steps
        timing = table.clocks.taken_back(table.settings, seat, table.shown.turn_seat, left, table.now())
        timing = with_due_time(table, timing, table.ended, seat)
        change = TableChange("taken back", left=left, agreed=True, timing=timing, seats=(seat,))
        await self.commits.commit(table, change)
        await self.bots.continue_match(table)

    async def lose(self, table: Table, seat: int, why: Why) -> None:
        """Record that a seat has lost. If the match goes on, a bot plays for it."""
        await self.commits.commit(table, leaving(table, seat, why))
        await self.bots.continue_match(table)

    # What is due

    async def handle_timer(self, table: Table) -> None:
        """Do what is due at a table."""
        async with self.commits.locked(table):
            await self._apply_due(table)

    async def apply_due_before_choice(self, table: Table) -> None:
        """Handle a due timer before a choice, so that no player chooses after their time has run out."""
        if table.clocks.due is not None and table.clocks.due <= table.now():
            await self._apply_due(table)

    async def _apply_due(self, table: Table) -> None:
        """End the turn on time, replace a player who is away, end a take-back request, or set the timer again."""
        now, seat, timing, settings = table.now(), table.shown.turn_seat, table.clocks, table.settings
        asks = timing.proposal if timing.proposal and timing.proposal.what == "take-back" else None
        if (
            asks and table.bot and abs(now - asks.since) >= BOT_WAITS
        ):  # a later time is from before a change of the clock
            await self.commits.commit(table, clock_change(table, timing.proposal_failed()))
            await self.bots.continue_match(table)
            return
        if not seat or not is_running(table, timing, table.ended, seat):
            return
        ends = runs_out_at(timing, seat)
        away_from = self._away_from(table, seat, now)
        if ends is not None and ends <= now:
            await self.lose(table, seat, "time")
        elif not settings.away or away_from + 1000 * settings.away > now:
            timing = with_due_time(table, timing, table.ended, seat, away_from)
            if timing == table.clocks:
                self.registry.due_times.schedule(table.id, timing.due)
            else:  # viewers aren't told, since nothing has happened yet
                await self.commits.commit(table, replace(table.unseen(), timing=timing))
        elif settings.then == "lost":
            await self.lose(table, seat, "away")
        else:
            await self.commits.commit(table, clock_change(table, after_absence(table, seat, now)))
            await self.bots.continue_match(table)

    def _away_from(self, table: Table, seat: int, now: int) -> int:
        """Return since when the player to move has been away (ms since 1970): now if they are present.

        The stored due time counts, too: another process may have known more of them.
        """
        person, presence = table.players[seat - 1].person, self.registry.presence(table.id)
        if person in presence.people():
            return now
        known_from = max(self._began + COMING_BACK, table.clocks.due or 0) - 1000 * table.settings.away
        return max(table.clocks.since, int(1000 * presence.left.get(person, 0)), known_from)


def _check_playing(table: Table, person: Person) -> int:
    """Return the seat of a person who is still playing; raise NotAllowed or TableChanged otherwise."""
    seat = table.acting(person)
    if not seat:
        raise NotAllowed("Only players at this table can do that.")
    if table.shown.over:
        raise TableChanged("The match is over.")
    if seat in table.ended.seats:
        raise TableChanged("You have already lost this match.")
    return seat


def _ask_bots(table: Table) -> None:
    """Raise NotAllowed unless every bot agrees to a draw."""
    stay = table.ended.staying(table.match.seats)
    against = [seat for seat in stay if table.players[seat - 1].bot and not bot_agrees(table, seat)]
    if against:
        names = listed([table.players[seat - 1].name for seat in against])
        raise NotAllowed(
            f"{names} declined: a bot accepts a draw only when it isn't visibly ahead, and never in "
            f"the first {MIN_CHOICES_FOR_DRAW * table.match.seats} choices."
        )


def _shared_seats(table: Table, person: Person, seat: int) -> tuple[int, ...]:
    """Return the other seats of a person, who agree too: people who share a screen talk to each other."""
    return tuple(other for other in table.seats_of(person) if other != seat)
