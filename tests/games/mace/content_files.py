"""The data of content files: the default values and start hexes, with changes."""

from typing import Any

from games.mace.table import NAME
from sparring.engine.game import game

VALUES = {str(n): n for n in range(2, 11)} | {"J": 11, "Q": 12, "K": 13, "A": 14}
STARTS = {"2": [[-3, 0], [3, 0]], "3": [[3, 0], [-3, 3], [0, -3]], "4": [[4, 0], [-2, 4], [-4, 0], [2, -4]]}


def read(**changed: Any) -> Any:
    return game(NAME).content_from({"values": VALUES, "starts": STARTS} | changed, "mine.toml")
