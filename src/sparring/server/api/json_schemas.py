"""Convert a game's options and content form to JSON Schema."""

from typing import Any

from sparring.engine.game import Game
from sparring.engine.options import ChoiceOption, Option
from sparring.engine.schema import (
    Choice,
    Drawing,
    Field,
    Integer,
    ListField,
    Map,
    MapField,
    Pair,
    RecordField,
    Tally,
    Text,
)

JSON_SCHEMA = "https://json-schema.org/draft/2020-12/schema"
INTEGER = {"type": "integer"}


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
    return {"$schema": JSON_SCHEMA, **_field(game.form)}


def _field(field: Field) -> dict[str, Any]:
    described = {"title": field.title, "description": field.help, "default": field.default}
    return {
        **_shape(field),
        **{name: value for name, value in described.items() if value not in (None, "", (), [], {})},
    }


def _shape(field: Field) -> dict[str, Any]:
    """Return the JSON Schema of a field's type."""
    match field:
        case Text():
            return {"type": "string", "maxLength": field.max_length}
        case Integer():
            return {**INTEGER, "minimum": field.low, "maximum": field.high}
        case Choice():
            return {"enum": list(field.values)}
        case Pair():
            return {"type": "array", "items": INTEGER, "minItems": 2, "maxItems": 2, "x-rule": field.rule}
        case Map():
            return {"type": "string", "x-signs": dict(field.signs), "x-rows": [field.low, field.high]}
        case Tally():
            kinds = {kind: {**INTEGER, "minimum": 0, "maximum": field.high} for kind in field.kinds}
            return {"type": "object", "properties": kinds, "x-rule": field.rule}
        case Drawing():
            return {"type": "string", "x-picture": True}
        case ListField():
            return {"type": "array", "items": _field(field.of), "minItems": field.low, "maxItems": field.high}
        case MapField():
            return {
                "type": "object", "minProperties": field.low, "maxProperties": field.high, "x-rule": field.rule,
                "propertyNames": {"pattern": f"^(?:{field.pattern.pattern})$"},
                "additionalProperties": _field(field.of),
            }  # fmt: skip
        case RecordField():
            return {
                "type": "object", "additionalProperties": False,
                "properties": {name: _field(inner) for name, inner in field.fields.items()},
                "required": [name for name, inner in field.fields.items() if inner.default is None],
            }  # fmt: skip
        case _:
            return {}
