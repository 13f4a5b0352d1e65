"""Copies of environments: deep copies, pickles, and those in other processes go on exactly as the original does."""

import copy
import multiprocessing
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from threading import Event, Thread
from typing import Any

import cloudpickle
import gymnasium
import numpy as np
import pytest

from sparring import SparringError
from sparring.research import BatchEnv
from sparring.research import gymnasium as adapter
from sparring.research.pettingzoo import env, raw_env

GAME = "make-your-moves"
TABLE: dict[str, Any] = {"seats": 3, "options": {"match": "elimination"}}

pytestmark = pytest.mark.compiled(GAME)


def seeded(made: Any) -> Any:
    """Deal the first match of an environment."""
    made.reset(seed=1)
    return made


MAKERS: dict[str, Callable[[], Any]] = {
    "batch": lambda: BatchEnv(GAME, 4, seed=1, history=3, autoreset="next_step", max_choices=15, **TABLE),
    "batch, two threads": lambda: BatchEnv(GAME, 4, seed=1, threads=2, observe=False, frame="table"),
    "pettingzoo": lambda: seeded(env(GAME, **TABLE)),
    "pettingzoo, raw": lambda: seeded(raw_env(GAME)),
    "gymnasium": lambda: seeded(gymnasium.make("sparring/MakeYourMoves-v1", opponent="search:level=gentle", **TABLE)),
    "gymnasium, vector": lambda: seeded(adapter.SparringVectorEnv(GAME, 4, threads=2)),
}


def play(made: Any, choices: int) -> list[Any]:
    """Take the last legal actions, through several matches; return all that an agent observes."""
    seen = []
    for _ in range(choices):
        if isinstance(made, BatchEnv):
            step = made.step(made.n_legal - 1 if made.over.all() else last_legal(made.mask))
            seen.append([*map(copy.deepcopy, step), made.history, made.final_obs, made.episode, made.illegal])
        elif hasattr(made, "agent_iter"):
            if not made.agents:
                made.reset()
            observation, *told = made.last()
            made.step(None if told[1] or told[2] else int(last_legal(observation["action_mask"])))
            seen.append([observation, *told, made.rewards])
        else:
            actions = last_legal(made.unwrapped._batch.observation()["action_mask"])
            several, over = isinstance(made, adapter.SparringVectorEnv), made.unwrapped._batch.env.over
            seen.append(made.step(actions) if several else made.reset() if over else made.step(actions[0]))
        seen[-1] = plain(seen[-1])
    return seen


def plain(told: Any) -> Any:
    """Return nested arrays as lists."""
    if isinstance(told, dict):
        return {name: plain(value) for name, value in told.items()}
    if isinstance(told, list | tuple):
        return [plain(value) for value in told]
    return told.tolist() if isinstance(told, np.ndarray | np.generic) else told


def last_legal(mask: Any) -> Any:
    """Return the last legal action of each row."""
    return mask.shape[-1] - 1 - mask[..., ::-1].argmax(axis=-1)


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize("choices", [0, 9, 41])
@pytest.mark.parametrize("name", MAKERS)
def test_a_copy_goes_on_as_the_original(name: str, choices: int, processes: ProcessPoolExecutor) -> None:
    original = MAKERS[name]()
    play(original, choices)
    copies = {
        "copied": copy.deepcopy(original),
        "pickled": pickle.loads(pickle.dumps(original)),
        "cloudpickled": cloudpickle.loads(cloudpickle.dumps(original)),
    }
    elsewhere = processes.submit(play, copy.deepcopy(original), 60)  # which is pickled a little later
    expected = play(original, 60)
    assert elsewhere.result() == expected
    for word, made in copies.items():
        assert play(made, 60) == expected, word


def test_a_fork_starts_its_own_threads() -> None:
    original = MAKERS["batch, two threads"]()
    play(original, 5)
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        elsewhere = pool.submit(play, original, 0)
        assert elsewhere.result() == []
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    child = context.Process(target=lambda: theirs.send(play(original, 30)))
    child.start()
    assert ours.poll(60), "the child hangs"
    assert ours.recv() == play(original, 30)
    child.join()


def test_threads_that_share_a_batch_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    original, entered, leave = MAKERS["batch"](), Event(), Event()
    driver = original._runner._driver

    def waiting(*args: Any) -> Any:
        entered.set()
        leave.wait(60)
        return driver(*args)

    monkeypatch.setattr(original._runner, "_driver", waiting)
    first = Thread(target=original.step_random)
    first.start()
    assert entered.wait(60)
    before = np.array(original.length)
    for use in (original.step_random, original.reset, lambda: original.step(last_legal(original.mask))):
        with pytest.raises(SparringError, match="Two threads use one batch at the same time"):
            use()
    assert (original.length == before).all()
    leave.set()
    first.join()
    original.step_random()
