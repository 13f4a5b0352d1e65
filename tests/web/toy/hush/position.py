"""Positions of Hush: not needed by any test."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.errors import BadPosition
from sparring.engine.game import GameSetup


def read(setup: GameSetup, s: Any, position: Mapping[str, Any], g: Any) -> None:
    raise BadPosition("Hush is not played from positions.")


def write(setup: GameSetup, s: Any) -> dict[str, Any]:
    raise BadPosition("Hush is not played from positions.")


def components(setup: GameSetup, s: Any) -> list[str]:
    raise BadPosition("Hush is not played from positions.")
