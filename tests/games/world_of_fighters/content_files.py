"""The data of content files with custom fighters."""

from typing import Any

from sparring.games.world_of_fighters import GAME
from sparring.games.world_of_fighters.params import Content


def rows(count: int = 4, **changed: Any) -> list[dict[str, Any]]:
    """Return fighters as in a content file; `changed` are fields of the third one (None: left out)."""
    fighters: list[dict[str, Any]] = [
        {"name": f"Fighter {chr(65 + n)}", "reach": "close", "punch": 2, "kick": 2, "grapple": 1, "block": 2,
         "super": f"Move {chr(65 + n)}", "requirement": "P.R1"}
        for n in range(count)
    ]  # fmt: skip
    if changed:
        fighters[2] = {key: value for key, value in (fighters[2] | changed).items() if value is not None}
    return fighters


def read(data: dict[str, Any]) -> Content:
    return GAME.content_from(data, "mine.toml")  # type: ignore[no-any-return]
