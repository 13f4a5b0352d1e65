"""Squares: names, directions, distances, straight lines, sets."""

import itertools
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparring.engine.compilation.dependencies import compiled_form
from sparring.engine.squares import (
    ASCENDING,
    COLUMN_STEPS,
    DIRECTIONS,
    NOWHERE,
    OFF,
    ROW_STEPS,
    SIDE,
    SQUARES,
    STRIDES,
    column_of,
    directions_on_board,
    distance,
    heading,
    heading_bit,
    offer_walks,
    on_edge,
    read_square,
    row_of,
    square_at,
    square_name,
    turned,
    walk,
)  # fmt: skip


def test_every_square_has_a_name_that_reads_back() -> None:
    for square in range(SQUARES):
        assert read_square(square_name(square)) == square
        assert square_at(column_of(square), row_of(square)) == square
    assert [square_name(square) for square in (0, 11, 12, 143)] == ["a1", "l1", "a2", "l12"]


@pytest.mark.parametrize("name", ["", "a", "a0", "m1", "a13", "1a", "aa1", "a-1", "a01"])
def test_invalid_squares(name: str) -> None:
    assert read_square(name) == OFF


def test_a_square_must_be_on_the_given_board() -> None:
    assert read_square("G5", columns=7, rows=5) != OFF
    assert read_square("h5", columns=7, rows=5) == read_square("g6", columns=7, rows=5) == OFF


def test_directions_are_clockwise_and_have_opposites() -> None:
    middle = read_square("f6")
    for direction in range(DIRECTIONS):
        there = walk(middle, direction, 3, SIDE, SIDE)
        assert distance(middle, there) == 3
        assert heading(middle, there) == direction
        assert heading(there, middle) == turned(direction, 2)
        assert heading_bit(middle, there) == 1 << direction
        assert turned(direction, 4) == direction
    assert [square_name(walk(middle, direction, 1, SIDE, SIDE)) for direction in range(0, 8, 2)] == [
        "f5",
        "g6",
        "f7",
        "e6",
    ]
    assert turned(0, 1) == 2


def test_ascending_order_of_squares() -> None:
    for steps in (1, 2, 5):
        squares = [walk(read_square("f6"), direction, steps, SIDE, SIDE) for direction in ASCENDING]
        assert squares == sorted(squares)


def test_a_step_off_the_board_leads_nowhere() -> None:
    corner = read_square("a1")
    inside = [direction for direction in range(DIRECTIONS) if walk(corner, direction, 2, 3, 3) != OFF]
    assert [(COLUMN_STEPS[direction], ROW_STEPS[direction]) for direction in inside] == [(1, 0), (1, 1), (0, 1)]
    assert all(walk(corner, direction, 3, 3, 3) == OFF for direction in range(DIRECTIONS))


@given(st.integers(1, SIDE), st.integers(1, SIDE), st.integers(0, SIDE), st.data())
def test_directions_on_a_board_are_those_of_walks_that_stay_on_it(
    columns: int, rows: int, steps: int, data: st.DataObject
) -> None:
    square = square_at(data.draw(st.integers(0, columns - 1)), data.draw(st.integers(0, rows - 1)))
    on_board = [way for way in range(DIRECTIONS) if walk(square, way, steps, columns, rows) != OFF]
    assert directions_on_board(square, steps, columns, rows) == sum(1 << way for way in on_board)


WALKS = st.tuples(st.integers(0, SQUARES - 1), st.integers(1, 3), st.integers(0, 255))


def walks_of(offer: Any, square: int, steps: int, directions: int) -> list[int]:
    """Return what `offer_walks` lists after two other actions, counted from 1,000."""
    out = np.full(18, 7, np.int16)
    count = offer(out, 2, 1000, square, steps, directions)
    assert out[:2].tolist() == [7, 7]
    return (out[2:count] - 1000).tolist()  # type: ignore[no-any-return]


@given(WALKS)
def test_walks_are_listed_in_ascending_order_after_others(place: tuple[int, int, int]) -> None:
    square, steps, directions = place
    ways = [way for way in range(DIRECTIONS) if directions >> way & 1]
    assert walks_of(offer_walks, *place) == sorted(square + steps * STRIDES[way] for way in ways)


@pytest.mark.compiled
def test_machine_code_lists_the_same_walks() -> None:
    code: Any = compiled_form(offer_walks)
    compiled = numba.njit(code)
    for place in itertools.product((0, 40, SQUARES - 1), (1, 2, 3), range(256)):
        assert walks_of(compiled, *place) == walks_of(offer_walks, *place)


def test_squares_not_on_a_line_have_no_direction() -> None:
    assert heading(read_square("c3"), read_square("c3")) == NOWHERE
    assert heading(read_square("c3"), read_square("d5")) == NOWHERE
    assert heading_bit(read_square("c3"), read_square("d5")) == 0


def test_distance_is_that_of_a_chess_king() -> None:
    for one, other in itertools.product(range(0, SQUARES, 7), range(0, SQUARES, 5)):
        across, along = abs(column_of(one) - column_of(other)), abs(row_of(one) - row_of(other))
        assert distance(one, other) == distance(other, one) == max(across, along)


@pytest.mark.parametrize(("columns", "rows"), [(7, 5), (5, 5), (12, 12), (1, 3)])
def test_the_edge(columns: int, rows: int) -> None:
    squares = [square_at(column, row) for row in range(rows) for column in range(columns)]
    edge = [square for square in squares if on_edge(square, columns, rows)]
    assert len(edge) == columns * rows - max(0, columns - 2) * max(0, rows - 2)
