"""A toy game that is found like any installed game, and servers on fresh databases."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sparring.engine.game import games
from sparring.web.accounts import passwords
from web.app_server import House, Opener, settings

TOY = Path(__file__).parent / "toy"


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    """The toy game Hush, installed while the tests of a file run, and not for those of others."""
    sys.path.insert(0, str(TOY))
    usual = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(TOY), usual]))  # for processes
    games.cache_clear()
    yield
    if usual is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = usual
    sys.path.remove(str(TOY))
    games.cache_clear()


@pytest.fixture(scope="module", autouse=True)
def dear_passwords() -> Iterator[tuple[int, ...]]:
    """What a password costs in earnest (kilobytes, rounds, lanes); while tests run it costs next to nothing."""
    with pytest.MonkeyPatch.context() as patch:
        dear = passwords.MEMORY, passwords.ROUNDS, passwords.LANES
        patch.setattr(passwords, "MEMORY", 64)
        patch.setattr(passwords, "ROUNDS", 1)
        yield dear


@pytest.fixture
def toy_path() -> str:
    """Where other processes find the toy game."""
    return str(TOY)


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Opener]:
    """Opens a server on the database of this test; it may be closed and opened again."""
    opened: list[House] = []

    def opener(**more: object) -> House:
        opened.append(House(settings(tmp_path, **more)))
        return opened[-1]

    yield opener
    for house in opened:
        if house._thread.is_alive():
            house.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server for all tests of a file; each lays out its own table."""
    house = House(settings(tmp_path_factory.mktemp("house")))
    yield house
    house.close()


@pytest.fixture(scope="module")
def server(house: House) -> House:
    """What people visit with a browser; where it is to be killed, a process of its own, which takes seconds."""
    return house
