"""Table settings survive a restart and apply to the rematch."""

from sparring.engine.game import game
from sparring.people.rate_limits import Requester
from sparring.store.person import Person
from sparring.tables.state.players import Player
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, StartServer


def test_settings_survive_a_restart_and_a_rematch_whose_host_is_who_asked(start_server: StartServer) -> None:
    server = start_server()
    players = [Player("Anna", "Anna"), Player("Ben", "Ben")]
    anna = Requester("Anna", "192.0.2.1")
    made = server.run(
        server.tables.creation.create(
            game("hush"), players, seed=1, requester=anna, settings=TableSettings(public=True)
        )
    )
    assert settings_of(server, made.id) == ("Anna", TableSettings(public=True))
    server.close()

    server = start_server()
    assert settings_of(server, made.id) == ("Anna", TableSettings(public=True))
    for _ in range(200):
        table = server.run(server.tables.registry.get(made.id))
        if table.shown.over:
            break
        asked = server.person(table.players[table.shown.turn_seat - 1].name)
        asked.choose(made.id, asked.look(made.id)["choices"][-1]["choice"])
    following = server.run(server.tables.creation.rematch(table, Person("Ben", "Ben"), Requester("Ben", "192.0.2.2")))
    assert settings_of(server, following) == ("Ben", TableSettings(public=True))


def test_the_creator_of_a_table_is_its_host(start_server: StartServer) -> None:
    server = start_server()
    guest = server.stranger()
    form = {"name": "Anna", "seat1": "me", "seat2": "random"}
    table = guest.post("/games/hush", data=form).headers["location"].removeprefix("/table/")
    host, table_settings = settings_of(server, table)
    assert table_settings == TableSettings(hints=True)  # against bots only
    assert host
    assert host == server.run(server.tables.registry.get(table)).players[0].person


def settings_of(server: AppServer, table: str) -> tuple[str, TableSettings]:
    """Return the host and the settings of a table."""
    held = server.run(server.tables.registry.get(table))
    return held.host, held.settings
