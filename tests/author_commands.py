"""Run commands in a new process, as the authors of games and bots do."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def run(place: Path, *words: str, typed: str = "") -> str:
    """Return the output of a command (`sparring ...` or a Python module) with the game installed."""
    command = (
        [str(Path(sys.executable).parent / words[0])] if words[0] == "sparring" else [sys.executable, "-m", words[0]]
    )
    done = subprocess.run(
        [*command, *words[1:]], input=typed, capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "PYTHONPATH": str(place), "PYTHONWARNINGS": "error"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout
