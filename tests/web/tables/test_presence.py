"""Who is at a table: going away, coming back and watching are said to the others."""

import asyncio
import contextlib
import re
from collections.abc import Iterator

from sparring.web.tables.presence import Presence
from web.app_server import House, Opener, Visitor


def said(events: Iterator[bytes]) -> str:
    """What the next event says of the people."""
    found = re.search(r'<p id="people".*?</p>', next(events).decode())
    assert found
    return re.sub(r"<.*?>", "", found[0])


def people(visitor: Visitor, table: str, query: str = "") -> str:
    found = re.search(r'<p id="people"[^>]*>(.*?)</p>', visitor.get(f"/table/{table}{query}").text)
    assert found
    return re.sub(r"<.*?>", "", found[1])


def test_a_friend_goes_away_and_comes_back(open_house: Opener) -> None:
    house = open_house(grace=0.0)
    table = house.table("Anna", "Ben")
    anna, ben = house.person("Anna"), house.person("Ben")
    assert people(anna, table) == "Ben is away."
    with anna.people(table) as events:
        with ben.stream(table) as his:
            next(his)
            assert said(events) == ""
        assert said(events) == "Ben is away."
        with ben.stream(table) as his:
            next(his)
            assert said(events) == "Ben is back. "
            assert people(anna, table) == "Ben is back. "


def test_a_page_that_is_loaded_anew_is_not_away(open_house: Opener) -> None:
    house = open_house(grace=60.0)
    table = house.table("Anna", "Ben")
    anna, ben = house.person("Anna"), house.person("Ben")
    with ben.stream(table) as his:
        next(his)
    assert people(anna, table) == ""


def test_that_somebody_watches_is_said_to_all_but_them(open_house: Opener) -> None:
    house = open_house(grace=0.0)
    table = house.table("Anna", "bot")
    anna, eve, joe = house.person("Anna"), house.stranger(), house.person("Joe")
    with anna.people(table) as events, eve.stream(table) as hers:
        next(hers)
        assert said(events) == "1 spectator."
        assert people(eve, table, "?watch=true") == ""
        with joe.stream(table) as his:
            next(his)
            assert said(events) == "2 spectators."


def test_bots_and_open_seats_are_never_away(house: House) -> None:
    table = house.table("Anna", "bot", "")
    assert people(house.person("Anna"), table) == ""


def test_whoever_connects_again_hears_how_it_is_now(open_house: Opener) -> None:
    house = open_house(grace=0.0)
    table = house.table("Anna", "Ben")
    with house.person("Anna").people(table, away=True) as events:
        assert said(events) == "Ben is away."


def test_a_crowd_that_comes_and_goes_is_told_in_a_few_notices(open_house: Opener) -> None:
    house = open_house(grace=0.0)
    table = house.table("Anna", "bot")
    with house.person("Anna").people(table) as events, contextlib.ExitStack() as crowd:
        before = house.tables.presence(table).changes
        watchers = [crowd.enter_context(house.stranger().stream(table)) for _ in range(10)]
        for stream in watchers:
            next(stream)
        told = [said(events)]
        while told[-1] != "10 spectators.":
            told.append(said(events))
        assert house.tables.presence(table).changes - before == len(told) < 10


def test_who_came_back_in_a_crowd_is_still_told() -> None:
    async def crowd() -> Presence:
        company = Presence()
        with company.present("Eve"):
            with company.present("Ben"):
                pass
            while "Ben" in company.people():  # noqa: ASYNC110 - it has no event for that
                await asyncio.sleep(0)
            with company.present("Ben"), company.present("Joe"):
                company._announce_all()  # the pause is over
                return company

    assert asyncio.run(crowd()).back == "Ben"
