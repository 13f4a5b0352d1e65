"""Table settings survive a restart and apply to the rematch."""

from sparring.people.rate_limits import Requester
from sparring.store.person import Person
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, StartServer


def test_settings_survive_a_restart_and_a_rematch_whose_host_is_who_asked(start_server: StartServer) -> None:
    server, public = start_server(), TableSettings(public=True)
    first = server.table("Anna", "Ben", requester=Requester("Anna", "192.0.2.1"), settings=public)
    server.restart()
    server.person("Anna").choose(first, "give up").raise_for_status()
    rematch = server.tables.creation.rematch(server.held(first), Person("Ben", "Ben"), Requester("Ben", "192.0.2.2"))
    tables = [server.held(table) for table in (first, server.run(rematch))]
    assert [(table.host, table.settings) for table in tables] == [("Anna", public), ("Ben", public)]


def test_the_creator_of_a_table_is_its_host(server: AppServer) -> None:
    form = {"name": "Anna", "seat1": "me", "seat2": "random"}
    table = server.held(server.stranger().post("/games/hush", data=form).headers["location"].removeprefix("/table/"))
    assert table.settings == TableSettings(hints=True)  # against bots only
    assert table.host
    assert table.host == table.players[0].person
