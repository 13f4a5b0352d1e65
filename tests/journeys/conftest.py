"""The wheel that all journeys share, a server of it, and the record of a journey."""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from journeys.installed import Installation, install
from journeys.steps import Journey


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel once for all test processes; return the folder of its programs."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "wheel"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        programs = folder / "venv" / "bin"
        return programs if (programs / "sparring").exists() else install(folder)


@pytest.fixture
def installation(wheel: Path, tmp_path: Path) -> Installation:
    """Return an installed Sparring with data of its own."""
    return Installation(wheel, tmp_path)


@pytest.fixture
def own(tmp_path: Path) -> Installation:
    """Return an environment of one journey's own, into which it may install packages."""
    return Installation(install(tmp_path), tmp_path)


@pytest.fixture(scope="module")
def url(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server for all journeys of a file, started by `sparring play`."""
    with Installation(wheel, tmp_path_factory.mktemp("server")).serving() as address:
        yield address


@pytest.fixture
def journey(request: pytest.FixtureRequest) -> Iterator[Journey]:
    """Record the steps of a journey; print them and their folder at the end of the run."""
    started = Journey(request.node.name.removeprefix("test_"))
    yield started
    started.close()
    request.node.user_properties.append(("journey", "\n".join([f"{started.folder}:", *started.log])))
    assert not started.wrong
