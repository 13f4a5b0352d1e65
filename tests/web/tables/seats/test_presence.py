"""Presence at a table: leaving, returning and watching are announced to others."""

import asyncio
import contextlib
import re
from collections.abc import Iterator

from sparring.tables.state.presence import Presence
from web.app_server import AppServer, Client, StartServer


def next_presence(events: Iterator[bytes]) -> str:
    """Return the text of the next presence event."""
    found = re.search(r'<p id="people".*?</p>', next(events).decode())
    assert found
    return re.sub(r"<.*?>", "", found[0])


def people(client: Client, table: str, query: str = "") -> str:
    found = re.search(r'<p id="people"[^>]*>(.*?)</p>', client.get(f"/table/{table}{query}").text)
    assert found
    return re.sub(r"<.*?>", "", found[1])


def test_a_player_leaves_and_returns(start_server: StartServer) -> None:
    server = start_server(grace=0.0)
    table = server.table("Anna", "Ben")
    anna, ben = server.person("Anna"), server.person("Ben")
    assert people(anna, table) == "Ben is away."
    with anna.presence_stream(table) as events:
        with ben.stream(table) as his:
            next(his)
            assert next_presence(events) == ""
        assert next_presence(events) == "Ben is away."
        with ben.stream(table) as his:
            next(his)
            assert next_presence(events) == "Ben is back. "
            assert people(anna, table) == "Ben is back. "


def test_reloading_a_page_is_not_an_absence(start_server: StartServer) -> None:
    server = start_server(grace=60.0)
    table = server.table("Anna", "Ben")
    anna, ben = server.person("Anna"), server.person("Ben")
    with ben.stream(table) as his:
        next(his)
    assert people(anna, table) == ""


def test_a_spectator_is_announced_to_everyone_else(start_server: StartServer) -> None:
    server = start_server(grace=0.0)
    table = server.table("Anna", "bot")
    anna, eve, joe = server.person("Anna"), server.stranger(), server.person("Joe")
    with anna.presence_stream(table) as events, eve.stream(table) as hers:
        next(hers)
        assert next_presence(events) == "1 spectator."
        assert people(eve, table, "?watch=true") == ""
        with joe.stream(table) as his:
            next(his)
            assert next_presence(events) == "2 spectators."


def test_bots_and_open_seats_are_never_away(server: AppServer) -> None:
    table = server.table("Anna", "bot", "")
    assert people(server.person("Anna"), table) == ""


def test_a_reconnecting_client_gets_the_current_presence(start_server: StartServer) -> None:
    server = start_server(grace=0.0)
    table = server.table("Anna", "Ben")
    with server.person("Anna").presence_stream(table, away=True) as events:
        assert next_presence(events) == "Ben is away."


def test_presence_notices_are_batched(start_server: StartServer) -> None:
    server = start_server(grace=0.0)
    table = server.table("Anna", "bot")
    with server.person("Anna").presence_stream(table) as events, contextlib.ExitStack() as crowd:
        before = server.tables.registry.presence(table).changes
        watchers = [crowd.enter_context(server.stranger().stream(table)) for _ in range(10)]
        for stream in watchers:
            next(stream)
        told = [next_presence(events)]
        while told[-1] != "10 spectators.":
            told.append(next_presence(events))
        assert server.tables.registry.presence(table).changes - before == len(told) < 10


def test_a_return_within_a_batch_is_announced() -> None:
    async def crowd() -> Presence:
        presence = Presence()
        with presence.present("Eve"):
            with presence.present("Ben"):
                pass
            while "Ben" in presence.people():  # noqa: ASYNC110 - it has no event for that
                await asyncio.sleep(0)
            with presence.present("Ben"), presence.present("Joe"):
                presence._announce_all()  # the batching delay is over
                return presence

    assert asyncio.run(crowd()).back == "Ben"
