"""Several choices in one post: all are checked, made in order, told, and taken back together."""

import pytest

from web.app_server import AppServer
from web.tables.shortcut_tables import NAME, NAMES, at_a_card, shortcut


@pytest.fixture
def place(server: AppServer) -> tuple[str, int]:
    return at_a_card(server)


@pytest.mark.parametrize("restarted", [False, True])
def test_one_tap_makes_all_its_choices_and_is_taken_back_at_once(
    server: AppServer, place: tuple[str, int], restarted: bool
) -> None:
    table, seat = place
    person = server.person(NAMES[seat - 1])
    before = person.look(table)
    answer = person.choose(table, shortcut(server, table, seat))
    assert answer.json()["accepted"]
    after = person.look(table)
    assert after["version"] == answer.json()["version"]
    assert after["log"][len(before["log"]) :]
    if restarted:
        server.reload(table)
    assert person.take_back(table).status_code == 200
    again = person.look(table)
    assert (again["scene"], again["choices"], again["log"]) == (before["scene"], before["choices"], before["log"])


def test_if_one_of_the_choices_is_refused_none_is_made(server: AppServer, place: tuple[str, int]) -> None:
    table, seat = place
    person = server.person(NAMES[seat - 1])
    before = person.look(table)
    words = shortcut(server, table, seat).rpartition(";")[0] + "; to 0,0"
    refused = person.choose(table, words)
    assert refused.status_code == 422
    assert refused.json()["reason"]
    assert person.look(table) == before


def test_what_a_choice_reveals_is_not_revealed_by_a_refusal(server: AppServer) -> None:
    """A roll ends the moment: it is made, and what follows it is checked against the die."""
    for seed in range(1, 30):
        table = server.table("Anna", "Ben", name=NAME, seed=seed)
        for who in ("Anna", "Ben"):
            server.person(who).choose(table, server.person(who).look(table)["choices"][0]["choice"])
        who = next(who for who in ("Anna", "Ben") if server.person(who).look(table)["is_turn"])
        version = server.person(who).version(table)
        refused = server.person(who).choose(table, "roll; place; done")
        if refused.status_code == 422:
            break
    assert "Only the choices before" in refused.json()["reason"]
    assert server.person(who).version(table) > version
    assert any("roll" in line for line in server.person(who).look(table)["log"][-1:])


def test_a_spectators_and_opponents_table_shows_the_move_once(server: AppServer, place: tuple[str, int]) -> None:
    table, seat = place
    person, other = (server.person(NAMES[number]) for number in (seat - 1, 2 - seat))
    before = len(other.look(table)["log"])
    person.choose(table, shortcut(server, table, seat))
    assert sum(" moves " in line for line in other.look(table)["log"][before:]) == 1


def test_text_mode_says_what_to_type_for_a_move_to_a_space(server: AppServer, place: tuple[str, int]) -> None:
    table, seat = place
    words = shortcut(server, table, seat)
    space = words.rpartition("to ")[2]
    said = server.person(NAMES[seat - 1]).get(f"/api/table/{table}/ask?words=at {space}").json()["said"]
    assert any(line.endswith(f"type {words}.") for line in said)
