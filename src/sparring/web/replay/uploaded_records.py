"""The records that people bring to a server: read, kept for a while, shown again, let go."""

import asyncio
import contextlib
import secrets
import time

from sparring.engine.errors import BadContent, BadRecord
from sparring.web.identity import Person
from sparring.web.security.rate_limits import RateLimits, Requester, TooMany
from sparring.web.settings import DAY, Settings
from sparring.web.storage import NoRecord, ReplayStore, StoreError
from sparring.web.storage.schema import RecordRow

from .moment_requests import MomentRequest, TimelineSandbox
from .open_information import OPEN


class UploadedRecords:
    """Everybody's records."""

    def __init__(self, settings: Settings, store: ReplayStore, quotas: RateLimits) -> None:
        self.settings, self.store, self.quotas = settings, store, quotas
        #: Shows them, in another process than the matches of tables: whoever brings a slow one keeps no player waiting.
        self.films = TimelineSandbox()

    async def bring(self, person: Person, text: str, name: str, asking: Requester) -> RecordRow:
        """Keep a record that can be shown; BadContent says why one cannot."""
        self.quotas.bring_record(asking)
        limits, opener = self.settings.limits, asking.opener(self.settings.secret)
        if len(await self.store.of(person.id)) >= limits.records_each:
            raise TooMany(f"You keep {limits.records_each} records, as many as there is room for; let one go first.")
        if opener and await self.store.count(opener) >= limits.records_from:
            raise TooMany("Very many records were brought from where you are; there is no room for more.")
        try:
            shown = await self.films.show(MomentRequest(text, OPEN))
        except BadRecord as problem:
            raise BadContent(str(problem)) from None
        row = RecordRow(
            id=secrets.token_urlsafe(12), person=person.id, name=name, record=text, game=shown.game, seats=shown.seats,
            choices=shown.played, over=shown.over, opener=opener,
        )  # fmt: skip
        await self.store.add(row)
        return row

    async def look(self, number: str) -> RecordRow:
        """A record by its id."""
        row = await self.store.load(number)
        if row is None:
            raise NoRecord("There is no such record; perhaps it was let go, or the link was cut off.")
        if time.time() - row.used > DAY:
            await self.store.use(RecordRow, row.id)
        return row

    async def remove(self, person: Person, number: str) -> None:
        """Let go of a record of one's own."""
        row = await self.look(number)
        if not person.id or row.person != person.id:
            raise NoRecord("There is no such record of yours.")
        await self.store.remove(row)

    async def expire(self) -> None:
        """Now and then let go of records and reviews at which nobody has looked for long."""
        while True:
            with contextlib.suppress(StoreError):
                await self.store.expire(time.time() - DAY * self.settings.keep_days)
            await asyncio.sleep(3600.0)
