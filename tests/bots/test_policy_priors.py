"""Policy priors: the search tries likely actions first, and unlikely ones only if those disappoint."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.random_value_models import after, keep, looks, mine, some, trees
from sparring import Match, bots, games
from sparring.bots import value_models
from sparring.bots.bot import Bot, Workspace
from sparring.bots.evaluation import PRIOR_UNITS, blank_params, value_features_of
from sparring.bots.policy_priors import policy_rule
from sparring.bots.search import search_rule
from sparring.bots.selection import rollout_rule
from sparring.bots.value_models import PolicyPrior, ValueModel, file_name, find_model, load, save
from sparring.engine.game import LEVELS
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.lab.benchmarks.baselines import with_rules

pytestmark = pytest.mark.usefixtures("own_judgements")

GAMES = list(games())
QUIET = [name for name, game in games().items() if hasattr(game.rules, "is_quiescent")]


def fond_of(choice: int, strength: float = 20.0) -> ValueModel:
    """A judgement of High Card that knows nothing but whose prior is sure of one card."""
    value_features, choices = value_features_of(HIGH_CARD)[0], len(HIGH_CARD.rules.ACTIONS)
    own = np.zeros(choices, np.float32)
    own[choice] = strength
    nothing = np.zeros((value_features, 0), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32)
    prior = PolicyPrior(
        np.zeros((value_features, PRIOR_UNITS), np.float32), np.zeros(PRIOR_UNITS, np.float32),
        np.zeros((choices, PRIOR_UNITS), np.float32), own,
    )  # fmt: skip
    return ValueModel(np.zeros(value_features, np.float32), *nothing, exploration=2.0, prior=prior)


def visits(desk: Workspace, node: int) -> dict[int, int]:
    """How often each choice at a node was tried."""
    found, child = {}, desk.nodes[node]["child"]
    while child:
        found[int(desk.nodes[child]["label"])] = int(desk.nodes[child]["visits"])
        child = desk.nodes[child]["next"]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_how_likely_choices_are_are_shares_of_one_by_what_the_seat_knows(game: str) -> None:
    match = after(game, 7)
    view, prior, desk = mine(match), looks(match.game), Workspace(match.game, 1)
    some(match.game, prior=prior).fill(desk.params)
    seat, legal, seen = view.seat - 1, list(view.legal), np.zeros(value_features_of(match.game)[0], np.float32)
    desk.work[0] = match.state
    desk.out[: len(legal)] = legal
    policy_rule(match.game)(
        match.box.kit, desk.work, desk.work[0], desk.fields, desk.params, desk.out, len(legal), seat
    )  # fmt: skip
    value_features_of(match.game)[1](match.box.kit, view.state, seat, seen)
    told = (
        prior.action_weights[legal] @ np.maximum(seen @ prior.hidden_weights + prior.hidden_bias, 0)
        + prior.action_bias[legal]
    )
    shares = np.exp(told - told.max())
    assert desk.fields.policy[: len(legal)] == pytest.approx(shares / shares.sum(), abs=1e-4)
    assert desk.work[0].tobytes() == match.state.tobytes()


def test_the_likely_choice_is_tried_first_and_again() -> None:
    """Nothing is known of the cards but the prior, which is sure of the lowest; without one all are tried in turn."""
    view = Match.new(HIGH_CARD, seats=2, seed=1, options={"hand": 5}).view(1)
    lowest = min(view.legal)
    judgement = fond_of(lowest)
    assert visits(trees(view, 5, judgement, search_rule(HIGH_CARD)), 1)[lowest] == 5
    without = visits(trees(view, 5, replace(judgement, prior=None), search_rule(HIGH_CARD)), 1)
    assert sorted(without.values()) == [1, 1, 1, 1, 1]


def test_a_likely_choice_that_disappoints_is_left() -> None:
    """One trick of two cards: the highest card of all wins it, the prior likes the lowest of all."""
    deals = (Match.new(HIGH_CARD, seats=2, seed=start, options={"hand": 2}) for start in range(1, 200))
    worth = HIGH_CARD.box().kit.value
    view = next(
        view
        for view in (match.view(1) for match in deals)
        if {worth[card] for card in view.legal} == {min(worth), max(worth)}
    )
    low, high = sorted(view.legal, key=lambda card: int(worth[card]))
    tried = visits(trees(view, 3000, fond_of(low, 3.0), search_rule(HIGH_CARD)), 1)
    assert tried[high] > tried[low] > 0


def test_priors_are_saved_with_their_model_and_wrong_shapes_are_not_used(tmp_path: Path) -> None:
    judgement = some(HIGH_CARD, prior=looks(HIGH_CARD))
    save(tmp_path / "some.npz", judgement)
    prior, kept = judgement.prior, load(tmp_path / "some.npz").prior
    assert prior is not None
    assert kept is not None
    for name, array in vars(prior).items():
        assert getattr(kept, name) == pytest.approx(array)
    save(tmp_path / "none.npz", replace(judgement, prior=None))
    assert load(tmp_path / "none.npz").prior is None
    box = HIGH_CARD.box()
    save(
        value_models.folders(HIGH_CARD).own / file_name(box, 2),
        replace(judgement, prior=replace(prior, action_bias=prior.action_bias[1:])),
    )
    assert find_model(box, 2) is None


@pytest.mark.parametrize("level", LEVELS)
def test_the_upper_levels_go_by_priors_and_the_lower_ones_do_not(level: str) -> None:
    match = Match.new(HIGH_CARD, seats=2, seed=1)
    keep(match, some(HIGH_CARD, prior=looks(HIGH_CARD)))
    assert has_prior(bots.parse(f"search:level={level}"), match) == (level in {"strong", "master"})


@pytest.mark.parametrize(("bot", "expected"), [("search:iterations=50", True), ("plain:iterations=50", False)])
def test_a_search_with_a_budget_uses_priors_if_it_has_a_model(bot: str, expected: bool) -> None:
    match = Match.new(HIGH_CARD, seats=2, seed=1)
    keep(match, some(HIGH_CARD, prior=looks(HIGH_CARD)))
    assert has_prior(bots.parse(bot), match) is expected


def test_a_hint_tells_of_every_choice_also_of_those_that_no_good_player_looks_at() -> None:
    match = Match.new(HIGH_CARD, seats=2, seed=1, options={"hand": 5})
    view = match.view(1)
    keep(match, fond_of(min(view.legal)))
    bot = bots.parse("search:iterations=60")
    answered = bot.answer(view, bots.stream(1, 1)).hint
    assert answered is not None
    assert min(prospect.tried for prospect in answered.choices) == 0
    assert min(prospect.tried for prospect in bot.advise(view).choices) > 0
    assert min(prospect.tried for prospect in bots.parse("search").advise(view).choices) > 0


def has_prior(bot: Bot, match: Match) -> bool:
    mind: Any = blank_params(match.game, 1)[0]
    bot.at_table(match.box, match.seats).fill_params(mind, match.box, match.seats)
    return bool(mind["has_prior"])


@pytest.mark.parametrize("game", GAMES)
def test_whole_matches_with_a_prior_are_played_to_their_ends(game: str) -> None:
    """Also where a seat has one choice left at a place of which it knows others that were never tried."""
    match = Match.new(game, seed=4)
    keep(match, some(match.game, exploration=0.2, prior=looks(match.game)))
    bot, stream = bots.parse("search:iterations=40"), bots.stream(4, 1)
    for _ in range(60):
        if match.seat:
            match.choose(bot.choose(match.view(match.seat), stream))
    assert match.over or len(match.history) == 60


@pytest.mark.parametrize("says_when_quiet", [True, False])
def test_beyond_the_tree_what_is_likely_is_drawn_as_often_as_it_is_likely(says_when_quiet: bool) -> None:
    """Where the game says when it is quiet; elsewhere lots are drawn, as they are cheap."""
    match = Match.new(HIGH_CARD, seats=2, seed=4)
    view, desk = mine(match), Workspace(HIGH_CARD, 1)
    legal = list(view.legal)
    fond_of(legal[1], 1.0).fill(desk.params)
    desk.work[0] = match.state
    desk.out[: len(legal)] = legal
    desk.fields.g[:] = bots.stream(1, 1)
    game = with_rules(HIGH_CARD, is_quiescent=lambda kit, s: True) if says_when_quiet else HIGH_CARD
    draw = rollout_rule(game)
    drawn = [
        draw(match.box.kit, desk.work, desk.work[0], desk.fields, desk.params, desk.out, len(legal), view.seat - 1)
        for _ in range(4000)
    ]
    fond = np.e if says_when_quiet else 1.0
    expected = np.array([fond if action == legal[1] else 1.0 for action in legal])
    shares = np.array([drawn.count(action) for action in legal]) / 4000
    assert shares == pytest.approx(expected / expected.sum(), abs=0.04)


@pytest.mark.parametrize("game", QUIET)
@pytest.mark.parametrize("knows", [True, False])
def test_who_knows_what_is_likely_plays_on_until_nothing_is_half_done_and_no_further(game: str, knows: bool) -> None:
    match = after(game, 9)
    rules, reached, ends = match.game.rules, [match.state], list[Any]()

    def determinize(kit: Any, s: Any, seat: int, g: Any) -> None:
        ends.append(reached[0])
        rules.determinize(kit, s, seat, g)

    def step(kit: Any, s: Any, action: int) -> None:
        rules.step(kit, s, action)
        reached[0] = s.copy()

    prior = looks(match.game) if knows else None
    watched = with_rules(match.game, determinize=determinize, step=step)
    trees(mine(match), 40, some(match.game, prior=prior), search_rule(watched))
    half_done = [s for s in ends[1:] if not s.over and not rules.is_quiescent(match.box.kit, s)]  # type: ignore[attr-defined]
    assert bool(half_done) == (not knows)
    assert sum(s.over for s in ends[1:]) < len(ends) / 4
