"""Table ownership: one process at a time, another one when it is gone, and no comparison of clocks."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from sparring.engine.game import game
from sparring.server.cluster.nodes import SILENCE, ClusterNode
from sparring.store.cluster.lease_store import LeaseStore
from sparring.store.database import Database
from sparring.store.group_commit import StaleWrite
from sparring.store.schema import TableRow
from sparring.tables.play.registry import OnOtherNode
from sparring.tables.state.changes import packed


class Cluster:
    """A database with one table, a clock controlled by the test, and processes."""

    def __init__(self, store: Database) -> None:
        self.store = store
        self.leases = LeaseStore(store)
        self.now = 0.0
        self.lost: list[str] = []

    async def process(self, name: str) -> ClusterNode:
        fleet = ClusterNode(self.leases, f"http://{name}", lambda: self.lost.append(name), lambda: self.now)
        await fleet.join()
        return fleet

    async def row_version(self) -> int:
        row = await self.store.load("table")
        assert row is not None
        return row.row_version


def in_cluster(folder: Path, play: Callable[[Cluster], Coroutine[Any, Any, None]]) -> None:
    async def done() -> None:
        store = Database(f"sqlite+aiosqlite:///{folder / 'tables.sqlite3'}")
        await store.open()
        await store.add(TableRow(
            id="table", game="mace", game_version=game("mace").version, options="{}", seed=1, choices=b"", seats=[],
            versions=packed([1, 1, 1], "<i4"), row_version=0, over=False, settings="{}",
        ))  # fmt: skip
        try:
            await play(Cluster(store))
        finally:
            await store.close()

    asyncio.run(done())


def test_the_first_process_owns_a_table(tmp_path: Path) -> None:
    async def play(cluster: Cluster) -> None:
        one, two = await cluster.process("one"), await cluster.process("two")
        await one.claim("table")
        with pytest.raises(OnOtherNode) as told:
            await two.claim("table")
        assert told.value.where == (one.id, "http://one")
        taken = await cluster.row_version()
        await one.claim("table")
        assert await cluster.row_version() == taken  # it owns the table already

    in_cluster(tmp_path, play)


def test_leaving_frees_tables_at_once(tmp_path: Path) -> None:
    async def play(cluster: Cluster) -> None:
        one, two = await cluster.process("one"), await cluster.process("two")
        await one.claim("table")
        await one.leave()
        await two.check_others()
        await two.claim("table")
        with pytest.raises(OnOtherNode, match="another process"):
            await (await cluster.process("three")).claim("table")

    in_cluster(tmp_path, play)


def test_a_silent_process_is_declared_dead(tmp_path: Path) -> None:
    async def play(cluster: Cluster) -> None:
        one, two = await cluster.process("one"), await cluster.process("two")
        await one.claim("table")
        cluster.now = SILENCE
        await two.heartbeat()
        with pytest.raises(OnOtherNode):
            await two.claim("table")  # but no longer
        cluster.now = 2 * SILENCE
        await one.heartbeat()
        await two.heartbeat()
        with pytest.raises(OnOtherNode):
            await two.claim("table")  # it has been heard since
        cluster.now = 3.1 * SILENCE
        await two.heartbeat()
        await two.claim("table")
        three = await cluster.process("three")  # has never heard of it, and needn't wait
        with pytest.raises(OnOtherNode) as told:
            await three.claim("table")
        assert told.value.where == (two.id, "http://two")

    in_cluster(tmp_path, play)


def test_a_slow_process_cannot_write_and_rejoins(tmp_path: Path) -> None:
    async def play(cluster: Cluster) -> None:
        slow, other = await cluster.process("slow"), await cluster.process("other")
        await slow.claim("table")
        name, seen = slow.id, await cluster.row_version()
        cluster.now = 2 * SILENCE
        await other.heartbeat()
        await other.claim("table")
        with pytest.raises(StaleWrite):
            await cluster.store.write("table", seen, choices=b"\1\0")
        await slow.heartbeat()
        assert cluster.lost == ["slow"]
        assert slow.id != name
        with pytest.raises(OnOtherNode):
            await slow.claim("table")

    in_cluster(tmp_path, play)


def test_an_unreachable_process_is_removed_at_once(tmp_path: Path) -> None:
    async def play(cluster: Cluster) -> None:
        one, two = await cluster.process("one"), await cluster.process("two")
        await one.claim("table")
        assert one.id is not None
        await two.remove(one.id)
        await two.claim("table")

    in_cluster(tmp_path, play)


def test_an_ended_process_is_removed_at_once(tmp_path: Path) -> None:
    async def play(cluster: Cluster) -> None:
        one, two = await cluster.process("one"), await cluster.process("two")
        await one.claim("table")
        await two.remove_at("http://another")
        with pytest.raises(OnOtherNode):
            await two.claim("table")
        await two.remove_at("http://one")
        await two.claim("table")

    in_cluster(tmp_path, play)


def test_one_of_two_processes_claims_a_free_table(tmp_path: Path) -> None:
    async def play(cluster: Cluster) -> None:
        fleets = [await cluster.process(str(number)) for number in range(4)]
        for fleet in fleets:
            await fleet.check_others()
        responses = await asyncio.gather(*(fleet.claim("table") for fleet in fleets), return_exceptions=True)
        assert [type(response) for response in responses].count(type(None)) == 1
        assert [type(response) for response in responses].count(OnOtherNode) == 3

    in_cluster(tmp_path, play)


def test_a_claim_during_a_check_respects_living_processes(tmp_path: Path) -> None:
    async def play(cluster: Cluster) -> None:
        one, two = await cluster.process("one"), await cluster.process("two")
        await one.claim("table")
        looks = [asyncio.create_task(two.check_others()) for _ in range(5)]
        responses = await asyncio.gather(*(two.claim("table") for _ in range(10)), return_exceptions=True)
        assert {type(response) for response in responses} == {OnOtherNode}
        await asyncio.gather(*looks)
        cluster.now = SILENCE + 1
        await asyncio.gather(*(two.check_others() for _ in range(5)))  # and its silence counts from the first contact
        await two.claim("table")

    in_cluster(tmp_path, play)
