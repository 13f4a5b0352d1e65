"""Seats are given to bots and taken back by whoever opened the table, at any time; nothing is lost or played twice."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from sparring.engine.game import game
from sparring.web.security.rate_limits import Requester
from sparring.web.tables.players import Player
from sparring.web.tables.table import Table
from web.app_server import Dice, House, Opener, Visitor
from wording import says


def hosted(house: House, *names: str, host: str = "Anna", name: str = "hush") -> str:
    """A table that somebody opened; `bot` is a bot, an empty name an open seat."""
    sitters = [Player(bot="random", name="Bolt") if who == "bot" else Player(who, who) for who in names]
    return house.run(house.tables.create(game(name), sitters, seed=1, requester=Requester(host, ""))).id


def sitters(house: House, table: str) -> list[tuple[str, str]]:
    return [(sitter.name, sitter.bot) for sitter in house.run(house.tables.get(table)).players]


def give(visitor: Visitor, table: str, seat: int, bot: str = "") -> httpx.Response:
    return visitor.post(f"/table/{table}/seats", data={"seat": str(seat), **({"bot": bot} if bot else {})})


def test_an_open_seat_is_given_to_a_bot_which_plays_at_once(house: House) -> None:
    table = hosted(house, "Anna", "")
    anna = house.person("Anna")
    assert anna.choose(table, "done").is_success
    with anna.stream(table, anna.version(table)) as events:
        next(events)
        assert give(anna, table, 2, "random").headers["location"] == f"/table/{table}"
        assert "Bolt" in next(events).decode()
    assert sitters(house, table) == [("Anna", ""), ("Bolt", "random")]
    assert len(house.players.questions) > 0  # type: ignore[attr-defined]


def test_everybody_sees_who_has_sat_down_and_who_has_gone(house: House) -> None:
    table = hosted(house, "Anna", "Ben", "")
    anna, ben = house.person("Anna"), house.person("Ben")
    with ben.people(table) as told:
        give(anna, table, 3, "search:level=gentle")
        assert any("Bolt, a bot, took seat 3." in next(told).decode() for _ in range(3))
    assert "Gentle bot" in ben.page(table)
    with ben.people(table) as told:
        give(anna, table, 3)
        assert any("Bolt, a bot, left seat 3, which is now open." in next(told).decode() for _ in range(3))
    assert "Seat 3 is open." in ben.page(table)


def test_it_stays_so_after_a_restart(open_house: Opener) -> None:
    house = open_house()
    table = hosted(house, "Anna", "", "bot")
    give(house.person("Anna"), table, 2, "random")
    give(house.person("Anna"), table, 3)
    house.close()
    house = open_house()
    assert sitters(house, table) == [("Anna", ""), ("Cog", "random"), ("", "")]


def test_a_seat_that_a_bot_has_left_is_for_a_friend_with_all_that_lies_there(house: House) -> None:
    table = hosted(house, "Anna", "bot")
    give(house.person("Anna"), table, 2)
    hand = house.run(house.tables.get(table)).match.view(2).state.hand[1].tolist()
    assert house.person("Ben").post(f"/table/{table}/sit", data={"seat": "2", "name": "Ben"}).status_code == 303
    found: Table = house.run(house.tables.get(table))
    assert found.feed(2).view.state.hand[1].tolist() == hand
    assert sitters(house, table)[1] == ("Ben", "")


def waits(open_house: Opener, *names: str) -> tuple[House, Dice, str]:
    """A table at which a bot is asked, and has not answered yet."""
    house = open_house()
    dice = house.players
    assert isinstance(dice, Dice)
    house.loop.call_soon_threadsafe(dice.may_choose.clear)
    table = hosted(house, *names)
    house.person("Anna").page(table)
    return house, dice, table


def until(house: House, so: Callable[[], bool]) -> None:
    """Until something is so that a task of the server does."""

    async def wait() -> None:
        async with asyncio.timeout(20):
            while not so():  # noqa: ASYNC110 - it has no event for that
                await asyncio.sleep(0.001)

    house.run(wait())


def asked(house: House, dice: Dice, many: int) -> None:
    """Until so many questions were asked."""
    until(house, lambda: len(dice.questions) >= many)


def test_a_bot_that_loses_its_seat_while_it_thinks_chooses_no_more(open_house: Opener) -> None:
    house, dice, table = waits(open_house, "bot", "Anna")
    asked(house, dice, 1)
    give(house.person("Anna"), table, 1)
    house.loop.call_soon_threadsafe(dice.may_choose.set)
    house.person("Ben").post(f"/table/{table}/sit", data={"seat": "1", "name": "Ben"})
    look = house.person("Ben").look(table)
    assert look["asked"]
    assert house.run(house.tables.get(table)).match.history == []
    assert house.person("Ben").choose(table, "done").is_success
    assert len(house.run(house.tables.get(table)).match.history) == 1


def test_the_bot_that_comes_instead_is_asked_anew_and_plays_once(open_house: Opener) -> None:
    house, dice, table = waits(open_house, "bot", "Anna")
    asked(house, dice, 1)
    give(house.person("Anna"), table, 1)
    give(house.person("Anna"), table, 1, "search:level=gentle")
    asked(house, dice, 2)
    assert [question.bot for question in dice.questions] == ["random", "search:level=gentle"]
    house.loop.call_soon_threadsafe(dice.may_choose.set)
    found = house.run(house.tables.get(table))
    until(house, lambda: found.shown.asked != 1)
    assert len(dice.questions) == 1 + len(found.match.history)  # the first thought was dropped


def test_another_seat_that_changes_does_not_disturb_a_bot_that_thinks(open_house: Opener) -> None:
    house, dice, table = waits(open_house, "bot", "Anna", "")
    asked(house, dice, 1)
    give(house.person("Anna"), table, 3, "random")
    house.loop.call_soon_threadsafe(dice.may_choose.set)
    found = house.run(house.tables.get(table))
    until(house, lambda: bool(found.match.history))
    assert [bot for _, bot in sitters(house, table)] == ["random", "", "random"]  # nobody stands in for anybody


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
def test_whoever_may_not_is_told_why(
    house: House, who: str, seat: int, bot: str, status: int, sentence: str
) -> None:  # fmt: skip
    table = hosted(house, "Anna", "Ben", "", "bot", name="mace")
    before = sitters(house, table)
    answer = give(house.person(who) if who else house.stranger(), table, seat, bot)
    assert (answer.status_code, sentence in answer.text) == (status, True)
    assert sitters(house, table) == before


def test_when_the_match_is_over_no_seat_changes(house: House) -> None:
    table = hosted(house, "Anna", "bot")
    house.person("Anna").choose(table, "give up")
    assert "The match is over" in give(house.person("Anna"), table, 2).text
    assert "Remove bot" not in house.person("Anna").page(table)


def test_only_who_opened_the_table_is_offered_it(house: House) -> None:
    table = hosted(house, "Anna", "Ben", "", "bot", name="mace")
    page = house.person("Anna").page(table)
    assert len(re.findall(">Add bot<", page)) == 2  # at the open seat, and in the list of seats
    assert len(re.findall(">Remove bot<", page)) == 1
    for page in (house.person("Ben").page(table), house.person("Carl").get(f"/table/{table}?watch=true").text):
        assert "Add bot" not in page
        assert "Remove bot" not in page


def test_in_the_next_match_the_seats_are_turned_and_stay_with_whoever_has_them(house: House) -> None:
    table = hosted(house, "Anna", "bot", "")
    anna: Any = house.person("Anna")
    give(anna, table, 3, "random")
    anna.choose(table, "give up")
    following = anna.post(f"/table/{table}/again").headers["location"].removeprefix("/table/")
    assert sitters(house, following) == [("Cog", "random"), ("Anna", ""), ("Bolt", "random")]
    assert house.run(house.tables.get(following)).host == "Anna"
    assert give(anna, following, 1).status_code == 303


def test_everybody_hears_that_there_is_a_next_match_and_is_one_click_away_from_it(house: House) -> None:
    table = hosted(house, "Anna", "Ben")
    house.person("Anna").choose(table, "give up")
    ben = house.person("Ben")
    with ben.people(table) as told:
        following = house.person("Anna").post(f"/table/{table}/again").headers["location"]
        assert any(says(next(told).decode(), "Anna", "rematch") for _ in range(3))
    for page in (ben.page(table), house.stranger().get(f"/table/{table}").text):
        assert f'<a href="{following}" class="button main">Go to the rematch</a>' in page
