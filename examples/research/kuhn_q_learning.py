"""Learn Kuhn poker by tabular Q-learning against random play, and compare with the exact best response.

    python kuhn_q_learning.py

Against a fixed opponent, poker is a Markov decision process over what the learner knows, so Q-learning (Watkins 1989)
converges to a best response. It needs one row of values for each observation: in Kuhn poker the card, the chips and the
seat are everything that a seat ever learns.
"""

from collections import defaultdict

import gymnasium
import numpy as np
from example_games import load_game

from sparring.lab.game_tree import GameTree, strategy_of
from sparring.research.gymnasium import register

Table = dict[bytes, np.ndarray]


def learn(env: gymnasium.Env, matches: int, seed: int = 1) -> Table:
    """Return the action values of each observation after this many matches."""
    rng = np.random.default_rng(seed)
    values: Table = defaultdict(lambda: np.zeros(env.action_space.n))
    visits: Table = defaultdict(lambda: np.zeros(env.action_space.n))
    for match in range(matches):
        observation, _ = env.reset(seed=seed if match == 0 else None)
        ended = False
        while not ended:
            key = observation["observation"].tobytes()
            legal = np.flatnonzero(observation["action_mask"])
            explore = rng.random() < 0.2
            action = rng.choice(legal) if explore else legal[values[key][legal].argmax()]
            observation, reward, ended, _, _ = env.step(action)
            target = reward
            if not ended:
                following = values[observation["observation"].tobytes()]
                target = following[observation["action_mask"] == 1].max()
            visits[key][action] += 1
            # A step size of 1/n averages all targets; a fixed one would follow the luck of the last few deals.
            values[key][action] += (target - values[key][action]) / visits[key][action]
    return values


def payoff(env: gymnasium.Env, values: Table, matches: int, seed: int = 2) -> float:
    """Return the mean payoff of the greedy policy."""
    total = 0.0
    for match in range(matches):
        observation, _ = env.reset(seed=seed if match == 0 else None)
        ended = False
        while not ended:
            legal = np.flatnonzero(observation["action_mask"])
            action = legal[values[observation["observation"].tobytes()][legal].argmax()]
            observation, reward, ended, _, _ = env.step(action)
            total += reward
    return total / matches


def best_possible() -> float:
    """Return the exact mean payoff of a best response to random play, over both seats."""
    game = load_game("kuhn_poker")
    tree = GameTree(game.setup(), game.deals(game.setup(), 2))
    strategy = strategy_of(tree, lambda view: [1 / len(view.legal)] * len(view.legal))
    return sum(tree.best_response(strategy, seat) for seat in (0, 1)) / 2


def main() -> None:
    """Learn, and print both payoffs."""
    env = gymnasium.make(register(load_game("kuhn_poker")), opponent="random")
    values = learn(env, 30_000)
    print(f"learned {payoff(env, values, 20_000):+.3f} chips per match, best possible {best_possible():+.3f}")


if __name__ == "__main__":
    main()
