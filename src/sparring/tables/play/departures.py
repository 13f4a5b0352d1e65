"""Departures: players who can't come back give up, by whichever door they left, and tables without their set close.

What makes a player leave (a deletion, a ban, a revoked token) only changes the database. Every process looks there.
"""

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial

from sparring.engine.errors import SparringError
from sparring.store.personal_data import DepartureStore
from sparring.tables.state.changes import TableChange
from sparring.tables.state.clock_events import closing, leaving
from sparring.tables.state.clock_state import EarlyEnding
from sparring.tables.state.table import Table, TableChanged

from .commits import TableCommits

#: How often to look for departed players (seconds).
OFTEN = 3.0


class Departures:
    """Give up for players who can't come back, and close tables whose studio set is gone."""

    def __init__(self, commits: TableCommits) -> None:
        self.commits = commits
        self.registry = commits.registry
        self.store = DepartureStore(commits.registry.store)

    async def follow(self) -> None:
        """Handle departures until the task is cancelled."""
        while True:
            await asyncio.sleep(OFTEN)
            await self.handle()

    async def handle(self) -> None:
        """Give up at every table where a departed player is still playing, then close tables without their set."""
        for table, seat, ended in await self.store.departed(self.registry.now() // 1000):
            if seat not in EarlyEnding.read(ended).seats:
                await self._commit(table, partial(_giving_up, seat))
        for table in await self.store.without_set():
            await self._commit(table, partial(closing, set_deleted=True))

    async def _commit(self, table: str, describe: Callable[[Table], TableChange]) -> None:
        # Another process may have been faster, or this server can't read the table.
        with contextlib.suppress(SparringError):
            await self.commits.commit_to(table, describe)
            await self.registry.refresh([table])


def _giving_up(seat: int, table: Table) -> TableChange:
    if table.shown.over or seat in table.ended.seats:
        raise TableChanged("This player has already lost.")
    return leaving(table, seat, "gave up")
