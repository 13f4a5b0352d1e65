"""Compile a rule once for arguments of all widths.

Numba compiles a function anew for each combination of types that it is called with: for a choice that comes as 16 bits
from a row of legal ones and as 64 from a loop, for a hand of 8 cards and a deck of 80. To a rule they are all the same.
So it is called with integers of 64 bits, and with arrays of any length; whoever calls it widens what it has. This leans
on inner parts of Numba: with a version that lacks them a rule is compiled for every width.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import types
from numba.core.typing import templates
from numba.extending import lower_cast

#: Integers that fit into 64 bits with a sign, whatever they are.
NARROW = {types.int8, types.int16, types.int32, types.uint8, types.uint16, types.uint32}


@contextmanager
def widely() -> Iterator[None]:
    """Compile rules so that they take what is wide."""
    template: Any = getattr(templates, "_OverloadFunctionTemplate", None)
    if not hasattr(template, "generic"):
        yield
        return
    kept = template.generic

    def generic(self: Any, args: Any, kws: Any) -> Any:
        if getattr(self.key, "is_rule", False):
            args, kws = tuple(map(wide, args)), {name: wide(kind) for name, kind in kws.items()}
        return kept(self, args, kws)

    template.generic = generic
    try:
        yield
    finally:
        template.generic = kept


def wide(kind: Any) -> Any:
    """The type of which a rule takes an argument that is of this one."""
    if kind in NARROW:
        return types.int64
    if isinstance(kind, types.NestedArray):
        return types.Array(kind.dtype, kind.ndim, "C")
    return kind


@lower_cast(types.NestedArray, types.Array)  # type: ignore[no-untyped-call, untyped-decorator]
def _of_any_length(_context: Any, _builder: Any, _given: Any, _wanted: Any, array: Any) -> Any:
    """An array in a record is an array like any other; only its type tells the length, too."""
    return array
