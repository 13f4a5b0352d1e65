"""Seating: the host gives seats to bots and takes them back at any time; no choice is lost or made twice."""

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from sparring.engine.game import game
from sparring.people.rate_limits import Requester
from sparring.tables.state.players import Player
from sparring.tables.state.table import Table
from web.app_server import AppServer, Client, RandomBots, StartServer
from wording import says


def hosted_table(server: AppServer, *names: str, host: str = "Anna", name: str = "hush") -> str:
    """Create a table with a host; `bot` is a bot, an empty name an open seat."""
    players = [Player(bot="random", name="Bolt") if who == "bot" else Player(who, who) for who in names]
    return server.run(server.tables.creation.create(game(name), players, seed=1, requester=Requester(host, ""))).id


def seat_names(server: AppServer, table: str) -> list[tuple[str, str]]:
    return [(player.name, player.bot) for player in server.run(server.tables.registry.get(table)).players]


def give_seat(client: Client, table: str, seat: int, bot: str = "") -> httpx.Response:
    return client.post(f"/table/{table}/seats", data={"seat": str(seat), **({"bot": bot} if bot else {})})


def test_a_bot_in_an_open_seat_plays_at_once(server: AppServer) -> None:
    table = hosted_table(server, "Anna", "")
    anna = server.person("Anna")
    assert anna.choose(table, "done").is_success
    with anna.stream(table, anna.version(table)) as events:
        next(events)
        assert give_seat(anna, table, 2, "random").headers["location"] == f"/table/{table}"
        assert "Bolt" in next(events).decode()
    assert seat_names(server, table) == [("Anna", ""), ("Bolt", "random")]
    assert len(server.bots.questions) > 0  # type: ignore[attr-defined]


def test_seat_changes_are_announced_to_all(server: AppServer) -> None:
    table = hosted_table(server, "Anna", "Ben", "")
    anna, ben = server.person("Anna"), server.person("Ben")
    with ben.presence_stream(table) as told:
        give_seat(anna, table, 3, "search:level=gentle")
        assert any("Bolt, a bot, took seat 3." in next(told).decode() for _ in range(3))
    assert "Gentle bot" in ben.page(table)
    with ben.presence_stream(table) as told:
        give_seat(anna, table, 3)
        assert any("Bolt, a bot, left seat 3, which is now open." in next(told).decode() for _ in range(3))
    assert "Seat 3 is open." in ben.page(table)


def test_seat_changes_survive_a_restart(start_server: StartServer) -> None:
    server = start_server()
    table = hosted_table(server, "Anna", "", "bot")
    give_seat(server.person("Anna"), table, 2, "random")
    give_seat(server.person("Anna"), table, 3)
    server.close()
    server = start_server()
    assert seat_names(server, table) == [("Anna", ""), ("Cog", "random"), ("", "")]


def test_a_player_takes_over_a_bots_seat_and_cards(server: AppServer) -> None:
    table = hosted_table(server, "Anna", "bot")
    give_seat(server.person("Anna"), table, 2)
    hand = server.run(server.tables.registry.get(table)).match.view(2).state.hand[1].tolist()
    assert server.person("Ben").post(f"/table/{table}/sit", data={"seat": "2", "name": "Ben"}).status_code == 303
    found: Table = server.run(server.tables.registry.get(table))
    assert found.feed(2).view.state.hand[1].tolist() == hand
    assert seat_names(server, table)[1] == ("Ben", "")


def table_with_thinking_bot(start_server: StartServer, *names: str) -> tuple[AppServer, RandomBots, str]:
    """Create a table where a bot has been asked and not yet answered."""
    server = start_server()
    bots = server.bots
    assert isinstance(bots, RandomBots)
    server.loop.call_soon_threadsafe(bots.may_choose.clear)
    table = hosted_table(server, *names)
    server.person("Anna").page(table)
    return server, bots, table


