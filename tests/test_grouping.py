"""Tests of one file or game run in one process, which shares servers, browsers and compiled rules."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.server  # starts two processes that collect tests

ROOT = Path(__file__).parents[1]


def test_tests_of_a_file_run_in_one_process() -> None:
    files = ["tests/engine/test_features.py", "tests/engine/test_hexes.py"]
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-v",
        "-p",
        "no:cacheprovider",
        "--numprocesses",
        "2",
        "--dist",
        "loadgroup",
    ]
    outer = {name: value for name, value in os.environ.items() if name != "PYTEST_XDIST_WORKER"}
    done = subprocess.run(
        [*words, "--no-loadscope-reorder", *files],
        cwd=ROOT, env={**outer, "PYTEST_ADDOPTS": ""}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    # Without the group, which `--last-failed` wouldn't find.
    ran = set(re.findall(r"\[(gw\d)\].* PASSED (\S+?)::[^@]+?\n", done.stdout))
    assert sorted(file for _, file in ran) == sorted(files), done.stdout
