"""Seating: the host gives seats to bots and takes them back at any time; no choice is lost or made twice."""

import contextlib
import re
import time
from collections.abc import Iterator

import httpx
import pytest

from sparring.tables.state.table import Table
from web.app_server import AppServer, Client, StartServer
from wording import says


def seat_names(server: AppServer, table: str) -> list[tuple[str, str]]:
    return [(player.name, player.bot) for player in server.held(table).players]


def give_seat(client: Client, table: str, seat: int, bot: str = "") -> httpx.Response:
    return client.post(f"/table/{table}/seats", data={"seat": str(seat), **({"bot": bot} if bot else {})})


def hosted_table(server: AppServer, *who: str, name: str = "hush") -> str:
    return server.table(*who, host="Anna", name=name)


def test_a_bot_in_an_open_seat_plays_at_once(server: AppServer, anna: Client) -> None:
    table = hosted_table(server, "Anna", "")
    assert anna.choose(table, "done").is_success
    with anna.stream(table, anna.version(table)) as events:
        next(events)
        assert give_seat(anna, table, 2, "random").headers["location"] == f"/table/{table}"
        assert "Bolt" in next(events).decode()
    assert seat_names(server, table) == [("Anna", ""), ("Bolt", "random")]
    assert server.bots.questions


def test_seat_changes_are_announced_to_all(server: AppServer, anna: Client, ben: Client) -> None:
    table = hosted_table(server, "Anna", "Ben", "")
    with ben.presence_stream(table) as told:
        give_seat(anna, table, 3, "search:level=gentle")
        assert any("Bolt, a bot, took seat 3." in next(told).decode() for _ in range(3))
    assert "Gentle bot" in ben.page(table)
    with ben.presence_stream(table) as told:
        give_seat(anna, table, 3)
        assert any("Bolt, a bot, left seat 3, which is now open." in next(told).decode() for _ in range(3))
    assert "Seat 3 is open." in ben.page(table)


def test_a_player_takes_over_a_bots_seat_and_cards(server: AppServer) -> None:
    table = hosted_table(server, "Anna", "bot")
    give_seat(server.person("Anna"), table, 2)
    hand = server.held(table).match.view(2).state.hand[1].tolist()
    assert server.person("Ben").sit(table, 2, "Ben").status_code == 303
    assert server.held(table).feed(2).view.state.hand[1].tolist() == hand
    assert seat_names(server, table)[1] == ("Ben", "")


@contextlib.contextmanager
def thinking_bot(server: AppServer, *names: str) -> Iterator[str]:
    """Create a table where a bot has been asked, and answers after the block."""
    with server.waiting_bots() as bots:
        table = hosted_table(server, *names)
        server.person("Anna").page(table)
        server.wait_until(lambda: bots.questions)
        yield table


def test_a_bot_plays_if_a_visit_comes_as_its_task_ends(start_server: StartServer) -> None:
    server = start_server()
    turns = server.tables.bots
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
        server.bots.may_choose.set()

    with thinking_bot(server, "bot", "Anna") as table:
        found = server.held(table)
        server.run(leave())
    server.wait_until(lambda: found.shown.turn_seat != 1)


def test_the_choice_of_a_removed_bot_is_dropped(start_server: StartServer) -> None:
    server = start_server()
    with thinking_bot(server, "bot", "Anna") as table:
        give_seat(server.person("Anna"), table, 1)
    server.person("Ben").sit(table, 1, "Ben")
    assert server.person("Ben").look(table)["is_turn"]
    assert server.held(table).match.history == []
    assert server.person("Ben").choose(table, "done").is_success
    assert len(server.held(table).match.history) == 1


def test_a_replacement_bot_is_asked_again_and_plays_once(start_server: StartServer) -> None:
    server = start_server()
    questions = server.bots.questions
    with thinking_bot(server, "bot", "Anna") as table:
        give_seat(server.person("Anna"), table, 1)
        give_seat(server.person("Anna"), table, 1, "search:level=gentle")
        server.wait_until(lambda: len(questions) == 2)
        assert [question.bot for question in questions] == ["random", "search:level=gentle"]
    found = server.held(table)
    server.wait_until(lambda: found.shown.turn_seat != 1)
    assert len(questions) == 1 + len(found.match.history)  # the first answer was dropped


def test_a_change_of_another_seat_does_not_interrupt_a_bot(start_server: StartServer) -> None:
    server = start_server()
    with thinking_bot(server, "bot", "Anna", "") as table:
        give_seat(server.person("Anna"), table, 3, "random")
    found = server.held(table)
    server.wait_until(lambda: found.match.history)
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


def test_a_rematch_rotates_seats_and_keeps_their_players(server: AppServer, anna: Client) -> None:
    table = hosted_table(server, "Anna", "bot", "")
    give_seat(anna, table, 3, "random")
    anna.choose(table, "give up")
    following = anna.post(f"/table/{table}/again").headers["location"].removeprefix("/table/")
    assert seat_names(server, following) == [("Cog", "random"), ("Anna", ""), ("Bolt", "random")]
    assert server.held(following).host == "Anna"
    assert give_seat(anna, following, 1).status_code == 303


def test_the_rematch_is_announced_with_a_link(server: AppServer, ben: Client) -> None:
    table = hosted_table(server, "Anna", "Ben")
    server.person("Anna").choose(table, "give up")
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