def wait_until(server: AppServer, condition: Callable[[], bool]) -> None:
    """Wait until a task of the server has made this true."""

    async def wait() -> None:
        async with asyncio.timeout(20):
            while not condition():  # noqa: ASYNC110 - it has no event for that
                await asyncio.sleep(0.001)

    server.run(wait())


def wait_for_questions(server: AppServer, bots: RandomBots, many: int) -> None:
    """Wait until this many questions were asked."""
    wait_until(server, lambda: len(bots.questions) >= many)


def test_a_bot_plays_if_a_visit_comes_as_its_task_ends(start_server: StartServer) -> None:
    server, bots, table = table_with_thinking_bot(start_server, "bot", "Anna")
    wait_for_questions(server, bots, 1)
    turns, found = server.tables.bots, server.run(server.tables.registry.get(table))
    should_play = turns._should_play

    def visit() -> None:
        found.looked_at = time.monotonic()
        turns.start(found)

    def visited_if_not(table: Table) -> bool:
        """Let a visit follow at once when the bot stops, before the end of its task is noticed."""
        plays = should_play(table)
        if not plays and found.looked_at < 0:
            server.loop.call_soon(visit)
        return plays

    async def leave() -> None:
        turns._should_play = visited_if_not  # type: ignore[method-assign]
        found.looked_at = -turns.settings.attention - 1.0
        bots.may_choose.set()

    server.run(leave())
    wait_until(server, lambda: found.shown.turn_seat != 1)


def test_the_choice_of_a_removed_bot_is_dropped(start_server: StartServer) -> None:
    server, bots, table = table_with_thinking_bot(start_server, "bot", "Anna")
    wait_for_questions(server, bots, 1)
    give_seat(server.person("Anna"), table, 1)
    server.loop.call_soon_threadsafe(bots.may_choose.set)
    server.person("Ben").post(f"/table/{table}/sit", data={"seat": "1", "name": "Ben"})
    look = server.person("Ben").look(table)
    assert look["is_turn"]
    assert server.run(server.tables.registry.get(table)).match.history == []
    assert server.person("Ben").choose(table, "done").is_success
    assert len(server.run(server.tables.registry.get(table)).match.history) == 1


def test_a_replacement_bot_is_asked_again_and_plays_once(start_server: StartServer) -> None:
    server, bots, table = table_with_thinking_bot(start_server, "bot", "Anna")
    wait_for_questions(server, bots, 1)
    give_seat(server.person("Anna"), table, 1)
    give_seat(server.person("Anna"), table, 1, "search:level=gentle")
    wait_for_questions(server, bots, 2)
    assert [question.bot for question in bots.questions] == ["random", "search:level=gentle"]
    server.loop.call_soon_threadsafe(bots.may_choose.set)
    found = server.run(server.tables.registry.get(table))
    wait_until(server, lambda: found.shown.turn_seat != 1)
    assert len(bots.questions) == 1 + len(found.match.history)  # the first answer was dropped


def test_a_change_of_another_seat_does_not_interrupt_a_bot(start_server: StartServer) -> None:
    server, bots, table = table_with_thinking_bot(start_server, "bot", "Anna", "")
    wait_for_questions(server, bots, 1)
    give_seat(server.person("Anna"), table, 3, "random")
    server.loop.call_soon_threadsafe(bots.may_choose.set)
    found = server.run(server.tables.registry.get(table))
    wait_until(server, lambda: bool(found.match.history))
    assert [bot for _, bot in seat_names(server, table)] == ["random", "", "random"]  # there are no stand-ins


