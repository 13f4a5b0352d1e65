"""How sure a number from many matches is."""

from math import sqrt


def wilson(wins: float, matches: int, z: float = 1.96) -> tuple[float, float]:
    """Where the true share of wins lies, with 95% certainty for z = 1.96 (Wilson 1927): lower and upper end, 0 to 1.

    >>> tuple(round(end, 3) for end in wilson(90, 100))
    (0.826, 0.945)
    """
    if matches == 0:
        return 0.0, 1.0
    share = wins / matches
    middle = share + z * z / (2 * matches)
    reach = z * sqrt(share * (1 - share) / matches + z * z / (4 * matches * matches))
    scale = 1 + z * z / matches
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)
