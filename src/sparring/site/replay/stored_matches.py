"""Stored matches: records that people upload, and the lines of finished matches.

Lines are stored so that the pages of matches open even when the rules can't replay them any more.
"""

import asyncio
import contextlib
import time

import msgspec

from sparring.engine.errors import BadContent, BadRecord, UnknownGame
from sparring.people.fair_queue import Busy
from sparring.people.rate_limits import RateLimits, Requester, TooMany, check_stored
from sparring.settings import DAY, Settings
from sparring.settings.secrets import new_id, random_id
from sparring.store.database import AlreadyCreated
from sparring.store.finished_matches import LineStore, MatchPlace, MatchRow, NoRecord, ReplayStore
from sparring.store.person import Person
from sparring.store.schema import RecordRow, TableRow
from sparring.tables.play.match_history import CannotReplay, KeptMatch, packed_lines, unpacked
from sparring.tables.play.registry import TableRegistry

from .moment_requests import MomentRequest, TimelineSandbox
from .open_information import OPEN

#: How long ago a match must have been stored before its lines are, and how long to wait when none is left (seconds).
SETTLED, PAUSE = 10, 60.0


class UploadedRecords:
    """All uploaded records."""

    def __init__(self, settings: Settings, store: ReplayStore, rate_limits: RateLimits) -> None:
        self.settings, self.store, self.rate_limits = settings, store, rate_limits
        #: A separate process from the one for tables, so that a slow upload doesn't delay players.
        self.timelines = TimelineSandbox()

    async def upload(self, person: Person, text: str, name: str, requester: Requester) -> RecordRow:
        """Store a record; a repeated request gets that of the first. Raises BadContent if it can't be replayed."""
        number = new_id(12, requester.once, "record")
        if requester.once and (known := await self.store.load(number)):
            if known.person == person.id:
                return known
            number = random_id(12)
        self.rate_limits.take("records", requester)
        limits, creator = self.settings.limits, requester.creator(self.settings.secret)
        if len(await self.store.of(person.id)) >= limits.records_each:
            raise TooMany(f"You have {limits.records_each} saved matches, the maximum. Delete one first.")
        if creator:
            refusal = f"Your network already has {limits.records_from} saved matches, the maximum."
            await check_stored(self.store.count, creator, limits.records_from, refusal)
        try:
            response = await self.timelines.show(MomentRequest(text, OPEN))
        except BadRecord as problem:
            raise BadContent(str(problem)) from None
        row = RecordRow(
            id=number, person=person.id, name=name, record=text, game=response.game,
            seats=response.seats, choices=response.played, over=response.over, creator=creator,
        )  # fmt: skip
        try:
            await self.store.add(row)
        except AlreadyCreated:  # by the first click, meanwhile
            return await self.load(number)
        self.rate_limits.add_stored(len(text), creator, requester.person, always=True)
        return row

    async def load(self, number: str) -> RecordRow:
        """Return a record by its id. Raises NoRecord if there is none."""
        row = await self.store.load(number)
        if row is None:
            raise NoRecord("This saved match doesn't exist. It may have been deleted, or the link is incomplete.")
        if time.time() - row.used > DAY:
            await self.store.use(RecordRow, row.id)
        return row

    async def remove(self, person: Person, number: str) -> None:
        """Delete the person's own record."""
        row = await self.load(number)
        if not person.id or row.person != person.id:
            raise NoRecord("You have no such saved match.")
        await self.store.remove(row)


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
