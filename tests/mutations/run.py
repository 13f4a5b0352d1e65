"""Plant the faults listed in the TOML files here, one by one, in a copy of the project; report those no test notices.

For example, `make mutations ARGS="mace card_duel-3 --no-check"` plants those of mace and one of card_duel, without
running their tests unchanged first.
"""

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
#: The tests of `make test`; compiled rules in particular would be compiled again for every fault.
QUICK = "not (soak or browser or compiled or server or postgres)"
#: A fault that makes the tests run longer than this (seconds) counts as noticed.
TIME_LIMIT = 300
#: Not needed by tests, or large.
NOT_COPIED = (".git", ".venv*", "_build", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis")


@dataclass(frozen=True)
class Mutation:
    """A fault to plant: the text `before` in `file` becomes `after`, and one of `tests` must fail."""

    #: The name of its TOML file, and its number there.
    subject: str
    number: int
    #: What goes wrong for people.
    about: str
    file: str
    before: str
    after: str
    #: Files or node ids of pytest.
    tests: list[str]

    @property
    def name(self) -> str:
        """Return the name for the command line: `mace-3`."""
        return f"{self.subject}-{self.number}"

    def problems(self) -> Iterator[str]:
        """Yield why the fault can't be planted, if it can't."""
        path = ROOT / self.file
        count = path.read_text().count(self.before) if path.is_file() else 0
        if count != 1:
            yield f"{self.name}: {self.before!r} must occur once in {self.file}, not {count} times."
        for test in self.tests:
            if not (ROOT / test.partition("::")[0]).is_file():
                yield f"{self.name}: there is no {test}."

    @contextlib.contextmanager
    def planted(self, tree: Path, number: int) -> Iterator[None]:
        """Plant the fault in a copy of the project, and remove it afterwards."""
        path = tree / self.file
        source, time = path.read_text(), path.stat().st_mtime
        path.write_text(source.replace(self.before, self.after))
        os.utime(path, (time, time + number))  # another time for each, so that Python never uses outdated bytecode
        yield
        path.write_text(source)
        os.utime(path, (time, time))


def read_mutations() -> list[Mutation]:
    """Read the faults of all TOML files."""
    return [
        Mutation(path.stem, number, **entry)
        for path in sorted(FOLDER.glob("*.toml"))
        for number, entry in enumerate(tomllib.loads(path.read_text())["mutation"], 1)
    ]


def run_tests(tree: Path, tests: Sequence[str], time_limit: int | None) -> tuple[int | None, str]:
    """Run tests up to the first failure; return pytest's exit status, or None after the time limit, and the output."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=short", "-p", "no:cacheprovider", "-m", QUICK, *tests]
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    process = subprocess.Popen(
        command, cwd=tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = process.communicate(timeout=time_limit)
    except BaseException as problem:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        if isinstance(problem, subprocess.TimeoutExpired):
            return None, output
        raise
    return process.returncode, output


def cpu_seconds() -> float:
    """Return the CPU time of all child processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def plant_all(tree: Path, mutations: Sequence[Mutation]) -> list[str]:
    """Plant the faults one by one; return the names of those that no test noticed."""
    missed = []
    for number, mutation in enumerate(mutations, 1):
        start = cpu_seconds()
        with mutation.planted(tree, number):
            status, output = run_tests(tree, mutation.tests, TIME_LIMIT)
        result = {0: "MISSED", 1: "caught", None: "caught at the time limit"}.get(status, "BROKEN")
        seconds = f"{cpu_seconds() - start:.0f} CPU s"
        print(f"{number}/{len(mutations)} {mutation.name} {result}, {seconds}: {mutation.about}", flush=True)
        if result in ("MISSED", "BROKEN"):
            missed.append(mutation.name)
        if result == "BROKEN":  # the tests didn't run at all, for example after a syntax error
            print(output)
    return missed


def main() -> int:
    """Plant the chosen faults; return 1 if any wasn't noticed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("chosen", nargs="*", metavar="NAME", help="a subject or a fault, such as mace or mace-3")
    parser.add_argument("--no-check", action="store_true", help="don't run the tests without a fault first")
    options = parser.parse_args()
    mutations = read_mutations()
    if unknown := set(options.chosen) - {name for each in mutations for name in (each.subject, each.name)}:
        parser.error(f"there is no mutation {', '.join(sorted(unknown))}")
    mutations = [each for each in mutations if not options.chosen or {each.subject, each.name} & {*options.chosen}]
    if problems := [problem for mutation in mutations for problem in mutation.problems()]:
        parser.error("\n".join(problems))
    with tempfile.TemporaryDirectory(prefix="sparring-mutations-") as folder:
        tree = Path(folder) / "copy"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*NOT_COPIED), symlinks=True)
        if not options.no_check:
            print("Running the tests without a fault ...", flush=True)
            tests = dict.fromkeys(test for each in mutations for test in each.tests)
            status, output = run_tests(tree, list(tests), None)
            if status != 0:
                print(output, "The tests must pass without a fault first.", sep="\n")
                return 1
        missed = plant_all(tree, mutations)
    print(f"{len(mutations) - len(missed)} of {len(mutations)} caught{''.join(f', not {name}' for name in missed)}")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
