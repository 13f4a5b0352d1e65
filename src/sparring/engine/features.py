"""What learners read: the values of an observation, what a seat has observed so far, and actions as the seat sees them.

A game describes its `features` as named fields (`LAYOUT` in `rules.py`), which follow each other without gaps.

Features count seats from the seat itself, and some games turn the board to it. In the *seat* frame, actions that name
seats or squares do the same, so that one policy can play every seat.
"""

from collections.abc import Callable, Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .game import Game, GameSetup
from .rule import rule
from .types import Floats
from .views import digest, view_of

#: Replays a match from a state and a number of actions; yields each further action with the state before it.
Replay = Callable[[Any, int], Iterator[tuple[Any, int]]]

#: The number of values per action in `recent_actions`.
HISTORY_FIELDS = 4


@rule
def one_hot(out: Floats, n: int, size: int, place: int) -> int:
    """Write `size` values from index `n` on, all 0 except a 1 at `place` (if in range); return the next index."""
    for i in range(size):
        out[n + i] = 1.0 if i == place else 0.0
    return n + size


class ObservationField(NamedTuple):
    """A named part of an observation."""

    name: str
    #: The index of its first value, and its shape; values are in C order.
    start: int
    shape: tuple[int, ...]
    #: The bounds of its values.
    low: float
    high: float
    meaning: str

    @property
    def size(self) -> int:
        """The number of values."""
        return prod(self.shape)

    def of(self, observation: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return this part of an observation of shape (..., FEATURES), as a view whose last axes are `shape`."""
        part = observation[..., self.start : self.start + self.size]
        return part.reshape(*observation.shape[:-1], *self.shape)


Layout = tuple[ObservationField, ...]


def layout(*fields: tuple[str, int | tuple[int, ...], float, float, str]) -> Layout:
    """Return the layout of these fields: name, size or shape, lowest and highest value, meaning.

    >>> layout(("phase", 3, 0, 1, "one-hot"), ("board", (2, 2), -1, 1, "own 1, other -1"))[1].start
    3
    """
    found, start = list[ObservationField](), 0
    for name, shape, low, high, meaning in fields:
        dimensions = (shape,) if isinstance(shape, int) else shape
        found.append(ObservationField(name, start, dimensions, low, high, meaning))
        start += found[-1].size
    return tuple(found)


def layout_of(game: Game) -> Layout:
    """Return the layout of a game's features; without a `LAYOUT`, one field of them all."""
    undeclared = layout(("features", game.rules.FEATURES, -1, 1, "what the game's `features` writes"))
    return getattr(game.rules, "LAYOUT", undeclared)


def bounds_of(game: Game) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the lowest and the highest value of each feature, as float32 of shape (FEATURES,)."""
    fields = layout_of(game)
    low, high = ([getattr(field, bound) for field in fields for _ in range(field.size)] for bound in ("low", "high"))
    return np.array(low, np.float32), np.array(high, np.float32)


@rule
def same_action(params, s, seat, action):  # type: ignore[no-untyped-def]
    """Return the action itself: for games whose actions name neither seats nor turned squares."""
    return action


def is_turned(game: Game) -> bool:
    """Return whether actions differ between the frames."""
    return hasattr(game.rules, "relative_action")


def relative_rule(game: Game) -> Callable[..., Any]:
    """Return the rule that turns an action of the table into one of a seat's frame."""
    return getattr(game.rules, "relative_action", same_action)


def absolute_rule(game: Game) -> Callable[..., Any]:
    """Return the rule that turns an action of a seat's frame into one of the table."""
    return getattr(game.rules, "absolute_action", same_action)


class Recall(NamedTuple):
    """The chained hash of a seat's observations of the first `played` actions, and the full state after them."""

    played: int
    chain: bytes
    state: Any


def extended(setup: GameSetup, recall: Recall, replay: Replay, seat: int) -> Recall:
    """Add the actions after `recall.played` to the hash: the view before each, and what the seat observed of it."""
    played, chain, state = recall
    state = state.copy()
    for before, action in replay(state, played):
        observed = int(setup.game.rules.observe_action(setup.params, before, action, seat - 1))
        chain = digest(chain, view_of(setup, before, seat).state.tobytes(), observed.to_bytes(8, "little", signed=True))
        played += 1
    return Recall(played, chain, state)


def recent_actions(
    setup: GameSetup, steps: Iterator[tuple[Any, int]], seat: int, length: int, *, relative: bool
) -> np.ndarray[Any, Any]:
    """Return what a seat (from 1) observed of the last `length` of these actions, as int32 of shape (length, 4).

    Each row is the seat that acted (0: this seat, 1: the next one clockwise, and so on), the action as observed, the
    phase and the turn; the newest row is the last. Missing rows are -1. With `relative`, actions are in the seat's
    frame (`relative_rule`).
    """
    rows = list[tuple[int, ...]]()
    to_frame = relative_rule(setup.game)
    for before, action in steps:
        observed = int(setup.game.rules.observe_action(setup.params, before, action, seat - 1))
        if relative and observed >= 0:
            observed = int(to_frame(setup.params, before, seat - 1, observed))
        actor = (int(before.player) - (seat - 1)) % int(before.seats)
        rows.append((actor, observed, int(before.phase), int(before.turn)))
    recent = np.full((length, HISTORY_FIELDS), -1, np.int32)
    kept = rows[-length:] if length else []
    if kept:
        recent[-len(kept) :] = kept
    return recent
