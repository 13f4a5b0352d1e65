"""Streams for programs: every version once, in its order; and whose turn it is at which table."""

import asyncio
import json
from typing import Any

import pytest

from sparring.web.api.event_routes import turns
from sparring.web.identity import Person
from sparring.web.requests.event_stream import HEARTBEAT
from sparring.web.settings import Limits
from sparring.web.tables.changes import packed
from sparring.web.tables.registry import OnOtherNode
from web.app_server import House, Opener


def data(event: bytes) -> dict[str, Any]:
    lines = event.decode().splitlines()
    return json.loads("".join(line.removeprefix("data: ") for line in lines if line.startswith("data: ")))  # type: ignore[no-any-return]


def test_every_version_is_an_event_with_all_that_a_bot_needs(house: House) -> None:
    table, anna, ben = house.table("Anna", "Ben"), house.program("Anna"), house.program("Ben")
    seen = anna.look(table)
    with anna.told(table, 1) as mine, ben.told(table, 1) as theirs:
        assert (next(mine)[:1], next(theirs)[:1]) == (b":", b":")
        anna.choose(table, seen["choices"][0]["choice"])
        told = next(mine)
        assert told.startswith(b"id: 2\r\n")
        look = anna.look(table)
        assert data(told) == {
            "version": 2, "asked": True, "over": False, "choices": look["choices"], "beats": [], "scene": look["scene"],
            "keep": 0, "log": look["log"],
        }  # fmt: skip
        anna.choose(table, "done")
        hidden = data(next(theirs))  # Ben was told nothing of the card
        assert (hidden["version"], hidden["asked"], bool(hidden["choices"])) == (2, True, True)
        assert seen["choices"][0]["words"] not in json.dumps(hidden)


def test_the_log_goes_on_where_it_was_also_when_a_choice_is_taken_back(house: House) -> None:
    table, anna = house.table("Anna", "Ben"), house.program("Anna")
    log: list[str] = []
    with anna.told(table, 1) as events:
        next(events)
        for step in ("choose", "choose", "take back", "choose"):
            if step == "choose":
                anna.choose(table, anna.look(table)["choices"][0]["choice"])
            else:
                assert anna.take_back(table).status_code == 200
            told = data(next(events))
            log = log[: told["keep"]] + told["log"]
            assert log == anna.look(table)["log"]


def test_who_comes_again_is_told_how_it_stands(house: House) -> None:
    table, anna = house.table("Anna", "Ben"), house.program("Anna")
    for _ in range(3):
        anna.choose(table, anna.look(table)["choices"][0]["choice"])
    with anna.told(table, last="2") as events:
        told = next(events)
        assert b"event: latest" in told
        assert (data(told)["version"], data(told)["log"]) == (4, anna.look(table)["log"])


def test_who_is_there_is_an_event_too(house: House) -> None:
    table, anna = house.table("Anna", "Ben"), house.program("Anna")
    with anna.http.stream("GET", f"/api/table/{table}/events?version=1") as answer, house.person("Ben").stream(table):
        told = next(line for line in answer.iter_lines() if line.startswith("data: ") and '"away":[]' in line)
        assert json.loads(told[6:]) == {"away": [], "watching": 0}
        assert anna.get(f"/api/table/{table}/people").json() == {"away": [], "watching": 0}


def test_somebody_hears_of_all_their_tables_by_one_stream(house: House) -> None:
    first, cara, dan = house.table("Cara", "Dan"), house.program("Cara"), house.program("Dan")
    standing = {"game": "hush", "version": 1, "over": False}
    with cara.turns() as mine, dan.turns() as theirs:
        assert next(mine) == {"table": first, "seat": 1, "asked": True, **standing}
        assert next(theirs) == {"table": first, "seat": 2, "asked": False, **standing}
        second = house.table("Dan", "Cara")
        assert next(mine) == {"table": second, "seat": 2, "asked": False, **standing}
        assert next(theirs)["table"] == second
        cara.choose(first, cara.look(first)["choices"][0]["choice"])
        assert next(mine) == {"table": first, "seat": 1, "asked": True, **standing, "version": 2}
        cara.choose(first, "done")
        assert next(mine)["asked"] is False
        told = next(theirs)  # the card that Cara laid in secret was no event for Dan
        assert (told["table"], told["version"], told["asked"]) == (first, 2, True)


async def _heartbeats(house: House, table: str) -> list[bytes]:
    """What Dan is sent while Cara does things all the time that he may not see."""
    stream = turns(house.app.state.streams, house.tables, Person("Dan", "Dan"), "127.0.0.1")
    heard = [await anext(stream), await anext(stream)]
    found = await house.tables.get(table)

    async def keep_busy() -> None:
        while True:
            house.tables.notifications.notify(found)
            await asyncio.sleep(0)

    busy = asyncio.create_task(keep_busy())
    heard += [await anext(stream), await anext(stream)]
    busy.cancel()
    await stream.aclose()
    return heard


def test_what_somebody_may_not_see_moves_no_heartbeat(open_house: Opener) -> None:
    house = open_house(heartbeat=0.02)
    heard = house.run(_heartbeats(house, house.table("Cara", "Dan")))
    assert heard[2:] == [HEARTBEAT, HEARTBEAT]


def test_streams_are_counted_for_whoever_answers_for_them(open_house: Opener) -> None:
    house = open_house(limits=Limits(streams_each=2, tables_at_once=100, tables_going_on=100))
    table = house.table("Anna", "Ben")
    bots = [house.program("Anna", bot=name) for name in ("One", "Two", "Three")]
    with bots[0].turns(), bots[1].told(table) as events:
        next(events)
        answer = bots[2].get("/api/me/events")
        assert (answer.status_code, "too many tables" in answer.json()["reason"]) == (429, True)
        assert house.program("Anna").get(f"/api/table/{table}/events").status_code == 429
    assert house.stranger().get("/api/me/events").status_code == 403


def test_tables_in_other_processes_are_heard_of_too(open_house: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    house = open_house()
    table = house.table("Anna", "Ben")

    class Fleet:
        id: str | None = "one"

        async def claim(self, table: str) -> None:
            raise OnOtherNode("two", "http://127.0.0.1:1")

    async def choose() -> None:
        there = await house.tables.load_read_only(table)
        change = there.play(there.match.legal()[0])
        await house.tables.store.write(
            table, there.edition, choices=packed(there.match.history, "<i2"), versions=change.stored
        )

    async def heard() -> list[Any]:
        house.tables.evict_all()
        house.tables.ownership = Fleet()
        stream = turns(house.app.state.streams, house.tables, Person("Anna", "Anna"), "127.0.0.1")
        found = [data(event) for event in (await anext(stream), await anext(stream)) if event.startswith(b"data")]
        await choose()
        found.append(data(await anext(stream)))
        await stream.aclose()
        return found

    monkeypatch.setattr("sparring.web.api.event_routes.OFTEN", 0.01)
    assert [(each["table"], each["version"]) for each in house.run(heard())] == [(table, 1), (table, 2)]
