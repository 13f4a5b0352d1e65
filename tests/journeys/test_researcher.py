"""Researcher: ten lines from the docs, copies of environments, and an agent that learns and sits at a table."""

import json
import re
import shutil

import pytest
from playwright.sync_api import Browser, expect

from journeys.at_table import create_table, history, play
from journeys.installed import ROOT, Installation
from journeys.steps import Journey

pytestmark = pytest.mark.journey

#: Copies each environment in the middle of a match, and plays on in both: the copy does what the original does.
COPIES = """
import copy, json, pickle
from sparring.research import BatchEnv
from sparring.research.pettingzoo import env

def play(env, choices):
    seen = []
    for _ in range(choices):
        if isinstance(env, BatchEnv):
            step = env.step(env.mask.argmax(axis=1))
            seen.append((env.obs.tobytes(), step.rewards.tobytes()))
        else:
            observation, reward, terminated, truncated, info = env.last()
            seen.append((observation["observation"].tobytes(), reward, info))
            env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
    return seen

def pettingzoo():
    made = env("make-your-moves")
    made.reset(seed=1)
    return made

makers = {
    "BatchEnv": lambda: BatchEnv("make-your-moves", 8, seed=1),
    "BatchEnv with two threads": lambda: BatchEnv("make-your-moves", 8, seed=1, threads=2),
    "PettingZoo": pettingzoo,
}
ways = {"copied": copy.deepcopy, "pickled": lambda env: pickle.loads(pickle.dumps(env))}
for name, make in makers.items():
    for word, way in ways.items():
        original = make()
        play(original, 10)
        try:
            said = "goes on as the original" if play(way(original), 20) == play(original, 20) else "goes on otherwise"
        except Exception as problem:
            said = type(problem).__name__
        print(json.dumps([f"{name}, {word}", said]))
"""
#: Ten updates of the example, on the numbers of actions that tables use.
TRAINING = """
import numpy as np, reinforce
weights, payoffs = reinforce.learn("make-your-moves", 12, envs=32, rate=0.5)
np.save("weights.npy", weights)
print(np.mean(payoffs[:3]), np.mean(payoffs[-3:]))
"""
AGENT = """
from pathlib import Path
import numpy as np
from sparring.research import as_bot

WEIGHTS = np.load(Path(__file__).parent / "weights.npy")

def policy(seen):
    scores = np.append(seen["observation"], np.ones((len(seen["observation"]), 1)), 1) @ WEIGHTS
    return np.where(seen["action_mask"], scores, -np.inf).argmax(1)

def learned():
    return as_bot(policy)
"""


def test_researcher(browser: Browser, own: Installation, journey: Journey) -> None:
    with journey.step("Paste the quick start into a file and run it"):
        lines = re.search(
            r"## Quick start.*?```python\n(.*?)```", (ROOT / "docs/research.md").read_text("utf-8"), re.DOTALL
        )
        assert lines
        (own.folder / "quick_start.py").write_text(lines[1])
        wins = own.run("python", "quick_start.py")
        assert sum(float(number) for number in re.findall(r"\d+", wins)) > 100
    with journey.step("Copy and pickle environments"):
        (own.folder / "copies.py").write_text(COPIES)
        said = own.run("python", "copies.py")
        journey.keep(said)
        results = dict(json.loads(line) for line in said.splitlines())
        assert len(results) == 6
        assert set(results.values()) == {"goes on as the original"}, results
    with journey.step("Train an agent with the example in NumPy, and save it"):
        shutil.copy(ROOT / "examples" / "research" / "reinforce.py", own.folder)
        (own.folder / "training.py").write_text(TRAINING)
        before, after = map(float, own.run("python", "training.py").split())
        assert after > before, "it learns"
    with journey.step("Make a bot of it with `as_bot`, as the docs show, and install it"):
        (own.folder / "my_bot.py").write_text(AGENT)
        (own.folder / "pyproject.toml").write_text(
            '[project]\nname = "my_bot"\nversion = "1"\ndescription = "An agent that learned"\n'
            '[project.entry-points."sparring.bots"]\nlearned = "my_bot:learned"\n'
            '[build-system]\nrequires = ["flit_core"]\nbuild-backend = "flit_core.buildapi"\n'
        )
        own.install(".")
    with own.serving() as url, journey.step("Play against the agent in the browser"):
        page = journey.open(browser, url)
        create_table(journey, page, "Make Your Moves Lite", "learned")
        expect(page.locator("#sitting")).to_contain_text("Learned bot")
        play(journey, page, 20)
        journey.keep("\n".join(history(page)))
        assert sum("Bolt" in line for line in history(page)) > 3, "the agent plays"
        expect(page.locator("#sitting")).to_contain_text("Learned bot")  # a bot that fails is replaced by a random one
