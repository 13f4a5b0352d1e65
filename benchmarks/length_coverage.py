"""Measure how often the confidence sequences of match lengths contain the true mean and median at all times.

    python -m benchmarks.length_coverage --repetitions 2000 --longest 2000

For each game, a pool of matches between bots is the population, so its mean and median are known. Each repetition draws
matches from the pool with replacement and checks the interval at every match from the first look up to `--longest`. It
counts as covered only if the interval contains the true value every time. `difference` is the paired difference of two
independent draws, whose mean is 0; it counts as covered if p stays above 0.05.
"""

import argparse

import numpy as np

from sparring.engine.game import games
from sparring.lab.measures import columns, measure
from sparring.lab.measures.match_plan import MatchPlan, line_up
from sparring.lab.stats import FIRST_LOOK, AsymptoticSequences, quantile_interval

#: How many repetitions run together, which limits memory.
TOGETHER = 2000


def pool_of(name: str, bot: str, matches: int, unit: str) -> np.ndarray:
    """Return the lengths of `matches` matches of a game."""
    game = games()[name]
    plan = MatchPlan(game, {}, None, line_up(game, [bot], None), 0)
    place = [column.name for column in columns(plan)].index(f"length/{unit}")
    return measure(plan, 0, matches).rows[:, place]


def mean_coverage(pool: np.ndarray, repetitions: int, longest: int, random: np.random.Generator) -> tuple[float, float]:
    """Return the shares of repetitions whose means, and whose differences, are covered at all times."""
    covered = apart = 0
    for start in range(0, repetitions, TOGETHER):
        count = min(TOGETHER, repetitions - start)
        means, differences = (AsymptoticSequences((count,)) for _ in range(2))
        good, level = np.ones(count, bool), np.ones(count, bool)
        for n in range(1, longest + 1):
            drawn, other = random.choice(pool, (2, count)).astype(float)
            means.add(1, drawn, drawn**2)
            differences.add(1, drawn - other, (drawn - other) ** 2)
            if n >= FIRST_LOOK:
                low, high = means.interval
                good &= (low <= pool.mean()) & (pool.mean() <= high)
                level &= differences.p > 0.05
        covered, apart = covered + int(good.sum()), apart + int(level.sum())
    return covered / repetitions, apart / repetitions


def median_coverage(pool: np.ndarray, repetitions: int, longest: int, random: np.random.Generator) -> float:
    """Return the share of repetitions whose medians are covered at every tenth match."""
    true, _, _ = quantile_interval(np.bincount(pool))
    covered = 0
    for _ in range(repetitions):
        drawn = random.choice(pool, longest)
        histogram = np.zeros(int(pool.max()) + 1, np.int64)
        good = True
        for start in range(0, longest, 10):
            histogram += np.bincount(drawn[start : start + 10], minlength=len(histogram))
            _, low, high = quantile_interval(histogram)
            good = good and low <= true <= high
        covered += good
    return covered / repetitions


def main() -> None:
    """Print a table with one row per game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=[name for name in games() if name != "high-card"])
    parser.add_argument("--bot", default="random")
    parser.add_argument("--unit", default="choices")
    parser.add_argument("--pool", type=int, default=20_000)
    parser.add_argument("--repetitions", type=int, default=2000)
    parser.add_argument("--longest", type=int, default=2000)
    given = parser.parse_args()
    print("| game | mean | skewness | mean covered | difference covered | median covered |")
    print("|---|---:|---:|---:|---:|---:|")
    for name in given.games:
        random = np.random.default_rng(1)
        pool = pool_of(name, given.bot, given.pool, given.unit)
        skewness = float((((pool - pool.mean()) / pool.std()) ** 3).mean())
        mean, difference = mean_coverage(pool, given.repetitions, given.longest, random)
        median = median_coverage(pool, min(given.repetitions, 500), given.longest, random)
        row = f"{pool.mean():.1f}", f"{skewness:.1f}", *(f"{share:.1%}" for share in (mean, difference, median))
        print(f"| {name} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
