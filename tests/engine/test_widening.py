"""A rule is compiled once for all argument widths, with the same results as in plain Python."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numba.core import types
from numba.core.event import install_recorder

from sparring.engine.compilation.drivers import Driver
from sparring.engine.compilation.linking import wide
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.rule import ActionSpace, rule
from sparring.engine.state import Header, Parameters, array, scalar

pytestmark = pytest.mark.compiled


class State(Header, seats=2):
    """Fields of several widths."""

    few = array(3)
    many = array(50)
    odd = array(4, "i8")
    total = scalar("i8")
    small = scalar()
    byte = scalar("i1")


class Params(Parameters):
    """A number, because a record needs a field."""

    most = scalar("i8")


class Room(SimpleNamespace):
    """The parts of a game needed for compilation."""

    __hash__ = object.__hash__  # type: ignore[assignment]


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return a game whose state has fields of several widths, with an empty cache."""
    monkeypatch.setenv("SPARRING_CACHE", str(tmp_path))
    rules = SimpleNamespace(State=State, ACTIONS=ActionSpace(done=1))
    yield Room(name="room", rules=rules, params=SimpleNamespace(Params=Params))
    compiled.cache_clear()


def new_rule() -> Any:
    """Return a rule that isn't compiled yet."""

    def put(cards, card, last=-1):  # type: ignore[no-untyped-def]
        for place in range(len(cards)):
            cards[place] += card % 3 + place + last
        return cards[len(cards) - 1] - card

    return rule(put)


def putting(put: Any) -> Callable[[Any], Driver]:
    """Return a driver that calls a rule with every field of `State`."""

    def putting(game: Any) -> Driver:
        def putting(work):  # type: ignore[no-untyped-def]
            some, other = work[0], work[1]
            some.total += put(some.few, some.small) + put(some.many, some.byte, some.small)
            some.total += put(some.many, some.total, some.byte) + put(some.few, 3)
            return put(other.few, some.small) + put(some.odd, some.byte)

        return putting

    return putting


def put_once(room: Any) -> int:
    """Return how often the rule is compiled when called with every field; check its results against plain Python."""
    make = putting(new_rule())
    plain, work = np.zeros((2, 2), room.rules.State.dtype)
    for states in (plain, work):
        states[0].small, states[0].byte, states[0].total = 5, 7, 11
    said = make(room)(plain)
    with install_recorder("numba:compile") as recorder:
        assert compiled(room, make)(work) == said
    assert work.tobytes() == plain.tobytes()
    made = [event.data["dispatcher"].py_func.__name__ for _, event in recorder.buffer if event.is_start]
    return made.count("put")


def test_a_rule_is_compiled_once_for_integers_of_all_widths_and_rows_of_all_lengths(room: Any) -> None:
    """Three times: with the last argument, without it, and with a row of another dtype."""
    assert put_once(room) == 3


def test_without_numba_internals_each_width_is_compiled(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparring.engine.compilation.linking.templates", SimpleNamespace())
    assert put_once(room) == 5


def test_wide_and_other_types_stay_unchanged() -> None:
    rows = types.Array(types.int16, 1, "C")
    for kind in (types.int64, types.uint64, types.float32, types.boolean, rows):
        assert wide(kind) == kind
    assert wide(types.uint8) == types.int64
    assert wide(types.NestedArray(types.int16, (3,))) == wide(types.NestedArray(types.int16, (50,))) == rows
