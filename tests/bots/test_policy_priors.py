"""Policy priors: the search tries likely actions first, and unlikely ones only if those disappoint."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.baselines import with_rules
from bots.random_value_models import grow_trees, match_after, own_view, random_model, random_prior, save_model
from sparring import Match, bots, games
from sparring.bots import value_models
from sparring.bots.bot import Bot, Workspace
from sparring.bots.evaluation import PRIOR_UNITS, blank_settings, policy_rule, value_features_of
from sparring.bots.search import search_rule
from sparring.bots.selection import rollout_rule
from sparring.bots.value_models import PolicyPrior, ValueModel, file_name, find_model, load, save
from sparring.engine.game import LEVELS
from sparring.games.high_card import GAME as HIGH_CARD

pytestmark = [pytest.mark.usefixtures("own_value_models"), pytest.mark.compiled]

GAMES = list(games())
QUIET = [name for name, game in games().items() if hasattr(game.rules, "is_quiescent")]


def model_with_prior(choice: int, strength: float = 20.0) -> ValueModel:
    """Return a value model of High Card that knows nothing, with a prior that is certain of one card."""
    value_features, choices = value_features_of(HIGH_CARD)[0], len(HIGH_CARD.rules.ACTIONS)
    own = np.zeros(choices, np.float32)
    own[choice] = strength
    nothing = np.zeros((value_features, 0), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32)
    prior = PolicyPrior(
        np.zeros((value_features, PRIOR_UNITS), np.float32), np.zeros(PRIOR_UNITS, np.float32),
        np.zeros((choices, PRIOR_UNITS), np.float32), own,
    )  # fmt: skip
    return ValueModel(np.zeros(value_features, np.float32), *nothing, exploration=2.0, prior=prior)


def visits(workspace: Workspace, node: int) -> dict[int, int]:
    """Return the visits of each choice at a node."""
    found, child = {}, workspace.nodes[node]["child"]
    while child:
        found[int(workspace.nodes[child]["label"])] = int(workspace.nodes[child]["visits"])
        child = workspace.nodes[child]["next"]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_priors_sum_to_one_and_use_only_what_the_seat_knows(game: str) -> None:
    match = match_after(game, 7)
    view, prior, workspace = own_view(match), random_prior(match.game), Workspace(match.game, 1)
    random_model(match.game, prior=prior).fill(workspace.settings)
    seat, legal, seen = view.seat - 1, list(view.legal), np.zeros(value_features_of(match.game)[0], np.float32)
    workspace.work[0] = match.state
    workspace.out[: len(legal)] = legal
    room = workspace.work, workspace.work[0], workspace.fields, workspace.settings, workspace.out
    policy_rule(match.game)(match.setup.params, *room, len(legal), seat)
    value_features_of(match.game)[1](match.setup.params, view.state, seat, seen)
    told = (
        prior.action_weights[legal] @ np.maximum(seen @ prior.hidden_weights + prior.hidden_bias, 0)
        + prior.action_bias[legal]
    )
    shares = np.exp(told - told.max())
    assert workspace.fields.policy[: len(legal)] == pytest.approx(shares / shares.sum(), abs=1e-4)
    assert workspace.work[0].tobytes() == match.state.tobytes()


@pytest.mark.parametrize("game", GAMES)
def test_every_seat_stays_in_its_own_tree_after_forced_actions(game: str) -> None:
    match = match_after(game, 7)
    model = random_model(match.game, prior=random_prior(match.game))
    workspace = grow_trees(own_view(match), 25, model, search_rule(match.game))
    nodes = workspace.nodes[: workspace.fields.used]
    below = np.arange(1 + match.seats, len(nodes))
    assert [nodes[1 + seat]["visits"] for seat in range(match.seats)] == [25] * match.seats
    assert (nodes["visits"][below] <= nodes["visits"][nodes["parent"][below]]).all()


def test_a_likely_choice_is_tried_first_and_most() -> None:
    """Only the prior, which is certain of the lowest card, tells cards apart; without it all are tried in turn."""
    view = Match.new(HIGH_CARD, seats=2, seed=1, options={"hand": 5}).view(1)
    lowest = min(view.legal)
    model = model_with_prior(lowest)
    assert visits(grow_trees(view, 5, model, search_rule(HIGH_CARD)), 1)[lowest] == 5
    without = visits(grow_trees(view, 5, replace(model, prior=None), search_rule(HIGH_CARD)), 1)
    assert sorted(without.values()) == [1, 1, 1, 1, 1]


def test_a_disappointing_likely_choice_is_abandoned() -> None:
    """One trick of two cards: the highest card always wins it, but the prior prefers the lowest."""
    deals = (Match.new(HIGH_CARD, seats=2, seed=start, options={"hand": 2}) for start in range(1, 200))
    worth = HIGH_CARD.setup().params.value
    view = next(
        view
        for view in (match.view(1) for match in deals)
        if {worth[card] for card in view.legal} == {min(worth), max(worth)}
    )
    low, high = sorted(view.legal, key=lambda card: int(worth[card]))
    tried = visits(grow_trees(view, 3000, model_with_prior(low, 3.0), search_rule(HIGH_CARD)), 1)
    assert tried[high] > tried[low] > 0


def test_priors_are_saved_with_their_model_and_wrong_shapes_are_not_used(tmp_path: Path) -> None:
    model = random_model(HIGH_CARD, prior=random_prior(HIGH_CARD))
    save(tmp_path / "some.npz", model)
    prior, kept = model.prior, load(tmp_path / "some.npz").prior
    assert prior is not None
    assert kept is not None
    for name, array in vars(prior).items():
        assert getattr(kept, name) == pytest.approx(array)
    save(tmp_path / "none.npz", replace(model, prior=None))
    assert load(tmp_path / "none.npz").prior is None
    setup = HIGH_CARD.setup()
    save(
        value_models.folders(HIGH_CARD).own / file_name(setup, 2),
        replace(model, prior=replace(prior, action_bias=prior.action_bias[1:])),
    )
    assert find_model(setup, 2) is None


@pytest.mark.parametrize("level", LEVELS)
def test_only_upper_levels_use_priors(level: str) -> None:
    match = Match.new(HIGH_CARD, seats=2, seed=1)
    save_model(match, random_model(HIGH_CARD, prior=random_prior(HIGH_CARD)))
    assert has_prior(bots.parse(f"search:level={level}"), match) == (level in {"strong", "master"})


@pytest.mark.parametrize(("bot", "expected"), [("search:iterations=50", True), ("plain:iterations=50", False)])
def test_a_search_with_a_budget_uses_priors_if_it_has_a_model(bot: str, expected: bool) -> None:
    match = Match.new(HIGH_CARD, seats=2, seed=1)
    save_model(match, random_model(HIGH_CARD, prior=random_prior(HIGH_CARD)))
    assert has_prior(bots.parse(bot), match) is expected


def test_a_hint_covers_choices_with_low_priors_too() -> None:
    match = Match.new(HIGH_CARD, seats=2, seed=1, options={"hand": 5})
    view = match.view(1)
    save_model(match, model_with_prior(min(view.legal)))
    bot = bots.parse("search:iterations=60")
    answered = bot.answer(view, bots.stream(1, 1)).hint
    assert answered is not None
    assert min(prospect.tried for prospect in answered.choices) == 0
    assert min(prospect.tried for prospect in bot.advise(view).choices) > 0
    assert min(prospect.tried for prospect in bots.parse("search").advise(view).choices) > 0


def has_prior(bot: Bot, match: Match) -> bool:
    settings: Any = blank_settings(match.game, 1)[0]
    bot.at_table(match.setup, match.seats).fill_settings(settings, match.setup, match.seats)
    return bool(settings["has_prior"])


@pytest.mark.parametrize("game", GAMES)
def test_matches_with_a_prior_finish(game: str) -> None:
    """Even if a seat has one choice left at a node that has other children without visits."""
    match = Match.new(game, seed=4)
    save_model(match, random_model(match.game, exploration=0.2, prior=random_prior(match.game)))
    bot, stream = bots.parse("search:iterations=40"), bots.stream(4, 1)
    for _ in range(60):
        if match.seat:
            match.choose(bot.choose(match.view(match.seat), stream))
    assert match.over or len(match.history) == 60


@pytest.mark.parametrize("says_when_quiet", [True, False])
def test_rollouts_sample_choices_by_their_prior(says_when_quiet: bool) -> None:
    """Only games with `is_quiescent`; others use uniform rollouts, which are cheaper."""
    match = Match.new(HIGH_CARD, seats=2, seed=4)
    view, workspace = own_view(match), Workspace(HIGH_CARD, 1)
    legal = list(view.legal)
    model_with_prior(legal[1], 1.0).fill(workspace.settings)
    workspace.work[0] = match.state
    workspace.out[: len(legal)] = legal
    workspace.fields.g[:] = bots.stream(1, 1)
    game = with_rules(HIGH_CARD, is_quiescent=lambda params, s: True) if says_when_quiet else HIGH_CARD
    draw = rollout_rule(game)
    drawn = [
        draw(
            match.setup.params,
            workspace.work,
            workspace.work[0],
            workspace.fields,
            workspace.settings,
            workspace.out,
            len(legal),
            view.seat - 1,
        )
        for _ in range(4000)
    ]
    fond = np.e if says_when_quiet else 1.0
    expected = np.array([fond if action == legal[1] else 1.0 for action in legal])
    shares = np.array([drawn.count(action) for action in legal]) / 4000
    assert shares == pytest.approx(expected / expected.sum(), abs=0.04)


@pytest.mark.parametrize("game", QUIET)
@pytest.mark.parametrize("knows", [True, False])
def test_rollouts_with_a_prior_stop_at_a_quiescent_state(game: str, knows: bool) -> None:
    match = match_after(game, 9)
    rules, reached, ends = match.game.rules, [match.state], list[Any]()

    def determinize(params: Any, s: Any, seat: int, g: Any) -> None:
        ends.append(reached[0])
        rules.determinize(params, s, seat, g)

    def step(params: Any, s: Any, action: int) -> None:
        rules.step(params, s, action)
        reached[0] = s.copy()

    prior = random_prior(match.game) if knows else None
    watched = with_rules(match.game, determinize=determinize, step=step)
    grow_trees(own_view(match), 40, random_model(match.game, prior=prior), search_rule(watched))
    half_done = [s for s in ends[1:] if not s.over and not rules.is_quiescent(match.setup.params, s)]  # type: ignore[attr-defined]
    assert bool(half_done) == (not knows)
    assert sum(s.over for s in ends[1:]) < len(ends) / 4
