"""Play matches between policies through PettingZoo.

    pip install ".[research]"          # in the project's folder
    python pettingzoo_match.py mace

Each seat is an agent. A policy is a function from an agent's observation to an action; here, one that plays at random
and one that takes the first legal action.
"""

import sys
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from sparring.research.pettingzoo import env as new_env

Policy = Callable[[Mapping[str, np.ndarray]], int]


def random_policy(seed: int) -> Policy:
    """Return a policy that plays at random."""
    rng = np.random.default_rng(seed)
    return lambda observation: int(rng.choice(np.flatnonzero(observation["action_mask"])))


def first_policy(observation: Mapping[str, np.ndarray]) -> int:
    """Return the first legal action."""
    return int(observation["action_mask"].argmax())


def play(game: str, policies: Sequence[Policy], matches: int, seed: int = 1) -> np.ndarray:
    """Return the mean payoff of each policy; they change seats from match to match."""
    env, totals = new_env(game, seats=len(policies)), np.zeros(len(policies))
    for match in range(matches):
        env.reset(seed=seed + match)
        sits = {agent: (seat + match) % len(policies) for seat, agent in enumerate(env.possible_agents)}
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            totals[sits[agent]] += reward
            env.step(None if terminated or truncated else policies[sits[agent]](observation))
    return totals / matches


def main() -> None:
    """Print the result of a hundred matches."""
    game = sys.argv[1] if len(sys.argv) > 1 else "make-your-moves"
    first, second = play(game, [random_policy(1), first_policy], 100)
    print(f"{game}: random {first:+.2f}, first legal action {second:+.2f} per match")


if __name__ == "__main__":
    main()
