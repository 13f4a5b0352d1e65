"""Departures: players who can't come back give up, by whichever door they left.

What makes a player leave (a deletion, a ban, a revoked token) only changes the database. Every process looks there.
"""

import asyncio
import contextlib

from sparring.engine.errors import SparringError
from sparring.web.storage.tables.departure_store import DepartureStore
from sparring.web.tables.changes import TableChange
from sparring.web.tables.commits import TableCommits
from sparring.web.tables.table import Table, TableChanged

from .clock_events import leaving
from .early_endings import EarlyEnding

#: How often to look for departed players (seconds).
OFTEN = 3.0


class Departures:
    """Give up for players who can't come back."""

    def __init__(self, commits: TableCommits) -> None:
        self.commits = commits
        self.registry = commits.registry
        self.store = DepartureStore(commits.registry.store)

    async def follow(self) -> None:
        """Handle departures until the task is cancelled."""
        while True:
            await asyncio.sleep(OFTEN)
            with contextlib.suppress(SparringError):
                await self.handle()

    async def handle(self) -> None:
        """Give up at every table where a departed player is still playing."""
        changed = set[str]()
        for table, seat, ended in await self.store.departed():
            if seat not in EarlyEnding.read(ended).seats:
                # Another process may have been faster, or this server can't read the table.
                with contextlib.suppress(SparringError):
                    await self.commits.commit_anywhere(table, lambda found, seat=seat: _giving_up(found, seat))
                    changed.add(table)
        await self.registry.reload(changed)


def _giving_up(table: Table, seat: int) -> TableChange:
    if table.shown.over or seat in table.ended.seats:
        raise TableChanged("This player has already lost.")
    return leaving(table, seat, "gave up")
