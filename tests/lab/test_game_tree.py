"""Exact equilibria of small games: the published values, the shipped subgames, and the same figures from OpenSpiel."""

import numpy as np
import pytest

from research.games_under_test import KUHN, LEDUC
from sparring import SparringError
from sparring.engine.cards import in_order
from sparring.engine.game import Game
from sparring.lab.game_tree import SUBGAMES, GameTree, bot_policy, exploitability, strategy_of, subgame


def tree_of(game: Game) -> GameTree:
    assert game.deals
    return GameTree(game.setup(), game.deals(game.setup(), 2))


@pytest.mark.parametrize(("game", "value", "sets"), [(KUHN, -1 / 18, 12), (LEDUC, -0.0856, 936)])
def test_equilibria_have_the_published_values(game: Game, value: float, sets: int) -> None:
    tree = tree_of(game)
    assert len(tree.views) == sets
    strategy = tree.solve(200)
    assert tree.values(strategy)[0] == pytest.approx(value, abs=0.004)
    assert 0 < tree.exploitability(strategy) < 0.006
    assert -tree.best_response(strategy, 1) <= tree.values(strategy)[0] <= tree.best_response(strategy, 0)


def test_a_best_response_to_a_known_policy() -> None:
    """Seat 2 of Kuhn poker bets whenever it can: seat 1 bets the King (2) and folds the Jack (-1); the Queen gets 0."""
    tree = tree_of(KUHN)
    calls = strategy_of(tree, lambda view: [0.0, 1.0])
    assert tree.best_response(calls, 0) == pytest.approx(1 / 3)


def test_a_tree_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparring.lab.game_tree.MAX_NODES", 100)
    with pytest.raises(SparringError, match="more than 100 nodes"):
        tree_of(LEDUC)


@pytest.mark.compiled  # which is as slow
@pytest.mark.parametrize(
    ("name", "nodes", "value", "uniform"),
    [
        pytest.param("make-your-moves", 76_348, 0.7821, 0.2651, marks=pytest.mark.soak),
        ("world-of-fighters", 24_705, 0.3910, 0.7236),
    ],
)
def test_subgames_have_the_documented_values(name: str, nodes: int, value: float, uniform: float) -> None:
    tree = GameTree(*subgame(name))
    assert tree.nodes == nodes
    assert tree.exploitability(tree.normalized(np.zeros(tree.slots))) == pytest.approx(uniform, abs=1e-4)
    strategy = tree.solve(60)
    assert tree.exploitability(strategy) < 0.005
    assert tree.values(strategy)[0] == pytest.approx(value, abs=0.005)


@pytest.mark.parametrize("name", SUBGAMES)
def test_a_subgame_deals_the_same_cards_in_every_way(name: str) -> None:
    setup, deals = subgame(name)
    assert len(deals) == 560  # 8 cards: three for each hand
    unseen = {
        tuple(sorted(card for pile in (*state.hand[:2], state.deck) for card in in_order(pile))) for state in deals
    }
    assert len(unseen) == 1
    views = {state.tobytes() for state in deals}
    assert len(views) == (560 if name == "make-your-moves" else 35)
    assert {int(state.turn) for state in deals} == {
        int(setup.params[{"make-your-moves": "turn_limit"}.get(name, "round_limit")])
    }
    with pytest.raises(SparringError, match="mace has no subgame"):
        subgame("mace")


@pytest.mark.compiled("kuhn-poker")
def test_a_bots_policy_is_how_often_it_acts() -> None:
    setup = KUHN.setup()
    assert KUHN.deals
    tree = tree_of(KUHN)
    assert strategy_of(tree, bot_policy("random", 400)) == pytest.approx(0.5, abs=0.12)
    sampled = [tree.exploitability(strategy_of(tree, bot_policy("random", streams))) for streams in (4, 16, 400)]
    assert sampled[:2] == pytest.approx([0.698, 0.570], abs=0.001), "the figures of the docstring: biased upward"
    assert sampled[2] == pytest.approx(0.458, abs=0.02)
    exact = exploitability(setup, KUHN.deals(setup, 2), bot_policy("mix:iterations=2000", 1))
    assert exact < 0.1


@pytest.mark.compiled  # which is as slow
def test_openspiel_solves_a_subgame_too() -> None:
    pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms.exploitability import exploitability as their_exploitability

    from sparring.research.openspiel import register

    setup, deals = subgame("world-of-fighters")
    few = deals[:2]
    game = register(setup.game, "subgame_of_fighters", deals=few, options=setup.options)
    tree = GameTree(setup, few)
    ours = tree.exploitability(tree.normalized(np.zeros(tree.slots)))
    assert their_exploitability(game, policy.UniformRandomPolicy(game)) == pytest.approx(ours, abs=1e-9)
