"""Record types, action numbers, and the end of a match."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from sparring.engine.rule import (
    ActionSpace,
    blank,
    clockwise,
    end_moment,
    finish,
    record_dtype,
    seat_after,
    seats_with_most,
)  # fmt: skip
from sparring.engine.state import Header, array, per_seat, scalar


class State(Header, seats=4):
    """Fields of several widths."""

    spot = scalar("u1")
    hand = per_seat(array(3))
    wealth = per_seat(scalar("i4"))


def test_actions_are_numbered_block_by_block() -> None:
    actions = ActionSpace(card=3, seat=2, done=1)
    assert actions.starts == (0, 3, 5)
    assert len(actions) == 6
    assert [actions.name_of(action) for action in actions] == [
        ("card", 0), ("card", 1), ("card", 2), ("seat", 0), ("seat", 1), ("done", 0),
    ]  # fmt: skip


def test_a_state_has_the_header_and_no_gaps() -> None:
    assert {"rng", "payoff", "moment", "turn", "seats", "player", "phase", "over", "ending"} <= set(
        State.dtype.names or ()
    )
    inside = sum(State.dtype[name].itemsize for name in State.dtype.names or ())
    assert inside == State.dtype.itemsize
    assert State.dtype.itemsize % 8 == 0


def test_equal_records_have_equal_bytes() -> None:
    rubbish = np.full(State.dtype.itemsize, 0xAB, np.uint8).view(State.dtype)
    rubbish[0] = blank(State.dtype)
    assert rubbish[0].tobytes() == blank(State.dtype).tobytes()


def test_a_record_has_its_fields_as_attributes() -> None:
    params = blank(record_dtype([("wealth", "i4"), ("name", "i2", 5)]))
    params.wealth = 3
    assert params["wealth"] == params.wealth == 3
    with pytest.raises(AttributeError):
        _ = params.health
    with pytest.raises(ValueError, match="health"):
        params.health = 3


def test_a_copy_of_a_record_is_independent() -> None:
    params = blank(record_dtype([("wealth", "i4"), ("name", "i2", 5)]))
    other = params.copy()
    other.wealth, other.name[2] = 3, 7
    assert (params.wealth, params.name.any()) == (0, False)
    assert (other.wealth, other.name.tolist(), other.dtype) == (3, [0, 0, 7, 0, 0], params.dtype)


@pytest.mark.parametrize("name", ["size", "round", "max", "data"])
def test_a_field_named_like_a_numpy_attribute_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"can't be called {name}"):
        record_dtype([("wealth", "i4"), (name, "i4")])


@pytest.mark.parametrize(("seats", "round_table"), [(2, [0, 1, 0]), (4, [0, 1, 2, 3, 0])])
def test_clockwise_wraps_around(seats: int, round_table: list[int]) -> None:
    s = blank(State.dtype)
    s.seats = seats
    for seat, following in pairwise(round_table):
        assert clockwise(s, seat) == following
    assert [seat_after(s, 1, places) for places in range(seats)] == [(1 + places) % seats for places in range(seats)]


@pytest.mark.parametrize(
    ("seats", "values", "most"), [(2, [0, 0], 0b11), (3, [1, 4, 2], 0b010), (4, [-1, -5, -1, -2], 0b0101)]
)
def test_the_seats_with_most_are_a_bit_set(seats: int, values: list[int], most: int) -> None:
    s: Any = blank(State.dtype)
    s.seats = seats
    s.wealth[:] = [*values, *[9] * (4 - seats)]  # the places of seats that aren't in the match don't count
    assert seats_with_most(s, s.wealth) == most


@pytest.mark.parametrize(
    ("winners", "payoffs"),
    [
        (0b0001, [3, -1, -1, -1]),
        (0b1000, [-1, -1, -1, 3]),
        (0b0110, [-1, 1, 1, -1]),
        (0b1011, [1 / 3, 1 / 3, -1, 1 / 3]),
        (0b1111, [0, 0, 0, 0]),
        (0b0000, [0, 0, 0, 0]),
    ],
)
def test_winners_share_the_losers_payments(winners: int, payoffs: list[float]) -> None:
    s = blank(State.dtype)
    s.seats = 4
    finish(s, 2, winners)
    assert s.payoff.tolist() == pytest.approx(payoffs)
    assert (s.over, s.ending, s.moment) == (1, 2, 1)


def test_a_moment_ends() -> None:
    s = blank(State.dtype)
    end_moment(s)
    end_moment(s)
    assert s.moment == 2
