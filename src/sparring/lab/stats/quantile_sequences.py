"""Compute confidence sequences for quantiles, such as the median match length.

They need no assumption about the distribution: Howard and Ramdas, Sequential estimation of quantiles with applications
to A/B testing and best-arm identification, Bernoulli 28, 2022, equation 3.
"""

from math import log, sqrt
from typing import Any

import numpy as np


def quantile_interval(
    histogram: np.ndarray[Any, Any], quantile: float = 0.5, alpha: float = 0.05
) -> tuple[int, int, int]:
    """Return a quantile of whole numbers and its interval (value, low, high), which holds at every stopping time.

    :param histogram: How often each number from 0 occurred.
    :param quantile: The quantile, between 0 and 1; 0.5 is the median.
    :param alpha: The error probability.

    >>> quantile_interval(np.array([0, 100, 800, 100]))
    (2, 2, 2)
    """
    below = np.cumsum(histogram)
    n = int(below[-1])
    if n < 2:
        return int(np.searchsorted(below, quantile * n)), 0, len(histogram) - 1
    rate = (1.4 * log(max(log(2.1 * n), 1.0)) + log(10 / alpha)) / n
    reach = 1.5 * sqrt(quantile * (1 - quantile) * rate) + 0.8 * rate
    low, high = quantile - reach, quantile + reach
    return (
        int(np.searchsorted(below, quantile * n)),
        int(np.searchsorted(below, low * n)) if low > 0 else 0,
        int(np.searchsorted(below, high * n, side="right")) if high < 1 else len(histogram) - 1,
    )
