"""`BatchEnv`: equality with `Match`, seeds, resets, illegal actions, bots, copies, and the types of actions."""

from typing import Any, Literal

import numpy as np
import pytest

from research.games_under_test import ALL, KUHN, LEDUC, TIC_TAC_TOE
from sparring import BadBot, Match, SparringError, bots
from sparring.engine.compilation.dependencies import allocates
from sparring.engine.game import Game, games
from sparring.engine.laws import LawViolation
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.research import BatchEnv, match_seed
from sparring.research.batch_arrays import GOLDEN, _compiled_match_seed, mixed
from sparring.research.batch_driver import batch_driver
from sparring.research.batch_runner import decision_stream
from sparring.research.laws import check_batch

pytestmark = pytest.mark.compiled

MAKE_YOUR_MOVES = games()["make-your-moves"]


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_a_batch_shows_what_its_matches_show(game: Game) -> None:
    check_batch(game.setup(), game.seats[-1], 3, 8, 60)


def test_the_law_finds_a_batch_that_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    step = BatchEnv.step

    def cheat(self: BatchEnv, *args: Any, **kwargs: Any) -> Any:
        result = step(self, *args, **kwargs)
        self.mask[1, 0] ^= True
        return result

    monkeypatch.setattr(BatchEnv, "step", cheat)
    with pytest.raises(LawViolation, match=r"law 13.*environment 1 has legal actions or a mask other than"):
        check_batch(TIC_TAC_TOE.setup(), 2, 3, 4, 10)


def test_seeds_are_a_documented_hash() -> None:
    env = BatchEnv(LEDUC, 5, seed=9)
    assert env.seed.tolist() == [match_seed(9, i, 0) for i in range(5)]
    assert mixed(GOLDEN) == 0xE220A8397B1DCDAF  # the first number of SplitMix64 from seed 0
    assert match_seed(0, 0, 0) == mixed(0xE220A8397B1DCDAF + GOLDEN - 2**64) >> 1
    numbers = {match_seed(seed, i, k) for seed in range(10) for i in range(10) for k in range(10)}
    assert len(numbers) == 1000
    assert all(0 <= number < 2**63 for number in numbers)
    with np.errstate(over="ignore"):  # as machine code wraps
        compiled_match_seed: Any = _compiled_match_seed
        assert compiled_match_seed(2**63 - 1, 3, 4) == match_seed(2**63 - 1, 3, 4)


def play_out(env: BatchEnv, steps: int) -> list[bytes]:
    """Take random actions one by one; return what was seen."""
    seen = []
    for _ in range(steps):
        result = env.step_random()
        seen.append(b"".join(array.tobytes() for array in result if array is not None))
    return seen


def test_random_steps_are_the_same_in_one_call_and_with_more_threads() -> None:
    one, many = BatchEnv(LEDUC, 50, seed=1), BatchEnv(LEDUC, 50, seed=1, threads=3)
    assert play_out(one, 20) == play_out(many, 20)
    again = BatchEnv(LEDUC, 50, seed=1)
    again.step_random(20)
    assert again.states.tobytes() == one.states.tobytes()
    again.reset(seed=1)
    again.step_random(20, rng_seed=5)
    assert again.states.tobytes() != one.states.tobytes()


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32])
def test_actions_may_have_any_integer_type(dtype: type) -> None:
    env = BatchEnv(TIC_TAC_TOE, 3)
    env.step(np.array([0, 4, 8]).astype(dtype))
    assert env.states["board"][:, [0, 4, 8]].tolist() == np.eye(3).tolist()


@pytest.mark.parametrize("actions", [[0.0, 1.0], [0], [[0, 1]], [True, False]])
def test_actions_of_another_type_or_shape_are_refused(actions: Any) -> None:
    with pytest.raises(ValueError, match="actions must be integers of shape"):
        BatchEnv(TIC_TAC_TOE, 2).step(actions)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("wrong", [4, -1, 9, 10**12])
