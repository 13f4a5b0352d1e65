"""High Card, the game that new ones start from, as a toy to look at and to break. It is not listed as installed."""

import dataclasses
from types import SimpleNamespace
from typing import Any

from sparring import Game
from sparring.games.high_card import GAME as TOY

__all__ = ["TOY", "broken"]


def broken(module: str, **functions: Any) -> Game:
    """The toy with some functions of a module replaced, as in `broken("rules", legal=...)`."""
    parts = SimpleNamespace(**{**vars(getattr(TOY, module)), **functions})
    return dataclasses.replace(TOY, **{module: parts})  # type: ignore[arg-type]
