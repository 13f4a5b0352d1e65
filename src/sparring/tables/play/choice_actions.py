"""What people do in a match: choose, take back, forfeit, arrive, give up; and what ends a turn on time.

Every choice is written before anyone sees it.
"""

import contextlib
import time
from collections.abc import Sequence

from msgspec.structs import replace

from sparring.engine.errors import ChoiceError, SparringError
from sparring.engine.messages import say
from sparring.store.group_commit import StoreError
from sparring.store.person import Person
from sparring.tables.state.clock_events import (
    after_absence,
    after_arrival,
    check_playing,
    clock_change,
    is_running,
    leaving,
    runs_out_at,
    with_due_time,
)
from sparring.tables.state.clock_state import BOT_WAITS, Why
from sparring.tables.state.table import NotAllowed, Table, TableChanged, WriteConflict

from .bot_turns import BotTurns
from .commits import TableCommits

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
            seat = check_playing(table, person)
            await self.lose(table, seat, "gave up")
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
                self.registry.on_due(table.id, timing.due)
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


class ChoiceActions:
    """What people do in a match."""

    def __init__(self, commits: TableCommits, clocks: ClockActions, bots: BotTurns) -> None:
        self.commits = commits
        self.registry = commits.registry
        self.clocks = clocks
        self.bots = bots

    async def choose(self, table: Table, person: Person, version: int, choice: str | int) -> int:
        """Commit a person's choice and return their new version of the table.

        Text can be several choices of one turn, separated by semicolons. All are checked before the first is made,
        except those that depend on something not yet revealed. Raise TableChanged, NotAllowed or a ChoiceError.
        """
        choices = split_choices(choice)
        seat = table.acting(person)
        await self.clocks.arrive(table, seat)
        table.check(seat, version)  # reject before taking the lock, so that response time reveals nothing
        async with self.commits.locked(table):
            await self.clocks.apply_due_before_choice(table)
            seat = table.acting(person)
            actions = table.read(seat, version, choices)
            await self._commit_all(table, actions, more=len(actions) < len(choices))
            await self._choose_rest(table, seat, choices[len(actions) :])
            await self.bots.continue_match(table)
            return table.feed(seat).version

    async def _commit_all(self, table: Table, actions: Sequence[int], *, begun: bool = False, more: bool) -> None:
        """Commit the actions of one moment; they are taken back together.

        `begun`: others were committed before; `more`: others will follow at once. If something else changes the table
        in the middle, those before it stay.
        """
        for number, action in enumerate(actions, 1):
            choice = table.choice(action, joined=number > 1, follows=more or number < len(actions))
            try:
                await self.commits.commit(table, choice)
            except WriteConflict:
                if not begun and number == 1:
                    raise
                await self._end_early(table)
                raise _partly_done(
                    TableChanged(say("The table has changed, so only your first choices were made. Check it."))
                ) from None

    async def _end_early(self, table: Table) -> None:
        """Record that nothing follows the last choice."""
        with contextlib.suppress(WriteConflict):
            if not table.cleared:
                await self.commits.commit(table, table.unseen())
        await self.bots.continue_match(table)

    async def _choose_rest(self, table: Table, seat: int, choices: Sequence[str | int]) -> None:
        """Commit choices after the end of a moment; if one is refused, those before it stay."""
        while choices:
            try:
                actions = table.read(seat, table.feed(seat).version, choices)
            except (ChoiceError, NotAllowed) as problem:
                await self._end_early(table)
                made = say("Only the choices before “{choice}” were made.", choice=choices[0])
                sentence = f"{made} {problem}"
                raise _partly_done(type(problem)(sentence)) from None
            await self._commit_all(table, actions, begun=True, more=len(actions) < len(choices))
            choices = choices[len(actions) :]

    async def take_back(self, table: Table, person: Person, version: int) -> int:
        """Undo a person's last choice of this moment and return their new version of the table."""
        table.check(table.acting(person), version)
        async with self.commits.locked(table):
            seat = table.acting(person)
            table.check(seat, version)
            if table.settings.rated:
                raise NotAllowed(say("You can't take back a choice in a rated match."))
            await self.commits.commit(table, table.take_back())
            return table.feed(seat).version

    async def forfeit(self, table: Table, person: Person, wanted: bool) -> None:
        """Set or cancel a person's standing forfeit, which takes effect as soon as the rules allow it."""
        async with self.commits.locked(table):
            seat = table.seat_of(person)
            if not seat or not table.feed(seat).scene.forfeit:
                raise NotAllowed(say("Only players can forfeit, and only in games that allow it."))
            await self.commits.commit(table, replace(table.private(seat), seats=(seat,), forfeits=wanted))
            await self.bots.continue_match(table)

    async def visit(self, table: Table, person: Person) -> None:
        """Handle a visit: store the person's preference, mark them as present, and make automatic choices."""
        if table.shown.over:
            await self.registry.loader.load_rating_changes(table)
        seats = table.seats_of(person)
        for seat in seats:
            with contextlib.suppress(WriteConflict):  # the table has been reloaded, so the viewer asks for it again
                await self.clocks.arrive(table, seat)
            table.attended_at = time.monotonic()
        if seats and not person.token:  # a program has no browser that could send preferences
            await self._prefer(table, seats, auto_choices=not person.every_choice)

    async def _prefer(self, table: Table, seats: Sequence[int], *, auto_choices: bool) -> None:
        """Store whether the table makes the only choices of a person's seats, and make those that are due."""
        changed = tuple(seat for seat in seats if table.players[seat - 1].auto_choices != auto_choices)
        if table.shown.over or (not changed and table.automatic_choice() is None):
            return
        with contextlib.suppress(TableChanged, StoreError):  # the next visit tries again, and this one needs no write
            async with self.commits.locked(table):
                if changed:
                    change = replace(table.unseen(), seats=changed, auto_choices=auto_choices)
                    await self.commits.commit(table, change)
                await self.bots.continue_match(table)


def _partly_done(problem: SparringError) -> SparringError:
    problem.partly_done = True
    return problem


def split_choices(choice: str | int) -> list[str | int]:
    """Return the choices of a text that separates them by semicolons, or the only choice.

    >>> split_choices("FL; to c4")
    ['FL', 'to c4']
    """
    if not isinstance(choice, str):
        return [choice]
    return [part.strip() for part in choice.split(";") if part.strip()] or [choice]
