"""Go through all objects of a scene, or change them."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple, replace

from .cards import Colour, Picture, Shortcut
from .cards import Face

#: The fields that `without_choices` resets, with their empty values.
_EMPTY = {"key": "", "origin": "", "action": None, "why_not": "", "shortcuts": (), "choices": (), "lit_by": ()}


def things(part: object) -> Iterator[object]:
    """Yield all objects in a part of a scene, starting with the part itself."""
    waiting = [part]  # nested generators would pass each object through every level
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part[::-1]
        elif isinstance(part, Struct):
            yield part
            waiting += astuple(part)[::-1]


def without_choices(part: Any) -> Any:
    """Return a part of a scene without choices and keys, to show it later."""
    return _emptied(part, _EMPTY)


def without_shortcuts(part: Any) -> Any:
    """Return a part of a scene without shortcuts: a puzzle asks for one choice."""
    return _emptied(part, {"shortcuts": ()})


def with_shortcuts(part: Any, keep: Callable[[Shortcut], bool]) -> Any:
    """Return a part of a scene with only the shortcuts that `keep` accepts."""
    if isinstance(part, tuple):
        return tuple(with_shortcuts(each, keep) for each in part)
    if not isinstance(part, Struct) or isinstance(part, Face | Colour | Picture | Shortcut):
        return part
    kept = {name: with_shortcuts(getattr(part, name), keep) for name in part.__struct_fields__}
    if kept.get("shortcuts"):
        kept["shortcuts"] = tuple(filter(keep, kept["shortcuts"]))
    return replace(part, **kept)


def without_drawings(part: Any) -> Any:
    """Return a part of a scene as plain data: pictures keep only their names, NumPy numbers become Python's."""
    if isinstance(part, tuple):
        return tuple(without_drawings(each) for each in part)
    if isinstance(part, Picture):
        return Picture(part.name)
    if not isinstance(part, Struct):
        return part.item() if isinstance(part, np.generic) else part
    return replace(part, **{name: without_drawings(getattr(part, name)) for name in part.__struct_fields__})


def _emptied(part: Any, fields: dict[str, Any]) -> Any:
    """Return a part of a scene with these fields of all its objects set to empty values."""
    if isinstance(part, tuple):
        return tuple(_emptied(each, fields) for each in part)
    if not isinstance(part, Struct) or isinstance(part, Face | Colour | Picture):
        return part
    names = part.__struct_fields__
    changed = {name: empty for name, empty in fields.items() if name in names}
    return replace(part, **{**{name: _emptied(getattr(part, name), fields) for name in names}, **changed})
