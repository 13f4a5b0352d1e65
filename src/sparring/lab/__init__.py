"""The lab: many matches at once, and what they tell."""

from .comparing import compare
from .comparison import Comparison
from .simulate import SimulationSummary, simulate
from .statistics import wilson

__all__ = ["Comparison", "SimulationSummary", "compare", "simulate", "wilson"]
