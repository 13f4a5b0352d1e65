"""The chat of a table that two processes have open: numbers and versions of its lines come from the database."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sparring.engine.errors import SparringError
from sparring.engine.game import game
from sparring.people.rate_limits import Requester
from sparring.settings import Settings
from sparring.store.database import Database
from sparring.store.person import Person
from sparring.store.personal_data import PersonalDataStore, remove_tables
from sparring.tables.play.chat_actions import LineNotFound
from sparring.tables.state.chat_log import ChatFilter, ChatLine
from sparring.tables.state.players import Player
from sparring.tables.state.table import NotAllowed, Table, TableChanged
from sparring.tables.state.table_settings import TableSettings
from sparring.tables.tables import Tables
from web.app_server import RandomBots, settings
from web.chat.chat_helpers import GAME
from web.cluster.test_several_processes import share_sqlite

ANNA, BEN, CLEO, GUEST = (Person(name, name) for name in ("Anna", "Ben", "Cleo", "Guest"))
EVERYTHING = ChatFilter()


class Process:
    """A process with the table in memory, and what a page that is open there has read of the chat."""

    def __init__(self, tables: Tables, table: Table) -> None:
        self.tables, self.table = tables, table
        self.read: dict[int, ChatLine] = {}
        self.chat_version = 0

    def read_on(self) -> None:
        """Read what has changed, as an event stream does."""
        chat = self.table.chat
        self.read |= {line.number: line for line in chat.lines if line.chat_version > self.chat_version}
        self.chat_version = chat.chat_version

    async def renew(self) -> None:
        """Ask for the table again, which is as its rows are then."""
        self.table = await self.tables.registry.get(self.table.id)

    async def catch_up(self) -> None:
        changes, event = self.table.chat.changes, self.table._changed
        await self.tables.registry.loader.catch_up_chat(self.table)
        assert (self.table._changed is not event) == (self.table.chat.changes > changes), "wakes viewers if it must"

    async def describe(self, who: Person, words: str) -> ChatLine:
        return await self.tables.chat.caption(self.table, who, Requester(who.id), text=words)


@contextlib.asynccontextmanager
async def two_processes(common: Settings, seed: int) -> AsyncIterator[tuple[Process, Process]]:
    """Open two processes on a database, and at both a table where spectators may speak."""
    players = [Player(who.id, who.name) for who in (ANNA, BEN)]
    stores = Database(common.database), Database(common.database)
    one, two = (Tables(common, store, RandomBots()) for store in stores)
    for store in stores:
        await store.open()
    table = await one.creation.create(game(GAME), players, seed=seed, settings=TableSettings(spectators_chat=True))
    yield Process(one, table), Process(two, await two.registry.get(table.id))
    for tables, store in zip((one, two), stores, strict=True):
        await tables.close()
        await store.close()


async def play_exchange(one: Process, two: Process) -> None:
    """Play at one process until an exchange is decided, and let the other one follow."""
    await one.renew()
    table, number = one.table, one.table.exchanges.number
    while table.exchanges.number == number:
        seat = table.shown.turn_seat
        who, version = (ANNA, BEN)[seat - 1], table.feed(seat).version
        await one.tables.choices.choose(table, who, version, table.match.view(seat).legal[0])
    await two.renew()


class RandomTalk:
    """People who write, describe, applaud, remove lines and delete their data, at either process, also at once."""

    def __init__(self, processes: tuple[Process, Process], seed: int) -> None:
        self.processes, self.chance = processes, random.Random(seed)
        #: What was said, by the number that the line got.
        self.said: dict[int, str] = {}
        self.actions = [self.say] * 4 + [self.describe] * 4 + [self.applaud] * 8 + [self.catch_up] * 2
        self.actions += [self.remove, self.move_data, self.delete]

    async def act(self) -> None:
        process, who = self.chance.choice(self.processes), self.chance.choice([ANNA, BEN, CLEO, GUEST])
        with contextlib.suppress(NotAllowed, TableChanged, LineNotFound):  # what is refused changes nothing
            await self.chance.choice(self.actions)(process, who)
        process.read_on()

    def note(self, line: ChatLine) -> None:
        assert line.number not in self.said
        self.said[line.number] = line.words

    async def say(self, at: Process, who: Person) -> None:
        text = f"{self.chance.random()}"
        self.note(await at.tables.chat.post(at.table, who, Requester(who.id), text=text))

    async def describe(self, at: Process, who: Person) -> None:
        self.note(await at.describe(who, f"{self.chance.random()}"))

    async def applaud(self, at: Process, who: Person) -> None:
        number = self.chance.choice([0, *(line.number for line in at.table.chat.descriptions(EVERYTHING))])
        await at.tables.chat.applaud(at.table, who, Requester(who.id), number)

    async def remove(self, at: Process, who: Person) -> None:
        number = self.chance.randint(1, len(self.said) + 1)
        await at.tables.chat.report(at.table, who, Requester(who.id), number)
        for report in await at.tables.chat.store.reports():
            await at.tables.moderation.settle(None, report.number, remove=True)

    async def move_data(self, at: Process, _: Person) -> None:
        await PersonalDataStore(at.tables.store).move_data("Guest", "Cleo", "Rest")

    async def delete(self, at: Process, _: Person) -> None:
        await PersonalDataStore(at.tables.store).delete_person(self.chance.choice(["Guest", "Cleo"]))

    async def catch_up(self, at: Process, _: Person) -> None:
        await at.catch_up()


async def talk(common: Settings, seed: int) -> None:
    async with two_processes(common, seed) as processes:
        people = RandomTalk(processes, seed)
        for _ in range(3):
            await play_exchange(*processes)
            for _ in range(15):
                await asyncio.gather(*(people.act() for _ in range(people.chance.randint(1, 4))))
        stored = await processes[0].tables.registry.loader.load(processes[0].table.id)
        assert [line.number for line in stored.chat.lines] == sorted(people.said)
        assert all(line.words in ("", people.said[line.number]) for line in stored.chat.lines)
        moves = [(line.exchange, line.seat) for line in stored.chat.lines if line.kind == "move"]
        assert len(moves) == len(set(moves))
        for process in processes:
            await process.renew()
            process.read_on()
            assert process.table.chat.lines == stored.chat.lines
            assert process.table.chat.chat_version == stored.chat.chat_version
            assert [process.read[number] for number in sorted(process.read)] == process.table.chat.lines


def test_two_processes_have_the_same_chat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    share_sqlite(monkeypatch)
    for seed in range(4):
        asyncio.run(talk(settings(tmp_path), seed))


def test_two_processes_have_the_same_chat_in_postgresql(tmp_path: Path, postgres: str) -> None:
    for seed in range(4):
        asyncio.run(talk(settings(tmp_path, database=postgres), seed))


def test_a_move_is_described_and_applauded_once_on_two_devices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    share_sqlite(monkeypatch)

    async def play() -> None:
        async with two_processes(settings(tmp_path), seed=1) as (one, two):
            await play_exchange(one, two)
            devices = [one.describe(ANNA, "She flies"), two.describe(ANNA, "She jumps")]
            line, refused = sorted(await asyncio.gather(*devices, return_exceptions=True), key=is_refusal)
            assert isinstance(line, ChatLine)
            assert isinstance(refused, TableChanged)
            assert "each move once" in str(refused)
            both = [each.tables.chat.applaud(each.table, BEN, Requester("Ben"), 1) for each in (one, two)]
            line, refused = sorted(await asyncio.gather(*both, return_exceptions=True), key=is_refusal)
            assert str(refused) == "You have already applauded this."
            for each in (one, two):
                await each.catch_up()
                assert each.table.chat.lines == [line]

    asyncio.run(play())


def test_a_message_to_a_table_that_is_gone_is_refused(tmp_path: Path) -> None:
    async def play() -> None:
        async with two_processes(settings(tmp_path), seed=1) as (one, two):
            await one.tables.store.transaction(remove_tables, [one.table.id])
            await two.catch_up()
            with pytest.raises(TableChanged):
                await two.tables.chat.post(two.table, BEN, Requester("Ben"), word="hello")
            assert two.table.cleared

    asyncio.run(play())


def is_refusal(answer: object) -> bool:
    return isinstance(answer, SparringError)
