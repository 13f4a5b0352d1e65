"""CI gives a failed test a second try, within limits."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: Replaces make: it fails with a failed test the first time, and succeeds as often as told afterwards.
MAKE = """#!/bin/sh
echo "$@" >> calls
mkdir -p .pytest_cache/v/sparring
echo '{failed}' > .pytest_cache/v/sparring/may_run_again
test $(wc -l < calls) -gt {failures}
"""


@pytest.mark.parametrize(
    ("failed", "failures", "calls", "passed"),
    [
        ("[]", 0, ["test"], True),
        ('["a"]', 1, ["test", "test ARGS=--last-failed --numprocesses 0"], True),
        ('["a"]', 2, ["test", "test ARGS=--last-failed --numprocesses 0"], False),
        ("[]", 1, ["test"], False),
    ],
    ids=["passes", "passes at the second try", "fails twice", "has no second try"],
)
def test_a_tier_may_have_a_second_try(
    tmp_path: Path, failed: str, failures: int, calls: list[str], *, passed: bool
) -> None:
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "tier.py").write_bytes((ROOT / ".ci" / "tier.py").read_bytes())
    make = tmp_path / "make"
    make.write_text(MAKE.format(failed=failed, failures=failures), encoding="utf-8")
    make.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}

    def tier(word: str) -> "subprocess.CompletedProcess[str]":
        words = [sys.executable, ".ci/tier.py", word]
        return subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    assert (tier("test").returncode == 0) == passed
    assert (tmp_path / "calls").read_text().splitlines() == calls
    assert ("mend these tests" in tier("--second-tries").stdout) == (len(calls) == 2)


def test_few_tests_are_known_to_be_flaky_and_each_has_a_date() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    part = re.search(r"### Known flaky tests\n\n(.*?)\n\n#", page, re.DOTALL)
    assert part
    tests = [line for line in part[1].splitlines() if line.startswith("* ")]
    assert len(tests) <= 5
    assert all(re.search(r"20\d\d-\d\d-\d\d", test) for test in tests)
    assert tests or part[1] == "None."
