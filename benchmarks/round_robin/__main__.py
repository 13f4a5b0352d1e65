"""`python -m benchmarks.round_robin`: play matches at several processes and report violations."""

import argparse
import asyncio
import os
import time
from pathlib import Path

from benchmarks.databases import postgres
from benchmarks.load.server import ROOT

from . import play_matches


def main() -> None:
    """Play matches and print what was done and what went wrong; exit with 1 if anything did."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.round_robin", description=main.__doc__)
    parser.add_argument("--matches", type=int, default=100, help="default: %(default)s")
    parser.add_argument("--processes", type=int, default=3, help="default: %(default)s")
    parser.add_argument("--at-once", type=int, default=8, help="matches at a time (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="decides what people do, not when (default: %(default)s)")
    parser.add_argument("--postgres", default="", metavar="URL", help="a PostgreSQL server (default: start one)")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout whose server runs (default: this one)")
    asked = parser.parse_args()
    began, tree = time.perf_counter(), asked.tree.resolve()
    with postgres(asked.postgres) as server:
        played = play_matches(server, asked.matches, asked.processes, asked.at_once, seed=asked.seed, tree=tree)
        report = asyncio.run(played)
    print(report)
    print(f"{time.perf_counter() - began:.0f} s, load average {os.getloadavg()[0]:.1f}")
    raise SystemExit(bool(report.violations))


if __name__ == "__main__":
    main()
