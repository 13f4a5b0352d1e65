"""Say about how many matches would answer a question for which there are too few, and how long they take."""

import math
from collections.abc import Sequence

from sparring.lab.experiments.comparison import Comparison


def would_tell(comparison: Comparison, needed: float, what: str = "would tell") -> str:
    """Return a sentence that says how many matches `what`, or nothing if the estimate is not a number of matches.

    `needed` is the total number of matches, fixed in advance; the time is that of this run for as many.
    """
    if not 0 < needed < math.inf:
        return ""
    total = round_up(needed)
    each = " with each variant" if len(comparison.variants) > 1 else ""
    duration = duration_text(comparison.seconds / comparison.matches * total)
    number = f"About {total:,} matches{each}, fixed in advance (--matches {total}),"
    return f"{number} {what}; they take about {duration} at the speed of this run."


def round_up(number: float) -> int:
    """Round a number up to two significant digits, since it is an estimate.

    >>> round_up(2134.2), round_up(7.2)
    (2200, 8)
    """
    unit = int(10 ** max(math.floor(math.log10(number)) - 1, 0))
    return math.ceil(number / unit) * unit


def duration_text(seconds: float) -> str:
    """Format a duration.

    >>> duration_text(24), duration_text(520), duration_text(9000)
    ('24 seconds', '9 minutes', '2.5 hours')
    """
    if seconds < 90:
        return f"{max(round(seconds), 1)} second{'s' if round(seconds) > 1 else ''}"
    return f"{seconds / 60:.0f} minutes" if seconds < 90 * 60 else f"{seconds / 3600:.1f} hours"


def matches_for_width(matches: int, half_width: float, target: float) -> float:
    """Estimate how many matches narrow an interval to a half-width: it shrinks with the square root of the count."""
    return matches * (half_width / target) ** 2


def most_of(needed: Sequence[float]) -> float:
    """Return the number of matches that is enough for three quarters of these."""
    return sorted(needed)[math.ceil(0.75 * len(needed)) - 1]
