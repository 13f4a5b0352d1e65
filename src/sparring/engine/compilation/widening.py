"""Compile a rule once for all widths of its arguments.

Numba compiles a function for each combination of argument types: an action may be int16 (from an array of legal ones)
or int64 (from a loop), and a pile may have room for 8 cards or 80. For a rule these make no difference. So rules are
compiled for int64 and arrays of any length, and callers convert their arguments. This relies on Numba internals; with a
version that lacks them, a rule is compiled for every width.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import types
from numba.core.typing import templates
from numba.extending import lower_cast

#: Integer types that fit into int64.
NARROW = {types.int8, types.int16, types.int32, types.uint8, types.uint16, types.uint32}


@contextmanager
def widened() -> Iterator[None]:
    """Compile rules for wide argument types, inside the context."""
    template: Any = getattr(templates, "_OverloadFunctionTemplate", None)
    if not hasattr(template, "generic"):
        yield
        return
    original = template.generic

    def generic(self: Any, args: Any, kws: Any) -> Any:
        if getattr(self.key, "is_rule", False):
            args, kws = tuple(map(wide, args)), {name: wide(kind) for name, kind in kws.items()}
        return original(self, args, kws)

    template.generic = generic
    try:
        yield
    finally:
        template.generic = original


def wide(kind: Any) -> Any:
    """Return the type that a rule uses for an argument of this type."""
    if kind in NARROW:
        return types.int64
    if isinstance(kind, types.NestedArray):
        return types.Array(kind.dtype, kind.ndim, "C")
    return kind


@lower_cast(types.NestedArray, types.Array)  # type: ignore[no-untyped-call, untyped-decorator]
def _of_any_length(_context: object, _builder: object, _source: object, _target: object, array: Any) -> Any:
    """Return the array unchanged: the type of an array in a record differs from others only by its length."""
    return array
