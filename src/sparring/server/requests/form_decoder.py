"""Forms of actions, decoded into the structs that programs send."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from litestar.exceptions import ValidationException
from msgspec import inspect

#: The values of the fields of a form: text, or uploaded files.
Fields = Mapping[str, Sequence[Any]]

#: The most digits of a number; longer ones stay words.
MOST_DIGITS = 9


def decode_form(fields: Fields, kind: Any, required: Collection[str] = ()) -> Any:
    """Return a struct from the fields of a form. Raise ValidationException if they are malformed or missing.

    A browser sends every field of a form with each of its buttons, so fields that the struct doesn't have are dropped.
    `required` are fields that a form must have, although the struct has a default.
    """
    if missing := [name for name in required if name not in fields]:
        raise ValidationException(extra=[{"message": f"Object missing required field `{missing[0]}`"}])
    types = _types(kind)
    try:
        return msgspec.convert(
            {name: _read(types[name], values) for name, values in fields.items() if name in types and values},
            kind,
            strict=False,
        )
    except msgspec.ValidationError as problem:
        message, _, place = str(problem).partition(" - at `$.")
        raise ValidationException(extra=[{"key": place.rstrip("`") or "data", "message": message}]) from None


@cache
def _types(kind: Any) -> dict[str, inspect.Type]:
    """Return the types of a struct's fields, without their bounds."""
    fields = inspect.type_info(kind).fields  # type: ignore[attr-defined]
    return {field.encode_name: _unbound(field.type) for field in fields}


def _unbound(kind: inspect.Type) -> inspect.Type:
    return _unbound(kind.type) if isinstance(kind, inspect.Metadata) else kind


def _read(kind: inspect.Type, values: Sequence[Any]) -> Any:
    """Return a field's value for `msgspec`, which reads text as numbers, but not as a union's, nor `yes` and `no`."""
    if isinstance(kind, inspect.ListType) or len(values) > 1:
        return values  # several values of another field are refused
    text = values[0]
    if not isinstance(text, str):
        return text
    if isinstance(kind, inspect.BoolType):
        return {"yes": True, "no": False}.get(text, text)
    if isinstance(kind, inspect.UnionType) and text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS:
        return int(text)
    return text
