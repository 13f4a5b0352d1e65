"""Presence over all processes: who is where, what happens, and whom each process counts then."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update

from sparring.settings import Limits, Settings
from sparring.settings.server import SteadyClock
from sparring.store import processes
from sparring.store.database import Database
from sparring.store.group_commit import StoreError
from sparring.store.processes import ProcessStore
from sparring.store.schema import ProcessRow
from sparring.tables.play.other_processes import COUNTS, PresenceExchange
from sparring.tables.play.registry import TableRegistry
from sparring.tables.state.presence import Presence
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, StartServer, settings
from web.clocks.fake_clock import FakeClock, create_table, run_due_timers
from web.tables.seats.test_presence import next_presence, people

TABLE = "table"


class Process:
    """A process and the people who are connected to it; it exchanges presence when the test says so."""

    def __init__(self, registry: TableRegistry, clock: FakeClock) -> None:
        self.registry = registry
        self.exchange = PresenceExchange(registry, ProcessStore(registry.store), clock)
        self._connections: dict[str, ExitStack] = {}

    @property
    def presence(self) -> Presence:
        return self.registry.presence(TABLE)

    def connect(self, who: str, table: str = TABLE) -> None:
        self._connections[who] = connection = ExitStack()
        connection.enter_context(self.registry.presence(table).present(who))

    async def disconnect(self, who: str) -> None:
        """Disconnect someone, and let the grace period pass if it is 0."""
        self._connections.pop(who).close()
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def disconnect_all(self) -> None:
        for who in list(self._connections):
            await self.disconnect(who)


class Cluster:
    """Two processes on one database, with one clock."""

    def __init__(self, store: Database, grace: float) -> None:
        self.store, self.clock = store, FakeClock()
        self.settings = Settings(database="", secret="", now=self.clock, grace=grace)
        self.one, self.two = self.process(), self.process()

    def process(self) -> Process:
        return Process(TableRegistry(self.settings, self.store), self.clock)

    async def exchange(self, seconds: float = 1.0) -> None:
        """Let each process exchange twice, so that it has heard what the other said, and let time pass."""
        for process in (self.one, self.two) * 2:
            await process.exchange.exchange()
        self.clock.now += seconds

    async def stop(self, process: Process, seconds: float = COUNTS + 1) -> None:
        """Let time pass in which a process doesn't write."""
        rows = update(ProcessRow).where(ProcessRow.id == process.exchange._process)
        await self.store.execute(rows.values(beat_at=ProcessRow.beat_at - int(1000 * seconds)))
        self.clock.now += seconds


def in_cluster(folder: Path, play: Callable[[Cluster], Coroutine[Any, Any, None]], grace: float = 0.0) -> None:
    async def done() -> None:
        store = Database(settings(folder).database)
        await store.open()
        cluster = Cluster(store, grace)
        try:
            await play(cluster)
        finally:
            for process in (cluster.one, cluster.two):
                await process.disconnect_all()
            await store.close()

    asyncio.run(done())


def with_two_processes(play: Callable[[Cluster], Coroutine[Any, Any, None]]) -> Callable[[Path], None]:
    """Make a test of what happens in a cluster."""

    def test(tmp_path: Path) -> None:
        in_cluster(tmp_path, play)

    return test


@with_two_processes
async def test_a_table_opened_later_knows_who_is_elsewhere(cluster: Cluster) -> None:
    cluster.one.connect("Anna", "other table")
    await cluster.exchange()
    assert cluster.two.registry.presences["other table"].people() == {"Anna"}


@with_two_processes
async def test_leaving_another_process_is_announced_with_its_time(cluster: Cluster) -> None:
    cluster.one.connect("Anna")
    await cluster.exchange()
    announced = cluster.two.presence.changes
    await cluster.one.disconnect("Anna")
    left = cluster.clock.now
    cluster.clock.now += 1
    await cluster.exchange()
    assert cluster.two.presence.people() == set()
    assert cluster.two.presence.left["Anna"] == pytest.approx(left, abs=1.0)
    cluster.two.presence._announce_all()  # the batching delay is over
    assert (cluster.two.presence.changes, cluster.two.presence.back) == (announced + 1, "")


