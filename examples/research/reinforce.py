"""Learn a game by REINFORCE against random play, in NumPy alone.

    python reinforce.py world-of-fighters

The policy is a softmax over linear scores of the observation: the smallest policy gradient that learns (Williams 1992).
It needs nothing but Sparring and shows what `BatchEnv` gives; `ppo.py` is what you would use.
"""

import argparse

import numpy as np

from sparring.engine.game import Game
from sparring.research import BatchEnv


def probabilities(weights: np.ndarray, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the probability of each action; illegal ones get none."""
    scores = np.where(mask, obs @ weights, -np.inf)
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


def play(env: BatchEnv, weights: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Play a match in each environment, the learner on seat 1 in the first, seat 2 in the second, and so on.

    Return the gradient of the log-probability of the learner's actions, shape (envs, *weights.shape), and its payoffs.
    """
    env.reset()
    rows, seats = np.arange(env.num_envs), np.arange(env.num_envs) % env.seats
    gradients, payoff = np.zeros((env.num_envs, *weights.shape)), np.zeros(env.num_envs)
    while not env.over.all():
        mine = np.flatnonzero(~env.over & (env.player == seats))
        others = ~env.over & (env.player != seats)
        if len(mine):
            obs = np.hstack([env.obs[mine], np.ones((len(mine), 1))])  # and a bias
            chances = probabilities(weights, obs, env.mask[mine])
            actions = np.zeros(env.num_envs, int)
            actions[mine] = (chances.cumsum(axis=1) > rng.random((len(mine), 1))).argmax(axis=1)
            direction = -chances
            direction[np.arange(len(mine)), actions[mine]] += 1
            gradients[mine] += obs[:, :, None] * direction[:, None, :]
            where = np.isin(rows, mine)
            payoff += np.where(where, env.step(actions, where).rewards[rows, seats], 0)
        if others.any():
            payoff += np.where(others, env.step_random(where=others).rewards[rows, seats], 0)
    return gradients, payoff


def learn(
    game: str | Game, updates: int, envs: int = 64, rate: float = 0.1, seed: int = 1
) -> tuple[np.ndarray, list[float]]:
    """Return the weights, and the learner's mean payoff in each update."""
    env, rng = BatchEnv(game, envs, seed=seed, autoreset="disabled"), np.random.default_rng(seed)
    weights, payoffs = np.zeros((env.num_features + 1, env.num_actions)), []
    for _ in range(updates):
        gradients, payoff = play(env, weights, rng)
        # Less the mean payoff: what counts is whether a match went better than usual.
        weights += rate * np.tensordot(payoff - payoff.mean(), gradients, 1) / envs
        payoffs.append(float(payoff.mean()))
    return weights, payoffs


def main() -> None:
    """Learn, and print the learning curve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="world-of-fighters")
    parser.add_argument("--updates", type=int, default=200)
    chosen = parser.parse_args()
    _, payoffs = learn(chosen.game, chosen.updates)
    for first in range(0, len(payoffs), 20):
        print(f"updates {first + 1:4} to {first + 20:4}: {np.mean(payoffs[first : first + 20]):+.3f} per match")


if __name__ == "__main__":
    main()
