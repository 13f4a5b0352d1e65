"""What comes down the wire: events by version, catching up, and nothing that a seat may not know."""

import re
from collections.abc import Iterator
from html import unescape

import numpy as np
import pytest

from sparring.engine.game import game
from sparring.web.tables.player_feed import KEPT_VERSIONS
from sparring.web.tables.players import Player
from web.app_server import House, Opener, Visitor


def id_of(event: bytes) -> int:
    found = re.search(rb"^id: (\d+)", event, re.MULTILINE)
    assert found
    return int(found[1])


def keep_of(event: bytes) -> int:
    found = re.search(rb'data-keep="(\d+)"', event)
    assert found
    return int(found[1])


def lines_of(event: bytes) -> list[str]:
    lines = re.findall(r'<li data-entry="\d+"[^>]*>(.*?)</li>', event.decode())
    return [unescape(re.sub("<[^>]+>", "", line)) for line in lines]


def test_each_change_is_an_event_with_the_next_version(house: House) -> None:
    table = house.table("Anna", "Ben")
    anna = house.person("Anna")
    with anna.stream(table, 1) as events:
        assert next(events).startswith(b": nothing new")
        for version in (2, 3, 4):
            anna.choose(table, anna.look(table)["choices"][0]["choice"])
            event = next(events)
            assert id_of(event) == version
            assert b'<form class="scene' in event
            assert (keep_of(event), len(lines_of(event))) == (version - 2, 1)


def test_who_asks_for_what_followed_a_version_gets_every_version_in_order(house: House) -> None:
    table = house.table("Anna", "Ben")
    anna = house.person("Anna")
    for _ in range(3):
        anna.choose(table, anna.look(table)["choices"][0]["choice"])
    with anna.stream(table, 2) as events:
        assert [(id_of(event), keep_of(event), len(lines_of(event))) for event in (next(events), next(events))] == [
            (3, 1, 1), (4, 2, 1),
        ]  # fmt: skip


def test_who_was_away_gets_the_latest_state_and_the_whole_log(house: House) -> None:
    table = house.table("Anna", "Ben")
    anna = house.person("Anna")
    for _ in range(3):
        anna.choose(table, anna.look(table)["choices"][0]["choice"])
    back_again = (anna.stream(table, 2, away=True), anna.stream(table, 0, last="3"))
    for stream in back_again:
        with stream as events:
            event = next(events)
            assert b"event: latest" in event
            assert (id_of(event), keep_of(event)) == (4, 0)
            assert lines_of(event) == anna.look(table)["log"]
    with anna.stream(table, 0, last="4") as events:
        assert next(events).startswith(b": nothing new")


def test_a_taken_back_line_leaves_the_log(house: House) -> None:
    table = house.table("Anna", "Ben")
    anna = house.person("Anna")
    first, second = (choice["choice"] for choice in anna.look(table)["choices"][:2])
    with anna.stream(table, 1) as events:
        next(events)
        anna.choose(table, first)
        assert (keep_of(next(events)), anna.take_back(table).status_code) == (0, 200)
        event = next(events)
        assert (keep_of(event), lines_of(event)) == (0, [])
        anna.choose(table, second)
        assert len(lines_of(next(events))) == 1


def test_heartbeats_keep_a_quiet_stream_open(open_house: Opener) -> None:
    house = open_house(heartbeat=0.01)
    table = house.table("Anna", "Ben")
    with house.person("Anna").http.stream("GET", f"/table/{table}/events?version=1") as answer:
        chunks = answer.iter_raw()
        assert b": still here" in next(chunk for chunk in chunks if b"still" in chunk)


def test_a_slow_listener_gets_every_version_in_order(house: House) -> None:
    table = house.table("Anna", "Ben")
    anna = house.person("Anna")
    with anna.stream(table, 0) as events:
        assert id_of(next(events)) == 1
        house.run(_choose_at_once(house, table, 3))
        assert [id_of(next(events)) for _ in range(3)] == [2, 3, 4]


def test_who_has_missed_more_than_is_kept_catches_up_at_once(house: House) -> None:
    table = house.table("Anna", "Ben", name="make-your-moves")
    anna = house.person("Anna")
    with anna.stream(table, 1) as events:
        next(events)
        house.run(_choose_at_once(house, table, 2 * KEPT_VERSIONS))
        event = next(events)
        assert b"event: latest" in event
        told = [line.replace("Seat 2", "Ben") for line in anna.look(table)["log"]]
        assert id_of(event) == anna.version(table)
        for line, said in zip(lines_of(event), told, strict=True):
            assert line == said


