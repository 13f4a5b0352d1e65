"""Test whether counts fit a uniform distribution."""

from collections.abc import Iterable


def are_uniform(counts: Iterable[int]) -> bool:
    """Return whether a chi-square test accepts uniformity; SciPy is imported late, as it slows collection."""
    from scipy.stats import chisquare

    return bool(chisquare(list(counts)).pvalue > 0.001)
