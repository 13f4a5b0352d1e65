"""Content that somebody brought: a card file of their own, as text."""

import tomllib
from typing import Any

from sparring.engine.errors import BadContent
from sparring.engine.game import Game


def parse_content(game: Game, toml: str, where: str = "your file") -> Any:
    """The content in a TOML text of the same form as the game's own; BadContent says what is wrong with it."""
    try:
        data = tomllib.loads(toml)
    except tomllib.TOMLDecodeError as problem:
        raise BadContent(f"{where} is not TOML: {problem}.") from None
    return game.kit.read_content(data, where)


def decode_content(data: bytes, where: str) -> str | None:
    """The text of an uploaded file; None if none was chosen."""
    if not data.strip():
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadContent(f"{where} is not a text file in UTF-8.") from None
