"""Whether counts are what even chances lead to."""

from collections.abc import Iterable


def are_even(counts: Iterable[int]) -> bool:
    """SciPy is read only where it is asked: it takes a tenth of the time in which all tests are found."""
    from scipy.stats import chisquare

    return bool(chisquare(list(counts)).pvalue > 0.001)
