"""High Card as a plugin game: found by its entry point, here and in the server's processes."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sparring.engine.game import games
from web.studio.set_pages import visit

__all__ = ["visit"]  # a fixture

PLAIN = str(Path(__file__).parent / "plain")


@pytest.fixture(scope="module", autouse=True)
def plain_game(toy: None) -> Iterator[None]:
    """Install it for the tests of a file."""
    sys.path.insert(0, PLAIN)
    usual = os.environ["PYTHONPATH"]
    os.environ["PYTHONPATH"] = os.pathsep.join([PLAIN, usual])
    games.cache_clear()
    yield
    os.environ["PYTHONPATH"] = usual
    sys.path.remove(PLAIN)
    games.cache_clear()
