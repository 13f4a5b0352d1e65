"""The OpenSpiel adapter: OpenSpiel's own tests, the same exact figures as its games, and hidden information."""

import copy
import multiprocessing
import pickle
import random
import re
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import cloudpickle
import numpy as np
import pytest

from playthroughs.recordings import compare
from research.games_under_test import ALL, KUHN, LEDUC, TIC_TAC_TOE
from research.gym_tables import tables
from sparring import BadOption, Match, SparringError
from sparring.engine.errors import IllegalChoice
from sparring.engine.game import Game, games
from sparring.lab.game_tree import exploitability
from sparring.research.information_states import MAX_NUMBERS, PastActions

pyspiel = pytest.importorskip("pyspiel")
openspiel = pytest.importorskip("sparring.research.openspiel")
from open_spiel.python.observation import make_observation  # noqa: E402 - needs OpenSpiel

from research.openspiel_playthroughs import FOLDER, OPTIONS, playthrough  # noqa: E402 - needs OpenSpiel


def registered(game: Game, **table: Any) -> Any:
    """Register a table under a name of its own, and load it as OpenSpiel's algorithms do."""
    name = re.sub(r"\W+", "_", f"sparring_{game.name}_{table}")
    openspiel.register(game, name, **table)
    return pyspiel.load_game(name)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_every_table_passes_openspiels_random_matches(game: Game) -> None:
    shorter = tables(game)[:-1] if game.options() else tables(game)  # the highest limits make matches too long
    for table in shorter:
        short = {**OPTIONS.get(game.name, {}), **table.pop("options", {})}
        pyspiel.random_sim_test(registered(game, **table, deals=4, options=short), 1, True, False)


@pytest.mark.parametrize(
    ("game", "name", "value"), [(KUHN, "kuhn_poker", 0.4583333), (LEDUC, "leduc_poker", 2.3736111)]
)
def test_uniform_play_is_as_exploitable_as_in_openspiel(game: Game, name: str, value: float) -> None:
    from open_spiel.python import policy
    from open_spiel.python.algorithms.exploitability import exploitability as their_exploitability

    setup = game.setup()
    assert game.deals
    ours = exploitability(setup, game.deals(setup, 2), lambda view: [1 / len(view.legal)] * len(view.legal))
    games = [registered(game), pyspiel.load_game(name)] if game is KUHN else [pyspiel.load_game(name)]
    theirs = [their_exploitability(each, policy.UniformRandomPolicy(each)) for each in games]
    assert theirs == pytest.approx([ours] * len(games), abs=1e-12)
    assert ours == pytest.approx(value, abs=1e-7)


def test_regret_minimization_gives_openspiels_figures() -> None:
    from open_spiel.python.algorithms.cfr import CFRSolver
    from open_spiel.python.algorithms.exploitability import exploitability as their_exploitability

    values = []
    for game in (registered(KUHN), pyspiel.load_game("kuhn_poker")):
        solver = CFRSolver(game)
        for _ in range(100):
            solver.evaluate_and_update_policy()
        values.append(their_exploitability(game, solver.average_policy()))
    assert values == [0.008225977315915206] * 2


def one_hot(row: Any) -> list[int]:
    """Return a past action of Leduc poker: the seat that acted, whether it is hidden, and fold, call or raise."""
    actor, action = row[:2]
    return [int(actor == 0), int(actor == 1), 0, *(int(action == number) for number in range(3))]


def test_information_states_are_those_of_the_match() -> None:
    game, rng = registered(LEDUC, deals=3), random.Random(1)
    for seed in range(3):
        match, state = Match.new(LEDUC, seed=seed), game.new_initial_state()
        state.apply_action(seed)
        while not state.is_terminal():
            for seat in (1, 2):
                assert state.information_state_string(seat - 1) == match.history_key(seat).hex()
                assert state.observation_string(seat - 1) == match.view(seat).key().hex()
                observation = match.view(seat).observation()
                recent = match.observed_actions(seat, LEDUC.max_choices(match.setup, 2))
                assert state.observation_tensor(seat - 1) == pytest.approx(observation.tolist())
                expected = [*observation, *(number for row in recent for number in one_hot(row))]
                assert state.information_state_tensor(seat - 1) == pytest.approx(expected)
            action = rng.choice(state.legal_actions())
            assert state.action_to_string(action) == match.game.scene.words(match.setup, match.state, action)
            match.choose(action)
            state.apply_action(action)
        assert state.returns() == list((match.payoffs or {}).values())


