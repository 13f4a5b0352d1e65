"""Layouts: what each value of an observation means.

A game describes its `features` as named fields (`LAYOUT` in `rules.py`), which follow each other without gaps.
"""

from math import prod
from typing import Any, NamedTuple

import numpy as np

from .game import Game


class Field(NamedTuple):
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


Layout = tuple[Field, ...]


def layout(*fields: tuple[str, int | tuple[int, ...], float, float, str]) -> Layout:
    """Return the layout of these fields: name, size or shape, lowest and highest value, meaning.

    >>> layout(("phase", 3, 0, 1, "one-hot"), ("board", (2, 2), -1, 1, "own 1, other -1"))[1].start
    3
    """
    found, start = list[Field](), 0
    for name, shape, low, high, meaning in fields:
        dimensions = (shape,) if isinstance(shape, int) else shape
        found.append(Field(name, start, dimensions, low, high, meaning))
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
