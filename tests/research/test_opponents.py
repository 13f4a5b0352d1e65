"""Opponents of a learner: bots, policies and pools, per seat; illegal actions of theirs; payoffs of all against all."""

from typing import Any

import numpy as np
import pytest

from research.games_under_test import KUHN, TIC_TAC_TOE
from sparring import BadBot, BadOption, Match, SparringError, View, bots
from sparring.engine.errors import IllegalChoice
from sparring.engine.features import relative_rule
from sparring.engine.game import games
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.research import BatchEnv, OpponentPool, as_bot, payoff_matrix
from sparring.research.gymnasium import LearnerBatch, SparringEnv, SparringVectorEnv

pytestmark = pytest.mark.compiled


def first(observation: dict[str, Any]) -> Any:
    """Take the first legal action."""
    return observation["action_mask"].argmax(axis=1)


def last(observation: dict[str, Any]) -> Any:
    """Take the last legal action."""
    return observation["action_mask"].shape[1] - 1 - observation["action_mask"][:, ::-1].argmax(axis=1)


class Corner:
    """A custom bot for tic-tac-toe: it says its action in words."""

    def __init__(self) -> None:
        self.seen: list[View] = []

    def choose(self, view: View) -> str:
        """Take the last free square."""
        self.seen.append(view)
        return view.choices[-1].words


def board(env: SparringEnv) -> list[int]:
    """Return the squares of tic-tac-toe: 0, or the seat that holds it."""
    return env._batch.env.states["board"][0].tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("opponent", "square"), [(first, 0), (last, 8), (Corner(), 8), (as_bot(first), 0), ({1: last}, 8)],
)  # fmt: skip
def test_policies_and_custom_bots_play(opponent: Any, square: int) -> None:
    env = SparringEnv(TIC_TAC_TOE, opponent=opponent, seat=2)
    env.reset(seed=1)
    assert [number for number, seat in enumerate(board(env)) if seat == 1] == [square]


@pytest.mark.parametrize("bot", ["mix:iterations=300", "search:seconds=0.1", bots.parse("plain:iterations=200")])
def test_every_bot_plays(bot: Any) -> None:
    env = SparringEnv(TIC_TAC_TOE, opponent=bot, seat=1)
    for seed in (1, 2):
        env.reset(seed=seed)
        env.step(0)
        assert (board(env)[0], sorted(board(env))) == (1, [*[0] * 7, 1, 2])


def test_a_bot_that_remembers_gets_what_its_seat_observed(monkeypatch: pytest.MonkeyPatch) -> None:
    bot, memories = bots.parse("mix:iterations=20"), []
    choose = type(bot).answer

    def answer(self: Any, view: View, *args: Any, **more: Any) -> Any:
        memories.append(view.memory)
        return choose(self, view, *args, **more)

    monkeypatch.setattr(type(bot), "answer", answer)
    env = SparringEnv(games()["make-your-moves"], opponent=bot, seat=1, options={"first_control": "seat1"})
    observation, _ = env.reset(seed=1)
    match = Match.deal(env._batch.env.setup, 2, int(env._batch.env.seed[0]))
    relative = relative_rule(match.game)
    learner = []
    for _ in range(12):
        learner.append(int(first({"action_mask": observation["action_mask"][None]})[0]))
        observation, _, ended, *_ = env.step(learner[-1])
        if ended:
            break
    assert memories
    while memories:  # replay the learner's actions, and compare what the other seat remembers at each of its turns
        if match.seat == 2:
            expected, state = match.view(2, memory=True), memories.pop(0)
            assert [(seen.state.tobytes(), seen.choice) for seen in state] == [
                (seen.state.tobytes(), seen.choice) for seen in expected.memory
            ]
            break
        wanted = learner.pop(0)
        match.choose(next(a for a in match.legal() if int(relative(match.setup.params, match.state, 0, a)) == wanted))


def test_each_seat_has_its_own_opponent() -> None:
    env = SparringEnv(HIGH_CARD, opponent={1: first, 3: last}, seat=2, seats=3)
    env.reset(seed=1)
    with pytest.raises(BadOption, match="opponent must name the seats 1 to 3, not 1"):
        SparringEnv(HIGH_CARD, opponent={1: first}, seat=2, seats=3)
    with pytest.raises(BadOption, match="opponent must name the seats 1 to 3, not 1, 2, 4"):
        SparringEnv(HIGH_CARD, opponent={1: first, 2: last, 4: last}, seat=2, seats=3)


