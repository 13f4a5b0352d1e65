"""The lab: many matches at once, and what they tell."""

from .simulate import Summary, simulate
from .statistics import wilson

__all__ = ["Summary", "simulate", "wilson"]
