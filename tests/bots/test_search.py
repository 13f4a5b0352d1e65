"""The search: what it finds, what it knows, and that compiled and interpreted search agree."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.positions import GAMES, match_after, own_view
from sparring import Match, bots, games
from sparring.bots.bot import Workspace, nodes_for, run_timed
from sparring.bots.mixed_strategy_search import mixed_search_rule
from sparring.bots.search import search_rule
from sparring.bots.search_trees import init_trees, most_visited
from sparring.engine.chance import DETERMINIZATION, seed
from sparring.engine.compilation.drivers import Driver
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.game import Game
from sparring.engine.records import MatchStart
from sparring.engine.views import View

pytestmark = pytest.mark.compiled("make-your-moves")


def choice_of(view: View, iterations: int, start: int = 5) -> int:
    return bots.parse(f"search:iterations={iterations}").choose(view, bots.stream(start, view.seat))


def grow_trees(view: View, think: Driver, iterations: int, room: int | None = None) -> Workspace:
    """Return the workspace after a search from a view."""
    workspace = Workspace(view.setup.game, room or nodes_for(int(view.state.seats), iterations))
    workspace.work[0] = view.state
    seed(workspace.fields.g, 9, 0)
    init_trees(workspace.nodes, workspace.fields, view.state.seats)
    think(
        view.setup.params,
        workspace.work,
        workspace.raw,
        workspace.out,
        workspace.nodes,
        workspace.fields,
        workspace.settings,
        view.seat - 1,
        iterations,
    )
    return workspace


def children(workspace: Workspace, node: int) -> list[Any]:
    found, child = [], workspace.nodes[node]["child"]
    while child:
        found.append(workspace.nodes[child])
        child = workspace.nodes[child]["next"]
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("choices", [0, 5, 11])
def test_compiled_and_interpreted_search_grow_the_same_trees(game: str, choices: int) -> None:
    view = own_view(match_after(game, choices))
    fast, slow = (
        grow_trees(view, think, 40) for think in (compiled(view.setup.game, search_rule), search_rule(view.setup.game))
    )
    assert fast.fields.used == slow.fields.used > 40
    assert fast.used_nodes.tobytes() == slow.used_nodes.tobytes()


def test_each_iteration_adds_at_most_one_node_per_tree() -> None:
    view = own_view(match_after("make-your-moves", 9, seats=3))
    workspace = grow_trees(view, search_rule(view.setup.game), 30)
    assert [workspace.nodes[1 + seat]["visits"] for seat in range(3)] == [30, 30, 30]
    assert workspace.fields.used <= nodes_for(3, 30)


def test_visits_and_values_of_children_add_up_to_those_of_their_parent() -> None:
    view = own_view(match_after("make-your-moves", 0))
    workspace = grow_trees(view, search_rule(view.setup.game), 60)
    root = workspace.nodes[view.seat]
    assert sum(child["visits"] for child in children(workspace, view.seat)) == root["visits"] == 60
    assert sum(child["value"] for child in children(workspace, view.seat)) == pytest.approx(root["value"])
    assert sorted(child["label"] for child in children(workspace, view.seat)) == sorted(view.legal)


def test_a_search_continues_in_full_trees() -> None:
    view = own_view(match_after("make-your-moves", 9))
    workspace = grow_trees(view, search_rule(view.setup.game), 50, room=12)
    assert workspace.fields.used == 12
    assert workspace.nodes[view.seat]["visits"] == 50
    assert most_visited(workspace.nodes, view.seat) in view.legal


def test_a_choice_depends_on_view_and_stream_only() -> None:
    view = own_view(match_after("make-your-moves", 8))
    bot, streams = bots.parse("search:iterations=200"), [bots.stream(3, view.seat) for _ in range(2)]
    assert bot.choose(view, streams[0]) == bot.choose(view, streams[1])
    assert streams[0].tolist() == streams[1].tolist() != bots.stream(3, view.seat).tolist()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("start", range(5))
def test_hidden_information_does_not_change_the_choice(game: str, start: int) -> None:
    match = match_after(game, 3 + 2 * start, start=start)
    view, other = own_view(match), Match(MatchStart(match.setup, match.state, match.seed))
    g = np.zeros(4, np.int64)
    seed(g, start, DETERMINIZATION)
    other.state = view.state.copy()
    match.game.rules.determinize(match.setup.params, other.state, view.seat - 1, g)
    if match.game.hidden:
        assert other.state.tobytes() != match.state.tobytes()
    assert choice_of(own_view(other), 150) == choice_of(view, 150)


def test_a_forced_choice_is_made_without_search() -> None:
    view = own_view(match_after("make-your-moves", 0, seats=2))
    assert len(view.legal) == 1  # whom to attack, with two at the table
    stream = bots.stream(1, view.seat)
    assert bots.parse("search").choose(view, stream) == view.legal[0]
    assert stream.tolist() == bots.stream(1, view.seat).tolist()


def attack_strength(bot: str, start: int) -> int:
    """Return the strength of a bot's attack with two points, against a single hidden card."""
    match = Match.from_position({
        "game": "make-your-moves", "seats": 2, "seed": 4, "phase": "attack", "player": 1, "control": 1, "attacker": 1,
        "defender": 2, "points": [2, 0], "hands": ["Red3 Green3 Blue3 Yellow1 Red1", "Wild1"],
    })  # fmt: skip
    stream = bots.stream(start, 1)
    while match.phase == "attack":
        match.choose(bots.parse(bot).choose(own_view(match), stream))
    return int(match.state.ceiling)