@with_two_processes
async def test_a_return_to_another_process_is_announced(cluster: Cluster) -> None:
    cluster.one.connect("Anna")
    await cluster.exchange()
    await cluster.one.disconnect("Anna")
    await cluster.exchange()
    cluster.two.connect("Anna")
    await cluster.exchange()
    cluster.one.presence._announce_all()  # the batching delay is over
    assert (cluster.one.presence.back, cluster.one.presence.left) == ("Anna", {})


def test_who_moves_to_another_process_neither_leaves_nor_returns(tmp_path: Path) -> None:
    async def play(cluster: Cluster) -> None:
        cluster.one.connect("Anna")
        await cluster.exchange()
        announced = cluster.one.presence.changes, cluster.two.presence.changes
        await cluster.one.disconnect("Anna")
        cluster.two.connect("Anna")
        await cluster.exchange()
        cluster.one.presence._leaving["Anna"].cancel()
        cluster.one.presence._disconnect("Anna")  # the grace period is over
        await cluster.exchange()
        for process in (cluster.one, cluster.two):
            assert (process.presence.people(), process.presence.left) == ({"Anna"}, {})
            assert process.presence._pending == []
        assert (cluster.one.presence.changes, cluster.two.presence.changes) == announced

    in_cluster(tmp_path, play, grace=60)


@with_two_processes
async def test_people_of_a_process_that_died_count_as_present_for_seconds(cluster: Cluster) -> None:
    cluster.one.connect("Anna")
    await cluster.exchange()
    await cluster.stop(cluster.one, COUNTS - 2)
    await cluster.two.exchange.exchange()
    assert cluster.two.presence.people() == {"Anna"}
    await cluster.stop(cluster.one, 2)
    await cluster.two.exchange.exchange()
    assert (cluster.two.presence.people(), cluster.two.presence.left) == (set(), {"Anna": cluster.clock.now})
    await cluster.one.exchange.exchange()  # it was only slow
    await cluster.two.exchange.exchange()
    assert cluster.two.presence.people() == {"Anna"}


@with_two_processes
async def test_an_ending_process_deletes_its_row_and_its_people_can_move(cluster: Cluster) -> None:
    cluster.one.connect("Anna")
    cluster.one.connect("Ben")
    await cluster.exchange()
    await cluster.one.exchange.close()
    await cluster.two.exchange.exchange()
    assert cluster.two.presence.people() == {"Anna", "Ben"}
    cluster.two.connect("Anna")
    cluster.clock.now += COUNTS
    await cluster.two.exchange.exchange()
    assert (cluster.two.presence.people(), {*cluster.two.presence.left}) == ({"Anna"}, {"Ben"})
    assert await rows(cluster.store) == [cluster.two.exchange._process]


@with_two_processes
async def test_the_row_of_a_dead_process_is_deleted_after_a_minute(cluster: Cluster) -> None:
    await cluster.exchange()
    await cluster.stop(cluster.one, 59)
    await cluster.two.exchange.exchange()
    assert len(await rows(cluster.store)) == 2
    await cluster.stop(cluster.one, 2)
    await cluster.two.exchange.exchange()
    assert await rows(cluster.store) == [cluster.two.exchange._process]
    cluster.one.connect("Anna")
    await cluster.exchange()  # it was only slow
    assert cluster.two.presence.people() == {"Anna"}


async def rows(store: Database) -> list[str]:
    async with store.reading() as session:
        return list(await session.scalars(select(ProcessRow.id)))


