"""Positions of Hush: not needed by any test."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.errors import BadPosition
from sparring.engine.game import Box


def read(box: Box, s: Any, position: Mapping[str, Any], g: Any) -> None:
    raise BadPosition("Hush is not played from positions.")


def write(box: Box, s: Any) -> dict[str, Any]:
    raise BadPosition("Hush is not played from positions.")


def pieces(box: Box, s: Any) -> list[str]:
    raise BadPosition("Hush is not played from positions.")
