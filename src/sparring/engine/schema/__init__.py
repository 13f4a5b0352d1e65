"""The schema of a game's content, declared once to validate files and to build the studio's editor.

A schema is a tree of fields. Each field knows its valid values and says in one sentence what is wrong. A `ContentFault`
remembers its path, so that a page can show it in place. A `check` covers what only the game can decide.
"""

from collections.abc import Mapping
from typing import Any

from sparring.engine.errors import BadContent, ContentFault

from .containers import Entries, Field, Many, RecordField, fields_on
from .fields import Anything, Drawing, Map, Pair, Pick, Tally, Text, Whole
from .location import Found, SchemaLocation, shortened, with_article

__all__ = [
    "Anything",
    "Drawing",
    "Entries",
    "Field",
    "Found",
    "Many",
    "Map",
    "Pair",
    "Pick",
    "RecordField",
    "Tally",
    "Text",
    "Whole",
    "fields_on",
    "inferred",
    "read",
    "shortened",
    "validate",
    "with_article",
]  # fmt: skip


def validate(form: RecordField, data: Mapping[str, Any], where: str = "") -> tuple[dict[str, Any], list[ContentFault]]:
    """Return the content of a file as far as it is valid, and all faults."""
    found: list[ContentFault] = []
    return form.read(data, SchemaLocation((), where, where, found)), found


def read(form: RecordField, data: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the content of a file. Raises BadContent with all faults."""
    value, found = validate(form, data, where)
    if found:
        raise BadContent(*found)
    return value


def inferred(data: Mapping[str, Any]) -> RecordField:
    """Infer a schema from the game's own content file; the game itself validates the values."""
    return RecordField("content file", {key: _like(value) for key, value in data.items()})


def _like(value: Any) -> Field:
    if isinstance(value, str):
        return Text("text", most=1000, default="")
    if type(value) is int:
        return Whole(-(10**9), 10**9, default=0)
    if isinstance(value, list) and value and all(isinstance(one, type(value[0])) for one in value):
        of = _like(value[0])
        if isinstance(of, RecordField):
            of = RecordField("entry", {key: _like(entry) for one in value for key, entry in one.items()}, default={})
        return Many(of, "entry", "list", default=[])
    if isinstance(value, dict):
        return RecordField("table", {key: _like(entry) for key, entry in value.items()}, default={})
    return Anything()