@with_two_processes
async def test_without_the_database_others_count_for_seconds(cluster: Cluster) -> None:
    """They count as having only just left until the database is back, so that no timer takes them for away."""

    async def fail(*_: object, **__: object) -> None:
        raise StoreError("Not now.")

    cluster.one.connect("Anna")
    cluster.two.connect("Ben")
    await cluster.exchange(0)
    with pytest.MonkeyPatch.context() as away:
        away.setattr(ProcessStore, "exchange", fail)
        for seconds, people in ((COUNTS - 1, {"Anna", "Ben"}), (2, {"Ben"}), (600, {"Ben"})):
            cluster.clock.now += seconds
            with pytest.raises(StoreError):
                await cluster.two.exchange.exchange()
            assert cluster.two.presence.people() == people
    assert cluster.two.presence.left == {"Anna": cluster.clock.now}
    await cluster.exchange()
    assert cluster.two.presence.people() == {"Anna", "Ben"}
    assert cluster.two.presence.left == {}


@with_two_processes
async def test_trackers_of_tables_elsewhere_are_dropped(cluster: Cluster) -> None:
    cluster.one.connect("Anna")
    await cluster.exchange()
    await cluster.one.disconnect("Anna")
    await cluster.exchange(cluster.settings.patience)
    assert cluster.two.registry.presences.keys() == {TABLE}
    await cluster.exchange(2)
    await cluster.exchange()
    assert not cluster.two.registry.presences


@pytest.mark.parametrize("wrong_by", [-3600, 60, 3600])
def test_a_process_on_a_machine_whose_clock_is_wrong_adopts_the_time_of_the_others(
    tmp_path: Path, wrong_by: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "DIFFERENT", 600)

    async def play(cluster: Cluster) -> None:
        await cluster.exchange()
        offset = cluster.clock.now - time.monotonic()
        clock = SteadyClock(offset + wrong_by)
        await ProcessStore(cluster.store).adopt_time(clock)
        assert clock.offset == (offset + wrong_by if wrong_by == 60 else pytest.approx(offset, abs=60))
        await cluster.stop(cluster.one)
        await cluster.stop(cluster.two)
        alone = SteadyClock(offset + wrong_by)
        await ProcessStore(cluster.store).adopt_time(alone)
        assert alone.offset == offset + wrong_by

    in_cluster(tmp_path, play)


# A server that has no connection of the player


class Elsewhere:
    """A server with Anna's turn at a table of Anna and Ben, and a second process, with which it exchanges presence."""

    def __init__(self, server: AppServer, clock: FakeClock) -> None:
        self.server, self.clock = server, clock
        registry = server.tables.registry
        self.table = create_table(server, "Anna", "Ben", table_settings=TableSettings(away=120, then="lost"))
        self.here = PresenceExchange(registry, ProcessStore(registry.store), clock)
        self.there = Process(TableRegistry(server.settings, registry.store), clock)

    async def exchange(self) -> None:
        await self.there.exchange.exchange()
        await self.here.exchange()

    async def connect(self, *people: str) -> None:
        for who in people:
            self.there.connect(who, self.table)
        await self.exchange()

    async def disconnect(self, *people: str) -> None:
        for who in people:
            await self.there.disconnect(who)
        await self.exchange()

    def lost_after(self, seconds: float) -> bool:
        """Return whether Anna has lost when the timers here run after some seconds."""
        self.clock.now += seconds
        run_due_timers(self.server)
        return self.server.held(self.table).shown.over


@pytest.fixture
def elsewhere(start_server: StartServer) -> Iterator[Elsewhere]:
    clock = FakeClock()
    two = Elsewhere(start_server(now=clock, grace=0.0), clock)
    yield two
    two.server.run(two.there.disconnect_all())


def test_pages_and_programs_see_who_is_elsewhere(elsewhere: Elsewhere) -> None:
    server, table = elsewhere.server, elsewhere.table
    ben = server.person("Ben")
    server.run(elsewhere.connect("Anna", ""))
    assert people(ben, table).removeprefix("Anna is back. ") == "1 spectator."
    with server.stranger().presence_stream(table) as events:
        assert ben.get(f"/api/table/{table}/people").json() == {"away": [2], "watching": 2}
        server.run(elsewhere.disconnect("Anna", ""))
        while not next_presence(events).endswith("Anna and Ben are away."):
            pass


def test_a_table_whose_people_are_elsewhere_can_be_evicted(elsewhere: Elsewhere) -> None:
    server = elsewhere.server
    server.run(elsewhere.connect("Anna"))
    registry = server.tables.registry
    registry.settings = replace(registry.settings, limits=Limits(tables_in_memory=1))
    other = server.table("Anna", "Ben")
    assert registry.ids() == {other}


