"""Value models in the search: compiled equals interpreted; fairness, rollout depth, exploration."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from benchmarks.baselines import with_rules
from bots.random_value_models import grow_trees, match_after, own_view, random_model, random_prior, save_model
from sparring import Match, bots, games
from sparring.bots.bot import Bot, Workspace
from sparring.bots.evaluation import EXPLORATION, blank_settings, evaluation_rule, value_features_of
from sparring.bots.search import STOP_CHECK, search_rule
from sparring.bots.search_trees import FIRST_OBSERVATION, is_decided, most_visited
from sparring.bots.selection import exploration_of, ucb
from sparring.engine.chance import DETERMINIZATION, seed
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.game import Payoffs
from sparring.engine.records import MatchStart
from sparring.games.high_card import GAME as HIGH_CARD

pytestmark = [pytest.mark.usefixtures("own_value_models"), pytest.mark.compiled]

GAMES = list(games())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("rollout", "prior"), [(0, False), (3, False), (0, True)])
def test_compiled_and_interpreted_search_grow_the_same_trees(game: str, rollout: int, prior: bool) -> None:
    match = match_after(game, 7)
    model = random_model(
        match.game, rollout=rollout, exploration=0.2, prior=random_prior(match.game) if prior else None
    )
    fast = grow_trees(own_view(match), 60, model, compiled(match.game, search_rule))
    slow = grow_trees(own_view(match), 60, model, search_rule(match.game))
    assert fast.used_nodes.tobytes() == slow.used_nodes.tobytes()
    assert fast.fields.g.tobytes() == slow.fields.g.tobytes()


@pytest.mark.parametrize("game", GAMES)
def test_an_evaluation_sums_to_one_and_uses_only_what_each_seat_knows(game: str) -> None:
    match = match_after(game, 7)
    model = random_model(match.game)
    workspace = Workspace(match.game, 1)
    model.fill(workspace.settings)
    workspace.work[0] = match.state
    evaluation_rule(match.game)(
        match.setup.params, workspace.work, workspace.work[0], workspace.fields, workspace.settings
    )
    told, (features, value_features) = [], value_features_of(match.game)
    for seat in range(match.seats):
        view, seen = match.state.copy(), np.zeros(features, np.float32)
        match.game.rules.redact(match.setup.params, view, seat)
        value_features(match.setup.params, view, seat, seen)
        felt = np.maximum(seen @ model.hidden_weights + model.hidden_bias, 0)
        told.append(float(seen @ model.linear + felt @ model.output_weights))
    shares = np.exp(np.array(told) - max(told))
    assert workspace.fields.returns[: match.seats] == pytest.approx(shares / shares.sum(), abs=1e-4)
    assert workspace.work[0].tobytes() == match.state.tobytes()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("start", "prior"), [(0, False), (1, False), (2, False), (2, True)])
def test_hidden_information_does_not_change_the_choice(game: str, start: int, prior: bool) -> None:
    match = match_after(game, 4 + 3 * start, start)
    save_model(match, random_model(match.game, exploration=0.2, prior=random_prior(match.game) if prior else None))
    view, other = own_view(match), Match(MatchStart(match.setup, match.state, match.seed))
    g = np.zeros(4, np.int64)
    seed(g, start, DETERMINIZATION)
    other.state = view.state.copy()
    match.game.rules.determinize(match.setup.params, other.state, view.seat - 1, g)
    bot = bots.parse("search:iterations=200")
    chosen, again = (bot.choose(seen, bots.stream(5, view.seat)) for seen in (view, own_view(other)))
    assert chosen == again


def test_weights_next_to_zero_are_taken_as_zero() -> None:
    """Training leaves weights that float32 can barely hold; with them, each evaluation took a microsecond longer."""
    model = random_model(HIGH_CARD)
    model.hidden_weights[0, :2] = 1e-41, -1e-30
    settings: Any = blank_settings(HIGH_CARD, 1)[0]
    model.fill(settings)
    features, units = model.hidden_weights.shape
    weights = settings["hidden_weights"][:features, :units]
    assert weights[0, :2].tolist() == [0, 0]
    assert (weights[0, 2:] == model.hidden_weights[0, 2:]).all()


def test_rollouts_have_the_configured_length() -> None:
    """High Card with 5 cards and two seats has 10 choices; this evaluates after one in the tree and 3 random ones."""
    match = Match.new(HIGH_CARD, seats=2, seed=1, options={"hand": 5})
    judged: list[int] = []
    game = match.game
    real = game.rules.features

    def watched(params: Any, s: Any, seat: int, out: Any) -> None:
        judged.append(int(sum(s.hand[:2, 0])))
        real(params, s, seat, out)

    grow_trees(own_view(match), 1, random_model(game, rollout=3), search_rule(with_rules(game, features=watched)))
    assert judged == [6, 6]


def depth_below(workspace: Workspace, node: int) -> int:
    """Return the depth of the tree below a node, in choices."""
    child, found = int(workspace.nodes[node]["child"]), 0
    while child:
        found = max(found, depth_below(workspace, child) + (workspace.nodes[child]["label"] > FIRST_OBSERVATION))
        child = int(workspace.nodes[child]["next"])
    return found


@pytest.mark.parametrize("judges", [True, False])
def test_a_tree_respects_the_maximum_depth_of_its_level(judges: bool) -> None:
    match = match_after("make-your-moves", 4)
    save_model(match, random_model(match.game))
    desks = []
    for sight in (0, 2):
        bot = Bot("search", "", iterations=300, evaluates=judges, max_depth=sight)
        workspace = bot.answer(own_view(match), bots.stream(1, 1)).workspace
        assert workspace is not None
        desks.append(workspace)
    assert depth_below(desks[0], own_view(match).seat) > 2
    assert depth_below(desks[1], own_view(match).seat) == 2
    assert bool(desks[1].settings["evaluates"]) == judges


def test_exploration_is_relative_to_the_deviation_of_evaluations() -> None:
    """100 evaluations: half of them 0.1 above 0.5 and half below, or all of them 0.5."""
    match = Match.new(HIGH_CARD, seats=2, seed=1)
    workspace, root = Workspace(match.game, 1), Workspace(match.game, 1).nodes[0]
    random_model(HIGH_CARD, exploration=2.0).fill(workspace.settings)
    root["visits"], root["value"] = 100, 50.0
    wide, narrow = (
        exploration_of(root, workspace.settings, squares) for squares in (50 * (0.6**2 + 0.4**2), 100 * 0.5**2)
    )
    assert wide == pytest.approx(0.22, abs=0.005)
    assert narrow == pytest.approx(0.1, abs=0.005)
    root["visits"], root["value"] = 0, 0.0
    assert exploration_of(root, workspace.settings, 0.0) == 1.0
    workspace.settings["evaluates"] = 0
    assert exploration_of(root, workspace.settings, 50.0) == 2.0


def test_with_payoffs_in_units_exploration_is_relative_to_the_deviation_of_each_action() -> None:
    """Two choices with equal visits and means: one returns 0.6 or 0.4, the other always 0.5."""
    risky, safe = Workspace(HIGH_CARD, 2).nodes
    for node, squares in ((risky, 50 * (0.6**2 + 0.4**2)), (safe, 100 * 0.5**2)):
        node["visits"], node["available"], node["value"], node["value_sq"] = 100, 1000, 50.0, squares
    assert ucb(risky, 2.0, True) > ucb(safe, 2.0, True) > 0.5
    assert ucb(risky, 2.0, False) == ucb(safe, 2.0, False)


def test_with_payoffs_in_units_exploration_grows_with_the_iterations() -> None:
    """With a time limit it counts as 1,000 iterations; games that are won or lost are unchanged."""
    in_chips = replace(HIGH_CARD, payoffs=Payoffs(-1, 1, "chips"))
    told = {}
    for text in ("plain:iterations=1000", "plain:iterations=4000", "plain:seconds=1"):
        for game in (HIGH_CARD, in_chips):
            settings = blank_settings(game, 1)[0]
            bots.parse(text).fill_settings(settings, game.setup(), 2)
            told[text, game.payoffs is not None] = float(settings["exploration"]), bool(settings["per_action"])
    assert {told[text, False] for text, units in told if not units} == {(EXPLORATION, False)}
    assert told["plain:iterations=4000", True] == (2 * told["plain:iterations=1000", True][0], True)
    assert told["plain:seconds=1", True] == told["plain:iterations=1000", True]


def test_late_returns_are_discounted_toward_a_draw() -> None:
    kinds = HIGH_CARD, replace(HIGH_CARD, discount=0.5)
    think, model = search_rule(HIGH_CARD), random_model(HIGH_CARD, rollout=3)
    usual, dim = (grow_trees(own_view(Match.new(game, seed=1, seats=2)), 1, model, think) for game in kinds)
    beyond, left = (workspace.fields.returns[:2] - 0.5 for workspace in (usual, dim))
    made = round(float(np.log2(beyond[0] / left[0])))
    assert made > 3, "three random choices follow those in the tree"
    assert left == pytest.approx(beyond * 0.5**made)


def test_only_a_search_with_a_value_model_discounts() -> None:
    """Rollouts to the end of a match take long, so a discounted win there would count for nothing."""
    game = games()["mace"]
    minds = blank_settings(game, 2)
    for settings, kind in zip(minds, ("search", "plain"), strict=True):
        bots.parse(kind).fill_settings(settings, game.setup(), 2)
    assert minds["discount"].tolist() == [game.discount, 1.0]
    assert game.discount < 1


@pytest.mark.parametrize("start", [903, 908, 913])
def test_strong_bots_do_not_stall_in_mace(start: int) -> None:
    """Without a discount these three matches ended after thirty Rounds without contact."""
    match, streams = Match.new("mace", seed=start, seats=2), [bots.stream(start, seat) for seat in (1, 2)]
    opponents = [bots.parse(f"search:iterations={number}") for number in (2500, 640)]
    while match.seat:
        opponent = opponents[(match.seat - 1 + start) % 2]
        match.choose(opponent.choose(own_view(match), streams[match.seat - 1]))
    assert match.game.rules.ENDINGS[match.state.ending] == "last one in"


def test_value_features_have_distances_but_no_token_places() -> None:
    """A token of the left side is nine steps, then eight steps from its goals, on different spaces."""
    game = games()["untitled-movement"]
    many, value_features = value_features_of(game)
    told = {}
    for space in ("4,2", "7,2", "4,3"):
        lying = {"tokens": {"W": space, "E": "5,9"}, "hands": {"W": "F L R", "E": "F F B"}}
        match = Match.from_position({"game": game.name, "seats": 2, **lying})
        told[space] = np.zeros(many, np.float32)
        value_features(match.setup.params, match.view(1).state, 0, told[space])
    assert told["4,2"].tolist() == told["7,2"].tolist() != told["4,3"].tolist()


def test_value_features_have_card_counts_by_suit_and_total_value() -> None:
    game = games()["mace"]
    many, value_features = value_features_of(game)
    told = {}
    for cards in ("2S 9S", "5S 6S", "5S 6H"):
        hands = [f"{cards} 3C 4D KD", "JC 7D 5C 10C 2C"]
        match = Match.from_position({"game": game.name, "seats": 2, "hands": hands, "momentum": ["7H", "5D"]})
        told[cards] = np.zeros(many, np.float32)
        value_features(match.setup.params, match.view(1).state, 0, told[cards])
    assert told["2S 9S"] == pytest.approx(told["5S 6S"])
    assert told["5S 6S"] != pytest.approx(told["5S 6H"])
    assert many < game.rules.FEATURES


def test_a_search_stops_early_only_if_its_choice_cannot_change() -> None:
    match = match_after("make-your-moves", 4)
    think, model = compiled(match.game, search_rule), random_model(match.game, exploration=0.05)
    whole, short = (grow_trees(own_view(match), 4000, model, think, stops) for stops in (False, True))
    seat = match.seat or 0
    assert whole.nodes[seat]["visits"] == 4000
    assert short.nodes[seat]["visits"] < 4000
    assert short.nodes[seat]["visits"] % STOP_CHECK == 0
    assert is_decided(short.nodes, seat, 4000 - short.nodes[seat]["visits"])
    assert most_visited(short.nodes, seat) == most_visited(whole.nodes, seat)


def test_a_search_with_constant_time_does_not_stop_early(monkeypatch: pytest.MonkeyPatch) -> None:
    match = match_after("make-your-moves", 4)
    save_model(match, random_model(match.game, exploration=0.05))
    minds = {}
    for even in (False, True):
        workspace = Workspace(match.game, 1)
        bots.parse("search:iterations=500").fill_settings(workspace.settings, match.setup, match.seats, even=even)
        minds[even] = int(workspace.settings.stops_early)
    assert minds == {False: 1, True: 0}


# If a value model fits
