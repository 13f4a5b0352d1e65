"""Convert a game's options and content form to JSON Schema."""

from typing import Any

from sparring.engine.game import Game
from sparring.engine.options import ChoiceOption, Option

JSON_SCHEMA = "https://json-schema.org/draft/2020-12/schema"


def options_of(game: Game) -> dict[str, Any]:
    """Return the JSON Schema of a game's options."""
    properties = {option.name: _option(option) for option in game.kit.OPTIONS}
    return {"$schema": JSON_SCHEMA, "type": "object", "additionalProperties": False, "properties": properties}


def _option(option: Option) -> dict[str, Any]:
    schema = {"title": option.heading, "description": option.help, "default": option.default}
    if option.ruling:
        schema["x-ruling"] = option.ruling
    if not isinstance(option, ChoiceOption):
        return {**schema, "type": "integer", "minimum": option.low, "maximum": option.high}
    return {**schema, "type": "string", "enum": list(option.values), "x-words": [*map(option.in_words, option.values)]}


def content_of(game: Game) -> dict[str, Any]:
    """Return the JSON Schema of a game's content files; the game itself checks more."""
    return {"$schema": JSON_SCHEMA, **game.form.json_schema()}
