"""Train MaskablePPO of sb3-contrib against a random bot, on environments in processes.

pip install ".[research]" sb3-contrib       # in the project's folder
python sb3_masked_ppo.py
"""

from functools import partial

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv

from sparring.research.gymnasium import SparringEnv
from sparring.research.stable_baselines import SparringVecEnv


def train(game: str, actions: int, processes: int = 2) -> MaskablePPO:
    """Return a model that has learned from this many actions; each process runs an environment."""
    envs = make_vec_env(partial(SparringEnv, game), processes, seed=1, vec_env_cls=SubprocVecEnv)
    model = MaskablePPO("MultiInputPolicy", envs, n_steps=256, batch_size=256, seed=1)
    model.learn(actions)
    envs.close()
    return model


def payoff(model: MaskablePPO, game: str, steps: int = 200) -> float:
    """Return the model's mean payoff against the random bot, in 64 environments of one batch."""
    envs, ended = SparringVecEnv(game, 64), list[float]()
    observation = envs.reset()
    for _ in range(steps):
        actions, _ = model.predict(observation, action_masks=envs.action_masks())
        observation, rewards, done, _ = envs.step(actions)
        ended += rewards[done].tolist()
    return float(np.mean(ended))


if __name__ == "__main__":
    print(f"Mean payoff against random play: {payoff(train('make-your-moves', 10_000), 'make-your-moves'):.2f}")
