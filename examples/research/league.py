"""Train a policy against a league of bots and snapshots of itself, and compare all of them.

    pip install .                               # in the project's folder
    python league.py

The function `learned` is what the entry point `sparring.bots` of a package names, so that the policy plays at tables in
the browser (docs/learning.md, "A trained policy at a table").
"""

import numpy as np

from sparring.research import OpponentPool, as_bot, payoff_matrix
from sparring.research.gymnasium import LearnerBatch
from sparring.research.opponents import PolicyBot

GAME, FILE = "make-your-moves", "league.npy"
Observation = dict[str, np.ndarray]


class Linear:
    """A policy that scores actions by a matrix, and takes the best one."""

    def __init__(self, weights: np.ndarray) -> None:
        self.weights = weights

    def __call__(self, seen: Observation) -> np.ndarray:
        """Return the legal actions with the highest scores."""
        return np.where(seen["action_mask"], seen["observation"] @ self.weights, -np.inf).argmax(axis=1)


def play(batch: LearnerBatch, weights: np.ndarray, seed: int) -> np.ndarray:
    """Play a match in each environment; return the learner's payoffs."""
    batch.reset(seed)
    while not (over := batch.env.over).all():
        batch.step(Linear(weights)(batch.observation()), ~over)
    return batch.rewards


def learn(game: str, rounds: int, envs: int = 256) -> OpponentPool:
    """Return a league: `random` and a snapshot after each round, in which a better random change of weights counts."""
    league, rng = OpponentPool(["random"]), np.random.default_rng(1)
    batch = LearnerBatch(game, envs, league, None)
    weights = np.zeros((batch.env.num_features, batch.env.num_actions))
    for number in range(rounds):
        tried = [weights, *(weights + rng.normal(size=weights.shape) for _ in range(4))]
        weights = max(tried, key=lambda each: play(batch, each, number).mean())
        league.add(Linear(weights))
    return league


def learned() -> PolicyBot:
    """Return the policy that was saved, as a bot."""
    return as_bot(Linear(np.load(FILE)))


if __name__ == "__main__":
    found = learn(GAME, 6)
    np.save(FILE, found.players[-1].weights)
    print(payoff_matrix(GAME, [found.players[0], found.players[1], found.players[-1]], matches=400).round(2))
