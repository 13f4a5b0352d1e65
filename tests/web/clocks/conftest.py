"""A server whose time the test tells."""

from collections.abc import Iterator

import pytest

from web.clocks.watch import Watch
from web.house import House, settings


@pytest.fixture(scope="module")
def watch() -> Watch:
    return Watch()


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory, watch: Watch) -> Iterator[House]:
    """A server for all tests of this file that need no restart; time only goes on."""
    house = House(settings(tmp_path_factory.mktemp("timed"), now=watch, grace=0.0))
    yield house
    house.close()