def test_a_winning_hit_is_found() -> None:
    """Two points and an attack that can't be stopped: the bot plays its strong cards."""
    assert attack_strength("plain:iterations=2000", 2) == 3


@pytest.mark.parametrize("start", range(2, 10))
def test_a_search_with_a_value_model_plays_no_single_card(start: int) -> None:
    """Several cards win in every determinization, a single card in nearly all."""
    assert attack_strength("search:iterations=2000", start) >= 2


def test_a_small_search_needs_no_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(game: Game) -> Driver:
        raise AssertionError("nothing may be compiled now")

    monkeypatch.setattr("sparring.bots.bot._compiled", refuse)
    view = own_view(match_after("make-your-moves", 6))
    for text in ("random", "search", "search:seconds=0.02", "search:iterations=3"):
        assert bots.parse(text).choose(view, bots.stream(1, view.seat), quick=True) in view.legal


def test_a_search_by_time_stays_within_its_budget() -> None:
    spent: list[int] = []
    run_timed(spent.append, 60.0, 30)
    assert sum(spent) == 30
    assert max(spent) > 2


def test_a_search_by_time_makes_a_legal_choice() -> None:
    view = own_view(match_after("make-your-moves", 6))
    assert bots.parse("search:seconds=0.02").choose(view, bots.stream(1, view.seat)) in view.legal


def test_warming_compiles_even_if_the_first_choice_is_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    for module, make in (("bot", search_rule), ("mixed_strategy_bot", mixed_search_rule)):

        def watched(game: Game, module: str = module, make: Callable[[Game], Driver] = make) -> Driver:
            asked.append(module)
            return make(game)

        monkeypatch.setattr(f"sparring.bots.{module}._compiled", watched)
    bots.compile_searches(games()["make-your-moves"])
    bots.compile_searches(games()["world-of-fighters"], bots.needed_searches(games()["world-of-fighters"]))
    assert asked == ["bot", "bot", "mixed_strategy_bot"]


def test_nothing_is_compiled_in_an_empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games()["make-your-moves"]
    bots.compile_searches(game)
    assert bots.is_ready(game)
    monkeypatch.setenv("SPARRING_CACHE", str(tmp_path))
    assert not bots.is_ready(game)
