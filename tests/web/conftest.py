"""A toy game that is found like any installed game, an application on a fresh database, and people with cookies."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sparring.engine.game import games

TOY = Path(__file__).parent / "toy"


@pytest.fixture(scope="session", autouse=True)
def toy() -> Iterator[None]:
    """The toy game Hush, installed for the time of the tests."""
    sys.path.insert(0, str(TOY))
    games.cache_clear()
    yield
    sys.path.remove(str(TOY))
    games.cache_clear()
