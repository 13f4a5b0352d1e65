"""The schema of a game's content, declared once to validate files and to build the studio's editor.

A schema is a tree of fields. Each field defines its valid values and reports what is wrong in one sentence. A
`ContentFault` stores its path, so that a page can show it beside the field. `check` functions validate what only the
game can decide.

Everything that reads, shows or changes content goes through the fields: `field.py` lists what each of them can do, and
`field.py` follows and changes what is at a path.
"""

from collections.abc import Mapping
from typing import Any

from sparring.engine.errors import BadContent, ContentFault

from .boards import Map, Pair, Tally
from .containers import ListField, MapField, RecordField
from .field import Faults, Field, Part, SchemaLocation, shortened, with_article
from .fields import Anything, Choice, Drawing, Integer, Text

__all__ = [
    "Anything",
    "Choice",
    "Drawing",
    "Faults",
    "Field",
    "Integer",
    "ListField",
    "Map",
    "MapField",
    "Pair",
    "Part",
    "RecordField",
    "Tally",
    "Text",
    "inferred",
    "read",
    "shortened",
    "validate",
    "with_article",
]  # fmt: skip


def validate(
    schema: RecordField, data: Mapping[str, Any], where: str = ""
) -> tuple[dict[str, Any], list[ContentFault]]:
    """Return the valid part of a content file, and all faults; `where` is the name of the file in messages."""
    faults: list[ContentFault] = []
    return schema.read(data, SchemaLocation((), where, where, faults)), faults


def read(schema: RecordField, data: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the content of a file, with defaults for missing fields. Raises BadContent with all faults."""
    value, faults = validate(schema, data, where)
    if faults:
        raise BadContent(*faults)
    return value


def inferred(data: Mapping[str, Any]) -> RecordField:
    """Infer a schema from a game's own content file; only the game itself validates values."""
    return RecordField("content file", {key: _infer_field(value) for key, value in data.items()})


def _infer_field(value: object) -> Field:
    if isinstance(value, str):
        return Text("text", max_length=1000, default="")
    if type(value) is int:
        return Integer(-(10**9), 10**9, default=0)
    if isinstance(value, list) and value and all(isinstance(entry, type(value[0])) for entry in value):
        element = _infer_field(value[0])
        if isinstance(element, RecordField):
            fields = {key: _infer_field(entry) for row in value for key, entry in row.items()}
            element = RecordField("entry", fields, default={})
        return ListField(element, "entry", "list", default=[])
    if isinstance(value, dict):
        return RecordField("table", {key: _infer_field(entry) for key, entry in value.items()}, default={})
    return Anything()
