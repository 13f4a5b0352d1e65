"""The reference playouts in C++: they play by the same rules as the games."""

from collections.abc import Iterator

import numpy as np
import pytest

import programs
from benchmarks.limits.__main__ import REFERENCES, Version, built
from sparring.engine.compilation.drivers import playouts
from sparring.engine.game import game

MATCHES = 20


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Version]:
    """Compile the reference playouts and run the program."""
    if not programs.find("g++"):
        pytest.skip("needs g++")
    program = Version([built(str(tmp_path_factory.mktemp("limits")))])
    yield program
    program.close()


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "seats"), [(name, seats) for name in REFERENCES for seats in game(name).seats if seats in (2, 3, 6)]
)
def test_random_matches_take_as_many_actions(reference: Version, name: str, seats: int) -> None:
    rules, params = game(name).rules, game(name).setup().params
    pair, out = np.zeros(2, rules.State.dtype), np.zeros(len(rules.ACTIONS), np.int16)
    actions = playouts(game(name))(params, pair, out, 1, seats, MATCHES)
    assert reference.measure(f"play {name} {seats} {MATCHES}")[1] == actions