def first_squares(envs: SparringVectorEnv) -> list[int]:
    """Return the square that the opponent took first in each match."""
    return envs._batch.env.states["board"].argmax(axis=1).tolist()  # type: ignore[no-any-return]


def test_a_pool_draws_an_opponent_for_each_match() -> None:
    pool = OpponentPool([first, last], weights=[3, 1])
    envs = SparringVectorEnv(TIC_TAC_TOE, 400, opponent=pool, seat=2)
    envs.reset(seed=1)
    drawn = first_squares(envs)
    assert set(drawn) == {0, 8}
    assert 60 < drawn.count(8) < 140
    envs.reset(seed=1)
    assert first_squares(envs) == drawn, "the draw follows from the seed"
    pool.add(as_bot(first), 1000)
    pool.weights[:2] = [0, 0]
    envs.reset(seed=1)
    assert set(first_squares(envs)) == {0}
    pool.weights[2] = 0
    with pytest.raises(BadOption, match="a weight above 0"):
        envs.reset()
    with pytest.raises(BadOption, match="a weight above 0"):
        SparringEnv(TIC_TAC_TOE, opponent=OpponentPool(), seat=2).reset()
    with pytest.raises(BadOption, match="A weight must be a number from 0, not -1"):
        pool.add(first, -1)


@pytest.mark.parametrize("on_illegal", ["lose", "random", "raise"])
@pytest.mark.parametrize("wrong", [0, -1, 77])
def test_an_illegal_action_of_an_opponent_is_an_error(on_illegal: Any, wrong: int) -> None:
    def stubborn(observation: dict[str, Any]) -> Any:
        return np.full(len(observation["action_mask"]), wrong)

    env = SparringEnv(TIC_TAC_TOE, opponent=stubborn, seat=1, on_illegal=on_illegal)
    env.reset(seed=1)
    with pytest.raises(IllegalChoice, match=f"environment 0: the opponent on seat 2 chose action {wrong}; legal are"):
        env.step(0)


@pytest.mark.parametrize("answer", [np.zeros(3), np.zeros(2, int), "0"])
def test_answers_of_another_form_are_refused(answer: Any) -> None:
    env = SparringEnv(TIC_TAC_TOE, opponent=lambda _: answer, seat=2)
    with pytest.raises(SparringError, match=r"A policy must return integers of shape \(1,\)"):
        env.reset(seed=1)


def test_custom_bots_that_choose_illegal_actions_are_refused() -> None:
    class Wrong:
        def choose(self, view: View) -> int:
            return 99

    with pytest.raises(IllegalChoice, match="the opponent on seat 1 chose action 99"):
        SparringEnv(TIC_TAC_TOE, opponent=Wrong(), seat=2).reset(seed=1)
    with pytest.raises(IllegalChoice, match="The policy chose action 99"):
        as_bot(lambda _: 99).choose(Match.new(TIC_TAC_TOE).view(1))
    with pytest.raises(BadBot, match="There is no bot called nobody"):
        OpponentPool(["nobody"])
    with pytest.raises(BadOption, match="A bot that remembers"):
        LearnerBatch(KUHN, 1, "mix", None, on_illegal="random")


@pytest.mark.parametrize("frame", ["seat", "table"])
@pytest.mark.parametrize("name", ["untitled-movement", "make-your-moves"])
def test_a_policy_at_a_table_plays_as_in_a_batch(name: str, frame: Any) -> None:
    env = BatchEnv(name, 1, seed=3, frame=frame)
    bot, match = as_bot(last, frame), Match.deal(env.setup, 2, int(env.seed[0]))
    for _ in range(60):
        seat = int(match.state.player) + 1
        match.choose(bot.choose(match.view(seat)))
        env.step(last({"action_mask": env.mask}))
        if match.over:
            break
        assert env.states[0].tobytes() == match.state_bytes()
    with pytest.raises(BadOption, match="frame must be"):
        as_bot(last, "own")  # type: ignore[arg-type]


def test_payoffs_of_all_against_all() -> None:
    matrix = payoff_matrix(TIC_TAC_TOE, [first, last, "plain:iterations=200"], matches=40)
    assert matrix.shape == (3, 3)
    assert matrix[0, 1] == matrix[1, 0] == 0, "who begins fills a row first, and each begins in half of the matches"
    assert (matrix[2, :2] > 0.7).all()
    assert (matrix[:2, 2] < -0.7).all()
    assert payoff_matrix(TIC_TAC_TOE, [first, "random"], matches=40, seed=2)[0, 0] == 0
