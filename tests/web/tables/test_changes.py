"""Changes as data: processes that apply each other's changes agree with each other, and with the rows of the table."""

import asyncio
import contextlib
import random
from collections.abc import Sequence
from typing import Any

import pytest

from sparring.engine.errors import SparringError
from sparring.engine.game import game
from sparring.people.rate_limits import Requester
from sparring.store.database import Database
from sparring.store.person import Person
from sparring.tables.play import bot_turns
from sparring.tables.play.registry import TableRegistry
from sparring.tables.state.changes import TableChange
from sparring.tables.state.clock_state import What
from sparring.tables.state.players import Player
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import TableSettings
from sparring.tables.tables import Tables
from web.app_server import StartServer
from web.clocks.fake_clock import FakeClock
from web.cluster.test_several_processes import share_sqlite

PEOPLE = {name: Person(name, name) for name in ("Anna", "Carl", "Dora")}
SETTINGS = [TableSettings(hints=True), TableSettings(minutes=5, more=3, away=120), TableSettings(days=1)]
#: Anna shares her screen with Ben.
PLAYERS = [Player("Anna", "Anna"), Player("Anna", "Ben"), Player("Carl", "Carl"), Player()]


def contents(table: Table) -> dict[str, Any]:
    """Return everything of a table that people can notice, or that decides what happens next."""
    match = table.match
    known = ("row_version", "players", "clocks", "ended", "hints", "next", "known_deal", "thinking_times", "shown")
    return {
        **{name: getattr(table, name) for name in known},
        "match": (match.history, list(match.joined), match.state.tobytes(), match.start.deals),
        "automatic": table.automatic_choice(),
        "feeds": [
            (feed.version, feed.counted, feed.log, feed.view.state.tobytes(), feed.exchanges)
            for feed in map(table.feed, range(match.seats + 1))
        ],
    }


class RandomPeople:
    """People who do anything at a table, in any order, each time at another process."""

    def __init__(self, processes: Sequence[Tables], table: Table, clock: FakeClock, seed: int) -> None:
        self.processes, self.table, self.clock, self.chance = processes, table, clock, random.Random(seed)
        often = [self.take_back, self.propose, self.answer, self.go_on, self.hint, self.screen, self.visit]
        seldom = [self.sit, self.seats, self.forfeit, self.wait, self.chat, self.new_deal]
        self.actions = [*[self.choose] * 24, *often * 4, *seldom * 2, self.give_up]

    async def rematch(self) -> None:
        await self.tables.creation.rematch(self.table, self.who)

    async def act(self) -> None:
        """Do something at a process that may not have learnt yet what was done at others."""
        self.tables = self.chance.choice(self.processes)
        registry = self.tables.registry
        table = registry.find(self.table.id) or await registry.get(self.table.id)
        self.who = self.chance.choices(list(PEOPLE.values()), (3, 3, 1))[0]
        self.seat = self.chance.randint(0, len(table.players))
        action = self.chance.choice(self.actions)

        async def do(now: Table) -> None:
            self.table = now
            await (self.rematch if now.shown.over else action)()

        with contextlib.suppress(SparringError):  # what is refused changes nothing
            await self.tables.commits.retrying(table, do)
        while any(each.registry.busy for each in self.processes):  # noqa: ASYNC110 - bots play at once
            await asyncio.sleep(0)

    async def choose(self) -> None:
        table = self.table
        self.who = PEOPLE.get(table.players[table.chooser - 1].person, self.who)
        if not table.seat_of(self.who):
            await self.tables.seating.hand_screen(table, self.who, table.chooser)
        feed = table.feed(table.chooser)
        kept = [words for action, words in feed.view.choices if action not in table.match.game.conceding]
        if not kept:  # the match was over or paused when that process last looked
            return
        choices = self.chance.choices(kept, k=self.chance.choice([1, 1, 2]))
        await self.tables.choices.choose(table, self.who, feed.version, "; ".join(choices))

    async def take_back(self) -> None:
        seat = self.table.chooser
        self.who = PEOPLE.get(self.table.players[seat - 1].person, self.who)
        await self.tables.choices.take_back(self.table, self.who, self.table.feed(seat).version)

    async def propose(self) -> None:
        what: What = self.chance.choice(["pause", "draw", "take-back", "take-back", "take-back"])
        await self.tables.proposals.propose(self.table, self.who, what)

    async def answer(self) -> None:
        """Let all who still have to answer do so."""
        agrees = self.chance.random() < 0.8
        for who in PEOPLE.values():
            if (proposal := self.table.clocks.proposal) and self.table.seat_of(who) not in (0, proposal.by):
                await self.tables.proposals.answer(self.table, who, agrees, proposal.id)

    async def go_on(self) -> None:
        await self.tables.proposals.go_on(self.table, self.who)

    async def give_up(self) -> None:
        await self.tables.clocks.give_up(self.table, self.who)

    async def new_deal(self) -> None:
        await self.tables.proposals.new_deal(self.table, self.who)

    async def hint(self) -> None:
        self.who = PEOPLE.get(self.table.players[self.table.chooser - 1].person, self.who)
        version = self.table.feed(self.table.chooser).version
        await self.tables.hints.take(self.table, self.who, version, Requester(self.who.id))

    async def screen(self) -> None:
        await self.tables.seating.hand_screen(self.table, PEOPLE["Anna"], self.seat)

    async def visit(self) -> None:
        person = Person(self.who.id, self.who.name, every_choice=self.chance.random() < 0.5)
        await self.tables.choices.visit(self.table, person)

    async def sit(self) -> None:
        await self.tables.seating.sit(self.table, self.seat, self.who)

    async def seats(self) -> None:
        seating, host = self.tables.seating, PEOPLE["Anna"]
        if self.chance.random() < 0.5:
            await seating.open_seat(self.table, self.seat, host)
        else:
            await seating.seat_bot(self.table, self.seat, host, "random")

    async def forfeit(self) -> None:
        await self.tables.choices.forfeit(self.table, self.who, self.chance.random() < 0.3)

    async def chat(self) -> None:
        await self.tables.chat.post(self.table, self.who, Requester(self.who.id), word="hello")

    async def wait(self) -> None:
        self.clock.now += self.chance.choice([1, 70, 200])
        await self.tables.timers.load_due_times()


