"""Private observations split the trees: exploitability, computed exactly on Leduc poker."""

import itertools

import numpy as np
import pytest

from bots.positions import leduc
from research.games_under_test import LEDUC
from sparring import bots
from sparring.bots.bot import Workspace, nodes_for
from sparring.bots.search import search_rule
from sparring.bots.search_trees import FIRST_OBSERVATION, init_trees
from sparring.engine.laws import check_game
from sparring.engine.views import View
from sparring.lab import simulate
from sparring.lab.game_tree import best_response, exploitability

pytestmark = pytest.mark.compiled("leduc-poker")

#: Exploitability of random play, in chips a match (Lanctot and others 2009 give the sum of both seats, 4.747).
AT_RANDOM = 2.3736


DEALS = [leduc(*cards).state for cards in itertools.permutations(range(6), 3)]


def at_random(view: View) -> list[float]:
    return [1 / len(view.legal)] * len(view.legal)


class SearchPolicy:
    """The policy of a search: the frequency of its choices over a few of its streams."""

    def __init__(self, iterations: int, streams: int = 3) -> None:
        self.bot, self.streams = bots.parse(f"search:iterations={iterations}"), streams
        self.known: dict[tuple[int, ...], list[float]] = {}

    def __call__(self, view: View) -> list[float]:
        s = view.state
        seen = (
            *(card // 2 for card in (s.card[view.seat - 1], s.public)),
            s.turn,
            s.raises,
            s.calls,
            *s.chips,
            s.player,
        )
        key = tuple(int(number) for number in seen)
        if key not in self.known:
            chosen = [self.bot.choose(view, bots.stream(number, view.seat)) for number in range(self.streams)]
            self.known[key] = [chosen.count(action) / self.streams for action in view.legal]
        return self.known[key]


def test_leduc_poker_keeps_the_laws() -> None:
    check_game(LEDUC, matches=200, interpreted=10)


@pytest.mark.parametrize(
    ("cards", "choices", "payoffs"),
    [
        ((4, 0, 2), "bet; fold", {1: 1.0, 2: -1.0}),
        ((4, 0, 2), "check; bet; raise; call; bet; raise; call", {1: 13.0, 2: -13.0}),
        ((4, 0, 1), "check; check; check; check", {1: -1.0, 2: 1.0}),
        ((2, 3, 4), "bet; call; check; check", {1: 0.0, 2: 0.0}),
    ],
)
def test_payoffs_are_in_chips(cards: tuple[int, ...], choices: str, payoffs: dict[int, float]) -> None:
    match = leduc(*cards)
    match.play(choices)
    assert match.payoffs == payoffs


def test_random_play_has_the_published_exploitability() -> None:
    assert exploitability(LEDUC.setup(), DEALS, at_random) == pytest.approx(AT_RANDOM, abs=1e-4)


def test_a_best_response_to_constant_folding_wins_every_blind() -> None:
    """Seat 1 folds whenever it can, so seat 2 bets and wins one chip each time."""

    def folds(view: View) -> list[float]:
        return [1.0, *[0.0] * (len(view.legal) - 1)]

    assert best_response(LEDUC.setup(), DEALS, folds, 1) == pytest.approx(1.0)


def test_exploitability_falls_with_iterations() -> None:
    """Without private observations it was 0.88 with 1,000 iterations and 1.07 with 10,000 (strength.md)."""
    setup = LEDUC.setup()
    short, long = (exploitability(setup, DEALS, SearchPolicy(iterations)) for iterations in (300, 10_000))
    assert long < 0.45 < 0.7 < short < AT_RANDOM


def observations_at_root(workspace: Workspace, seat: int) -> int:
    """Return the number of different observations at the root of a seat's tree."""
    found, child = 0, workspace.nodes[seat]["child"]
    while child:
        found += workspace.nodes[child]["label"] <= FIRST_OBSERVATION
        child = workspace.nodes[child]["next"]
    return found


def grown_from_first_action() -> Workspace:
    """Return the workspace after 300 iterations from the first action of a match."""
    view = leduc(4, 0, 2).view(1)
    workspace = Workspace(LEDUC, nodes_for(2, 300))
    workspace.work[0] = view.state
    workspace.fields.g[:] = [1, 2, 3, 4]
    init_trees(workspace.nodes, workspace.fields, 2)
    arrays = (
        workspace.work,
        workspace.raw,
        workspace.out,
        workspace.nodes,
        workspace.fields,
        workspace.settings,
    )
    search_rule(LEDUC)(view.setup.params, *arrays, 0, 300)
    return workspace


def test_a_simulated_opponent_knows_its_own_card() -> None:
    workspace = grown_from_first_action()
    assert [observations_at_root(workspace, seat) for seat in (1, 2)] == [0, 3]
    assert workspace.fields.used <= nodes_for(2, 300)


def test_the_same_observation_again_adds_no_node() -> None:
    nodes = grown_from_first_action().used_nodes
    observations = [node for node in nodes if node["label"] <= FIRST_OBSERVATION]
    for node in observations:
        above = int(node["parent"])
        while above and nodes[above]["label"] > FIRST_OBSERVATION:
            above = int(nodes[above]["parent"])
        assert not above or nodes[above]["label"] != node["label"]
    assert len(observations) > 6  # own cards, and own and public cards


def test_a_simulation_reports_winnings_in_chips() -> None:
    result = simulate(LEDUC, 400, bots=["search:iterations=300", "random"], seed=3)
    mean, margin = result.payoffs_by_bot["search:iterations=300"]
    assert result.payoffs_by_bot["random"] == pytest.approx((-mean, margin))
    assert mean > margin > 0
    assert result.unit == "chips"
    assert np.isclose(mean, round(mean * 400) / 400)