def test_an_illegal_action_is_refused_before_anything_moves(threads: int, wrong: int) -> None:
    env = BatchEnv(TIC_TAC_TOE, 4, threads=threads)
    env.step([4, 4, 4, 4])
    before = env.save()
    with pytest.raises(ValueError, match=f"environment 2: action {wrong} is illegal for seat 2"):
        env.step([0, 1, wrong, 3])
    assert env.save() == before


def test_an_illegal_action_can_lose_the_match() -> None:
    env = BatchEnv(TIC_TAC_TOE, 2, on_illegal="lose")
    env.step([4, 4])
    step = env.step([4, 3])
    assert step.rewards.tolist() == [[1, -1], [0, 0]]
    assert (step.terminated.tolist(), env.illegal.tolist()) == ([True, False], [True, False])
    assert (env.episode.tolist(), env.final_length.tolist()) == ([1, 0], [1, 0])
    with_three = BatchEnv(HIGH_CARD, 1, seats=3, on_illegal="lose")
    illegal = np.flatnonzero(~with_three.mask[0])[:1]
    assert with_three.step(illegal).rewards.tolist() == [[-1, 0.5, 0.5]]
    poker = BatchEnv(LEDUC, 1, on_illegal="lose")
    assert poker.step([0]).rewards.tolist() == [[-13, 13]]  # nobody has raised, so folding is illegal


def test_an_illegal_action_can_be_replaced() -> None:
    env = BatchEnv(TIC_TAC_TOE, 40, on_illegal="random", seed=2)
    env.step([4] * 40)
    env.step([4] * 40)
    assert env.illegal.all()
    assert not env.terminated.any()
    boards = env.states["board"]
    assert ((boards == 2).sum(axis=1) == 1).all()
    assert len({board.tobytes() for board in boards}) > 5
    env.step(env.legal[:, 0])
    assert not env.illegal.any()


WIN = [0, 3, 1, 4, 2]  # seat 1 takes the top row


