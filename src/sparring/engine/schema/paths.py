"""Paths into content: the field and the value along a path, and changes at its end.

A faulty file may hold anything, so a step goes by what the value is, and the field beside it may be None.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

from sparring.engine.errors import Step

from .field import Field, Part


def along(form: Field, data: object, at: Sequence[Step]) -> list[Part]:
    """Return the whole content, and its parts along a path."""
    parts = [Part("", form, data)]
    for step in at:
        _, field, value = parts[-1]
        parts.append(Part(step, field.child(step) if field else None, get(value, step)))
    return parts


def walk(field: Field, value: object, at: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], Field, Any]]:
    """Yield the path, field and value of all declared places at and below a field; a place comes before its parts."""
    yield at, field, value
    for part in field.children(value):
        if part.field:
            yield from walk(part.field, part.value, (*at, part.step))


def get(holder: Any, step: Step) -> Any:
    """Return the value of a step, or None."""
    try:
        return holder[_key(holder, step)]
    except LookupError:
        return None


def value_at(data: object, at: Sequence[Step]) -> Any:
    """Return the value at a path, or None."""
    return reduce(get, at, data)


def put(holder: Any, step: Step, value: Any) -> None:
    """Set the value of a step; None removes it. Raises LookupError for a place that a list doesn't have."""
    key = _key(holder, step)
    holder[key] = value
    if value is None:
        del holder[key]


def remove(holder: Any, step: Step) -> None:
    """Remove the value of a step. Raises LookupError if there is none."""
    del holder[_key(holder, step)]


def move(holder: Any, step: Step, by: int) -> None:
    """Swap an entry of a list with the one `by` places further; at the ends it stays. Raises LookupError."""
    place = position(holder, step)
    other = min(max(place + by, 0), len(holder) - 1)
    holder[place], holder[other] = holder[other], holder[place]


def position(holder: object, step: Step) -> int:
    """Return the position of an entry in a list. Raises LookupError if there is none."""
    if not isinstance(holder, list) or not isinstance(step, int) or not 0 <= step < len(holder):
        raise LookupError(step)
    return step


def reach(form: Field, data: object, at: Sequence[Step]) -> Any:
    """Return the value at a path. Create missing containers on the way. Raises LookupError."""
    field: Field | None = form
    for step in at:
        field = field.child(step) if field else None
        if get(data, step) is None and field:
            put(data, step, field.empty())
        data = get(data, step)
    if data is None:
        raise LookupError(at)
    return data


def _key(holder: object, step: Step) -> str | int:
    return str(step) if isinstance(holder, dict) else position(holder, step)
