"""Changes as data: a copy of a table that applies their JSON one by one equals the table that its rows describe."""

import asyncio
import contextlib
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest

from sparring.engine.errors import SparringError
from sparring.engine.game import game
from sparring.people.rate_limits import Requester
from sparring.store.person import Person
from sparring.tables.state.changes import TableChange
from sparring.tables.state.clock_state import What
from sparring.tables.state.players import Player
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import TableSettings
from sparring.tables.tables import Tables
from web.app_server import StartServer
from web.clocks.fake_clock import FakeClock

PEOPLE = {name: Person(name, name) for name in ("Anna", "Carl", "Dora")}
SETTINGS = [TableSettings(hints=True), TableSettings(minutes=5, more=3, away=120), TableSettings(days=1)]
#: Anna shares her screen with Ben.
PLAYERS = [Player("Anna", "Anna"), Player("Anna", "Ben"), Player("Carl", "Carl"), Player()]
PUBLISH = Table.publish


class Recorder:
    """The changes of a table that its server publishes, as JSON, each with whether it woke the streams."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.table = ""
        self.changes: list[tuple[bytes, bool]] = []
        self.kinds = set[str]()

        def publish(table: Table, change: TableChange, *rest: Any) -> None:
            table.feed(len(table.match.history) % (table.match.seats + 1))  # a viewer looks while it is written
            woke = wakes(table, lambda: PUBLISH(table, change, *rest))
            if table.id == self.table:
                self.changes.append((msgspec.json.encode(change), woke))
                self.kinds |= {change.kind, *(each for each in TableChange.__struct_fields__ if getattr(change, each))}

        monkeypatch.setattr(Table, "publish", publish)


def wakes(table: Table, act: Callable[[], None]) -> bool:
    before = table._changed
    act()
    return table._changed is not before


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


async def follow(tables: Tables, copy: Table, changes: list[tuple[bytes, bool]]) -> None:
    """Apply changes to a copy as another process would, which reads only the rows of seats besides."""
    row = await tables.store.load(copy.id)
    assert row
    for body, woke in changes:
        change = msgspec.json.decode(body, type=TableChange)
        player = Player.read(row.seats[change.seats[0] - 1]) if change.kind == "seat" else None
        match = copy.applied(change)
        assert wakes(copy, partial(PUBLISH, copy, change, match, player)) == woke
    changes.clear()


class RandomPeople:
    """People who do anything at a table, in any order."""

    def __init__(self, tables: Tables, table: Table, clock: FakeClock, seed: int) -> None:
        self.tables, self.table, self.clock, self.chance = tables, table, clock, random.Random(seed)
        often = [self.take_back, self.propose, self.answer, self.go_on, self.hint, self.screen, self.visit]
        seldom = [self.sit, self.seats, self.forfeit, self.wait, self.chat, self.new_deal]
        self.actions = [*[self.choose] * 24, *often * 4, *seldom * 2, self.give_up]

    async def rematch(self) -> None:
        await self.tables.creation.rematch(self.table, self.who)

    async def act(self) -> None:
        self.who = self.chance.choices(list(PEOPLE.values()), (3, 3, 1))[0]
        self.seat = self.chance.randint(0, len(self.table.players))
        with contextlib.suppress(SparringError):  # what is refused changes nothing
            await (self.rematch if self.table.shown.over else self.chance.choice(self.actions))()
        while self.tables.registry.busy:  # noqa: ASYNC110 - bots play at once
            await asyncio.sleep(0)

    async def choose(self) -> None:
        table = self.table
        self.who = PEOPLE.get(table.players[table.chooser - 1].person, self.who)
        if not table.seat_of(self.who):
            await self.tables.seating.hand_screen(table, self.who, table.chooser)
        feed = table.feed(table.chooser)
        kept = [words for action, words in feed.view.choices if action not in table.match.game.conceding]
        choices = self.chance.choices(kept, k=self.chance.choice([1, 1, 2]))
        await self.tables.choices.choose(table, self.who, feed.version, "; ".join(choices))

    async def take_back(self) -> None:
        seat = self.table.chooser
        self.who = PEOPLE.get(self.table.players[seat - 1].person, self.who)
        await self.tables.choices.take_back(self.table, self.who, self.table.feed(seat).version)

    async def propose(self) -> None:
        what: What = self.chance.choice(["pause", "draw", "take-back", "take-back", "take-back"])
        await self.tables.clocks.propose(self.table, self.who, what)

    async def answer(self) -> None:
        """Let all who still have to answer do so."""
        agrees = self.chance.random() < 0.8
        for who in PEOPLE.values():
            if (proposal := self.table.clocks.proposal) and self.table.seat_of(who) not in (0, proposal.by):
                await self.tables.clocks.answer(self.table, who, agrees, proposal.id)

    async def go_on(self) -> None:
        await self.tables.clocks.go_on(self.table, self.who)

    async def give_up(self) -> None:
        await self.tables.clocks.give_up(self.table, self.who)

    async def new_deal(self) -> None:
        await self.tables.clocks.new_deal(self.table, self.who)

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
def test_a_table_that_applies_changes_equals_its_rows(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch, name: str, number: int
) -> None:
    clock = FakeClock()
    server, recorder = start_server(now=clock, grace=0.0), Recorder(monkeypatch)

    async def play(seed: int) -> None:
        tables = server.tables
        created = await tables.creation.create(
            game(name), PLAYERS[: max(game(name).seats)], seed=seed, known=seed % 2 > 0, host="Anna",
            settings=SETTINGS[number], table=f"table {seed}",
        )  # fmt: skip
        recorder.table = created.id
        copy, people = await tables.registry.loader.load(created.id), RandomPeople(tables, created, clock, seed)
        for _ in range(60):
            await people.act()
            assert await tables.registry.get(created.id) is created
            await follow(tables, copy, recorder.changes)
            copy.feed(people.chance.randint(0, copy.match.seats))  # viewers look at any time
            if people.chance.random() < 0.2 or created.shown.over:
                there, rows = contents(created), contents(await tables.registry.loader.load(created.id))
                assert contents(copy) == there
                assert rows == there
            if created.next:
                return

    for seed in range(4):
        server.run(play(4 * number + seed))
    assert recorder.kinds >= {"choice", "follows", "timing", "auto_choices", "shown", "viewers"}
