"""The lab: many matches at once, and what they tell."""

from .comparing import Comparison, compare
from .simulate import Summary, simulate
from .statistics import wilson

__all__ = ["Comparison", "Summary", "compare", "simulate", "wilson"]
