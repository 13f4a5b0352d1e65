"""The form of a game's content, declared once: from it a file is read, and the bench is made on which it is edited.

A form is a tree of fields. Each knows what it may hold and says in one sentence what is wrong; a `Fault` remembers
where in the data it arose, so that a page can show it there. What only the game can judge is a `check` of its own.
"""

from collections.abc import Mapping
from typing import Any

from sparring.engine.errors import BadContent, ContentFault

from .containers import Entries, Field, Many, RecordField, fields_on
from .fields import Anything, Drawing, Map, Pair, Pick, Tally, Text, Whole
from .location import Found, SchemaLocation, a, shortened

__all__ = [
    "Anything", "Drawing", "Entries", "Field", "Found", "Many", "Map", "Pair", "Pick", "RecordField", "Tally", "Text",
    "Whole", "a", "fields_on", "inferred", "look", "read", "shortened",
]  # fmt: skip


def look(form: RecordField, data: Mapping[str, Any], where: str = "") -> tuple[dict[str, Any], list[ContentFault]]:
    """What a file of this form holds, as far as it can be understood, and everything that is wrong with its form."""
    found: list[ContentFault] = []
    return form.read(data, SchemaLocation((), where, where, found)), found


def read(form: RecordField, data: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The same for a file to play with: BadContent with all that is wrong."""
    value, found = look(form, data, where)
    if found:
        raise BadContent(*found)
    return value


def inferred(data: Mapping[str, Any]) -> RecordField:
    """A form for content of which nothing is declared: that of the game's own file. What fits is the game's to say."""
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
