"""Streams of the API: every version once in order, and whose turn it is at which table."""

import asyncio
import json
from typing import Any

import pytest

from sparring.server.api.event_routes import turns
from sparring.server.requests.event_stream import HEARTBEAT
from sparring.settings import Limits
from sparring.store.database import Database
from sparring.store.person import Person
from web.app_server import AppServer, StartServer


def data(event: bytes) -> dict[str, Any]:
    lines = event.decode().splitlines()
    return json.loads("".join(line.removeprefix("data: ") for line in lines if line.startswith("data: ")))  # type: ignore[no-any-return]


def test_every_version_is_an_event_with_the_data_for_a_bot(server: AppServer) -> None:
    table, anna, ben = server.table("Anna", "Ben"), server.program("Anna"), server.program("Ben")
    seen = anna.look(table)
    with anna.api_stream(table, 1) as mine, ben.api_stream(table, 1) as theirs:
        assert (next(mine)[:1], next(theirs)[:1]) == (b":", b":")
        anna.choose(table, seen["choices"][0]["choice"])
        told = next(mine)
        assert told.startswith(b"id: 2\r\n")
        look = anna.look(table)
        assert data(told) == {
            "version": 2, "is_turn": True, "over": False, "choices": look["choices"], "beats": [],
            "scene": look["scene"],
            "keep": 0, "log": look["log"],
        }  # fmt: skip
        anna.choose(table, "done")
        hidden = data(next(theirs))  # Ben got no event about the card
        assert (hidden["version"], hidden["is_turn"], bool(hidden["choices"])) == (2, True, True)
        assert seen["choices"][0]["words"] not in json.dumps(hidden)


def test_the_log_continues_after_an_undo(server: AppServer) -> None:
    table, anna = server.table("Anna", "Ben"), server.program("Anna")
    log: list[str] = []
    with anna.api_stream(table, 1) as events:
        next(events)
        for step in ("choose", "choose", "take back", "choose"):
            if step == "choose":
                anna.choose(table, anna.look(table)["choices"][0]["choice"])
            else:
                assert anna.take_back(table).status_code == 200
            told = data(next(events))
            log = log[: told["keep"]] + told["log"]
            assert log == anna.look(table)["log"]


def test_a_reconnecting_client_gets_the_current_state(server: AppServer) -> None:
    table, anna = server.table("Anna", "Ben"), server.program("Anna")
    for _ in range(3):
        anna.choose(table, anna.look(table)["choices"][0]["choice"])
    with anna.api_stream(table, last="2") as events:
        told = next(events)
        assert b"event: latest" in told
        assert (data(told)["version"], data(told)["log"]) == (4, anna.look(table)["log"])


def test_presence_is_an_event(server: AppServer) -> None:
    table, anna = server.table("Anna", "Ben"), server.program("Anna")
    with (
        anna.http.stream("GET", f"/api/table/{table}/events?version=1") as response,
        server.person("Ben").stream(table),
    ):
        told = next(line for line in response.iter_lines() if line.startswith("data: ") and '"away":[]' in line)
        assert json.loads(told[6:]) == {"away": [], "watching": 0}
        assert anna.get(f"/api/table/{table}/people").json() == {"away": [], "watching": 0}


def test_one_stream_covers_all_tables_of_a_person(server: AppServer) -> None:
    first, cara, dan = server.table("Cara", "Dan"), server.program("Cara"), server.program("Dan")
    standing = {"game": "hush", "version": 1, "over": False}
    with cara.turn_events() as mine, dan.turn_events() as theirs:
        assert next(mine) == {"table": first, "seat": 1, "is_turn": True, **standing}
        assert next(theirs) == {"table": first, "seat": 2, "is_turn": False, **standing}
        second = server.table("Dan", "Cara")
        assert next(mine) == {"table": second, "seat": 2, "is_turn": False, **standing}
        assert next(theirs)["table"] == second
        cara.choose(first, cara.look(first)["choices"][0]["choice"])
        assert next(mine) == {"table": first, "seat": 1, "is_turn": True, **standing, "version": 2}
        cara.choose(first, "done")
        assert next(mine)["is_turn"] is False
        told = next(theirs)  # Cara's secret card was no event for Dan
        assert (told["table"], told["version"], told["is_turn"]) == (first, 2, True)


async def _heartbeats(server: AppServer, table: str) -> list[bytes]:
    """Return what Dan is sent while Cara makes choices that are hidden from him."""
    stream = turns(server.tables, Person("Dan", "Dan"))
    heard = [await anext(stream), await anext(stream)]
    found = await server.tables.registry.get(table)

    async def keep_busy() -> None:
        while True:
            server.tables.registry.notifications.notify(found)
            await asyncio.sleep(0)

    busy = asyncio.create_task(keep_busy())
    heard += [await anext(stream), await anext(stream)]
    busy.cancel()
    await stream.aclose()
    return heard


def test_hidden_events_do_not_shift_heartbeats(start_server: StartServer) -> None:
    server = start_server(heartbeat=0.02)
    heard = server.run(_heartbeats(server, server.table("Cara", "Dan")))
    assert heard[2:] == [HEARTBEAT, HEARTBEAT]


def test_streams_count_for_the_owner_of_a_bot(start_server: StartServer) -> None:
    server = start_server(limits=Limits(streams_each=2, tables_at_once=100, tables_going_on=100))
    table = server.table("Anna", "Ben")
    bots = [server.program("Anna", bot=name) for name in ("One", "Two", "Three")]
    with bots[0].turn_events(), bots[1].api_stream(table) as events:
        next(events)
        response = bots[2].get("/api/me/events")
        assert (response.status_code, "too many tables" in response.json()["reason"]) == (429, True)
        assert server.program("Anna").get(f"/api/table/{table}/events").status_code == 429
    assert server.stranger().get("/api/me/events").status_code == 403


def test_tables_of_other_processes_are_included(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server = start_server()
    table = server.table("Anna", "Ben")

    async def heard() -> list[Any]:
        stream = turns(server.tables, Person("Anna", "Anna"))
        found = [data(event) for event in (await anext(stream), await anext(stream)) if event.startswith(b"data")]
        server.tables.registry.evict(await server.tables.registry.get(table))
        await server.tables.commits.commit_to(table, lambda there: there.choice(there.match.legal()[0]))
        found.append(data(await anext(stream)))
        await stream.aclose()
        return found

    monkeypatch.setattr(Database, "shared", True)
    monkeypatch.setattr("sparring.server.api.event_routes.OFTEN", 0.01)
    assert [(each["table"], each["version"]) for each in server.run(heard())] == [(table, 1), (table, 2)]
