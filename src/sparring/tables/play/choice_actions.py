"""Choice actions: choose, take back, forfeit. Every choice is written before anyone sees it."""

import contextlib
import time
from collections.abc import Sequence

from msgspec.structs import replace

from sparring.engine.errors import ChoiceError, SparringError
from sparring.store.group_commit import StoreError
from sparring.store.person import Person
from sparring.tables.state.table import NotAllowed, Table, TableChanged, WriteConflict

from .bot_turns import BotTurns
from .clock_actions import ClockActions
from .commits import TableCommits


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
                    TableChanged("The table has changed, so only your first choices were made. Check it.")
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
                sentence = f"Only the choices before “{choices[0]}” were made. {problem}"
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
                raise NotAllowed("You can't take back a choice in a rated match.")
            await self.commits.commit(table, table.take_back())
            return table.feed(seat).version

    async def forfeit(self, table: Table, person: Person, wanted: bool) -> None:
        """Set or cancel a person's standing forfeit, which takes effect as soon as the rules allow it."""
        async with self.commits.locked(table):
            seat = table.seat_of(person)
            if not seat or not table.feed(seat).scene.forfeit:
                raise NotAllowed("Only players can forfeit, and only in games that allow it.")
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
