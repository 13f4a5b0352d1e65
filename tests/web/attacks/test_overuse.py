"""Excessive use by one person: tables, files and bots."""

import asyncio
import contextlib
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pseudo_language import pseudo_language
from sparring.people.fair_queue import Busy, FairQueue
from sparring.people.rate_limits import DONE_TOO_OFTEN, KINDS, REFUSALS, RateLimit, RateLimits, Requester, TooMany
from sparring.scene.html import render
from sparring.server.requests.event_stream import encode_event
from sparring.settings import Limits
from web.app_server import AppServer, StartServer

FORM = {"name": "Anna", "seat1": "me", "seat2": "random"}
BOTS = {"seat1": "random", "seat2": "random"}
OWN = {"content": ("mine.toml", b"values = [1, 2, 3, 4, 5, 6, 7, 8, 9]", "text/plain")}


@pytest.mark.parametrize(
    ("limits", "files", "statuses", "reason"),
    [
        (Limits(tables_at_once=3), None, [303, 303, 303, 429, 429], "You have created too many tables in a short time"),
        (Limits(tables_going_on=2), None, [303, 303, 429], "too many unfinished tables"),
        (Limits(content_files_at_once=1), OWN, [303, 429], "too many"),
    ],
)
def test_new_tables_and_uploads_of_an_address_are_limited(
    start_server: StartServer, limits: Limits, files: Any, statuses: list[int], reason: str
) -> None:
    server = start_server(limits=limits)
    responses = [server.stranger().post("/games/hush", data=FORM, files=files) for _ in statuses]
    assert [response.status_code for response in responses] == statuses
    assert reason in responses[-1].text


def test_a_rematch_counts_as_a_new_table(start_server: StartServer) -> None:
    server = start_server(limits=Limits(tables_at_once=1))
    first, second = server.table("Anna", "Ben"), server.table("Anna", "Ben")
    anna = server.person("Anna")
    for table in (first, second):
        anna.choose(table, "give up")
    assert [anna.post(f"/table/{table}/again").status_code for table in (first, second)] == [303, 429]


def test_a_rate_limit_recovers_with_time() -> None:
    now = 0.0
    allowance = RateLimit(at_once=2, each_hour=60, clock=lambda: now)
    assert [allowance.take({"a": 1}) for _ in range(3)] == [True, True, False]
    assert allowance.take({"b": 1})
    assert not allowance.take({"b": 1, "a": 1})
    assert allowance.take({"b": 1}), "a refused request costs nothing"
    now = 60.0
    assert [allowance.take({"a": 1}) for _ in range(2)] == [True, False]


def test_rate_limits_count_person_and_address_but_not_the_server() -> None:
    assert Requester("Anna", "192.0.2.7").keys == {"from 192.0.2.7": 1, "by Anna": 1}
    assert Requester("", "192.0.2.7").creator("known") == Requester("Anna", "192.0.2.7").creator("known")
    assert "192" not in (Requester("", "192.0.2.7").creator("known") or "")
    assert (Requester().keys, Requester().creator("known")) == ({}, None)


def test_every_limit_has_a_sentence() -> None:
    """Except for guesses, which share that of sign-in names. Each is a whole one, which can be translated."""
    assert set(KINDS) - {"guesses"} == DONE_TOO_OFTEN.keys() | REFUSALS.keys()
    assert all(re.fullmatch(r"[A-Z][^{}]*\.", text) for text in (*DONE_TOO_OFTEN.values(), *REFUSALS.values()))


def test_people_per_address_multiplies_the_limits_of_an_address() -> None:
    rate_limits = RateLimits(Limits(tables_at_once=2, tables_each_hour=60, names_at_once=2, people_per_address=3))
    opened = [_is_allowed(rate_limits.take, "tables", Requester(name, "192.0.2.7")) for name in "aaabbccd"]
    assert opened == [True, True, False, True, True, True, True, False], "six for three people, two for each"
    guesses = [_is_allowed(rate_limits.try_password, Requester("", "192.0.2.7"), "anna") for _ in range(3)]
    assert guesses == [True, True, False]


def _is_allowed(ask: Callable[..., None], *words: Any) -> bool:
    try:
        ask(*words)
    except TooMany:
        return False
    return True


# Bots


def test_bots_stop_without_viewers(start_server: StartServer) -> None:
    server = start_server(attention=0.0)
    server.stranger().post("/games/hush", data=BOTS)
    server.run(asyncio.sleep(0.05))
    assert server.bots.questions == []


def test_bots_wait_for_a_viewer_after_a_restart(start_server: StartServer) -> None:
    server = start_server()
    with server.waiting_bots():
        tables = [server.table("bot", "bot") for _ in range(5)]
        server.restart()
    with server.waiting_bots() as bots:
        server.run(asyncio.sleep(0.05))
        assert bots.questions == []
        server.stranger().look(tables[0])
        server.run(asyncio.sleep(0.05))
        assert len(bots.questions) == 1


def test_an_idle_table_is_evicted_before_its_bot_plays(start_server: StartServer) -> None:
    server = start_server(attention=0.0, patience=0.01)
    table = server.held(server.table("bot", "Ben"))
    server.wait_until(lambda: table.cleared)


def order_of_turns(asked: list[tuple[str, float]], places: int = 1) -> list[str]:
    """Return the order of turns if all of these wait at once and take this long; `home/Anna` is Anna at home."""
    now, order = 0.0, list[str]()

    async def think(turns: FairQueue, who: str, takes: float) -> None:
        nonlocal now
        async with turns.turn(*who.split("/")):
            order.append(who)
            await asyncio.sleep(0)
            now += takes

    async def all_at_once() -> None:
        turns = FairQueue(places, lambda: now)
        await asyncio.gather(*(think(turns, who, takes) for who, takes in asked))

    with ThreadPoolExecutor(1) as thread:  # the browser tests' event loop runs in this thread
        thread.submit(asyncio.run, all_at_once()).result()
    return order


