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

from .clocks.clock_events import EARLY, absented, armed, arrived, bot_agrees, clock_ends, runs
from .clocks.clock_state import MOST_IN_VAIN, RESPITE, ClockState, Proposal, What
from .clocks.early_endings import Why
from .persistence import TablePersistence
from .registry import OnOtherNode, ServerClosing
from .table import NotYours, Table, TooLate

log = logging.getLogger(__name__)

#: How often a server records that it is running while clocks run, and looks for due timers (seconds).
SWEEP = 20.0
#: How long players have to come back after a server start before they count as away (milliseconds).
COMING_BACK = 60_000


class TimeActions(TablePersistence):
    """Handle time at the tables: what players do about it, and what timers do."""

    def __init__(self, settings: Settings, store: Database) -> None:
        super().__init__(settings, store)
        self.times = TimerStore(store)
        #: Due times by table, as far as this process knows them.
        self._due: dict[str, int] = {}
        self._sooner = asyncio.Event()
        self._began = self.now()

    # Actions of players

    async def give_up(self, table: Table, person: Person) -> int:
        """Let a person give up the match; return their new version of the table."""
        async with self._held(table):
            seat = self._playing(table, person)
            await self._leave(table, seat, "gave up")
            return table.sight(seat).version

    async def propose(self, table: Table, person: Person, what: What) -> int:
        """Propose a draw or a pause, which needs everyone's consent; return the person's new version of the table."""
        async with self._held(table):
            seat = self._playing(table, person)
            if table.timing.proposal:
                raise NotYours("There is already a proposal. Answer that first.")
            if table.shown.paused:
                raise NotYours("The match is paused. Continue it first.")
            if not table.timing.may_propose(what, seat):
                raise NotYours(
                    f"You have already proposed a {what} {MOST_IN_VAIN} times, which is the limit for one match."
                )
            if what == "draw":
                self._ask_bots(table)
            await self._weigh(table, Proposal(what, seat, agreed=_beside(table, person, seat)))
            return table.sight(seat).version

    async def answer(self, table: Table, person: Person, agrees: bool) -> int:
        """Accept or decline a proposal, or withdraw one's own; return the person's new version of the table."""
        async with self._held(table):
            seat = self._playing(table, person)
            proposal = table.timing.proposal
            if proposal is None:
                raise TooLate("There is no proposal any more.")
            if not agrees:
                await self._tell(table, table.timing.in_vain_again())
            elif seat != proposal.by and seat not in proposal.agreed:
                await self._weigh(
                    table, replace(proposal, agreed=(*proposal.agreed, seat, *_beside(table, person, seat)))
                )
            return table.sight(seat).version

    async def go_on(self, table: Table, person: Person) -> int:
        """End a pause; return the person's new version of the table.

        Another player whose turn it is gets time to come back.
        """
        async with self._held(table):
            seat = self._playing(table, person)
            if not table.shown.paused:
                raise TooLate("The match isn't paused.")
            since = self.now() + (0 if seat == table.shown.asked else RESPITE)
            await self._tell(table, replace(table.timing, paused=False, since=since))
            await self._go_on(table)
            return table.sight(seat).version

    async def _arrive(self, table: Table, seat: int) -> None:
        """Record that a player has arrived or acted; seat 0 is a spectator."""
        if not seat or table.shown.over:
            return
        if table.terms.away:
            self.company(table.id).sign(table.sitters[seat - 1].person)
        if arrived(table, seat, self.now()) is None:
            return
        async with self._held(table):
            timing = arrived(table, seat, self.now())
            if timing is not None:
                await self._tell(table, timing)

    def _playing(self, table: Table, person: Person) -> int:
        """Return the seat of a person who is still playing; raise NotYours or TooLate otherwise."""
        seat = table.acting(person)
        if not seat:
            raise NotYours("Only players at this table can do that.")
        if table.shown.over:
            raise TooLate("The match is over.")
        if seat in table.ended.seats:
            raise TooLate("You have already lost this match.")
        return seat

    def _ask_bots(self, table: Table) -> None:
        """Raise NotYours unless every bot agrees to a draw."""
        stay = table.ended.staying(table.match.seats)
        against = [seat for seat in stay if table.sitters[seat - 1].bot and not bot_agrees(table, seat)]
        if against:
            names = listed([table.sitters[seat - 1].name for seat in against])
            raise NotYours(
                f"{names} would rather play on: a bot agrees to a draw only when it isn't visibly ahead, and never in "
                f"the first {EARLY * table.match.seats} choices."
            )

    async def _weigh(self, table: Table, proposal: Proposal) -> None:
        """Carry out a proposal that everyone has agreed to; otherwise record who has agreed so far."""
        now, asked = self.now(), table.shown.asked
        if set(table.playing) - {proposal.by, *proposal.agreed}:
            await self._tell(table, replace(table.timing, proposal=proposal))
        elif proposal.what == "draw":
            await self._tell(table, replace(table.timing, proposal=None), replace(table.ended, how="draw"))
        else:
            running = runs(table, table.timing, table.ended, asked)
            timing = table.timing.stopped(asked, now) if running else table.timing
            await self._tell(table, replace(timing, proposal=None, paused=True))

    async def _leave(self, table: Table, seat: int, why: Why) -> None:
        """Record that a seat has lost. If the match goes on, a bot plays for it."""
        ended = table.ended.leaving(seat, why, table.match.seats, table.seats_without_bots)
        timing, asked = table.timing, table.shown.asked
        if runs(table, timing, table.ended, asked):
            timing = timing.stopped(asked, self.now())
        await self._tell(table, replace(timing, proposal=None), ended)
        await self._go_on(table)

    # Timers

    async def keep_time(self) -> None:
        """Run the timers until the task is cancelled."""
        with contextlib.suppress(StoreError):
            # In a cluster, another process may have recorded that it is running.
            await self.times.wake(self.now(), int(2000 * SWEEP) if self.owners.id else 0)
        look_again = 0.0
        while True:
            with contextlib.suppress(StoreError):
                if time.monotonic() >= look_again:
                    look_again = time.monotonic() + SWEEP
                    await self.sweep()
                await self._strike_all()
            self._sooner.clear()
            wait = min([look_again - time.monotonic(), *((due - self.now()) / 1000 for due in self._due.values())])
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.05, wait)):
                    await self._sooner.wait()

    async def sweep(self) -> None:
        """Load the due times of all tables, also of those that aren't in memory, and handle what is due."""
        coming = await self.times.coming()
        if coming:
            await self.times.pulse(self.now())
        for table, due in coming:
            self._expect(table, due)
        await self._strike_all()

    async def close(self) -> None:
        """Record the shutdown time, so that downtime counts for nobody."""
        with contextlib.suppress(StoreError):
            if await self.times.coming():
                await self.times.pulse(self.now())
        await super().close()

    def _expect(self, table: str, due: int | None) -> None:
        """Schedule a table's timer; the next sweep finds those that are further off."""
        self._due.pop(table, None)
        if due is not None and due < self.now() + 1000 * SWEEP:
            self._due[table] = due
            self._sooner.set()

    def _company_changed(self, table: str) -> None:
        """Check a table's timer again, since the player to move may have just left: their absence counts from now."""
        super()._company_changed(table)
        current = self._current(table)
        if current and current.terms.away and current.timing.due:
            self._expect(table, self.now())

    async def _strike_all(self) -> None:
        for table in [table for table, due in self._due.items() if due <= self.now()]:
            if self._due.pop(table, None) is not None:
                await self._strike(table)

    async def _strike(self, number: str) -> None:
        """Handle the due timer of a table."""
        try:
            table = await self.get(number)
            async with self._held(table):
                await self._happen(table)
        except (TooLate, StoreError, ServerClosing, OnOtherNode):
            return  # the next sweep looks again, or the process that owns the table does
        except SparringError:
            await self.times.forget(number)
        except Exception as problem:
            log.error("Timer of table %s failed", number, exc_info=problem)

    async def _happen_in_time(self, table: Table) -> None:
        """Handle a due timer before a choice, so that nobody chooses after their time has run out."""
        if table.timing.due is not None and table.timing.due <= self.now():
            await self._happen(table)

    async def _happen(self, table: Table) -> None:
        """Do what is due at a table: end the turn on time, or replace a player who is away."""
        now, seat, timing, terms = self.now(), table.shown.asked, table.timing, table.terms
        if not seat or not runs(table, timing, table.ended, seat):
            return
        ends = clock_ends(timing, seat)
        away_from = self._away_from(table, seat, now)
        if ends is not None and ends <= now:
            await self._leave(table, seat, "time")
        elif not terms.away or away_from + 1000 * terms.away > now:
            await self._wait_on(table, armed(table, timing, table.ended, seat, away_from))
        elif terms.then == "lost":
            await self._leave(table, seat, "away")
        else:
            await self._tell(table, absented(table, seat, now))
            await self._go_on(table)

    async def _wait_on(self, table: Table, timing: ClockState) -> None:
        """Store a new due time without telling viewers, since nothing has happened yet."""
        if timing != table.timing:
            change = replace_change(table.unseen(), timing=timing)
            with self._kept(table):
                await self.store.write(table.id, table.edition, **change.columns)
            self._publish(table, change)
        else:
            self._expect(table.id, timing.due)

    def _away_from(self, table: Table, seat: int, now: int) -> int:
        """Return since when the player to move has been away: not before they left, and now if they are here."""
        person, company = table.sitters[seat - 1].person, self.company(table.id)
        if person in company.here():
            return now
        back = self._began + COMING_BACK - 1000 * table.terms.away
        return max(table.timing.since, int(1000 * company.left.get(person, 0)), back)


def _beside(table: Table, person: Person, seat: int) -> tuple[int, ...]:
    """Return the other seats of a person, who agree too: people who share a screen talk to each other."""
    return tuple(other for other in table.seats_of(person) if other != seat)
