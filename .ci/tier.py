"""Run a tier of tests as `make test` or `make test-slow` does; what failed is run once more, alone.

Only what fails twice fails the run. `tests/conftest.py` decides what may have a second try; `--second-tries` names the
tests that needed one.
"""

import json
import subprocess
import sys
from pathlib import Path

CACHE = Path(__file__).parents[1] / ".pytest_cache"
#: Written by `tests/conftest.py`: the tests that failed, if they may run again.
MAY_RUN_AGAIN = CACHE / "v" / "sparring" / "may_run_again"
SECOND_TRIES = CACHE / "second_tries"


def run(tier: str) -> int:
    """Run a tier, and return the exit status."""
    MAY_RUN_AGAIN.unlink(missing_ok=True)
    status = subprocess.run(["make", tier], check=False).returncode
    failed = json.loads(MAY_RUN_AGAIN.read_text(encoding="utf-8")) if MAY_RUN_AGAIN.exists() else []
    if not status or not failed:
        return status
    print("A second try, alone:", *failed, sep="\n  ", flush=True)
    with SECOND_TRIES.open("a", encoding="utf-8") as file:
        file.writelines(f"{test}\n" for test in failed)
    return subprocess.run(["make", tier, "ARGS=--last-failed --numprocesses 0"], check=False).returncode


def report() -> None:
    """Name the tests that needed a second try."""
    tries = SECOND_TRIES.read_text(encoding="utf-8").split("\n") if SECOND_TRIES.exists() else []
    print("Second tries (mend these tests, or list them in CONTRIBUTING.md):" if tries else "No second tries.", *tries)


if __name__ == "__main__":
    if sys.argv[1] == "--second-tries":
        report()
    else:
        sys.exit(run(sys.argv[1]))
