"""Confidence sequences, valid at every look: coverage by simulation, and values against the formula."""

from collections.abc import Iterator

import numpy as np
import pytest

from sparring.lab.stats import MAX_BET, ConfidenceSequences, wilson

COINS = 400


def looks(chance: float, chunk: int, chunks: int) -> Iterator[np.ndarray]:
    """Return the wins of many simulated coins, chunk by chunk."""
    random = np.random.default_rng(2026)
    for _ in range(chunks):
        yield random.binomial(chunk, chance, COINS)


@pytest.mark.parametrize(("chance", "aim"), [(0.5, 0.0), (0.5, 0.02), (0.1, 0.05)])
def test_optional_stopping_keeps_95_percent_coverage(chance: float, aim: float) -> None:
    """The worst case of optional stopping: a look after each of 400 chunks, until the true share is excluded."""
    sequences = ConfidenceSequences(np.zeros(COINS), 1.0, aim=aim)
    wilsons = np.zeros(COINS, bool)
    wins = np.zeros(COINS)
    for number, won in enumerate(looks(chance, 50, 400), 1):
        sequences.add(50, won, won)
        wins += won
        ends = [wilson(coin, 50 * number) for coin in wins]
        wilsons |= [not low <= chance <= high for low, high in ends]
    low, high = sequences.interval  # the intersection of all looks: what was once excluded stays excluded
    assert ((low > chance) | (high < chance)).mean() <= 0.05
    assert wilsons.mean() > 0.25


def test_false_positives_are_at_most_5_percent() -> None:
    """Paired differences of coins, between -1 and 1; stopped as soon as one seems better."""
    random = np.random.default_rng(7)
    differences = ConfidenceSequences(np.full(COINS, -1.0), 1.0, null=0.0)
    for _ in range(200):
        won = random.binomial(1, 0.4, (2, COINS, 40))
        apart = won[0] - won[1]
        differences.add(40, apart.sum(axis=1), (apart**2).sum(axis=1))
    assert (differences.p <= 0.05).mean() <= 0.05
    low, high = differences.interval
    assert ((low <= 0) & (high >= 0)).mean() >= 0.95


def test_a_real_difference_is_found() -> None:
    sequences = ConfidenceSequences(0.0, 1.0)
    sequences.add(1000, 560, 560)
    sequences.add(9000, 5040, 5040)
    assert sequences.p < 1e-6
    assert sequences.interval[0] > 0.5


def test_a_target_width_needs_less_than_2_5_times_the_fixed_sample() -> None:
    aim = 0.02
    sequences = ConfidenceSequences(np.zeros(COINS), 1.0, aim=aim)
    reached = np.zeros(COINS)
    for number, won in enumerate(looks(0.5, 100, 100), 1):
        sequences.add(100, won, won)
        reached = np.where((reached == 0) & (sequences.half_width <= aim), 100 * number, reached)
    assert reached.all()
    assert np.median(reached) < 2.5 * 1.96**2 * 0.25 / aim**2


def test_sums_of_chunks_agree_with_the_formula() -> None:
    """Compare with theorem 2 of Waudby-Smith and Ramdas, with the same bets and running means."""
    random = np.random.default_rng(3)
    chunks = [random.integers(2, 31, size) for size in (40, 60, 100)]  # lengths between 0 and 40
    sequences = ConfidenceSequences(0.0, 40.0)
    bets: list[float] = []
    numbers: list[float] = []
    guesses: list[float] = []
    for chunk in chunks:
        bets += [float(sequences._bet()[1])] * len(chunk)
        guesses += [(0.5 + sum(numbers)) / (1 + len(numbers))] * len(chunk)
        numbers += list(chunk / 40)
        sequences.add(len(chunk), chunk.sum(), (chunk**2).sum())
        bet, x, guess = map(np.array, (bets, numbers, guesses))
        middle = (bet * x).sum() / bet.sum()
        reach = (np.log(2 / 0.05) + ((x - guess) ** 2 * (-np.log(1 - bet) - bet)).sum()) / bet.sum()
    low, high = sequences.interval
    assert (low, high) == pytest.approx((40 * (middle - reach), 40 * (middle + reach)))
    assert sequences.mean == pytest.approx(np.concatenate(chunks).mean())
    assert max(bets) <= MAX_BET


def test_without_data_the_interval_is_the_bounds() -> None:
    sequences = ConfidenceSequences([0.0, -1.0], 1.0)
    assert [end.tolist() for end in sequences.interval] == [[0.0, -1.0], [1.0, 1.0]]
    assert sequences.p.tolist() == [1.0, 1.0]


@pytest.mark.parametrize(("aim", "target"), [(0.02, 0.02), (0.02, 0.03), (0.0, 0.03)])
def test_the_number_of_values_that_an_interval_needs_is_known_early(aim: float, target: float) -> None:
    """Estimated from 500 coins, and then played: the interval is as narrow as it was to be, to 15%."""
    sequences = ConfidenceSequences(np.zeros(COINS), 1.0, aim=aim)
    wins = np.random.default_rng(11)
    sequences.add(50, first := wins.binomial(50, 1 / 3, COINS), first)
    for _ in range(9):
        sequences.add(50, won := wins.binomial(50, 1 / 3, COINS), won)
    needed = int(np.median(sequences.needed(target)))
    for _ in range(needed // 50 - 10):
        sequences.add(50, won := wins.binomial(50, 1 / 3, COINS), won)
    assert float(np.median(sequences.half_width)) == pytest.approx(target, rel=0.15)


def test_no_number_of_values_beats_half_the_aim() -> None:
    sequences = ConfidenceSequences(np.zeros(1), 1.0, aim=0.04)
    sequences.add(100, np.array([50]), np.array([50]))
    assert np.isinf(sequences.needed(0.02)).all()
    assert np.isfinite(sequences.needed(0.03)).all()
