"""Collect random matches with TorchRL, through PettingZoo.

pip install ".[research]" torchrl           # in the project's folder
python torchrl_collector.py
"""

from collections.abc import Iterator

from tensordict import TensorDictBase
from torchrl.collectors import Collector
from torchrl.envs import PettingZooWrapper

from sparring.research.pettingzoo import raw_env


def collect(game: str, steps: int, batches: int) -> Iterator[TensorDictBase]:
    """Yield batches of steps; each seat is a group, with observations, masks, actions and rewards."""
    env = PettingZooWrapper(raw_env(game), use_mask=True, categorical_actions=True)
    collector = Collector(
        env, env.rand_action, frames_per_batch=steps, total_frames=steps * batches
    )  # fmt: skip
    yield from collector
    collector.shutdown()


if __name__ == "__main__":
    for batch in collect("make-your-moves", 500, 2):
        print(batch["seat_1", "observation", "observation"].shape, batch["next", "seat_1", "reward"].sum().item())
