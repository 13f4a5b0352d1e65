"""Chat actions: say something, describe a move, applaud, mute, report.

Chat is stored separately from the match and has its own version, so no choice comes too late because of it. Tables may
allow preset phrases only (`table_settings.py`).
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from sparring.engine.errors import SparringError
from sparring.engine.messages import reading_in, say
from sparring.people.rate_limits import RateLimits, Requester, TooMany
from sparring.store.group_commit import StaleWrite
from sparring.store.moderation import BanList
from sparring.store.person import Person
from sparring.store.schema import ReportRow
from sparring.store.ttl_cache import TtlCache
from sparring.tables.state.chat_log import (
    NOTHING_TO_DESCRIBE,
    ChatFilter,
    ChatLine,
    DescribableMove,
    Kind,
    LineRefused,
    compose,
    parse_key,
    parse_message,
)
from sparring.tables.state.table import NotAllowed, Table, TableChanged

from .commits import TableCommits

#: How many people's mutes to cache.
CACHED_PEOPLE = 4096


class LineNotFound(SparringError):
    """The chat line doesn't exist."""

    status = 404


class ChatSpeaker(NamedTuple):
    """The seat (0: spectator) and name of a speaker."""

    seat: int
    name: str


class ChatActions:
    """The chat at the tables of a server."""

    def __init__(self, commits: TableCommits, rate_limits: RateLimits, bans: BanList) -> None:
        self.commits = commits
        self.bans = bans
        self.rate_limits = rate_limits
        self.store = commits.registry.loader.chat_store
        settings = commits.registry.settings
        self.limits = settings.limits
        self._mutes: TtlCache[Mapping[str, str]] = TtlCache(CACHED_PEOPLE)

    # Mutes

    async def muted(self, person: Person) -> Mapping[str, str]:
        """Return the people a person has muted, each with the id of that mute; empty for people they have blocked."""
        if not person.id:
            return {}
        if person.id not in self._mutes:
            self._mutes[person.id] = (await self.store.mutes_of([person.id]))[person.id]
        return self._mutes[person.id]

    async def filter_for(self, table: Table, person: Person) -> ChatFilter:
        """Return what a person sees of the chat, and which moves they may describe."""
        muted = await self.muted(person)
        return ChatFilter(table.chat.chat_version, muted, describable_moves(table, person))

    async def refresh_mutes(self) -> None:
        """Reload the cached mutes, in case another process has changed them; then open pages show the chat again."""

        def changed() -> None:
            for table in self.commits.registry.in_memory():
                table.chat.changes += 1
                table.wake()

        await self._mutes.keep_fresh(self.store.mutes_of, changed)

    # Speaking

    async def post(
        self, table: Table, person: Person, requester: Requester, *, word: str = "", text: str = "", seat: int = 0
    ) -> ChatLine:
        """Post a preset phrase or free text from one of a person's seats; return the line."""
        self.bans.check_chat({person.id, person.responsible})
        speaker = speaker_at(table, person, seat)
        if bool(word) == bool(text.strip()):
            raise LineRefused(say("Choose a preset phrase or write a message, but not both."))
        kind: Kind = "word" if word else "text"
        words = parse_key(word) if word else self._free_text(table, text)
        self.rate_limits.take("chat_lines", requester)
        return await self._commit(table, lambda: ChatLine(kind, person.id, *speaker, words, said=int(time.time())))

    async def caption(
        self, table: Table, person: Person, requester: Requester, *, text: str = "", parts: Sequence[str] = (),
        seat: int = 0,
    ) -> ChatLine:  # fmt: skip
        """Describe a move of the person in the current exchange: that of `seat`, or the first that can be described.

        The description is free text, or at any table composed of some of the move's words (`parts`).
        """
        self.bans.check_chat({person.id, person.responsible})
        speaker_at(table, person, seat, describing=True)
        words = "" if parts else self._free_text(table, text)
        self.rate_limits.take("chat_lines", requester)

        def described() -> ChatLine:
            exchange, named_moves, _ = describable_moves(table, person)
            move = next((move for move in named_moves if seat in (0, move.seat)), None)
            if move is None:
                raise TableChanged(
                    say("You have no move to describe now. You can describe each move once, until the next attack.")
                )
            said = words or compose(parts, move.words, self.limits.longest_line)
            speaker = speaker_at(table, person, move.seat, describing=True)
            return ChatLine("move", person.id, *speaker, said, move.name, exchange, int(time.time()))

        return await self._commit(table, described)

    async def applaud(self, table: Table, person: Person, requester: Requester, number: int) -> ChatLine:
        """Applaud another player's description of a move."""
        speaker_at(table, person)
        self.rate_limits.take("chat_lines", requester)

        def applauded() -> ChatLine:
            line = self._line(table, number)
            if line.kind != "move" or line.person == person.id:
                raise NotAllowed(say("You can only applaud other players' descriptions of their moves."))
            if person.id in line.applause:
                raise TableChanged(say("You have already applauded this."))
            return replace(line, applause=line.applause | {person.id})

        return await self._commit(table, applauded, person.id)

    async def _commit(self, table: Table, describe: Callable[[], ChatLine], applauds: str = "") -> ChatLine:
        """Write the line that `describe` returns: a new one, or one that a person now `applauds`.

        If another process has changed the chat meanwhile, fetch its lines, and let `describe` check again.
        """
        async with self.commits.locked(table):
            while True:
                line = table.chat.next(describe())
                if line.number > max(len(table.chat.lines), self.limits.lines_at_table):
                    raise TooMany(say("This table's chat is full, so no more messages can be posted."))
                with self.commits.evict_on_error(table):
                    try:
                        if applauds:
                            await self.store.applaud(table.id, line.number, line.chat_version, applauds)
                        else:
                            await self.store.add(line.row(table.id))
                    except StaleWrite:
                        await self.commits.registry.loader.catch_up_chat(table)
                        if table.chat.chat_version < line.chat_version:  # nothing has changed there
                            raise TableChanged(say("This table was deleted.")) from None
                        continue
                if table.chat.put([line], line.chat_version):
                    table.wake()
                return line

    def _free_text(self, table: Table, text: str) -> str:
        if not table.settings.free_chat:
            raise NotAllowed(say("This table doesn't allow free text."))
        return parse_message(text, self.limits.longest_line)

    # Muting and reporting

    async def mute(self, table: Table, person: Person, requester: Requester, number: int) -> None:
        """Mute the author of a line, here and at all other tables."""
        line = self._of_another(table, person, number)
        if not person.id:
            raise NotAllowed(say("Enter a name first, then you can mute others."))
        self.rate_limits.take("preferences", requester)
        most = self.limits.mutes_each
        if len(await self.store.mutes(person.id)) >= most:
            raise TooMany(say("You have muted {n} people, the maximum. Unmute someone first.", n=most))
        await self.store.mute(person.id, line.person, line.name)
        self.drop_cached_mutes(person, table)

    async def unmute(self, person: Person, mute: str, table: Table | None = None) -> None:
        """Remove a mute by its id."""
        await self.store.unmute(person.id, mute)
        self.drop_cached_mutes(person, table)

    def drop_cached_mutes(self, person: Person, table: Table | None = None) -> None:
        """Drop a person's cached mutes, because they have blocked or unblocked a person."""
        self._mutes.forget(person.id)
        if table:
            table.chat.changes += 1
            table.wake()

    async def report(self, table: Table, person: Person, requester: Requester, number: int) -> None:
        """Report a line to the moderators."""
        line = self._of_another(table, person, number)
        self.rate_limits.take("chat_reports", requester)
        about = f"{line.about}: " if line.about else ""
        with reading_in(None):  # stored, for moderators
            words = f"{about}{line.text}"
        await self.store.report(ReportRow(
            table=table.id, line=line.number, person=line.person, name=line.name, reporter=person.id or None,
            words=words, said=line.said, made=int(time.time()),
        ))  # fmt: skip

    def _of_another(self, table: Table, person: Person, number: int) -> ChatLine:
        line = self._line(table, number)
        if not line.person:
            raise NotAllowed(say("The author of this message has deleted their data."))
        if line.person == person.id:
            raise NotAllowed(say("You can't mute or report yourself."))
        return line

    @staticmethod
    def _line(table: Table, number: int) -> ChatLine:
        line = table.chat.line(number)
        if line is None or line.kind == "gone":
            raise LineNotFound(say("This message no longer exists."))
        return line