@pytest.mark.compiled
@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_information_states_are_small_and_within_bounds(game: Game) -> None:
    table, rng = registered(game, deals=2, seats=game.seats[-1]), random.Random(1)
    state = table.new_initial_state()
    assert table.information_state_tensor_size() <= MAX_NUMBERS
    parts = PastActions(game, game.seats[-1])
    shown = set[tuple[int, ...]]()
    for _ in range(60):
        if state.is_terminal():
            break
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        for player in range(game.seats[-1]):
            tensor = np.array(state.information_state_tensor(player))
            assert (np.abs(tensor) <= 1).all()
            assert tensor[: game.rules.FEATURES].tolist() == state.observation_tensor(player)
            newest = tensor[-parts.width :]
            assert set(newest) <= {0, 1}
            if player == 0:
                shown.add(tuple(newest[: game.seats[-1] + 1].astype(int)))
    assert len(shown) > 1, "past actions are of several seats"


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_every_action_has_its_own_ones(game: Game) -> None:
    parts = PastActions(game, 2)
    places = {tuple(row) for row in parts.places.tolist()}
    assert len(places) == len(game.rules.ACTIONS)
    for k, field in enumerate(parts.fields[2:]):
        column = parts.places[:, k]
        assert (column.min(), column.max()) == (field.start, field.start + field.size - 1)


def test_public_and_private_parts_are_apart() -> None:
    game = registered(LEDUC)
    kinds, none = pyspiel.IIGObservationType, pyspiel.PrivateInfoType.NONE
    public = make_observation(game, kinds(public_info=True, perfect_recall=False, private_info=none))
    private = make_observation(game, kinds(public_info=False, perfect_recall=False))
    keys = set()
    for number in range(120):
        state = game.new_initial_state()
        state.apply_action(number)
        state.apply_action(2)  # raise
        for player in (0, 1):
            whole = np.array(state.observation_tensor(player))
            public.set_from(state, player)
            private.set_from(state, player)
            assert not public.tensor[:3].any()
            assert (public.tensor + private.tensor).tolist() == whole.tolist()
            assert private.tensor.tolist() == [*whole[:3], *[0] * 8]
            keys.add((public.string_from(state, player), private.string_from(state, player)))
    assert len({word for word, _ in keys}) == 1
    assert len(keys) == 6, "three ranks for each of two players"


@pytest.mark.compiled("make-your-moves")
def test_states_are_copied_and_pickled_also_for_other_processes() -> None:
    game, rng = registered(games()["make-your-moves"], deals=2), random.Random(3)
    state = game.new_initial_state()
    for _ in range(12):
        state.apply_action(rng.choice(state.legal_actions()))
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        elsewhere = pool.submit(play_first, state)
        expected = play_first(state.clone())
        assert elsewhere.result() == expected
    for twin in (copy.deepcopy(state), pickle.loads(pickle.dumps(state)), cloudpickle.loads(cloudpickle.dumps(state))):
        assert play_first(twin) == expected
    sample = state.resample_from_infostate(0, random.Random(1).random)
    for _ in range(2):
        with pytest.raises(SparringError, match="A sampled state can't be pickled"):
            pickle.dumps(sample)
        sample.apply_action(sample.legal_actions()[0])


@pytest.mark.compiled("make-your-moves")
def test_threads_play_at_the_same_time() -> None:
    game = registered(games()["make-your-moves"], deals=2)

    def played(number: int) -> list[Any]:
        state = game.new_initial_state()
        state.apply_action(number % 2)
        return play_first(state)

    expected = [played(number) for number in range(40)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(played, range(40))) == expected


def play_first(state: Any) -> list[Any]:
    """Take the first legal actions; return what the players know meanwhile."""
    told = []
    for _ in range(20):
        told += [state.information_state_string(seat) for seat in (0, 1)]
        told.append(state.information_state_tensor(0))
        state.apply_action(state.legal_actions()[0])
    return [*told, state.history(), state.returns()]


def test_an_illegal_action_is_refused() -> None:
    state = registered(LEDUC).new_initial_state()
    state.apply_action(0)
    with pytest.raises(IllegalChoice, match=r"Action 0 is illegal for player 0; legal are \[1, 2\]"):
        state.apply_action(0)
    assert state.legal_actions() == [1, 2]
    for player in (-1, 2):
        with pytest.raises(SparringError, match=f"player must be 0 to 1, not {player}"):
            state.information_state_tensor(player)


@pytest.mark.parametrize("name", ["", "a(b)", "a,b", "a=b", "a b"])
def test_names_that_openspiel_cannot_load_are_refused(name: str) -> None:
    with pytest.raises(BadOption, match="OpenSpiel can't load the name"):
        openspiel.register(KUHN, name)


@pytest.mark.parametrize("name", ["sparring-kuhn.poker_2", "Sparring"])
def test_other_names_can_be_loaded(name: str) -> None:
    openspiel.register(KUHN, name)
    assert pyspiel.load_game(name).num_players() == 2


