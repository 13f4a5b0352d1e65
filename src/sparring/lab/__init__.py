"""The lab: simulate many matches, compare variants, tune values and rate bots."""

from .experiments.comparison import Comparison
from .experiments.runner import compare
from .simulate import SimulationSummary, simulate
from .stats import wilson

__all__ = ["Comparison", "SimulationSummary", "compare", "simulate", "wilson"]
