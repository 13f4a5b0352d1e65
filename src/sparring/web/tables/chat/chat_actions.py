"""What people do with words at a table: say something, describe a move, applaud, hear nothing of somebody, report.

Talk is stored as it is said, beside the match and not with it: it changes no version, and nobody's choice comes too
late by it. Where quick words alone were agreed (`terms.py`), nothing of anybody's own is said.
"""

from collections.abc import Mapping
from typing import NamedTuple

from sparring.engine.errors import SparringError
from sparring.web.identity import Person
from sparring.web.security.rate_limits import RateLimits, Requester, TooMany
from sparring.web.security.ttl_cache import TtlCache, age_of
from sparring.web.settings import Settings
from sparring.web.storage import Database
from sparring.web.storage.schema import ReportRow
from sparring.web.tables.persistence import TablePersistence
from sparring.web.tables.table import NotYours, Table, TooLate

from .chat_log import NOTHING_TO_DESCRIBE, ChatFilter, ChatLine, DescribableMove, Kind
from .phrases import LineRefused, read_line, read_word

#: Of how many people is remembered whom they do not hear.
KNOWN = 4096


class LineNotFound(SparringError):
    """A line that is not there."""


class ChatSpeaker(NamedTuple):
    """From which seat somebody speaks (0: who watches), and what they are called."""

    seat: int
    name: str


