"""What is agreed when a table is opened: it is kept over a restart, and goes along to the next match."""

from sparring.engine.game import game
from sparring.web.identity import Person
from sparring.web.security.rate_limits import Requester
from sparring.web.tables.players import Player
from sparring.web.tables.table_settings import TableSettings
from web.app_server import House, Opener


def test_terms_and_host_are_kept_and_go_along_to_a_rematch(open_house: Opener) -> None:
    house = open_house()
    sitters = [Player("Anna", "Anna"), Player("Ben", "Ben")]
    anna = Requester("Anna", "192.0.2.1")
    made = house.run(
        house.tables.create(game("hush"), sitters, seed=1, requester=anna, terms=TableSettings(public=True))
    )
    assert agreed(house, made.id) == ("Anna", TableSettings(public=True))
    house.close()

    house = open_house()
    assert agreed(house, made.id) == ("Anna", TableSettings(public=True))
    for _ in range(200):
        table = house.run(house.tables.get(made.id))
        if table.shown.over:
            break
        asked = house.person(table.players[table.shown.asked - 1].name)
        asked.choose(made.id, asked.look(made.id)["choices"][-1]["choice"])
    following = house.run(house.tables.rematch(table, Person("Ben", "Ben"), Requester("Ben", "192.0.2.2")))
    assert agreed(house, following) == ("Anna", TableSettings(public=True))


def test_who_opens_a_table_by_the_form_is_its_host(open_house: Opener) -> None:
    house = open_house()
    guest = house.stranger()
    form = {"name": "Anna", "seat1": "me", "seat2": "random"}
    table = guest.post("/games/hush", data=form).headers["location"].removeprefix("/table/")
    host, terms = agreed(house, table)
    assert terms == TableSettings()
    assert host
    assert host == house.run(house.tables.get(table)).players[0].person


def agreed(house: House, table: str) -> tuple[str, TableSettings]:
    """Who opened a table, and what was agreed."""
    held = house.run(house.tables.get(table))
    return held.host, held.settings
