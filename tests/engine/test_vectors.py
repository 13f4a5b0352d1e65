"""Vector arithmetic gives the same bytes in machine code as in NumPy."""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from sparring.engine.compilation.dependencies import compiled_form
from sparring.engine.vectors import LANES, dot, layer, narrow, padded

pytestmark = pytest.mark.compiled

Array = np.ndarray[Any, Any]


def both(rule: Callable[..., Any], *args: Array) -> tuple[tuple[Any, Array], tuple[Any, Array]]:
    """Return the result and the first argument after a call of the rule, interpreted and in machine code."""
    results = []
    compiled: Any = numba.njit(compiled_form(rule))
    for call in (rule, compiled):
        given = [arg.copy() for arg in args]
        results.append((call(*given), given[0]))
    return results[0], results[1]


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(3)


@pytest.mark.parametrize(("length", "expected"), [(1, 16), (16, 16), (17, 32)])
def test_lengths_are_rounded_up_to_whole_vectors(length: int, expected: int) -> None:
    assert padded(length) == expected
    assert expected % LANES == 0


@pytest.mark.parametrize("units", [16, 32])
def test_a_layer_has_the_same_bytes_in_machine_code(random: np.random.Generator, units: int) -> None:
    bias, weights = (random.normal(size=shape).astype(np.float32) for shape in (units, (48, units)))
    values = (random.normal(size=48) * (random.random(48) < 0.5)).astype(np.float32)
    (_, slow), (_, fast) = both(layer, np.ones(units, np.float32), bias, weights, values)
    assert fast.tobytes() == slow.tobytes()
    assert slow == pytest.approx(np.maximum(values @ weights + bias, 0), abs=1e-5)
    assert (slow == 0).any()


@pytest.mark.parametrize("length", [16, 32, 144])
def test_a_dot_product_has_the_same_bytes_in_machine_code(random: np.random.Generator, length: int) -> None:
    first, second = (random.normal(size=length).astype(np.float32) for _ in range(2))
    (slow, _), (fast, _) = both(dot, first, second)
    assert fast == slow == pytest.approx(float(first @ second), abs=1e-4)


def test_narrowing_rounds_like_numpy(random: np.random.Generator) -> None:
    (_, slow), (_, fast) = both(narrow, np.zeros(32, np.float32), random.normal(size=32))
    assert fast.tobytes() == slow.tobytes()
    assert slow.any()
