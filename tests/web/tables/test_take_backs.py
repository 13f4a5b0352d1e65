"""Asked take-backs: who may ask and when, consent, clocks, bots, the log, and the record."""

import random
import threading

import numpy as np
import pytest

from sparring.engine import chance
from sparring.engine.match import Match
from sparring.engine.views import View
from sparring.tables.play import proposals
from sparring.tables.play.proposals import RULE, steps_to_ask_for
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, StartServer, show_choice

NOTE = "took back a choice, as everyone agreed."


def propose(server: AppServer, who: str, table: str, what: str = "take-back") -> tuple[int, str]:
    answer = server.person(who).post(f"/api/table/{table}/propose", json={"what": what})
    return answer.status_code, answer.json().get("reason", "")


def answer(server: AppServer, who: str, table: str, *, agree: bool) -> int:
    return server.person(who).answer(table, agree=agree).status_code


def done(server: AppServer, who: str, table: str) -> None:
    server.person(who).choose(table, "done").raise_for_status()


def test_all_others_agree_to_a_take_back(server: AppServer) -> None:
    table = server.table("Anna", "Ben", "Carla")
    done(server, "Anna", table)
    assert "Ask to take back" in server.person("Anna").page(table)
    assert propose(server, "Anna", table) == (200, "")
    assert "Anna asks to take back the last choice." in server.person("Ben").page(table)
    assert answer(server, "Ben", table, agree=True) == 200
    assert server.person("Ben").look(table)["is_turn"]
    assert "Waiting for Carla to accept the take-back." in server.person("Anna").page(table)
    assert answer(server, "Carla", table, agree=True) == 200
    anna = server.person("Anna").look(table)
    assert (anna["is_turn"], anna["time"]["proposed"]) == (True, None)
    assert server.held(table).match.history == []


def test_the_log_says_so_for_everyone_and_after_a_restart(start_server: StartServer) -> None:
    server = start_server()
    table = server.table("Anna", "Ben")
    done(server, "Anna", table)
    propose(server, "Anna", table)
    answer(server, "Ben", table, agree=True)
    server.person("Anna").choose_first(table)
    done(server, "Anna", table)
    logs = [server.person(who).look(table)["log"] for who in ("Anna", "Ben", "Watcher")]
    assert logs[0][0] == "You took back your choice, as everyone agreed."
    assert logs[1][0] == logs[2][0] == f"Seat 1 {NOTE}"
    server.restart()
    assert [server.person(who).look(table)["log"] for who in ("Anna", "Ben", "Watcher")] == logs


def test_a_declined_take_back_changes_nothing(server: AppServer, table: str) -> None:
    done(server, "Anna", table)
    for _ in range(3):
        assert propose(server, "Anna", table)[0] == 200
        assert answer(server, "Ben", table, agree=False) == 200
    assert propose(server, "Anna", table)[0] == 403
    assert "Ask to take back" not in server.person("Anna").page(table)
    assert len(server.held(table).match.history) == 1