def test_bot_time_is_shared_fairly() -> None:
    order = order_of_turns([*[("crowd", 3.0)] * 200, ("Anna", 0.1), ("Anna", 0.1)])
    assert order[:4] == ["crowd", "Anna", "Anna", "crowd"]
    assert len(order) == 202


def test_long_thinking_costs_turns() -> None:
    order = order_of_turns([("long", 4.0), ("long", 4.0), *[("short", 1.0)] * 4])
    assert order == ["long", "short", "short", "short", "short", "long"]


def test_people_at_one_address_share_its_time() -> None:
    crowd = [(f"crowd/{number}", 1.0) for number in range(6)]
    order = order_of_turns([*crowd, ("crowd/0", 1.0), ("crowd/0", 1.0), ("home/Anna", 1.0), ("home/Anna", 1.0)])
    assert order[1::2][:2] == ["home/Anna"] * 2, "the address of the crowd has one share"
    assert order[-2:] == ["crowd/0"] * 2, "and its people share that"


@pytest.mark.parametrize("steps", [0, 1], ids=["as the place becomes free", "earlier"])
def test_a_cancelled_caller_frees_its_place(server: AppServer, steps: int) -> None:
    async def leave() -> list[str]:
        turns, order = FairQueue(1), list[str]()
        async with turns.turn("first"):
            waiting = asyncio.create_task(_turn(turns, "gone", order))
            other = asyncio.create_task(_turn(turns, "other", order))
            await asyncio.sleep(0)
            waiting.cancel()
            for _ in range(steps):
                await asyncio.sleep(0)
        await other
        async with asyncio.timeout(5), turns.turn("last"):
            return order

    assert server.run(leave()) == ["other"]


def test_a_newcomer_may_replace_a_caller_who_has_just_been_cancelled(server: AppServer) -> None:
    async def replace() -> list[str]:
        turns, order = FairQueue(1, most=2), list[str]()
        async with turns.turn("first"):
            crowd = [asyncio.create_task(_turn(turns, "crowd", order)) for _ in range(2)]
            await asyncio.sleep(0)
            other = asyncio.create_task(_turn(turns, "other", order))
            crowd[1].cancel()
            await asyncio.sleep(0)
        await asyncio.gather(other, crowd[0])
        return order

    assert server.run(replace()) == ["crowd", "other"]


async def _turn(turns: FairQueue, who: str, order: list[str]) -> None:
    async with turns.turn(who):
        order.append(who)


@pytest.mark.usefixtures("same_keys")
def test_the_order_of_tables_reveals_no_secret_choices(start_server: StartServer) -> None:
    server = start_server()
    tables = [server.table("Anna", "Ben") for _ in range(3)]
    before = server.person("Anna").get("/").text
    for place, table in enumerate(sorted(tables)):
        row = server.run(server.tables.store.load(table))
        changed = {"choices": b"\1\0", "changed": row.changed + place} if row else {}
        server.run(server.tables.store.write(table, 0, **changed))
    assert server.person("Anna").get("/").text == before


def test_events_are_rendered_once_for_all_viewers(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server = start_server()
    table = server.table("Anna", "Ben")
    encoded, drawn = list[int](), list[int]()

    def count(data: str, event: str = "", version: int = 0) -> bytes:
        encoded.append(version)
        return encode_event(data, event, version)

    def draw(*things: Any, **more: Any) -> Any:
        drawn.append(more["version"])
        return render(*things, **more)

    monkeypatch.setattr("sparring.site.table_parts.table_html.encode_event", count)
    monkeypatch.setattr("sparring.site.table_parts.table_html.render", draw)
    with contextlib.ExitStack() as stack:
        watchers = [stack.enter_context(server.stranger().stream(table, 1)) for _ in range(5)]
        for events in watchers:
            next(events)
        server.person("Anna").choose(table, "give up", 1)
        heard = [next(event for event in events if b"id: 2" in event) for events in watchers]
    assert len(set(heard)) == 1
    assert (encoded.count(2), drawn.count(2)) == (1, 1)


def test_empty_tables_are_evicted_first(start_server: StartServer) -> None:
    server = start_server(limits=Limits(tables_in_memory=3))
    first = server.table("Anna", "Ben")
    anna = server.person("Anna")
    with anna.stream(first, 1) as events:
        next(events)
        others = [server.table("Anna", "Ben") for _ in range(6)]
        assert set(server.tables.registry._open) == {first, *others[-2:]}
        assert anna.choose(others[0], "give up", 1).status_code == 200
        assert anna.look(others[0])["version"] == 2
        assert len(server.tables.registry._open) == 3


def test_a_caller_who_loses_a_place_reads_why_in_its_own_language() -> None:
    async def ask(who: str, queue: FairQueue) -> str:
        try:
            async with queue.turn(who):
                return ""
        except Busy as problem:
            return str(problem)

    async def ask_all() -> None:
        queue = FairQueue(1, most=2, busy="Too busy.")
        async with queue.turn("first"):
            with pseudo_language() as language:
                waiting = [asyncio.create_task(ask("many", queue)) for _ in range(2)]
                answer = language.gettext("Too busy.")
            await asyncio.sleep(0)
            waiting.append(asyncio.create_task(ask("another", queue)))
            await asyncio.sleep(0)
        assert await asyncio.gather(*waiting) == ["", answer, ""]

    asyncio.run(ask_all())