def test_same_step_deals_the_next_match_at_once() -> None:
    env = BatchEnv(TIC_TAC_TOE, 1, seed=8)
    for action in WIN:
        step = env.step([action])
    assert [step.terminated[0], step.rewards.tolist(), step.mask.sum()] == [True, [[1, -1]], 9]
    assert [env.episode[0], env.length[0], env.final_length[0], env.over[0]] == [1, 0, 5, False]
    assert env.seed[0] == match_seed(8, 0, 1)
    assert env.final_obs is not None
    assert env.final_obs[0, 0].tolist() == [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0]
    assert env.final_obs[0, 1].tolist() == [0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    step = env.step([5])
    assert [step.terminated[0], step.rewards.tolist()] == [False, [[0, 0]]]


def test_next_step_deals_the_next_match_in_the_step_after_the_end() -> None:
    env = BatchEnv(TIC_TAC_TOE, 1, autoreset="next_step")
    for action in WIN:
        step = env.step([action])
    assert [step.terminated[0], step.mask.any(), env.n_legal[0], env.over[0]] == [True, False, 0, True]
    assert env.obs is not None
    assert env.obs[0].sum() == 5  # the final observation
    step = env.step([77])  # ignored
    assert [step.terminated[0], step.rewards.tolist(), step.mask.all(), env.episode[0]] == [False, [[0, 0]], True, 1]


def test_without_autoreset_a_finished_match_must_be_reset() -> None:
    env = BatchEnv(TIC_TAC_TOE, 2, autoreset="disabled")
    for action, other in zip(WIN, [0, 1, 2, 3, 4], strict=True):
        env.step([action, other])
    assert env.over.tolist() == [True, False]
    with pytest.raises(ValueError, match="environment 0: the match is over; reset it"):
        env.step([5, 5])
    env.step([5, 5], where=~env.over)
    assert env.length.tolist() == [5, 6]
    env.reset(mask=env.over)
    assert [env.over.any(), env.length.tolist(), env.episode.tolist()] == [False, [0, 6], [1, 0]]
    env.step_random(20)
    assert env.over.all()
    assert env.terminated.all()
    assert (env.length <= 9).all()


def test_a_reset_with_a_seed_counts_matches_from_0() -> None:
    env = BatchEnv(LEDUC, 3, seed=1)
    env.step_random(30)
    env.reset(seed=7)
    assert env.seed.tolist() == [match_seed(7, i, 0) for i in range(3)]
    env.reset()
    assert env.seed.tolist() == [match_seed(7, i, 1) for i in range(3)]
    env.reset(seed=[1, 2, 3], mask=[False, True, False])
    assert env.seed.tolist() == [match_seed(7, 0, 1), match_seed(2, 1, 0), match_seed(7, 2, 1)]
    assert Match.new(LEDUC, seed=int(env.seed[1])).state_bytes() == env.states[1].tobytes()
    with pytest.raises(SparringError, match="A seed must be"):
        env.reset(seed=-1)


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
def test_long_matches_are_cut_off(autoreset: Literal["same_step", "next_step"]) -> None:
    env = BatchEnv(MAKE_YOUR_MOVES, 2, max_choices=3, autoreset=autoreset)
    truncated = [env.step_random().truncated.copy().tolist() for _ in range(5)]
    cycle = [[False, False], [False, False], [True, True]]
    assert truncated == (cycle + cycle)[:5]
    assert not env.rewards.any()
    assert env.final_length.tolist() == [3, 3]
    assert not env.terminated.any()


def test_conceding_is_legal_only_if_wanted() -> None:
    mace = games()["mace"]
    (concede,) = mace.conceding
    assert not BatchEnv(mace, 2).mask[:, concede].any()
    env = BatchEnv(mace, 2, concede=True)
    while not env.mask[0, concede]:
        env.step(env.legal[:, 0])
    loser = int(env.player[0])
    step = env.step([concede, int(env.legal[1, 0])])
    assert step.rewards[0].tolist() == [-1, 1][:: 1 - 2 * loser]


def test_copies_views_and_arrays_without_observations() -> None:
    env = BatchEnv(LEDUC, 2, observe=False)
    assert (env.obs, env.final_obs, env.history) == (None, None, None)
    first = env.step(env.legal[:, 0], copy=True)
    mask = first.mask.copy()
    env.step_random(1)
    assert (first.mask == mask).all()
    assert first.mask is not env.mask
    with pytest.raises(ValueError, match="read-only"):
        env.states["turn"] = 1
    assert [choice.action for choice in env.legal_words(1)] == env.legal[1, : env.n_legal[1]].tolist()
    assert env.match(1).state_bytes() == env.states[1].tobytes()
    assert env.view(1).legal == tuple(env.legal[1, : env.n_legal[1]].tolist())


def test_observations_of_all_seats() -> None:
    env = BatchEnv(LEDUC, 6, seed=3)
    env.step_random(2)
    everyone = env.observe_all()
    assert env.obs is not None
    assert everyone.shape == (6, 2, LEDUC.rules.FEATURES)
    for i in range(6):
        assert (everyone[i, env.player[i]] == env.obs[i]).all()
        for seat in range(2):
            assert (everyone[i, seat] == env.match(i).view(seat + 1).observation()).all()


@pytest.mark.parametrize("bot", ["random", "plain:iterations=40", "search:level=gentle"])
def test_a_bot_in_a_batch_decides_as_it_does_in_a_match(bot: str) -> None:
    env = BatchEnv(MAKE_YOUR_MOVES, 6, seed=2, threads=2)
    env.step_random(12)
    actions = env.bot_actions(bot)
    table = bots.parse(bot)
    for i in range(6):
        view = env.view(i)
        stream = decision_stream(int(env.seed[i]), int(env.length[i]), view.seat)
        action = table.choose(view, stream)
        seat = int(env.player[i])
        relative = MAKE_YOUR_MOVES.rules.relative_action  # type: ignore[attr-defined]
        assert actions[i] == relative(env.setup.params, view.state, seat, action)


def test_a_bot_can_play_some_of_the_environments() -> None:
    env = BatchEnv(TIC_TAC_TOE, 3)
    env.step([4, 4, 4])
    step = env.step_bot("plain:iterations=200", where=[True, False, True])
    assert (env.states["board"] == 2).sum(axis=1).tolist() == [1, 0, 1]
    assert step.player.tolist() == [0, 1, 0]
    assert env.bot_actions("random", where=[False, True, False]).tolist()[::2] == [-1, -1]


def test_a_better_bot_wins_more_matches() -> None:
    env = BatchEnv(TIC_TAC_TOE, 40, seed=4, autoreset="disabled")
    total = np.zeros(2)
    while not env.over.all():
        env.step_bot("plain:iterations=150", where=env.player == 0)
        total += env.rewards.sum(axis=0)
        env.step_bot("random", where=env.player == 1)
        total += env.rewards.sum(axis=0)
    assert total[0] >= 30


@pytest.mark.parametrize("bot", ["mix", "search:seconds=1"])
def test_bots_that_cannot_play_in_a_batch_are_refused(bot: str) -> None:
    with pytest.raises(BadBot, match="can't play in a batch"):
        BatchEnv(KUHN, 1).bot_actions(bot)


def test_matches_are_copied_into_another_batch() -> None:
    env = BatchEnv(LEDUC, 4, seed=1, history=3, autoreset="disabled")
    other = BatchEnv(LEDUC, 6, seed=2, history=3, autoreset="disabled")
    env.step_random(3)
    source = [3, 3, 0, 1, 2, 2]
    env.clone_into(other, source)
    for name in ("states", "obs", "mask", "player", "seed", "length", "history"):
        assert (getattr(other, name) == getattr(env, name)[source]).all(), name
    other.step_random(1)
    assert other.states[0].tobytes() == other.states[1].tobytes()  # the generators were copied too
    with pytest.raises(ValueError, match="numbers from 0 to 3"):
        env.clone_into(other, [0, 1, 2, 3, 4, 5])
    with pytest.raises(ValueError, match="same game"):
        env.clone_into(BatchEnv(KUHN, 4))


@pytest.mark.parametrize("history", [0, 2])
def test_a_saved_batch_continues_exactly(history: int) -> None:
    env = BatchEnv(LEDUC, 5, seed=1, history=history)
    env.step_random(3)
    other = BatchEnv(LEDUC, 5, seed=6, history=history)
    other.load(env.save())
    assert other.save() == env.save()
    assert play_out(env, 10) == play_out(other, 10)
    with pytest.raises(ValueError, match="5 matches of"):
        BatchEnv(LEDUC, 4, history=history).load(env.save())


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [({"autoreset": "later"}, "autoreset must be"), ({"threads": 0}, "at least 1"), ({"seats": 3}, "needs 2 seats"),
     ({"on_illegal": "ignore"}, "on_illegal must be"), ({"seed": -1}, "A seed must"), ({"frame": "own"}, "frame must"),
     ({"max_choices": 0}, "at least 1")],
)  # fmt: skip
def test_wrong_parameters_are_refused(parameters: dict[str, Any], problem: str) -> None:
    with pytest.raises(SparringError, match=problem):
        BatchEnv(LEDUC, 1, **parameters)


def test_arrays_are_shared_without_copying() -> None:
    env = BatchEnv(LEDUC, 2)
    shared = np.from_dlpack(env.obs)  # type: ignore[arg-type]
    assert np.shares_memory(shared, env.obs)
    for array in (env.obs, env.mask, env.player, env.rewards, env.terminated, env.final_obs):
        assert array is not None
        assert array.flags.c_contiguous
        assert array.ctypes.data % 64 == 0  # JAX copies others


def test_the_driver_of_a_batch_counts_no_references_by_itself() -> None:
    assert not allocates(batch_driver(TIC_TAC_TOE))  # otherwise a step of a small game takes several times as long
