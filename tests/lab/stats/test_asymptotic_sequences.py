"""Asymptotic confidence sequences of unbounded means, and confidence sequences of quantiles."""

import numpy as np

from sparring.lab.stats import FIRST_LOOK, AsymptoticSequences, quantile_interval

#: Repetitions in each test, and the matches of one repetition.
REPETITIONS, LONGEST = 2000, 1500


def test_the_mean_of_skewed_lengths_is_covered_at_all_times() -> None:
    random = np.random.default_rng(1)
    lengths = 3 + np.floor(random.exponential(20, (LONGEST, REPETITIONS)))
    mean = 3 + 1 / np.expm1(1 / 20)
    sequences, covered = AsymptoticSequences((REPETITIONS,)), np.ones(REPETITIONS, bool)
    for n, drawn in enumerate(lengths, 1):
        sequences.add(1, drawn, drawn**2)
        if n >= FIRST_LOOK:
            low, high = sequences.interval
            covered &= (low <= mean) & (mean <= high)
    assert covered.mean() >= 0.95


def test_a_missing_difference_of_lengths_is_rarely_called_real_at_any_time() -> None:
    random = np.random.default_rng(2)
    apart = np.subtract(*random.geometric(0.05, (2, LONGEST, REPETITIONS)).astype(float))
    sequences, found = AsymptoticSequences((REPETITIONS,)), np.zeros(REPETITIONS, bool)
    for drawn in apart:
        sequences.add(1, drawn, drawn**2)
        found |= sequences.p <= 0.05
    assert found.mean() <= 0.05


def test_the_width_depends_on_the_spread_and_is_at_most_twice_that_of_an_ordinary_interval() -> None:
    random = np.random.default_rng(3)
    for count in (FIRST_LOOK, 500, 100_000):
        values = 10_000 + 5 * random.standard_normal((1, count))
        sequences = AsymptoticSequences((1,))
        sequences.add(count, values.sum(axis=1), (values**2).sum(axis=1))
        ordinary = 1.96 * values.std(ddof=1) / np.sqrt(count)
        assert 1.5 * ordinary < sequences.half_width[0] < 2.05 * ordinary


def test_there_is_no_interval_before_the_first_look() -> None:
    sequences = AsymptoticSequences((1,))
    sequences.add(FIRST_LOOK - 1, np.array([990.0]), np.array([9900.0]))
    assert sequences.half_width.tolist() == [np.inf]
    assert sequences.p.tolist() == [1]
    sequences.add(1, np.array([10.0]), np.array([100.0]))
    low, high = sequences.interval
    assert low[0] < 10 < high[0]


def test_a_median_is_covered_at_all_times() -> None:
    random = np.random.default_rng(4)
    covered = 0
    for _ in range(200):
        lengths = random.geometric(0.05, LONGEST)
        histogram, good = np.zeros(lengths.max() + 1, np.int64), True
        for start in range(0, LONGEST, 20):
            histogram += np.bincount(lengths[start : start + 20], minlength=len(histogram))
            _, low, high = quantile_interval(histogram)
            good = good and low <= 14 <= high  # 0.95**14 = 0.488
        covered += good
    assert covered >= 190


def test_a_median_narrows_with_more_matches() -> None:
    histogram = np.bincount(np.random.default_rng(5).poisson(30, 10_000))
    value, low, high = quantile_interval(histogram)
    assert low <= value <= high
    assert high - low <= 2


def test_a_mean_of_zero_is_measured_to_an_absolute_precision() -> None:
    """Nothing is relative to 0: without this, an experiment would never be precise."""
    sequences = AsymptoticSequences((2,), aim=np.array([0.05, 0.0]))
    sequences.add(1000, np.zeros(2), np.zeros(2))
    assert sequences.aim.tolist() == [0.05, 0.0]
    assert sequences.half_width[0] < 0.05


def test_the_number_of_values_that_an_interval_needs_is_known_before_the_first_look() -> None:
    random = np.random.default_rng(4)
    drawn = random.exponential(20, (40, REPETITIONS))
    sequences = AsymptoticSequences((REPETITIONS,))
    sequences.add(40, drawn.sum(axis=0), (drawn**2).sum(axis=0))
    needed = int(np.median(sequences.needed(1.0)))
    rest = random.exponential(20, (needed - 40, REPETITIONS))
    sequences.add(needed - 40, rest.sum(axis=0), (rest**2).sum(axis=0))
    assert 0.9 < float(np.median(sequences.half_width)) < 1.15
