"""High Card, the template of new games, for tests of the engine; it isn't installed as a game."""

import dataclasses
from types import SimpleNamespace
from typing import Any

from sparring import Game
from sparring.games.high_card import GAME as TOY

__all__ = ["TOY", "broken"]


def broken(module: str, **functions: Any) -> Game:
    """Return the toy with some functions of a module replaced: `broken("rules", legal=...)`."""
    part = getattr(TOY, module)
    own = {name: getattr(part, name) for name in dir(part) if not name.startswith("__")}
    parts = SimpleNamespace(**{**own, **functions})
    return dataclasses.replace(TOY, **{module: parts})  # type: ignore[arg-type]
