"""What counting costs, what more workers bring, and how much memory many matches take: A and B in turns, medians.

python -m sparring.lab.benchmarks.scaling                     # some minutes; the machine should do nothing else
python -m sparring.lab.benchmarks.scaling --memory 100000000  # so many matches of Five Circles on two workers
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
from sparring.lab.experiments.match_plan import MatchPlan, line_up
from sparring.lab.measures import measure
from sparring.lab.simulate import simulate

#: How often A and B are measured, and of how many choices.
ROUNDS, CHOICES = 7, 1_000_000

#: The game whose matches are shortest: with it handing out costs most.
SHORT = "five-circles"

#: How often one looks how much memory there is (seconds).
GLANCE = 0.2


def in_turns(these: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """What each of these measures, one after the other, so many times."""
    found: dict[str, list[float]] = {name: [] for name in these}
    for _ in range(rounds):
        for name, run in these.items():
            found[name].append(run())
    return found


def kept(game: Game, seats: int, rounds: int = ROUNDS, choices: int = CHOICES) -> float:
    """The share of its speed (in CPU time) that random play keeps when everything is counted."""
    plan, pair = MatchPlan(game, {}, None, line_up(game, ["random"], seats), 0), blank_pair(game)
    bare, kit, out = compiled(game, playouts), plan.box.kit, np.zeros(len(game.rules.ACTIONS), np.int16)
    measure(plan, 0, 1)
    matches = max(1, choices * 20 // int(bare(kit, pair, out, 0, seats, 20)))

    def timed(run: Callable[[], Any]) -> float:
        start = time.process_time()
        run()
        return time.process_time() - start

    found = in_turns(
        {
            "bare": lambda: timed(lambda: bare(kit, pair, out, 0, seats, matches)),
            "counted": lambda: timed(lambda: measure(plan, 0, matches)),
        },
        rounds,
    )
    return median(one / other for one, other in zip(found["bare"], found["counted"], strict=True))


def speeds(game: Game, matches: int, rounds: int, cluster: str | None) -> dict[str, list[float]]:
    """Matches a second by the clock on the wall, of one worker, two, and a cluster; without what starting takes."""

    def of(**where: Any) -> Callable[[], float]:
        return lambda: matches / simulate(game, matches, **where).seconds

    these = {"one worker": of(workers=1), "two workers": of(workers=2)}
    return in_turns(these | ({"a cluster of two": of(cluster=cluster)} if cluster else {}), rounds)


@contextmanager
def two_dask_workers() -> Iterator[str]:
    """The address of a Dask cluster of two processes here."""
    import distributed

    make: Any = distributed.LocalCluster
    with make(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


def resident() -> int:
    """How much memory this process has (kB)."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def most_memory(run: Callable[[], Any]) -> int:
    """The most memory that this process had while something ran (kB)."""
    over, seen = Event(), [resident()]

    def watch() -> None:
        while not over.wait(GLANCE):
            seen.append(resident())

    watching = Thread(target=watch, daemon=True)
    watching.start()
    run()
    over.set()
    watching.join()
    return max(*seen, resident())


def main(words: Sequence[str] | None = None) -> None:
    """Print it all, as it gets known."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--memory", type=int, metavar="MATCHES", help="only the memory that so many matches take")
    asked.add_argument("--rounds", type=int, default=ROUNDS, help="medians of so many")
    asked.add_argument("--matches", type=int, default=8_000_000, help="in each round, of one worker and of two")
    asked.add_argument("--games", nargs="*", help="whose counting is measured; usually all")
    wanted = asked.parse_args(words)
    short = find_game(SHORT)
    if wanted.memory:
        start = time.monotonic()
        most = most_memory(lambda: simulate(short, wanted.memory, workers=2))
        seconds = time.monotonic() - start
        print(f"{wanted.memory:,} matches: {seconds:.0f} s, this process had {most / 1024:.0f} MB at most")
        return
    for name in wanted.games if wanted.games is not None else games():
        game = find_game(name)
        for seats in sorted({game.seats[0], game.seats[-1]}):
            print(
                f"{game.title}, {seats} seats: counted at {kept(game, seats, wanted.rounds):.2f} of bare speed",
                flush=True,
            )
    with two_dask_workers() as cluster:
        found = speeds(short, wanted.matches, wanted.rounds, cluster)
    for name, each in found.items():
        times = median(one / other for one, other in zip(each, found["one worker"], strict=True))
        print(f"{name}: {median(each):,.0f} matches a second, {times:.2f} times one")


if __name__ == "__main__":
    main()
