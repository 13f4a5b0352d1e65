"""Time at a table: giving up, proposals and pauses, and the timers for clocks and absence.

Timers don't need a visitor: due times are stored in the database, and any running process handles them.
"""

import asyncio
import contextlib
import logging
import time
from dataclasses import replace as replace_change

from msgspec.structs import replace

from sparring.engine.errors import SparringError
from sparring.scene.sentences import listed
from sparring.web.identity import Person
from sparring.web.settings import Settings
from sparring.web.storage import Database, StoreError, TimerStore

from .clocks.clock_events import (
    MIN_CHOICES_FOR_DRAW,
    after_absence,
    after_arrival,
    bot_agrees,
    is_running,
    runs_out_at,
    with_due_time,
)
from .clocks.clock_state import MAX_FAILED_PROPOSALS, RETURN_TIME, ClockState, Proposal, What
from .clocks.early_endings import Why
from .persistence import TablePersistence
from .registry import OnOtherNode, ServerClosing
from .table import NotAllowed, Table, TableChanged

log = logging.getLogger(__name__)

#: How often a server records that it is running while clocks run, and looks for due timers (seconds).
SWEEP = 20.0
#: How long players have to come back after a server start before they count as away (milliseconds).
COMING_BACK = 60_000


class TimeActions(TablePersistence):
    """Clocks and absence: the actions of players, and the timers."""

    def __init__(self, settings: Settings, store: Database) -> None:
        super().__init__(settings, store)
        self.timers = TimerStore(store)
        #: Due times by table, as far as this process knows them.
        self._due: dict[str, int] = {}
        self._sooner = asyncio.Event()
        self._began = self.now()

    # Actions of players

    async def give_up(self, table: Table, person: Person) -> int:
        """Let a person give up the match; return their new version of the table."""
        async with self.locked(table):
            seat = self._check_playing(table, person)
            await self._lose(table, seat, "gave up")
            return table.feed(seat).version

    async def propose(self, table: Table, person: Person, what: What) -> int:
        """Propose a draw or a pause, which needs everyone's consent; return the person's new version of the table."""
        async with self.locked(table):
            seat = self._check_playing(table, person)
            if table.clocks.proposal:
                raise NotAllowed("There is already an open proposal. Answer or withdraw it first.")
            if table.shown.paused:
                raise NotAllowed("The match is paused. Resume it first.")
            if not table.clocks.may_propose(what, seat):
                raise NotAllowed(
                    f"You have already proposed a {what} {MAX_FAILED_PROPOSALS} times, the limit for one match."
                )
            if what == "draw":
                self._ask_bots(table)
            await self._resolve_proposal(table, Proposal(what, seat, agreed=_shared_seats(table, person, seat)))
            return table.feed(seat).version

    async def answer(self, table: Table, person: Person, agrees: bool) -> int:
        """Accept or decline a proposal, or withdraw one's own; return the person's new version of the table."""
        async with self.locked(table):
            seat = self._check_playing(table, person)
            proposal = table.clocks.proposal
            if proposal is None:
                raise TableChanged("This proposal is no longer open.")
            if not agrees:
                await self.commit_change(table, table.clocks.proposal_failed())
            elif seat != proposal.by and seat not in proposal.agreed:
                await self._resolve_proposal(
                    table, replace(proposal, agreed=(*proposal.agreed, seat, *_shared_seats(table, person, seat)))
                )
            return table.feed(seat).version

    async def go_on(self, table: Table, person: Person) -> int:
        """End a pause; return the person's new version of the table.

        Another player whose turn it is gets time to come back.
        """
        async with self.locked(table):
            seat = self._check_playing(table, person)
            if not table.shown.paused:
                raise TableChanged("The match isn't paused.")
            since = self.now() + (0 if seat == table.shown.asked else RETURN_TIME)
            await self.commit_change(table, replace(table.clocks, paused=False, since=since))
            await self.run_automatic_steps(table)
            return table.feed(seat).version

    async def _arrive(self, table: Table, seat: int) -> None:
        """Record that a player has arrived or acted; seat 0 is a spectator."""
        if not seat or table.shown.over:
            return
        if table.settings.away:
            self.presence(table.id).record_activity(table.players[seat - 1].person)
        if after_arrival(table, seat, self.now()) is None:
            return
        async with self.locked(table):
            timing = after_arrival(table, seat, self.now())
            if timing is not None:
                await self.commit_change(table, timing)

    def _check_playing(self, table: Table, person: Person) -> int:
        """Return the seat of a person who is still playing; raise NotAllowed or TableChanged otherwise."""
        seat = table.acting(person)
        if not seat:
            raise NotAllowed("Only players at this table can do that.")
        if table.shown.over:
            raise TableChanged("The match is over.")
        if seat in table.ended.seats:
            raise TableChanged("You have already lost this match.")
        return seat

    def _ask_bots(self, table: Table) -> None:
        """Raise NotAllowed unless every bot agrees to a draw."""
        stay = table.ended.staying(table.match.seats)
        against = [seat for seat in stay if table.players[seat - 1].bot and not bot_agrees(table, seat)]
        if against:
            names = listed([table.players[seat - 1].name for seat in against])
            raise NotAllowed(
                f"{names} declined: a bot accepts a draw only when it isn't visibly ahead, and never in "
                f"the first {MIN_CHOICES_FOR_DRAW * table.match.seats} choices."
            )

    async def _resolve_proposal(self, table: Table, proposal: Proposal) -> None:
        """Carry out a proposal that everyone has agreed to; otherwise record who has agreed so far."""
        now, asked = self.now(), table.shown.asked
        if set(table.playing) - {proposal.by, *proposal.agreed}:
            await self.commit_change(table, replace(table.clocks, proposal=proposal))
        elif proposal.what == "draw":
            await self.commit_change(table, replace(table.clocks, proposal=None), replace(table.ended, how="draw"))
        else:
            running = is_running(table, table.clocks, table.ended, asked)
            timing = table.clocks.stopped(asked, now) if running else table.clocks
            await self.commit_change(table, replace(timing, proposal=None, paused=True))

    async def _lose(self, table: Table, seat: int, why: Why) -> None:
        """Record that a seat has lost. If the match goes on, a bot plays for it."""
        ended = table.ended.leaving(seat, why, table.match.seats, table.seats_without_bots)
        timing, asked = table.clocks, table.shown.asked
        if is_running(table, timing, table.ended, asked):
            timing = timing.stopped(asked, self.now())
        await self.commit_change(table, replace(timing, proposal=None), ended)
        await self.run_automatic_steps(table)

    # Timers

    async def run_timers(self) -> None:
        """Run the timers until the task is cancelled."""
        with contextlib.suppress(StoreError):
            # In a cluster, another process may have recorded that it is running.
            await self.timers.add_downtime(self.now(), int(2000 * SWEEP) if self.ownership.id else 0)
        look_again = 0.0
        while True:
            with contextlib.suppress(StoreError):
                if time.monotonic() >= look_again:
                    look_again = time.monotonic() + SWEEP
                    await self.load_due_times()
                await self._fire_due()
            self._sooner.clear()
            wait = min([look_again - time.monotonic(), *((due - self.now()) / 1000 for due in self._due.values())])
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.05, wait)):
                    await self._sooner.wait()

    async def load_due_times(self) -> None:
        """Load the due times of all tables, also of those that aren't in memory, and handle what is due."""
        upcoming = await self.timers.due_times()
        if upcoming:
            await self.timers.heartbeat(self.now())
        for table, due in upcoming:
            self.schedule(table, due)
        await self._fire_due()

    async def close(self) -> None:
        """Record the shutdown time, so that no clock runs while the server is down."""
        with contextlib.suppress(StoreError):
            if await self.timers.due_times():
                await self.timers.heartbeat(self.now())
        await super().close()

    def schedule(self, table: str, due: int | None) -> None:
        """Set a table's timer to `due` (ms since 1970); later sweeps load those that are further off."""
        self._due.pop(table, None)
        if due is not None and due < self.now() + 1000 * SWEEP:
            self._due[table] = due
            self._sooner.set()

    def _presence_changed(self, table: str) -> None:
        """Check a table's timer again, since the player to move may have just left: their absence counts from now."""
        super()._presence_changed(table)
        current = self._in_memory_table(table)
        if current and current.settings.away and current.clocks.due:
            self.schedule(table, self.now())

    async def _fire_due(self) -> None:
        for table in [table for table, due in self._due.items() if due <= self.now()]:
            if self._due.pop(table, None) is not None:
                await self._fire(table)

    async def _fire(self, table_id: str) -> None:
        """Handle the due timer of a table."""
        try:
            table = await self.get(table_id)
            async with self.locked(table):
                await self._apply_due(table)
        except (TableChanged, StoreError, ServerClosing, OnOtherNode):
            return  # the next sweep looks again, or the process that owns the table does
        except SparringError:
            await self.timers.delete(table_id)
        except Exception as problem:
            log.error("Timer of table %s failed", table_id, exc_info=problem)

    async def _apply_due_before_choice(self, table: Table) -> None:
        """Handle a due timer before a choice, so that no player chooses after their time has run out."""
        if table.clocks.due is not None and table.clocks.due <= self.now():
            await self._apply_due(table)

    async def _apply_due(self, table: Table) -> None:
        """Do what is due at a table: end the turn on time, or replace a player who is away."""
        now, seat, timing, settings = self.now(), table.shown.asked, table.clocks, table.settings
        if not seat or not is_running(table, timing, table.ended, seat):
            return
        ends = runs_out_at(timing, seat)
        away_from = self._away_from(table, seat, now)
        if ends is not None and ends <= now:
            await self._lose(table, seat, "time")
        elif not settings.away or away_from + 1000 * settings.away > now:
            await self._reschedule(table, with_due_time(table, timing, table.ended, seat, away_from))
        elif settings.then == "lost":
            await self._lose(table, seat, "away")
        else:
            await self.commit_change(table, after_absence(table, seat, now))
            await self.run_automatic_steps(table)

    async def _reschedule(self, table: Table, timing: ClockState) -> None:
        """Store a new due time without telling viewers, since nothing has happened yet."""
        if timing != table.clocks:
            change = replace_change(table.unseen(), timing=timing)
            with self.rollback_on_error(table):
                await self.store.write(table.id, table.edition, **change.columns)
            self._publish(table, change)
        else:
            self.schedule(table.id, timing.due)

    def _away_from(self, table: Table, seat: int, now: int) -> int:
        """Return since when the player to move has been away (ms since 1970): now if they are present."""
        person, presence = table.players[seat - 1].person, self.presence(table.id)
        if person in presence.people():
            return now
        grace_from = self._began + COMING_BACK - 1000 * table.settings.away
        return max(table.clocks.since, int(1000 * presence.left.get(person, 0)), grace_from)


def _shared_seats(table: Table, person: Person, seat: int) -> tuple[int, ...]:
    """Return the other seats of a person, who agree too: people who share a screen talk to each other."""
    return tuple(other for other in table.seats_of(person) if other != seat)