def test_a_player_who_is_present_elsewhere_is_not_away(elsewhere: Elsewhere) -> None:
    run = elsewhere.server.run
    run(elsewhere.connect("Anna"))
    assert not elsewhere.lost_after(119)
    run(elsewhere.exchange())
    assert not elsewhere.lost_after(120)
    run(elsewhere.disconnect("Anna"))
    assert not elsewhere.lost_after(119)
    assert elsewhere.lost_after(2)


def test_a_player_who_acts_elsewhere_is_not_away(elsewhere: Elsewhere) -> None:
    """A page without scripts, or a program, has no connection that stays."""

    async def act() -> None:
        elsewhere.there.registry.presence(elsewhere.table).record_activity("Anna")
        await elsewhere.exchange()

    assert not elsewhere.lost_after(119)
    elsewhere.server.run(act())
    assert not elsewhere.lost_after(119)
    assert elsewhere.lost_after(2)


def test_a_player_whose_process_died_gets_the_time_of_an_absence(elsewhere: Elsewhere) -> None:
    async def die() -> None:
        await elsewhere.server.tables.store.execute(delete(ProcessRow))
        elsewhere.clock.now += COUNTS + 1
        await elsewhere.here.exchange()

    run = elsewhere.server.run
    run(elsewhere.connect("Anna"))
    elsewhere.clock.now += 119
    run(die())
    assert not elsewhere.lost_after(119)
    assert elsewhere.lost_after(2)


def test_a_spectator_who_arrives_does_not_end_an_absence_early(elsewhere: Elsewhere) -> None:
    """The due time may be another process's, which has seen the player later than this one."""
    server = elsewhere.server
    run = server.run
    run(elsewhere.connect("Anna"))
    assert not elsewhere.lost_after(119)
    run(elsewhere.disconnect("Anna"))
    assert not elsewhere.lost_after(60)
    run(forget(server, elsewhere.table))
    assert not elsewhere.lost_after(1)
    with server.stranger().stream(elsewhere.table) as stream:
        next(stream)
    assert not elsewhere.lost_after(58)
    assert elsewhere.lost_after(2)


async def forget(server: AppServer, table: str) -> None:
    """Let a server forget who was at a table, as one does that opens it only now."""
    server.tables.registry.presences.clear()
    server.tables.registry.evict(await server.tables.registry.get(table))


# PostgreSQL, whose servers exchange presence by themselves


def test_servers_on_postgresql_count_each_others_people(start_on_postgres: StartServer) -> None:
    one, two = (start_on_postgres(grace=0.0) for _ in range(2))
    table = one.table("Anna", "Ben")
    with one.person("Anna").presence_stream(table) as events:
        with two.person("Ben").stream(table) as his, two.stranger().stream(table) as hers:
            next(his)
            next(hers)
            while next_presence(events) != "1 spectator.":
                pass
        while next_presence(events) != "Ben is away.":
            pass
        with two.person("Ben").stream(table) as his:
            next(his)
            while next_presence(events) != "Ben is back. ":
                pass
    two.close()
    assert len(one.run(rows(one.tables.store))) == 1


def test_processes_on_postgresql_delete_the_same_rows_at_once(start_on_postgres: StartServer) -> None:
    server = start_on_postgres()
    store, other = server.tables.store, Database(server.settings.database)

    async def both() -> None:
        for number in range(20):
            await store.execute(insert(ProcessRow).values(id=f"dead {number}", beat_at=0, ahead=0, people="{}"))
        said = [ProcessStore(each).exchange(f"process {number}", "{}", FakeClock(), changed=True) for number, each in
                enumerate((store, other) * 3)]  # fmt: skip
        await asyncio.gather(*said)
        await ProcessStore(store).exchange("process 0", "{}", FakeClock(), changed=False)
        await other.close()

    server.run(both())
    assert not [process for process in server.run(rows(store)) if process.startswith("dead")]