def may_chat(table: Table, person: Person) -> bool:
    """Return whether a person may chat at a table, by its settings."""
    settings = table.settings
    return settings.chat != "nothing" and (bool(table.seats_of(person)) or settings.spectators_chat)


def has_chat(table: Table) -> bool:
    """Return whether a table has a chat panel: also without chat if moves are described there."""
    return table.settings.chat != "nothing" or table.match.game.has_named_moves


def speaker_at(table: Table, person: Person, seat: int = 0, *, describing: bool = False) -> ChatSpeaker:
    """Return the speaker: the given seat of a person, or the one that they see the table from.

    Players may describe their moves at every table. Raises NotAllowed if the person may not speak.
    """
    seats = table.seats_of(person)
    program_of_blocked = person.id != person.responsible and table.viewer_of(person).blocked
    if not (may_chat(table, person) or (describing and seats)) or program_of_blocked:
        off = table.settings.chat == "nothing"
        raise NotAllowed(say("Chat is off at this table." if off else "Only players can chat at this table."))
    if not seats and not person.name:
        raise NotAllowed(say("Enter a name first, so that others know who is speaking."))
    if seat and seat not in seats:
        raise NotAllowed(say("Seat {seat} isn't yours.", seat=seat))
    if not seats:
        return ChatSpeaker(0, person.name)
    seat = seat or table.viewer_of(person).seat or seats[0]
    return ChatSpeaker(seat, table.players[seat - 1].name)


def describable_moves(table: Table, person: Person) -> DescribableMove:
    """Return the moves of the current exchange: those of a person to describe, and those described."""
    if not table.match.game.has_named_moves:
        return NOTHING_TO_DESCRIBE
    exchange, named_moves = table.exchanges.to_describe()
    seats = table.seats_of(person)
    described = {line.seat for line in table.chat.lines if line.kind == "move" and line.exchange == exchange}
    left = tuple(move for move in named_moves if move.seat in seats and move.seat not in described)
    named = tuple(move for move in named_moves if move.seat in described)
    return DescribableMove(exchange, left, named) if left or named else NOTHING_TO_DESCRIBE
