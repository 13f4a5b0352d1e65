"""Compute 95% intervals of shares and means."""

from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np


def wilson(wins: float, matches: float, z: float = 1.96) -> tuple[float, float]:
    """Return the Wilson score interval of a share, from 0 to 1 (Wilson 1927; 95% for z = 1.96).

    >>> tuple(round(end, 3) for end in wilson(90, 100))
    (0.826, 0.945)
    """
    if matches == 0:
        return 0.0, 1.0
    share = wins / matches
    centre = share + z * z / (2 * matches)
    half_width = z * sqrt(share * (1 - share) / matches + z * z / (4 * matches * matches))
    scale = 1 + z * z / matches
    return max(0.0, (centre - half_width) / scale), min(1.0, (centre + half_width) / scale)


def mean_and_margin(values: np.ndarray[Any, Any]) -> tuple[float, float]:
    """Return the mean of independent numbers and the half-width of its 95% interval (normal).

    For fewer than two numbers, return their sum and 0.
    """
    if len(values) < 2:
        return float(values.sum()), 0.0
    return float(values.mean()), float(1.96 * values.std(ddof=1) / sqrt(len(values)))


def corrected_z(count: int) -> float:
    """Return the normal quantile for 95% intervals that hold for `count` values together (Bonferroni).

    >>> round(corrected_z(1), 2), round(corrected_z(20), 2)
    (1.96, 3.02)
    """
    return NormalDist().inv_cdf(1 - 0.025 / max(count, 1))