@pytest.mark.parametrize(
    ("who", "seat", "bot", "status", "sentence"),
    [
        ("Ben", 3, "random", 403, "Only the host"),
        ("Ben", 4, "", 403, "Only the host"),
        ("", 3, "random", 403, "Only the host"),
        ("Anna", 2, "random", 403, "Seat 2 is taken"),
        ("Anna", 2, "", 403, "Seat 2 has no bot"),
        ("Anna", 3, "", 403, "Seat 3 has no bot"),
        ("Anna", 9, "random", 422, "seat must be 1 to 4, not 9"),
        ("Anna", 3, "pipe:rm", 422, "There is no bot called pipe:rm"),
    ],
)  # fmt: skip
def test_open_seat_refusals_give_a_reason(
    server: AppServer, who: str, seat: int, bot: str, status: int, sentence: str
) -> None:  # fmt: skip
    table = hosted_table(server, "Anna", "Ben", "", "bot", name="mace")
    before = seat_names(server, table)
    response = give_seat(server.person(who) if who else server.stranger(), table, seat, bot)
    assert (response.status_code, sentence in response.text) == (status, True)
    assert seat_names(server, table) == before


def test_seats_are_fixed_after_the_match(server: AppServer) -> None:
    table = hosted_table(server, "Anna", "bot")
    server.person("Anna").choose(table, "give up")
    assert "The match is over" in give_seat(server.person("Anna"), table, 2).text
    assert "Remove bot" not in server.person("Anna").page(table)


def test_only_the_host_can_change_seats(server: AppServer) -> None:
    table = hosted_table(server, "Anna", "Ben", "", "bot", name="mace")
    page = server.person("Anna").page(table)
    assert len(re.findall(">Add bot<", page)) == 2  # at the open seat, and in the list of seats
    assert len(re.findall(">Remove bot<", page)) == 1
    for page in (server.person("Ben").page(table), server.person("Carl").get(f"/table/{table}?watch=true").text):
        assert "Add bot" not in page
        assert "Remove bot" not in page


def test_the_next_player_hosts_once_the_host_is_deleted(server: AppServer) -> None:
    table = hosted_table(server, "Anna", "", "Ben", "Carl", name="mace")
    ben, carl = server.person("Ben"), server.person("Carl")
    assert give_seat(ben, table, 2, "random").status_code == 403
    server.person("Anna").post("/me/delete", data={"sure": "yes"})
    assert "Add Ben as a friend" in carl.page(table)
    assert "Add Deleted player as a friend" not in carl.page(table)
    assert give_seat(carl, table, 2, "random").status_code == 403
    assert give_seat(ben, table, 2, "random").status_code == 303
    assert seat_names(server, table)[1] == ("Bolt", "random")


def test_a_rematch_rotates_seats_and_keeps_their_players(server: AppServer) -> None:
    table = hosted_table(server, "Anna", "bot", "")
    anna: Any = server.person("Anna")
    give_seat(anna, table, 3, "random")
    anna.choose(table, "give up")
    following = anna.post(f"/table/{table}/again").headers["location"].removeprefix("/table/")
    assert seat_names(server, following) == [("Cog", "random"), ("Anna", ""), ("Bolt", "random")]
    assert server.run(server.tables.registry.get(following)).host == "Anna"
    assert give_seat(anna, following, 1).status_code == 303


def test_the_rematch_is_announced_with_a_link(server: AppServer) -> None:
    table = hosted_table(server, "Anna", "Ben")
    server.person("Anna").choose(table, "give up")
    ben = server.person("Ben")
    with ben.presence_stream(table) as told:
        following = server.person("Anna").post(f"/table/{table}/again").headers["location"]
        assert any(says(next(told).decode(), "Anna", "rematch") for _ in range(3))
    page = server.stranger().get(f"/table/{table}").text
    assert f'<a href="{following}" class="button main">Go to the rematch</a>' in page
    assert re.search(f'formaction="/table/{table}/again"[^>]*>Go to the rematch</button>', ben.page(table))


def test_the_beginner_bot_is_suggested_for_an_open_seat(server: AppServer) -> None:
    page = server.person("Anna").page(hosted_table(server, "Anna", "", name="mace"))
    bots = page.partition("Bot for seat 2")[2].partition("</select>")[0]
    assert re.findall(r"<option[^>]*selected[^>]*>([^<]*)<", bots) == ["Beginner bot"]
