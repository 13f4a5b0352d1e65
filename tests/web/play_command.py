"""`sparring play` in a process of its own."""

import os
from pathlib import Path

PLAY = "from sparring.cli import main; main()"


def environment(tmp_path: Path, toy_path: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": toy_path, "SPARRING_DATA": str(tmp_path), "PYTHONUNBUFFERED": "1"}
