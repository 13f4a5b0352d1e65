import pytest

from sparring.lab import wilson


@pytest.mark.parametrize(("wins", "matches"), [(0, 7), (3, 7), (90, 100), (500, 1000), (12, 12)])
def test_the_interval_is_wilsons(wins: int, matches: int) -> None:
    from scipy.stats import binomtest  # imported here because collecting all tests would load it

    expected = binomtest(wins, matches).proportion_ci(method="wilson")
    assert wilson(wins, matches) == pytest.approx((expected.low, expected.high), abs=1e-4)


def test_without_matches_the_interval_is_0_to_1() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
