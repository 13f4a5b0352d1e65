"""Uploaded match records: read, store, replay and expire them."""

import time

from sparring.engine.errors import BadContent, BadRecord
from sparring.people.rate_limits import RateLimits, Requester, TooMany, check_stored
from sparring.settings import DAY, Settings
from sparring.settings.secrets import new_id, random_id
from sparring.store.database import AlreadyCreated
from sparring.store.finished_matches import NoRecord, ReplayStore
from sparring.store.person import Person
from sparring.store.schema import RecordRow

from .moment_requests import MomentRequest, TimelineSandbox
from .open_information import OPEN


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