def test_a_name_stands_for_one_table() -> None:
    openspiel.register(LEDUC, "sparring_once", deals=4)
    assert openspiel.register(LEDUC, "sparring_once", deals=4).num_distinct_actions() == 3
    for name, other in [("sparring_once", LEDUC), ("sparring_once", KUHN), ("kuhn_poker", KUHN)]:
        with pytest.raises(BadOption, match="OpenSpiel already has another game called"):
            openspiel.register(other, name, deals=5 if other is LEDUC else "all")
    assert pyspiel.load_game("kuhn_poker").get_type().long_name == "Kuhn Poker"


def test_a_sampled_state_is_one_that_the_player_cannot_tell_apart() -> None:
    state = registered(LEDUC).new_initial_state()
    state.apply_action(7)
    state.apply_action(1)
    generator, cards = np.random.default_rng(1), set()
    for _ in range(60):
        sample = state.resample_from_infostate(1, generator.random)
        assert sample.information_state_string(1) == state.information_state_string(1)
        assert sample.current_player() == 1
        assert sample.history() == []
        assert sample.information_state_string(0) != state.information_state_string(0)
        cards.add(int(sample._node.state.card[0]))
    own = int(state._node.state.card[1])
    assert cards == {0, 1, 2, 3, 4, 5} - {own}


def test_sampling_and_tabular_learners_of_openspiel_learn() -> None:
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms.exploitability import exploitability as their_exploitability
    from open_spiel.python.algorithms.external_sampling_mccfr import ExternalSamplingSolver
    from open_spiel.python.algorithms.tabular_qlearner import QLearner

    np.random.seed(1)
    solver = ExternalSamplingSolver(registered(KUHN))
    for _ in range(200):
        solver.iteration()
    assert their_exploitability(registered(KUHN), solver.average_policy()) < 0.2, "uniform play has 0.458"

    env = rl_environment.Environment(registered(KUHN))
    agents = [QLearner(player, 2) for player in range(2)]
    payoffs = np.zeros(2)
    for _ in range(200):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
        payoffs += step.rewards
    assert payoffs.sum() == 0
    assert payoffs.any()


def test_searches_of_openspiel_play() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=np.random.RandomState(1))
    state = registered(TIC_TAC_TOE).new_initial_state()
    for action in (0, 3, 1, 4):  # 2 wins
        state.apply_action(action)
    bot = mcts.MCTSBot(state.get_game(), 2.0, 200, evaluator, random_state=np.random.RandomState(2))
    assert bot.step(state) == 2

    state = registered(KUHN).new_initial_state()
    king = next(k for k, deal in enumerate(KUHN.deals(KUHN.setup(), 2)) if deal.card[1] == 2)  # type: ignore[misc]
    for action in (king, 1):  # seat 1 bets against the King
        state.apply_action(action)
    searcher = ismcts.ISMCTSBot(
        game=state.get_game(), evaluator=evaluator, uct_c=2.0, max_simulations=200,
        random_state=np.random.RandomState(3),
    )  # fmt: skip
    assert searcher.step(state) == 1


def test_a_game_without_chance_has_no_chance_node() -> None:
    game = registered(TIC_TAC_TOE)
    kinds = pyspiel.GameType
    assert game.get_type().chance_mode == kinds.ChanceMode.DETERMINISTIC
    assert game.get_type().information == kinds.Information.PERFECT_INFORMATION
    assert game.new_initial_state().legal_actions() == [*range(9)]


def test_wrong_deals_are_refused() -> None:
    with pytest.raises(BadOption, match="does not list its deals"):
        openspiel.register("mace", "mace_all", deals="all")
    with pytest.raises(BadOption, match="deals must be at least 1"):
        openspiel.register("mace", "mace_none", deals=0)


def test_parts_of_information_states_are_not_offered() -> None:
    for private in (pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.ALL_PLAYERS):
        part = pyspiel.IIGObservationType(perfect_recall=True, private_info=private)
        assert registered(KUHN).make_py_observer(part) is None
    private_only = pyspiel.IIGObservationType(public_info=False, perfect_recall=True)
    assert registered(KUHN).make_py_observer(private_only) is None


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_playthroughs_are_up_to_date(game: Game) -> None:
    """`make generated` rewrites them."""
    compare(FOLDER, game.name, playthrough(game))


@pytest.mark.parametrize("game", [KUHN, LEDUC, TIC_TAC_TOE], ids=lambda game: game.name)
def test_listed_deals_are_all_that_can_be_dealt(game: Game) -> None:
    """After the same actions, the views of every random deal are those of a listed one, and the other way round."""
    setup = game.setup()

    def shown(match: Match) -> tuple[bytes, ...]:
        match.play("call; call" if game is LEDUC else "")
        return match.view(1).key(), match.view(2).key(), match.view(0).key()

    assert game.deals
    start = Match.deal(setup, 2, 0).start
    listed = [shown(Match(start._replace(state=state))) for state in game.deals(setup, 2)]
    dealt = {shown(Match.deal(setup, 2, seed)) for seed in range(40 * len(listed))}
    assert dealt == set(listed)
    assert len(set(listed)) == len(listed)
