"""Benchmark the cost of counters, the speed-up by workers, and the memory of long runs (medians of alternating runs).

python -m benchmarks.scaling                     # some minutes on an otherwise idle machine
python -m benchmarks.scaling --memory 100000000  # memory for this many matches of Five Circles
"""

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import Any

import numpy as np

from sparring.engine.compilation.drivers import playouts
from sparring.engine.compilation.machine_code import blank_pair, compiled
from sparring.engine.game import Game, games
from sparring.engine.game import game as find_game
from sparring.lab.measures import measure
from sparring.lab.measures.match_plan import MatchPlan, line_up
from sparring.lab.simulate import simulate

#: The rounds of alternating measurements, and the choices per measurement.
ROUNDS, CHOICES = 7, 1_000_000

#: The game with the shortest matches, in which distribution costs most.
SHORT_GAME = "five-circles"

#: The interval between memory samples (seconds).
SAMPLE_SECONDS = 0.2


def alternate(measurements: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Run the measurements alternately for a number of rounds; return the values by name."""
    results: dict[str, list[float]] = {name: [] for name in measurements}
    for _ in range(rounds):
        for name, run in measurements.items():
            results[name].append(run())
    return results


def counting_speed(game: Game, seats: int, rounds: int = ROUNDS, choices: int = CHOICES) -> float:
    """Return the speed of random play with counters as a share of its bare speed (CPU time)."""
    plan, pair = MatchPlan(game, {}, None, line_up(game, ["random"], seats), 0), blank_pair(game)
    bare, params, out = compiled(game, playouts), plan.setup.params, np.zeros(len(game.rules.ACTIONS), np.int16)
    measure(plan, 0, 1)
    matches = max(1, choices * 20 // int(bare(params, pair, out, 0, seats, 20)))

    def timed(run: Callable[[], Any]) -> float:
        start = time.process_time()
        run()
        return time.process_time() - start

    results = alternate(
        {
            "bare": lambda: timed(lambda: bare(params, pair, out, 0, seats, matches)),
            "counted": lambda: timed(lambda: measure(plan, 0, matches)),
        },
        rounds,
    )
    return median(one / other for one, other in zip(results["bare"], results["counted"], strict=True))


def speeds(game: Game, matches: int, rounds: int, cluster: str | None) -> dict[str, list[float]]:
    """Return matches per second (wall-clock time without start-up) of one worker, two workers and a cluster."""

    def speed_of(**where: Any) -> Callable[[], float]:
        return lambda: matches / simulate(game, matches, **where).seconds

    measurements = {"one worker": speed_of(workers=1), "two workers": speed_of(workers=2)}
    return alternate(measurements | ({"a cluster of two": speed_of(cluster=cluster)} if cluster else {}), rounds)


@contextmanager
def two_dask_workers() -> Iterator[str]:
    """Start a local Dask cluster of two processes and yield its address."""
    import distributed

    make: Any = distributed.LocalCluster
    with make(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


def resident_memory() -> int:
    """Return the resident memory of this process (kB)."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def peak_memory(run: Callable[[], Any]) -> int:
    """Return the peak resident memory of this process during `run` (kB)."""
    over, samples = Event(), [resident_memory()]

    def sample() -> None:
        while not over.wait(SAMPLE_SECONDS):
            samples.append(resident_memory())

    sampler = Thread(target=sample, daemon=True)
    sampler.start()
    run()
    over.set()
    sampler.join()
    return max(*samples, resident_memory())


def main(words: Sequence[str] | None = None) -> None:
    """Run the benchmarks and print each result."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--memory", type=int, metavar="MATCHES", help="only measure the memory of this many matches")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds per median (default %(default)s)")
    parser.add_argument("--matches", type=int, default=8_000_000, help="matches per round (default %(default)s)")
    parser.add_argument("--games", nargs="*", help="games to measure counters with (default: all)")
    args = parser.parse_args(words)
    short = find_game(SHORT_GAME)
    if args.memory:
        start = time.monotonic()
        peak = peak_memory(lambda: simulate(short, args.memory, workers=2))
        seconds = time.monotonic() - start
        print(f"{args.memory:,} matches: {seconds:.0f} s, peak memory of this process {peak / 1024:.0f} MB")
        return
    for name in args.games if args.games is not None else games():
        game = find_game(name)
        for seats in sorted({game.seats[0], game.seats[-1]}):
            print(
                f"{game.title}, {seats} seats: "
                f"with counters {counting_speed(game, seats, args.rounds):.2f} times the speed without",
                flush=True,
            )
    with two_dask_workers() as cluster:
        results = speeds(short, args.matches, args.rounds, cluster)
    for name, speeds_found in results.items():
        ratio = median(one / other for one, other in zip(speeds_found, results["one worker"], strict=True))
        print(f"{name}: {median(speeds_found):,.0f} matches per second, {ratio:.2f} times one worker")


if __name__ == "__main__":
    main()
