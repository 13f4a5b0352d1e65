"""Event streams: events by version, catching up, and nothing hidden from the seat."""

import re
from collections.abc import Iterator
from html import unescape

import pytest

from sparring.tables.state.player_feed import KEPT_VERSIONS
from web.app_server import AppServer, Client, StartServer, show_choice
from web.look_alikes import determinized_table


def event_id(event: bytes) -> int:
    found = re.search(rb"^id: (\d+)", event, re.MULTILINE)
    assert found
    return int(found[1])


def keep_count(event: bytes) -> int:
    found = re.search(rb'data-keep="(\d+)"', event)
    assert found
    return int(found[1])


def lines_of(event: bytes) -> list[str]:
    lines = re.findall(r"<li[^>]*>(.*?)</li>", event.decode().partition("data-keep")[2].partition("</ol>")[0])
    return [unescape(re.sub("<[^>]+>", "", line)) for line in lines]


def test_each_change_is_an_event_with_the_next_version(table: str, anna: Client) -> None:
    with anna.stream(table, 1) as events:
        assert next(events).startswith(b": nothing new")
        for version in (2, 3, 4):
            anna.choose_first(table)
            event = next(events)
            assert event_id(event) == version
            assert b'<form class="scene' in event
            assert (keep_count(event), len(lines_of(event))) == (version - 2, 1)


def test_a_client_gets_every_version_after_its_last_one(table: str, anna: Client) -> None:
    for _ in range(3):
        anna.choose_first(table)
    with anna.stream(table, 2) as events:
        found = [(event_id(event), keep_count(event), len(lines_of(event))) for event in (next(events), next(events))]
    assert found == [(3, 1, 1), (4, 2, 1)]


def test_a_returning_client_gets_the_latest_state_and_the_log(table: str, anna: Client) -> None:
    for _ in range(3):
        anna.choose_first(table)
    for stream in (anna.stream(table, 2, away=True), anna.stream(table, 0, last="3")):
        with stream as events:
            event = next(events)
            assert b"event: latest" in event
            assert (event_id(event), keep_count(event)) == (4, 0)
            assert lines_of(event) == anna.look(table)["log"]
    with anna.stream(table, 0, last="4") as events:
        assert next(events).startswith(b": nothing new")


def test_an_undone_line_is_removed_from_the_log(table: str, anna: Client) -> None:
    first, second = (choice["choice"] for choice in anna.look(table)["choices"][:2])
    with anna.stream(table, 1) as events:
        next(events)
        anna.choose(table, first)
        assert (keep_count(next(events)), anna.take_back(table).status_code) == (0, 200)
        event = next(events)
        assert (keep_count(event), lines_of(event)) == (0, [])
        anna.choose(table, second)
        assert len(lines_of(next(events))) == 1


def test_heartbeats_keep_a_quiet_stream_open(start_server: StartServer) -> None:
    server = start_server(heartbeat=0.01)
    table = server.table("Anna", "Ben")
    with server.person("Anna").http.stream("GET", f"/table/{table}/events?version=1") as response:
        chunks = response.iter_raw()
        assert b": still here" in next(chunk for chunk in chunks if b"still" in chunk)


def test_a_client_beyond_the_stored_versions_gets_the_latest(server: AppServer, anna: Client) -> None:
    table = server.table("Anna", "Ben", name="make-your-moves")

    async def choose_at_once() -> None:
        """Make many choices before any listener runs."""
        found = await server.tables.registry.get(table)
        for _ in range(2 * KEPT_VERSIONS):
            show_choice(found, found.match.legal()[0])

    with anna.stream(table, 1) as events:
        next(events)
        server.run(choose_at_once())
        event = next(events)
        assert b"event: latest" in event
        assert event_id(event) == anna.version(table)
        assert lines_of(event) == [line.replace("Seat 2", "Ben") for line in anna.look(table)["log"]]


def all_events(ben: Client, table: str, anna_plays: list[int]) -> Iterator[bytes]:
    """Yield all bytes sent to Ben while Anna makes choices, requesting all pages before and after them."""
    anna = ben.server.person("Anna")

    def around() -> Iterator[bytes]:
        for response in (
            ben.get(f"/table/{table}"), ben.get(f"/api/table/{table}"), ben.get(f"/table/{table}/record"), ben.get("/"),
            ben.choose(table, 0, 0), ben.choose(table, "done", ben.version(table)), ben.take_back(table),
            ben.post(f"/table/{table}/again"), ben.post(f"/table/{table}/choose", data={"version": "1", "choice": "0"}),
        ):  # fmt: skip
            yield f"{response.status_code} {response.headers.raw}".encode() + response.content

    with ben.stream(table, 0) as events:
        yield next(events)
        yield from around()
        for choice in anna_plays:
            assert anna.choose(table, choice).status_code == 200
        yield next(events)
        yield from around()


@pytest.mark.usefixtures("same_keys")
def test_hidden_information_does_not_change_the_bytes_sent(
    start_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    heard = []
    for truth, cards_laid in ((None, 0), (7, 1), (11, 3)):
        database = f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('other')}/tables.sqlite3"
        server = start_server(database=database, friends="http://table.example")
        table = determinized_table(server, truth)
        hand = [choice["choice"] for choice in server.person("Anna").look(table)["choices"]][:3]
        heard.append((list(all_events(server.person("Ben"), table, [*hand[:cards_laid], 9])), hand))
        server.close()
    assert heard[0][1] != heard[1][1]
    assert heard[0][0] == heard[1][0] == heard[2][0]


def test_spectators_receive_no_secrets(server: AppServer) -> None:
    """Nothing sent before the end contains the seed or a person's id."""
    table = server.table("Anna", "Ben", seed=123456789123)
    for client in (server.person("Anna"), server.person("Ben"), server.stranger()):
        with client.stream(table, 0) as events:
            sent = next(events).decode() + client.page(table) + str(client.look(table))
        assert "123456789123" not in sent