class ChatActions(TablePersistence):
    """The tables of a server, and what is said there."""

    quotas: RateLimits

    def __init__(self, settings: Settings, store: Database) -> None:
        super().__init__(settings, store)
        self._mutes: TtlCache[Mapping[str, str]] = TtlCache(KNOWN, age_of(settings))

    # Hearing

    async def muted(self, person: Person) -> Mapping[str, str]:
        """Whom somebody does not hear, each with the name of that mute."""
        if not person.id:
            return {}
        if person.id not in self._mutes:
            self._mutes[person.id] = {row.muted: row.id for row in await self.talk.mutes(person.id)}
        return self._mutes[person.id]

    async def hearing(self, table: Table, person: Person) -> ChatFilter:
        """What somebody hears at a table now, and what they may describe."""
        muted = await self.muted(person)
        return ChatFilter(table.chat.edition, muted, to_describe(table, person))

    async def follow_mutes(self) -> None:
        """Where people may mute others at another process too, see for all who are here whether they did."""
        await self._mutes.follow(self.talk.mutes_of)

    # Saying

    async def say(
        self, table: Table, person: Person, asking: Requester, *, word: str = "", text: str = "", seat: int = 0
    ) -> ChatLine:
        """Say a quick word, or something of one's own, from one of one's seats."""
        speaker = speaker_at(table, person, seat)
        if bool(word) == bool(text.strip()):
            raise LineRefused("Say one of the quick words, or write something.")
        kind: Kind = "word" if word else "text"
        words = read_word(word) if word else self._own_words(table, text)
        self.quotas.say(asking)
        async with self._held(table):
            return await self._add(table, ChatLine(kind, person.id, *speaker, words))

    async def describe(self, table: Table, person: Person, asking: Requester, *, text: str, seat: int = 0) -> ChatLine:
        """Describe a move of one's own in the last exchange; of several seats the first that has one to describe."""
        speaker_at(table, person, seat)
        words = self._own_words(table, text)
        self.quotas.say(asking)
        async with self._held(table):
            exchange, deeds = to_describe(table, person)
            deed = next((deed for deed in deeds if seat in (0, deed.seat)), None)
            if deed is None:
                raise TooLate("There is no move of yours to describe now: that can be done once after each exchange.")
            speaker = speaker_at(table, person, deed.seat)
            return await self._add(table, ChatLine("move", person.id, *speaker, words, deed.name, exchange))

    async def applaud(self, table: Table, person: Person, asking: Requester, number: int) -> ChatLine:
        """Applaud how somebody else described a move."""
        speaker_at(table, person)
        self.quotas.say(asking)
        async with self._held(table):
            line = self._line(table, number)
            if line.kind != "move" or line.person == person.id:
                raise NotYours("What others say of their moves can be applauded, and nothing else.")
            if person.id in line.applause:
                raise TooLate("You have applauded that already.")
            changed = table.chat.next(line, applause=line.applause | {person.id})
            with self._kept(table):
                await self.talk.applaud(table.id, number, changed.edition, person.id)
            table.chat.put(changed)
            table.wake()
            return changed

    async def _add(self, table: Table, line: ChatLine) -> ChatLine:
        if len(table.chat.lines) >= self.settings.limits.lines_at_table:
            raise TooMany("So much was said at this table that there is no room for more.")
        said = table.chat.next(line, said=self.now() // 1000)
        with self._kept(table):
            await self.talk.add(said.row(table.id))
        table.chat.put(said)
        table.wake()
        return said

    def _own_words(self, table: Table, text: str) -> str:
        if not table.terms.own_words:
            raise NotYours("At this table people say quick words only, as was agreed when it was opened.")
        return read_line(text, self.settings.limits.longest_line)

    # Not hearing, and telling whoever runs the server

    async def mute(self, table: Table, person: Person, number: int) -> None:
        """Hear nothing any more of whoever said a line, here and at all other tables."""
        line = self._of_another(table, person, number)
        if not person.id:
            raise NotYours("Say first who you are; then you can mute others.")
        most = self.settings.limits.mutes_each
        if len(await self.muted(person)) >= most:
            raise TooMany(f"You hear nothing of {most} people, as many as there is room for; hear one again first.")
        await self.talk.mute(person.id, line.person, line.name)
        self._hear_anew(table, person)

    async def unmute(self, person: Person, mute: str, table: Table | None = None) -> None:
        """Hear somebody again, by the name of that mute."""
        await self.talk.unmute(person.id, mute)
        self._hear_anew(table, person)

    def _hear_anew(self, table: Table | None, person: Person) -> None:
        self._mutes.forget(person.id)
        if table:
            table.chat.changes += 1
            table.wake()

    async def report(self, table: Table, person: Person, asking: Requester, number: int) -> None:
        """Tell whoever runs the server of a line."""
        line = self._of_another(table, person, number)
        self.quotas.report(asking)
        about = f"{line.about}: " if line.about else ""
        await self.talk.report(ReportRow(
            table=table.id, line=line.number, person=line.person, name=line.name, reporter=person.id or None,
            words=f"{about}{line.text}", said=line.said, made=self.now() // 1000,
        ))  # fmt: skip

    def _of_another(self, table: Table, person: Person, number: int) -> ChatLine:
        line = self._line(table, number)
        if not line.person:
            raise NotYours("Whoever said that is gone.")
        if line.person == person.id:
            raise NotYours("You said that yourself.")
        return line

    @staticmethod
    def _line(table: Table, number: int) -> ChatLine:
        line = table.chat.line(number)
        if line is None or line.kind == "gone":
            raise LineNotFound("That is not there any more.")
        return line


def may_talk(table: Table, person: Person) -> bool:
    """Whether somebody may say something at a table, by what was agreed there."""
    terms = table.terms
    return terms.talk != "nothing" and (bool(table.seats_of(person)) or terms.watchers_talk)


def speaker_at(table: Table, person: Person, seat: int = 0) -> ChatSpeaker:
    """From which seat somebody speaks: one of theirs that they name, or the one that they see the table from."""
    seats = table.seats_of(person)
    if not may_talk(table, person):
        nobody = table.terms.talk == "nothing"
        raise NotYours("Nobody talks at this table." if nobody else "At this table only those talk who sit there.")
    if not seats and not person.name:
        raise NotYours("Please say a name first, so that the others know who speaks.")
    if seat and seat not in seats:
        raise NotYours(f"You do not sit on seat {seat}.")
    if not seats:
        return ChatSpeaker(0, person.name)
    seat = seat or table.looker(person).seat or seats[0]
    return ChatSpeaker(seat, table.sitters[seat - 1].name)


def to_describe(table: Table, person: Person) -> DescribableMove:
    """The moves of somebody in the last exchange that all were told of, as far as they are not described yet."""
    seats = table.seats_of(person) if table.match.game.describes and table.terms.own_words else ()
    if not seats:
        return NOTHING_TO_DESCRIBE
    told = table.exchanges
    done = {line.seat for line in table.chat.lines if line.kind == "move" and line.exchange == told.number}
    left = tuple([deed for deed in told.deeds if deed.seat in seats and deed.seat not in done])
    return DescribableMove(told.number, left) if left else NOTHING_TO_DESCRIBE
