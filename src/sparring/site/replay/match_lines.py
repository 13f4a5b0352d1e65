"""Store the lines of finished matches, so that their pages open even when the rules can't replay them any more."""

import asyncio
import contextlib
import time

import msgspec

from sparring.engine.errors import BadRecord, UnknownGame
from sparring.people.fair_queue import Busy
from sparring.people.rate_limits import RateLimits
from sparring.store.finished_matches import LineStore, MatchPlace, MatchRow
from sparring.store.schema import RecordRow, TableRow
from sparring.tables.play.match_history import CannotReplay, KeptMatch, packed_lines, unpacked
from sparring.tables.play.registry import TableRegistry

from .moment_requests import MomentRequest, TimelineSandbox
from .open_information import OPEN

#: How long ago a match must have been stored, and how long to wait when none is left (seconds).
SETTLED, PAUSE = 10, 60.0


class MatchLines:
    """The lines of finished matches at tables and in uploaded records."""

    def __init__(self, registry: TableRegistry, rate_limits: RateLimits, timelines: TimelineSandbox) -> None:
        self.registry, self.rate_limits, self.timelines = registry, rate_limits, timelines
        self.store = LineStore(registry.store)

    async def follow(self) -> None:
        """Add the lines of each match once it is over, first of those that ended while this process wasn't running."""
        places: dict[MatchRow, MatchPlace] = {TableRow: MatchPlace(), RecordRow: MatchPlace()}
        while True:
            for kind, after in places.items():
                places[kind] = await self.add_missing(kind, after, time.time() - SETTLED)
            await asyncio.sleep(PAUSE)

    async def add_missing(self, kind: MatchRow, after: MatchPlace, before: float) -> MatchPlace:
        """Add the lines of all matches after a place that were stored before a time; return the last place.

        Viewers of replays go first: half of the time is theirs, and while they wait, all of it.
        """
        with contextlib.suppress(Busy):
            while place := await self.store.next_missing(kind, after, before):
                started = time.monotonic()
                with contextlib.suppress(BadRecord, UnknownGame):  # too late: the rules have changed
                    await self._add(kind, place.id)
                after = place
                await asyncio.sleep(time.monotonic() - started)
        return after

    async def _add(self, kind: MatchRow, match: str) -> None:
        async with self.registry.store.reading() as session:
            row = await (session.get(TableRow, match) if kind is TableRow else session.get(RecordRow, match))
        if row is None:  # deleted meanwhile
            return
        record, person = (
            (row.record, row.person)
            if isinstance(row, RecordRow)
            else (await self.registry.loader.record(row, {}), row.host)
        )
        response = await self.timelines.show(MomentRequest(record, OPEN, form="lines"))
        lines = packed_lines(response.lines)
        self.rate_limits.add_stored(len(lines), row.creator, person, always=True)
        await self.store.save(kind, match, lines)

    async def check_record(self, row: RecordRow, problem: BadRecord) -> None:
        """Raise CannotReplay if the lines of an uploaded record that can't be replayed were stored."""
        if lines := unpacked(await self.store.of(RecordRow, row.id)):
            version = msgspec.json.decode(row.record)["version"]
            names = [f"Seat {seat}" for seat in range(1, row.seats + 1)]
            raise CannotReplay(KeptMatch(row.game, version, names, "", lines)) from problem
