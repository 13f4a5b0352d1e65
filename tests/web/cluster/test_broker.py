"""Processes that can't reach each other form one server over a broker, which can't read or forge their messages."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import redis

from sparring.web.cluster import broker_transport
from sparring.web.cluster.broker import LONGEST, MessageSeal
from sparring.web.cluster.broker_transport import LATE, RelayedRequest, RequestCancelled, ResponseChunk, SeenRequests
from sparring.web.cluster.transport import ProxiedRequest, TransportBroken
from sparring.web.storage import StoreError
from web.app_server import AppServer, Client, settings
from web.cluster.chat_checks import ACROSS, check_chat
from web.postgres import NEEDS_POSTGRES, postgres, postgres_server
from web.redis import NEEDS_REDIS, Broker, broker

__all__ = ["broker", "postgres", "postgres_server"]  # fixtures

pytestmark = [NEEDS_REDIS, NEEDS_POSTGRES]


def wait_for_broker(server: AppServer, *, there: bool) -> None:
    """Wait until a process has noticed that the broker is connected, or not."""
    for _ in range(1000):
        if server.app.state.others.broker.connected == there:
            return
        time.sleep(0.02)
    raise AssertionError("the broker was not noticed")


@pytest.fixture(scope="module")
def three_servers(tmp_path_factory: pytest.TempPathFactory, broker: Broker, postgres: str) -> Iterator[list[AppServer]]:
    """Three processes on one PostgreSQL and one Redis, without internal addresses."""
    folder = tmp_path_factory.mktemp("trio")
    servers = [AppServer(settings(folder, database=postgres, broker=broker.url)) for _ in range(3)]
    for server in servers:
        wait_for_broker(server, there=True)
    yield servers
    for server in servers:
        server.close()


def player_to_move(servers: list[AppServer], table: str) -> list[Client]:
    """Return the client of the player to move at each process."""
    asked = check_chat(servers, "Anna" if servers[0].person("Anna").look(table)["asked"] else "Ben")
    for client in asked:
        client.http.cookies["choices"] = "every"
    return asked


@pytest.mark.parametrize("across", ACROSS)
def test_chat_works_across_processes(three_servers: list[AppServer], across: Callable[[list[AppServer]], None]) -> None:
    across(three_servers)


def test_a_match_is_played_across_processes(three_servers: list[AppServer]) -> None:
    table = three_servers[0].table("Anna", "Ben")
    people = {1: check_chat(three_servers, "Anna"), 2: check_chat(three_servers, "Ben")}
    for turn in range(100):
        looks = [people[seat][turn % 3].look(table) for seat in (1, 2)]
        if looks[0]["over"]:
            break
        asked = next(look for look in looks if look["asked"])
        there = people[asked["seat"]][(turn + 1) % 3]
        assert there.choose(table, asked["choices"][0]["choice"], asked["version"]).status_code == 200
    assert looks[0]["over"]
    assert [server.tables.registry.find(table) is not None for server in three_servers] == [True, False, False]


def test_responses_pass_the_broker_unchanged(three_servers: list[AppServer]) -> None:
    table = three_servers[0].table("Anna", "")
    anna, ben = three_servers[2].person("Anna"), three_servers[1].stranger()
    assert "Anna" in anna.page(table)
    assert anna.choose(table, 0, version=999).status_code == 409
    assert anna.get(f"/table/{table}/record").status_code == 403
    sat = ben.post(f"/table/{table}/sit", data={"seat": "2", "name": "Ben"})
    assert (sat.status_code, sat.headers["location"]) == (303, f"/table/{table}")
    assert ben.look(table)["seat"] == 2
    assert not [name for name in sat.headers if name.startswith("sparring")]


def test_a_person_reconnects_to_another_process_during_a_choice(three_servers: list[AppServer]) -> None:
    table = three_servers[0].table("Anna", "Ben", name="make-your-moves")
    asked = player_to_move(three_servers, table)
    begun = asked[1].look(table)
    with asked[1].stream(table, begun["version"]) as events:
        next(events)
        assert asked[1].choose(table, begun["choices"][0]["choice"], begun["version"]).status_code == 200
        assert f"id: {begun['version'] + 1}".encode() in next(events)
    middle = asked[2].look(table)  # the same moment continues at another process
    assert (middle["asked"], middle["version"]) == (True, begun["version"] + 1)
    with asked[2].stream(table, last=str(begun["version"])) as events:
        assert f"id: {middle['version']}".encode() in next(events)
        assert asked[0].choose(table, middle["choices"][0]["choice"], middle["version"]).status_code == 200
        assert f"id: {middle['version'] + 1}".encode() in next(events)


def test_closing_a_stream_reaches_the_tables_owner(three_servers: list[AppServer]) -> None:
    table = three_servers[0].table("Anna", "Ben")
    with three_servers[1].person("Anna").stream(table) as events:
        next(events)
        assert three_servers[0].app.state.streams.by_person
    for _ in range(500):
        if not three_servers[0].app.state.streams.by_person:
            break
        time.sleep(0.01)
    assert not three_servers[0].app.state.streams.by_person


def test_notices_are_announced_over_the_broker(three_servers: list[AppServer], monkeypatch: pytest.MonkeyPatch) -> None:
    heard = asyncio.Event()

    async def listen() -> None:
        heard.set()

    async def wait() -> None:
        await asyncio.wait_for(heard.wait(), 20)

    monkeypatch.setattr(three_servers[1].app.state.hearing, "poll", listen)
    monkeypatch.setattr("sparring.web.cluster.invalidation.SELDOM", 1000.0)
    time.sleep(0.1)
    three_servers[0].run(three_servers[0].tables.store.notify_others())
    three_servers[1].run(wait())


def test_losing_the_broker_loses_no_data(
    three_servers: list[AppServer], broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    table = three_servers[0].table("Anna", "Ben", name="make-your-moves")
    here, there, _ = player_to_move(three_servers, table)
    before = there.look(table)
    health = three_servers[1].stranger().get("/health").json()
    assert (health["says"], health["database"], health["broker"]) == ("Everything works.", True, True)
    with there.stream(table, before["version"]) as events, caplog.at_level(logging.WARNING):
        next(events)
        broker.kill()
        for server in three_servers:
            wait_for_broker(server, there=False)
        with pytest.raises((httpx.HTTPError, StopIteration)):
            next(events)
        told = there.choose(table, before["choices"][0]["choice"], before["version"])
        assert (told.status_code, told.headers["retry-after"]) == (503, "1")
        assert "can't be reached" in told.json()["reason"]
        assert three_servers[1].stranger().get("/health").json()["says"].startswith("The broker is unreachable: ")
        assert here.choose(table, before["choices"][0]["choice"], before["version"]).status_code == 200
        broker.start()
        for server in three_servers:
            wait_for_broker(server, there=True)
    assert sorted(
        {record.getMessage() for record in caplog.records if record.name == "sparring.web.cluster.broker"}
    ) == [
        "The broker is back.",
        "The broker is unreachable: tables of other machines are unavailable, and bots run here until it is back.",
    ]
    with there.stream(table, last=str(before["version"])) as events:
        assert f"id: {before['version'] + 1}".encode() in next(events)


def test_health_reports_an_unreachable_database(
    three_servers: list[AppServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent() -> None:
        raise StoreError("It is away.")

    monkeypatch.setattr(three_servers[0].tables.store, "ping", silent)
    told = three_servers[0].stranger().get("/health")
    assert (told.status_code, told.json()["database"]) == (503, False)
    assert told.json()["says"].startswith("The database doesn't answer")


def test_tables_of_an_unreachable_process_are_claimed(
    three_servers: list[AppServer], broker: Broker, postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fourth = AppServer(settings(tmp_path, database=postgres, broker=broker.url))
    wait_for_broker(fourth, there=True)
    table = fourth.table("Anna", "Ben")
    anna = three_servers[0].person("Anna")
    before = anna.look(table)
    fourth.run(stop_listening(fourth.app.state.others.broker))
    monkeypatch.setattr("sparring.web.cluster.broker_transport.PAUSE", 0.02)
    told = list[bool]()
    for settled in (10_000, 0):  # after a restart of the broker, living processes may not be back yet
        monkeypatch.setattr("sparring.web.cluster.broker.SETTLED", settled)
        told.append(anna.get(f"/api/table/{table}").status_code == 200)
    assert told == [False, True]
    assert anna.look(table) == before
    assert sum(server.tables.registry.find(table) is not None for server in three_servers) == 1
    fourth.close()


async def stop_listening(broker: Any) -> None:
    """Simulate a dead process."""
    for task in asyncio.all_tasks():
        if "Broker.follow" in repr(task.get_coro()):
            task.cancel()
    await broker.redis.connection_pool.disconnect()


def test_sealed_messages_need_key_and_channel() -> None:
    seal = MessageSeal("known")
    left = RequestCancelled("Anna's cookie", 1)
    sealed = seal.seal("here", left)
    assert b"cookie" not in sealed
    assert MessageSeal("known").unseal("here", sealed, RequestCancelled) == left
    assert seal.unseal("there", sealed, RequestCancelled) is None
    assert MessageSeal("another").unseal("here", sealed, RequestCancelled) is None
    assert MessageSeal("another").realm != seal.realm
    assert seal.unseal("here", sealed[:-1] + bytes([sealed[-1] ^ 1]), RequestCancelled) is None
    assert seal.unseal("here", b"", RequestCancelled) is None
    assert seal.unseal("here", seal.seal("here", NOTHING), RequestCancelled) is None  # no such channel
    assert seal.unseal("here", bytes(LONGEST + 1), RequestCancelled) is None


NOTHING = ProxiedRequest("GET", "/", b"/", b"", [], b"", "", "http")


def test_the_broker_can_neither_read_nor_forge(three_servers: list[AppServer], broker: Broker) -> None:
    table = three_servers[0].table("Anna", "Ben")
    anna = three_servers[1].person("Anna")
    version = anna.version(table)
    listener = redis.Redis(port=broker.port)
    with listener.pubsub() as ear:  # type: ignore[no-untyped-call]
        ear.psubscribe("*")
        ear.get_message(timeout=5)
        anna.look(table)
        caught = list[dict[str, Any]]()
        while len(caught) < 2:
            message = ear.get_message(timeout=5)
            assert message is not None
            caught += [message] if message["type"] == "pmessage" else []
    everything = b"".join(message["channel"] + message["data"] for message in caught)
    for secret in (table.encode(), b"Anna", b"hush", anna.http.cookies["sparring"].encode()[:12]):
        assert secret not in everything
    for message in caught:  # a replay, another message, and no message at all
        listener.publish(message["channel"], message["data"])
        listener.publish(message["channel"], message["data"][:-1])
        listener.publish(message["channel"], msgspec.msgpack.encode(RelayedRequest("x", 1, NOTHING)))
    assert anna.version(table) == version
    listener.close()


def test_a_replayed_request_is_ignored() -> None:
    heard = SeenRequests()
    assert [heard.is_new("a", number) for number in (1, 2, 2, 1, 5, 3)] == [True, True, False, False, True, True]
    assert heard.is_new("b", 1)
    for number in range(6, 5 * LATE):
        assert heard.is_new("a", number)
    assert not heard.is_new("a", 4)
    assert not heard.is_new("a", 5 * LATE - 1)
    assert len(heard._recent["a"]) <= 2 * LATE + 1


def test_a_response_with_a_missing_chunk_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    async def read(*places: int, size: int = 1) -> bytes:
        waiting = broker_transport._PendingResponse("request")
        for place in places:
            waiting.take(ResponseChunk("request", 1, place, b"x" * size, last=place == 2))
        return b"".join([piece async for piece in waiting.pieces(await waiting.next())])

    assert asyncio.run(read(0, 1, 2)) == b"xxx"
    with pytest.raises(TransportBroken):
        asyncio.run(read(0, 2))
    monkeypatch.setattr(broker_transport, "MOST_WAITING", 10)
    with pytest.raises(TransportBroken):
        asyncio.run(read(0, 1, 2, size=6))
