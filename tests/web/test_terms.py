"""What is agreed when a table is opened: it is kept over a restart, and goes along to the next match."""

from sparring.engine.game import game
from sparring.web.guard.quotas import Asking
from sparring.web.people import Person
from sparring.web.tables.sitters import Sitter
from sparring.web.tables.terms import Terms
from web.house import House, Opener


def test_terms_and_host_are_kept_and_go_along_to_a_rematch(open_house: Opener) -> None:
    house = open_house()
    sitters = [Sitter("Anna", "Anna"), Sitter("Ben", "Ben")]
    anna = Asking("Anna", "192.0.2.1")
    made = house.run(house.tables.create(game("hush"), sitters, seed=1, asking=anna, terms=Terms(public=True)))
    assert agreed(house, made.id) == ("Anna", Terms(public=True))
    house.close()

    house = open_house()
    assert agreed(house, made.id) == ("Anna", Terms(public=True))
    for _ in range(200):
        table = house.run(house.tables.get(made.id))
        if table.shown.over:
            break
        asked = house.person(table.sitters[table.shown.asked - 1].name)
        asked.choose(made.id, asked.look(made.id)["choices"][-1]["choice"])
    following = house.run(house.tables.again(table, Person("Ben", "Ben"), Asking("Ben", "192.0.2.2")))
    assert agreed(house, following) == ("Anna", Terms(public=True))


def test_who_opens_a_table_by_the_form_is_its_host(open_house: Opener) -> None:
    house = open_house()
    guest = house.stranger()
    form = {"name": "Anna", "seat1": "me", "seat2": "random"}
    table = guest.post("/games/hush", data=form).headers["location"].removeprefix("/table/")
    host, terms = agreed(house, table)
    assert terms == Terms()
    assert host
    assert host == house.run(house.tables.get(table)).sitters[0].person


def agreed(house: House, table: str) -> tuple[str, Terms]:
    """Who opened a table, and what was agreed."""
    held = house.run(house.tables.get(table))
    return held.host, held.terms