@pytest.mark.parametrize("name", ["hush", "make-your-moves", "mace"])
@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_processes_agree_with_each_other_and_with_the_rows(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch, name: str, number: int
) -> None:
    share_sqlite(monkeypatch)
    monkeypatch.setattr(bot_turns, "TAKEOVER", 0.0)
    kinds, publish, evict = set[str](), Table.publish, list[str]()

    def published(table: Table, change: TableChange, *rest: Any) -> None:
        table.feed(len(table.match.history) % (table.match.seats + 1))  # a viewer looks while it is written
        kinds.update({change.kind, *(each for each in TableChange.__struct_fields__ if getattr(change, each))})
        publish(table, change, *rest)

    monkeypatch.setattr(Table, "publish", published)
    monkeypatch.setattr(TableRegistry, "evict", lambda _, table: evict.append(table.id))
    clock = FakeClock()
    server = start_server(now=clock, grace=0.0)

    async def play(processes: Sequence[Tables], seed: int) -> None:
        created = await server.tables.creation.create(
            game(name), PLAYERS[: max(game(name).seats)], seed=seed, known=seed % 2 > 0, host="Anna",
            settings=SETTINGS[number], table=f"table {seed}",
        )  # fmt: skip
        people = RandomPeople(processes, created, clock, seed)
        for _ in range(60):
            await people.act()
            found = people.chance.choice(processes).registry.find(created.id)
            if found:  # viewers look at any time
                found.feed(people.chance.randint(0, found.match.seats))
            if people.chance.random() < 0.2 or people.table.shown.over:
                rows = contents(await server.tables.registry.loader.load(created.id))
                for each in processes:
                    assert contents(await each.registry.get(created.id)) == rows
            if people.table.next:
                return

    async def play_all() -> None:
        others = [Tables(server.settings, Database(server.settings.database), server.bots) for _ in range(2)]
        try:
            for seed in range(6):
                await play([server.tables, *others], 6 * number + seed)
            assert not evict, "every change was applied"
        finally:
            for other in others:
                await other.close()
                await other.store.close()

    asyncio.run_coroutine_threadsafe(play_all(), server.loop).result()
    assert kinds >= {"choice", "follows", "timing", "viewers"}
