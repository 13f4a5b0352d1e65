"""Research environments: many matches in arrays, with hidden information, for learning and planning.

>>> from sparring.research import BatchEnv
>>> env = BatchEnv("make-your-moves", 4, seed=1)
>>> step = env.step(env.legal[:, 0])
>>> step.obs.shape, step.mask.shape
((4, 131), (4, 132))
"""

from .batch_arrays import match_seed
from .batch_env import BatchEnv, BatchStep
from .opponents import OpponentPool, as_bot, payoff_matrix

__all__ = ["BatchEnv", "BatchStep", "OpponentPool", "as_bot", "match_seed", "payoff_matrix"]
