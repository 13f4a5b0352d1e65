"""The PettingZoo adapter: PettingZoo's own tests for every game, number of seats and extreme options."""

import random
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.env_registry.exceptions import PettingZooRegistryError
from pettingzoo.test import api_test, render_test, seed_test

from research.games_under_test import ALL, LEDUC, TIC_TAC_TOE
from research.gym_tables import tables
from sparring import Match, SparringError
from sparring.engine.errors import IllegalChoice
from sparring.research import match_seed
from sparring.research.pettingzoo import env, raw_env

# PettingZoo warns about observations with an action mask, as its own games have them, and about an empty board.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros"),
]
BY_NAME = {game.name: game for game in ALL}


@pytest.mark.compiled
@pytest.mark.parametrize("name", BY_NAME)
def test_every_table_passes_the_conformance_tests(name: str) -> None:
    for table in tables(BY_NAME[name]):
        api_test(raw_env(BY_NAME[name], **table), num_cycles=1000)
        api_test(env(BY_NAME[name], **table), num_cycles=200)
        seed_test(lambda table=table: env(BY_NAME[name], **table), num_cycles=100)


@pytest.mark.compiled
@pytest.mark.parametrize("name", BY_NAME)
def test_every_game_is_rendered(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: env(BY_NAME[name], render_mode=render_mode))
    assert BY_NAME[name].title in capsys.readouterr().out


def play(table: Any, seed: int, rng: random.Random) -> tuple[list[int], dict[str, float]]:
    """Play a random match; return the actions and the rewards."""
    table.reset(seed=seed)
    actions, rewards = [], {}
    for agent in table.agent_iter():
        observation, reward, terminated, truncated, _ = table.last()
        if terminated or truncated:
            rewards[agent] = reward
            table.step(None)
        else:
            actions.append(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
            table.step(actions[-1])
    return actions, rewards


@pytest.mark.compiled("make-your-moves")
def test_a_match_is_that_of_its_seed() -> None:
    table = raw_env("make-your-moves", seats=3, frame="table")
    actions, rewards = play(table, 5, random.Random(1))
    match = Match.new("make-your-moves", seats=3, seed=match_seed(5, 0, 0))
    for action in actions:
        match.choose(action)
    assert list(rewards.values()) == pytest.approx(list((match.payoffs or {}).values()))
    table.reset()
    assert table.observe("seat_1")["observation"].any()


def test_agents_see_their_own_view_and_only_one_may_act() -> None:
    table = raw_env(LEDUC)
    table.reset(seed=3)
    table.step(1)
    match = Match.new(LEDUC, seed=match_seed(3, 0, 0))
    match.choose(1)
    for seat, agent in enumerate(table.possible_agents, 1):
        seen = table.observe(agent)
        assert seen["observation"].tolist() == match.view(seat).observation().tolist()
        assert np.flatnonzero(seen["action_mask"]).tolist() == list(match.view(seat).legal)
    assert table.infos["seat_1"] == {"phase": 0, "turn": 1}
    phases: Any = table.metadata["phases"]
    assert phases[0] == "bet"


@pytest.mark.compiled
@pytest.mark.parametrize("name", BY_NAME)
def test_infos_hold_numbers_only(name: str) -> None:
    table = raw_env(BY_NAME[name])
    table.reset(seed=1)
    phases: Any = table.metadata["phases"]
    for agent in table.agent_iter(30):
        *_, terminated, truncated, info = table.last()
        assert all(type(value) is int for value in info.values())
        assert phases[info["phase"]]
        table.step(None if terminated or truncated else int(table.observe(agent)["action_mask"].argmax()))


def test_an_illegal_action_is_refused_or_loses() -> None:
    table = raw_env(TIC_TAC_TOE)
    table.reset(seed=1)
    table.step(4)
    with pytest.raises(IllegalChoice, match=r"Action 4 is illegal for seat_2; legal are \[0, 1, 2, 3, 5"):
        table.step(4)
    table.step(0)
    wrapped = env(TIC_TAC_TOE)
    wrapped.reset(seed=1)
    wrapped.step(4)
    wrapped.step(4)
    assert wrapped.last()[2:4] == (True, True)
    assert wrapped.rewards == {"seat_1": 0, "seat_2": -1}


def test_an_illegal_action_costs_as_much_as_the_worst_end() -> None:
    wrapped = env(LEDUC)
    wrapped.reset(seed=1)
    illegal = int(wrapped.observe("seat_1")["action_mask"].argmin())
    wrapped.step(illegal)
    assert wrapped.rewards == {"seat_1": -13, "seat_2": 0}


@pytest.mark.parametrize("action", [1.5, "1", True, None])
def test_what_is_not_a_whole_number_is_refused(action: Any) -> None:
    table = raw_env(TIC_TAC_TOE)
    table.reset(seed=1)
    with pytest.raises(IllegalChoice, match="An action must be a whole number, not"):
        table.step(action)
    assert table.agent_selection == "seat_1"


@pytest.mark.compiled("make-your-moves")
def test_installed_games_are_registered() -> None:
    table = pettingzoo.make("aec", "sparring/MakeYourMoves-v1", seats=3)
    table.reset(seed=1)
    assert table.possible_agents == ["seat_1", "seat_2", "seat_3"]
    with pytest.raises(PettingZooRegistryError, match=r"v0.*sparring/MakeYourMoves.*v1"):
        pettingzoo.make("aec", "sparring/MakeYourMoves-v0")


def test_the_state_is_what_all_seats_know() -> None:
    table = env(LEDUC)
    table.reset(seed=1)
    for agent in table.agent_iter():
        state = table.state()
        assert state.tolist() == [*table.observe("seat_1")["observation"], *table.observe("seat_2")["observation"]]
        assert table.state_space.contains(state)
        *_, terminated, _, _ = table.last()
        table.step(None if terminated else int(table.observe(agent)["action_mask"].argmax()))


def test_a_long_match_is_truncated() -> None:
    table = raw_env(TIC_TAC_TOE, max_choices=3)
    actions, rewards = play(table, 1, random.Random(2))
    assert (len(actions), rewards) == (3, {"seat_1": 0, "seat_2": 0})


def test_names_follow_the_version_of_the_rules() -> None:
    assert str(raw_env(LEDUC)) == f"leduc_poker_v{LEDUC.version}"
    with pytest.raises(SparringError, match="render_mode must be"):
        raw_env(LEDUC, render_mode="rgb")