async def _choose_at_once(house: House, table: str, times: int) -> None:
    """Several choices before anybody who listens gets a turn."""
    found = await house.tables.get(table)
    for _ in range(times):
        found.publish(found.play(found.match.legal()[0]))


def test_a_stream_of_no_table(house: House) -> None:
    assert house.stranger().get("/table/nowhere/events").status_code == 404


# What a seat may not know


def everything(ben: Visitor, table: str, anna_plays: list[list[int]]) -> Iterator[bytes]:
    """All bytes that reach Ben while Anna makes choices, each list of them followed by looking around."""
    anna = ben.house.person("Anna")

    def around() -> Iterator[bytes]:
        for answer in (
            ben.get(f"/table/{table}"), ben.get(f"/api/table/{table}"), ben.get(f"/table/{table}/record"), ben.get("/"),
            ben.choose(table, 0, 0), ben.choose(table, "done", ben.version(table)), ben.take_back(table),
            ben.post(f"/table/{table}/again"), ben.post(f"/table/{table}/choose", data={"version": "1", "choice": "0"}),
        ):  # fmt: skip
            yield f"{answer.status_code} {answer.headers.raw}".encode() + answer.content

    with ben.stream(table, 0) as events:
        yield next(events)
        yield from around()
        for choices in anna_plays:
            for choice in choices:
                assert anna.choose(table, choice).status_code == 200
            yield next(events)
            yield from around()


def lay_out(house: House, name: str, seats: int, truth: int | None, **options: str) -> str:
    """A table at which Ben sits on seat 2; with `truth` everything that he does not know is imagined anew from it."""
    sitters = [Player(who, who) for who in ("Anna", "Ben", "Carla")[:seats]]
    table = house.run(house.tables.create(game(name), sitters, options=options, seed=5, table="fixed"))
    if truth is not None:
        house.run(_change(table, truth))
    return table.id


async def _change(table: object, truth: int) -> None:
    match = table.match  # type: ignore[attr-defined]
    state = match.view(2).state.copy()
    g = np.array([truth, 2, 3, 4])
    match.game.rules.determinize(match.box.kit, state, 1, g)
    match.state = state
    table.deal(match)  # type: ignore[attr-defined]


FRIENDS = {"friends": "http://table.example"}


def test_a_seat_receives_the_same_bytes_whatever_it_may_not_know(
    open_house: Opener, tmp_path_factory: pytest.TempPathFactory
) -> None:
    heard = []
    for truth, cards_laid in ((None, 0), (7, 1), (11, 3)):
        house = open_house(database=f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('house')}/tables.sqlite3", **FRIENDS)
        table = lay_out(house, "hush", 3, truth)
        hand = [choice["choice"] for choice in house.person("Anna").look(table)["choices"]][:3]
        heard.append((list(everything(house.person("Ben"), table, [[*hand[:cards_laid], 9]])), hand))
        house.close()
    assert heard[0][1] != heard[1][1]
    for other in heard[1:]:
        for mine, theirs in zip(heard[0][0], other[0], strict=True):
            assert mine == theirs


def test_the_same_in_make_your_moves(open_house: Opener, tmp_path_factory: pytest.TempPathFactory) -> None:
    heard, hands = [], []
    for truth in (None, 7):
        house = open_house(database=f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('house')}/tables.sqlite3", **FRIENDS)
        table = lay_out(house, "make-your-moves", 3, truth, first_control="seat1")
        anna = house.person("Anna")
        asked = anna.look(table)
        hands.append(asked["scene"])
        heard.append(list(everything(house.person("Ben"), table, [[asked["choices"][0]["choice"]]])))
        house.close()
    assert hands[0] != hands[1]
    assert heard[0] == heard[1]


def test_strangers_hear_nothing_of_the_secret(house: House) -> None:
    """Neither the seed nor the id of a person stands in anything that is sent before the end."""
    table = house.table("Anna", "Ben", seed=123456789123)
    for visitor in (house.person("Anna"), house.person("Ben"), house.stranger()):
        with visitor.stream(table, 0) as events:
            sent = next(events).decode() + visitor.page(table) + str(visitor.look(table))
        assert "123456789123" not in sent