def test_the_states_are_tried_outside_the_event_loop(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    tried, threads = proposals._was_foreseeable, list[threading.Thread]()

    def noted(before: View, after: View, action: int, worlds: int) -> bool:
        if worlds == proposals.WORLDS:
            threads.append(threading.current_thread())
        return tried(before, after, action, worlds)

    monkeypatch.setattr(proposals, "_was_foreseeable", noted)
    table = server.table("Anna", "Ben")
    done(server, "Anna", table)
    assert propose(server, "Anna", table)[0] == 200
    assert answer(server, "Ben", table, agree=True) == 200
    assert len(threads) >= 2
    assert server._thread not in threads


def test_only_the_last_player_may_ask_and_only_until_another_chooses(server: AppServer) -> None:
    table = server.table("Anna", "Ben", "Carla")
    assert propose(server, "Anna", table) == (403, RULE)
    done(server, "Anna", table)
    assert propose(server, "Ben", table) == (403, RULE)
    assert propose(server, "Watcher", table)[0] == 403
    done(server, "Ben", table)
    assert propose(server, "Anna", table) == (403, RULE)
    assert propose(server, "Ben", table)[0] == 200


def test_asking_does_not_reveal_that_the_next_player_has_begun(server: AppServer, table: str) -> None:
    """Ben lays a card face down, which nobody sees, and may take back himself: Anna can still ask."""
    done(server, "Anna", table)
    before = server.person("Anna").page(table)
    server.person("Ben").choose_first(table)
    assert server.person("Anna").page(table) == before
    assert propose(server, "Anna", table)[0] == 200
    answer(server, "Ben", table, agree=True)
    assert server.held(table).match.history == []
    assert server.person("Anna").look(table)["is_turn"]


def test_the_next_players_turn_ends_the_request(server: AppServer) -> None:
    table = server.table("Anna", "Ben", "Carla")
    done(server, "Anna", table)
    propose(server, "Anna", table)
    done(server, "Ben", table)
    assert server.held(table).clocks.proposal is None
    assert answer(server, "Carla", table, agree=True) == 409


def test_rated_matches_have_no_take_backs(server: AppServer, table: str) -> None:
    server.held(table).settings = TableSettings(rated=True)
    done(server, "Anna", table)
    assert propose(server, "Anna", table) == (403, "You can't take back a choice in a rated match.")
    assert "Ask to take back" not in server.person("Anna").page(table)


def test_bots_agree_and_wait_for_the_others(server: AppServer) -> None:
    table = server.table("Anna", "bot", "Ben")
    with server.waiting_bots():
        done(server, "Anna", table)
        assert propose(server, "Anna", table)[0] == 200
    found = server.held(table)
    server.run(server.tables.bots.close())
    server.tables.bots.start(found)
    assert found.id not in server.tables.bots._tasks
    assert len(found.match.history) == 1
    answer(server, "Ben", table, agree=True)
    assert found.match.history == []


def test_against_bots_alone_a_take_back_is_immediate(server: AppServer) -> None:
    table = server.table("Anna", "bot")
    with server.waiting_bots():
        done(server, "Anna", table)
        assert propose(server, "Anna", table)[0] == 200
        assert server.held(table).match.history == []


def test_the_finished_record_replays_without_the_choice(server: AppServer, table: str) -> None:
    done(server, "Anna", table)
    propose(server, "Anna", table)
    answer(server, "Ben", table, agree=True)
    done(server, "Anna", table)
    done(server, "Ben", table)
    record = server.person("Anna").get(f"/api/table/{table}/record").raise_for_status().text
    replayed = Match.from_record(record)
    assert (len(replayed.history), replayed.over) == (2, True)


def test_clocks_give_the_turn_and_not_the_increment_back(server: AppServer) -> None:
    found = server.held(server.table("Anna", "Ben", settings=TableSettings(minutes=5, more=10)))
    for who in ("Anna", "Ben"):
        server.person(who).page(found.id)
    started = found.clocks.left
    done(server, "Anna", found.id)
    assert found.clocks.left[0] > started[0]
    propose(server, "Anna", found.id)
    answer(server, "Ben", found.id, agree=True)
    assert found.clocks.left == started
    assert found.shown.turn_seat == 1


def surprises(table: Table, seat: int, steps: int, worlds: int = 100) -> int:
    """Return in how many full states that fit a seat's view a choice leads to something else for that seat."""
    rules, params = table.match.game.rules, table.match.setup.params
    found, g = 0, np.zeros(4, np.int64)
    chance.seed(g, 99, chance.DETERMINIZATION)
    for transition in table.transitions[-steps:]:
        view, seen = (table.match.view_of(state, seat).state for state in (transition.before, transition.after))
        for _ in range(worlds):
            world = view.copy()
            rules.determinize(params, world, seat - 1, g)
            rules.step(params, world, transition.action)
            rules.redact(params, world, seat - 1)
            found += world.tobytes() != seen.tobytes()
    return found


@pytest.mark.parametrize("name", ["make-your-moves", "world-of-fighters", "five-circles", "mace", "untitled-movement"])
def test_a_take_back_teaches_the_player_nothing(server: AppServer, name: str) -> None:
    """Where a seat may ask, it used no chance, and it could be almost certain of what it saw."""
    table = server.held(server.table("Anna", "Ben", name=name))
    chosen, asked, refused = random.Random(1), 0, 0
    while not table.shown.over and len(table.match.history) < 50:
        legal = [action for action in table.match.legal() if action not in table.match.game.conceding]
        seat = table.match.seat or 0
        show_choice(table, chosen.choice(legal))
        if table.shown.over or table.shown.may_take_back:
            continue
        steps = steps_to_ask_for(table, seat)
        refused += not steps
        if steps:
            asked += 1
            assert (table.transitions[-steps].before.rng == table.transitions[-1].after.rng).all()
            assert surprises(table, seat, steps) <= 4
    assert asked
    assert refused
