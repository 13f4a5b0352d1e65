"""Rules that make arrays are found, because only their compiled code must count references."""

# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
import pytest

from sparring.engine.cards import empty
from sparring.engine.compilation.dependencies import allocates
from sparring.engine.compilation.drivers import Driver
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.game import Game
from sparring.engine.rule import rule, zeros
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.research.batch_driver import batch_driver

LENGTH = 3


@rule
def clear(pile):
    """Call a rule with the name of a function of NumPy."""
    empty(pile)


@rule
def doubled(numbers):
    """Make an array."""
    result = np.zeros(len(numbers), np.int64)
    for i in range(len(numbers)):
        result[i] = 2 * numbers[i]
    return result


@rule
def shifted(numbers):
    """Assign to a slice, for which Numba makes a copy."""
    numbers[1:] = numbers[:-1]
    return numbers[0]


@rule
def last_of(numbers):
    """Read a slice."""
    return numbers[1:][-1]


@rule
def sum_of_products(numbers):
    """Work in an array on the stack, once for each number."""
    total = 0
    for factor in numbers:
        products = zeros((2, LENGTH), np.int16)
        for i in range(LENGTH):
            products[1, i] += factor * i
        total += products.sum()
    return total


@rule
def fresh():
    """Return an array that must not be on the stack."""
    return zeros(LENGTH, np.int16)


@rule
def second_half(numbers):
    """Return a part of an array."""
    return numbers[len(numbers) // 2 :]


def driver_of_products(_game: Game) -> Driver:
    def add_up(numbers):
        return sum_of_products(numbers) + second_half(numbers)[0]

    return add_up


def driver_of_fresh(_game: Game) -> Driver:
    def fill():
        array = fresh()
        other = fresh()
        other[0] = 7
        return array[0] + len(array)

    return fill


def driver_of_both(_game: Game) -> Driver:
    def add_up(numbers):
        return sum_of_products(numbers) + doubled(numbers)[1]

    return add_up


def driver_of_shifted(_game: Game) -> Driver:
    def shift(numbers):
        return shifted(numbers)

    return shift


def driver_of_doubled(_game: Game) -> Driver:
    def add_up(numbers):
        total = 0
        for _ in range(3):
            total += doubled(numbers).sum()
        return total

    return add_up


def test_rules_that_make_arrays_are_found_also_behind_others() -> None:
    assert not allocates(clear)
    assert allocates(doubled)
    assert allocates(driver_of_doubled(HIGH_CARD))


def test_rules_that_assign_to_slices_are_found() -> None:
    assert allocates(shifted)
    assert not allocates(last_of)


def test_a_batch_makes_no_arrays_unless_the_rules_do() -> None:
    assert not allocates(batch_driver(HIGH_CARD))


def test_arrays_on_the_stack_need_no_reference_counts() -> None:
    assert not allocates(driver_of_products(HIGH_CARD))
    assert allocates(driver_of_both(HIGH_CARD))
    assert sum_of_products([1, 2]) == 9


@pytest.mark.compiled("high-card")
def test_compiled_arrays_on_the_stack_start_as_zeros(caplog: pytest.LogCaptureFixture) -> None:
    numbers = np.arange(4)
    assert compiled(HIGH_CARD, driver_of_products)(numbers) == 18 + 2
    assert compiled(HIGH_CARD, driver_of_both)(numbers) == 18 + 2
    assert "the slow way" not in caplog.text


@pytest.mark.compiled("high-card")
def test_an_array_that_a_rule_returns_is_not_on_the_stack(caplog: pytest.LogCaptureFixture) -> None:
    assert compiled(HIGH_CARD, driver_of_fresh)() == LENGTH
    assert "the slow way" not in caplog.text


@pytest.mark.compiled("high-card")
def test_a_driver_may_call_rules_that_assign_to_slices(caplog: pytest.LogCaptureFixture) -> None:
    numbers = np.arange(4)
    assert compiled(HIGH_CARD, driver_of_shifted)(numbers) == 0
    assert numbers.tolist() == [0, 0, 1, 2]
    assert "the slow way" not in caplog.text


@pytest.mark.compiled("high-card")
def test_a_driver_may_call_rules_that_make_arrays() -> None:
    numbers = np.arange(4)
    assert compiled(HIGH_CARD, driver_of_doubled)(numbers) == 36
    assert numbers.tolist() == [0, 1, 2, 3]
