"""Versions: a page keeps its version while a change is written; a refused change leaves a table alone."""

from typing import Any

import pytest

from sparring.engine.errors import ChoiceError
from sparring.tables.state.changes import packed_choices
from web.app_server import AppServer, Client, show_choice
from web.tables.stored_tables import stored_table


@pytest.mark.parametrize("kind", ["public", "private", "unseen"])
def test_a_page_opened_while_a_change_is_written_keeps_its_version(kind: str) -> None:
    table = stored_table("make-your-moves")
    for _ in range(6):
        show_choice(table, table.match.legal()[0])
    change = table.private(1) if kind == "private" else getattr(table, kind)()
    match, written = table.applied(change), table.columns(change)["versions"]
    versions = [table.feed(viewer).version for viewer in range(3)]
    assert versions[0] == 7
    table.publish(change, match)
    seen = {"public": [1, 1, 1], "private": [0, 1, 0], "unseen": [0, 0, 0]}[kind]
    assert [table.feed(viewer).version for viewer in range(3)] == [v + s for v, s in zip(versions, seen, strict=True)]
    again = stored_table("make-your-moves", packed_choices(table.match), written)
    assert [again.feed(viewer).version for viewer in range(3)] == [table.feed(viewer).version for viewer in range(3)]


@pytest.mark.parametrize("way", ["/table/{}/take-back", "/api/table/{}/take-back", "/table/{}/text/say"])
def test_a_refused_take_back_leaves_the_table(server: AppServer, table: str, anna: Client, way: str) -> None:
    found, before = server.held(table), anna.look(table)
    typed: dict[str, Any] = {"version": before["version"], **({"words": "back"} if "text" in way else {})}
    sent = {"json": typed} if "api" in way else {"data": typed, "headers": {"Accept": "application/json"}}
    assert anna.post(way.format(table), **sent).status_code >= 400
    assert (server.held(table), anna.look(table)) == (found, before)


def test_a_refused_choice_leaves_the_table(server: AppServer) -> None:
    found = server.held(server.table("Anna", "Ben"))
    illegal = next(action for action in range(1000) if action not in found.match.legal())
    with pytest.raises(ChoiceError):
        server.run(server.tables.commits.commit(found, found.choice(illegal)))
    assert server.held(found.id) is found
    assert found.match.history == []


def test_a_choice_changes_the_table_only_when_it_is_published() -> None:
    table = stored_table("make-your-moves")
    change = table.choice(table.match.legal()[0])
    match = table.applied(change)
    assert (len(match.history), len(table.match.history)) == (1, 0)
    table.publish(change, match)
    assert len(table.match.history) == 1
