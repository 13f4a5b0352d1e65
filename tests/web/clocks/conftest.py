"""A server whose clock the test controls."""

from collections.abc import Iterator

import pytest

from web.app_server import AppServer, StartServer, settings
from web.clocks.fake_clock import FakeClock


@pytest.fixture(scope="module")
def fake_clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def restartable(start_server: StartServer) -> tuple[AppServer, FakeClock]:
    """Return a server that a test can restart, and its clock."""
    clock = FakeClock()
    return start_server(now=clock, grace=0.0), clock


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory, fake_clock: FakeClock) -> Iterator[AppServer]:
    """A server shared by the tests of this file that need no restart; its time only moves forward."""
    server = AppServer(settings(tmp_path_factory.mktemp("timed"), now=fake_clock, grace=0.0))
    yield server
    server.close()
