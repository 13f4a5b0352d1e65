"""High Card, the example game, as a toy to look at and to break. It is not installed."""

import dataclasses
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from sparring import Game

FOLDER = Path(__file__).parents[2] / "examples" / "high_card"

sys.path.append(str(FOLDER))
TOY: Game = import_module("high_card").GAME


def broken(module: str, **functions: Any) -> Game:
    """The toy with some functions of a module replaced, as in `broken("rules", legal=...)`."""
    parts = SimpleNamespace(**{**vars(getattr(TOY, module)), **functions})
    return dataclasses.replace(TOY, **{module: parts})  # type: ignore[arg-type]
