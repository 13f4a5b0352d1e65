"""Let OpenSpiel's DQN and NFSP learn by plain SGD in our games, and look at their losses.

pip install ".[openspiel]" torch dm-tree    # in the project's folder
python openspiel_agents.py
"""

from typing import Any

from open_spiel.python import rl_agent, rl_environment
from open_spiel.python.pytorch.dqn import DQN
from open_spiel.python.pytorch.nfsp import NFSP

from sparring.research.openspiel import register


def new_agents(kind: str, env: rl_environment.Environment) -> list[rl_agent.AbstractAgent]:
    """Return an agent for each seat, which learns by stochastic gradient descent."""
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    common: dict[str, Any] = {"batch_size": 32, "min_buffer_size_to_learn": 100, "optimizer_str": "sgd"}
    if kind == "DQN":
        return [DQN(player, size, actions, [64], **common) for player in range(env.num_players)]
    return [NFSP(player, size, actions, [64], 2000, 0.1, **common) for player in range(env.num_players)]


def losses(kind: str, game: str, matches: int) -> list[float]:
    """Let agents play matches against each other; return their losses after each match in which they learned."""
    env = rl_environment.Environment(register(game, f"agents-{game}", deals=100))
    agents, found = new_agents(kind, env), list[float]()
    for _ in range(matches):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
            last = agent.loss if kind == "DQN" else agent.loss[1]
            found += [] if last is None else [float(last)]
    return found


if __name__ == "__main__":
    for kind, game in (("DQN", "world-of-fighters"), ("NFSP", "make-your-moves")):
        print(f"{kind} in {game}: last losses {[round(loss, 4) for loss in losses(kind, game, 100)[-3:]]}")
