"""Measure this working tree beside another commit and C++ written by hand, alternating, in CPU time; print a table.

python -m benchmarks.limits                            # random play and search, against the last commit
python -m benchmarks.limits --against v1.0             # against a release
python -m benchmarks.limits --kinds play --games mace  # one kind, one game

Each version runs in its own process (`rates.py`, or the C++ program). Each figure is the median of several rounds. The
ratio is the median over the rounds. "other choices" means that the versions computed something else, so that they are
not comparable.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from sparring.engine.game import games

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

#: The games with a reference playout in C++.
REFERENCES = ("make-your-moves", "world-of-fighters", "untitled-movement")

#: The last number of a measurement: matches, iterations per decision, or actions; for some games a smaller one.
AMOUNTS = {
    "play": 5000, "search": 2000, "prior": 2000, "plain": 1000, "match": 2000, "single": 5000, "pettingzoo": 5000,
}  # fmt: skip
FEWER = {"untitled-movement": 10, "mace": 4}

Result = tuple[float, int]


class Version:
    """A process that answers measurements."""

    def __init__(self, command: list[str], source: Path | None = None) -> None:
        paths = {"PYTHONPATH": str(source / "src")} if source else {}
        self.process: Any = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **paths}
        )

    def measure(self, line: str) -> Result:
        """Return a rate, work per CPU second, and a checksum of what was computed."""
        print(line, file=self.process.stdin, flush=True)
        work, seconds, checksum = json.loads(self.process.stdout.readline())
        return work / seconds, checksum

    def close(self) -> None:
        """End the process."""
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


@contextmanager
def other_tree(commit: str) -> Iterator[Path]:
    """Check out a commit into a temporary folder."""
    with TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", tree, commit], cwd=ROOT, check=True)
        try:
            yield tree
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)


def built(folder: str) -> str:
    """Compile the reference playouts and return the program."""
    program = f"{folder}/limits"
    sources = sorted(map(str, HERE.glob("*.cpp")))
    subprocess.run(["g++", "-O3", "-march=native", "-std=c++17", "-o", program, *sources], check=True)
    return program


def row(line: str, results: dict[str, list[Result]]) -> str:
    """Return a row of the table: this version's rate, then each other one's with the ratio to it."""
    this = results["this"]
    cells = [line.rpartition(" ")[0].replace(" ", " | "), f"{median(rate for rate, _ in this):,.0f}"]
    for name in ("other", "c++"):
        if name not in results:
            cells += ["", ""]
            continue
        pairs = list(zip(this, results[name], strict=True))
        ratio = median(mine / theirs for (mine, _), (theirs, _) in pairs)
        same = all(mine == theirs for (_, mine), (_, theirs) in pairs)
        cells += [
            f"{median(rate for rate, _ in results[name]):,.0f}",
            f"{ratio:.2f}" + ("" if same else ", other choices"),
        ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Run the measurements and print each as a row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", default="HEAD", metavar="COMMIT", help="the other version (default: %(default)s)")
    parser.add_argument(
        "--kinds", nargs="+", choices=AMOUNTS, default=["play", "plain", "search", "prior"], help="default: %(default)s"
    )
    whole_games = [name for name, game in games().items() if not game.template]
    parser.add_argument("--games", nargs="+", choices=games(), default=whole_games)
    parser.add_argument("--seats", type=int, help="default: the smallest number of each game")
    parser.add_argument("--rounds", type=int, default=7, help="rounds per median (default: %(default)s)")
    args = parser.parse_args()
    with ExitStack() as stack:
        python = [sys.executable, str(HERE / "rates.py")]
        tree = stack.enter_context(other_tree(args.against))
        program = built(stack.enter_context(TemporaryDirectory()))
        versions = {"this": Version(python, ROOT), "other": Version(python, tree), "c++": Version([program])}
        for version in versions.values():
            stack.callback(version.close)
        print(
            "| Kind | Game | Seats | This, per CPU s | Other | Ratio | C++ | Ratio |\n|---|---|--:|--:|--:|--:|--:|--:|"
        )
        for kind in args.kinds:
            for name in args.games:
                amount = AMOUNTS[kind] // FEWER.get(name, 1)
                line = f"{kind} {name} {games()[name].check_seats(args.seats)} {amount}"
                chosen = [each for each in versions if each != "c++" or (kind == "play" and name in REFERENCES)]
                for each in chosen:
                    versions[each].measure(line)  # compile
                results: dict[str, list[Result]] = {each: [] for each in chosen}
                for _ in range(args.rounds):
                    for each in chosen:
                        results[each].append(versions[each].measure(line))
                print(row(line, results), flush=True)


if __name__ == "__main__":
    main()
