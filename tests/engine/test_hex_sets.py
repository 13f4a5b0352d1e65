"""Sets of hexes are the same in machine code as in interpreted rules."""

import random
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from sparring.engine import hexes
from sparring.engine.compilation.dependencies import compiled_form

pytestmark = pytest.mark.compiled


def machine_code(rule: Callable[..., Any]) -> Any:
    return numba.njit(compiled_form(rule))


@pytest.fixture(scope="module")
def spread() -> Any:
    return machine_code(hexes.spread)


@pytest.fixture(scope="module")
def numbers() -> Any:
    return machine_code(hexes.numbers)


def some(chance: random.Random, many: int) -> np.ndarray:
    rows = np.zeros(hexes.SET_SIZE, np.int32)
    for a in chance.sample(range(hexes.HEXES), many):
        hexes.mark(rows, a)
    return rows


@pytest.mark.parametrize("radius", range(5, hexes.LARGEST + 1))
def test_a_flood_fill_finds_the_same_hexes_in_machine_code(spread: Any, radius: int) -> None:
    chance = random.Random(radius)
    board = np.zeros(hexes.SET_SIZE, np.int32)
    hexes.mark_board(board, radius)
    places = [a for a in range(hexes.HEXES) if hexes.size(hexes.Q[a], hexes.R[a]) <= radius]
    for steps in range(20):
        given = chance.choice(places), steps, board, some(chance, 60), some(chance, 60)
        slow, fast = (np.zeros(hexes.SET_SIZE, np.int32) for _ in range(2))
        hexes.spread(*given, slow)
        spread(*given, fast)
        assert fast.tolist() == slow.tolist()
        assert slow.any() or steps < 2


@pytest.mark.parametrize("radius", range(1, hexes.LARGEST + 1))
def test_a_set_has_the_same_numbers_in_machine_code(numbers: Any, radius: int) -> None:
    board = np.zeros(hexes.SET_SIZE, np.int32)
    hexes.mark_board(board, radius)
    for many in (0, 30, hexes.HEXES):
        rows = some(random.Random(many), many) & board
        slow, fast = (np.zeros(hexes.HEXES + 16, np.int16) for _ in range(2))
        end = hexes.numbers(rows, radius, slow, 3, 100)
        assert numbers(rows, radius, fast, 3, 100) == end == 3 + sum(int(row).bit_count() for row in rows)
        assert fast[:end].tolist() == slow[:end].tolist()
