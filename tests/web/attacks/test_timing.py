"""Timing attacks: neither bots' choices nor refused requests reveal anything by when they arrive."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from sparring.bots import bot as thinking
from sparring.bots import parse, stream
from sparring.bots.search_trees import init_trees
from sparring.engine.match import Match
from sparring.tables.workers.bot_players import SLOTS, BotQuestion, rest_of_slot, slot_of
from web.app_server import AppServer, StartServer


@pytest.mark.parametrize("thought", [0.0, 0.001, 0.2, 0.49])
def test_forced_and_hard_choices_appear_at_the_same_time(thought: float) -> None:
    assert thought + rest_of_slot(thought, 0.5) == pytest.approx(0.5)


def test_long_thinking_appears_at_the_end_of_a_whole_slot() -> None:
    assert 1.2 + rest_of_slot(1.2, 0.5) == pytest.approx(1.5)
    assert rest_of_slot(1.2, 0.0) == 0.0


def test_a_slot_depends_on_the_bot_only() -> None:
    assert [slot_of(f"search:level={level}") for level in ("gentle", "master")] == [SLOTS["gentle"], SLOTS["master"]]
    assert slot_of("random") == SLOTS["random"]
    assert slot_of("search:seconds=60") == slot_of("search:iterations=5") >= max(SLOTS.values())


def test_a_bot_thinks_about_a_forced_choice_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.new("hush", seed=3)
    view = match.view(1)
    lonely = type(view)(view.setup, view.seat, view.state, view.legal[:1])
    thought: list[Any] = []

    def search(*asked: Any) -> thinking.Workspace:
        thought.append(asked)
        made = thinking.Workspace(match.game, 3)
        init_trees(made.nodes, made.fields, 2)
        return made

    monkeypatch.setattr(thinking, "run_search", search)
    gentle = parse("search:level=gentle")
    assert gentle.choose(lonely, stream(1, 1), even=True) == view.legal[0]
    assert len(thought) == 1
    assert gentle.choose(lonely, stream(1, 1)) == view.legal[0]
    assert len(thought) == 1


def test_secret_choices_take_no_slot_and_visible_ones_wait_for_theirs(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start_server(slot=1000.0)
    first = Match.new("hush", seed=1).view(1).legal[:2]
    scripted = [*first, 9]

    async def choose(question: BotQuestion, turn: Sequence[str]) -> int:
        return scripted.pop(0) if scripted else question.legal[0]

    monkeypatch.setattr(server.bots, "choose", choose)
    table = server.held(server.table("bot", "Ben"))
    ben = server.person("Ben")
    server.wait_until(lambda: len(table.match.history) == 2 and not scripted)
    assert table.match.history == list(first)
    assert (ben.version(table.id), ben.look(table.id)["log"], ben.look(table.id)["is_turn"]) == (1, [], False)
    assert not table.lock.locked(), "so response times don't reveal whether the bot has chosen"
    assert ben.choose(table.id, "done", 1).status_code == 403


def test_requests_out_of_turn_are_rejected_without_waiting(server: AppServer) -> None:
    table = server.held(server.table("Anna", "Ben"))
    server.run(table.lock.acquire())
    try:
        ben, watcher = server.person("Ben"), server.stranger()
        assert ben.choose(table.id, "done", 1).status_code == 403
        assert ben.take_back(table.id).status_code == 403
        assert watcher.choose(table.id, "done", 1).status_code == 403
        assert server.person("Anna").choose(table.id, "done", 7).status_code == 409
    finally:
        server.loop.call_soon_threadsafe(table.lock.release)
    assert server.person("Anna").choose(table.id, "done", 1).status_code == 200


def test_foreseeing_a_choice_changes_nothing(server: AppServer) -> None:
    table = server.held(server.table("Anna", "Ben"))
    before = table.match.state.tobytes()
    legal = table.match.legal()
    assert [table.seen_by_others(action) for action in legal] == [False] * (len(legal) - 2) + [True, True]
    assert (table.match.state.tobytes(), table.match.history, table.match.last_transition) == (before, [], None)
    assert np.array_equal(table.match.legal(), legal)
