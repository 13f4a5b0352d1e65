"""Machine code for `rule.zeros`: an array on the stack, which costs neither an allocation nor reference counts.

The shape must be a constant. Numba refuses rules that return such an array. Code that counts references, because a rule
returns one or makes arrays with NumPy, allocates the array instead.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from math import prod
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import as_dtype

from sparring.engine.rule import zeros


@infer_global(zeros)
class _Zeros(AbstractTemplate):
    """The type of a call of `zeros`: an array with as many dimensions as the shape has lengths."""

    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        """Return the signature, or None if these arguments don't fit."""
        lengths = _lengths(args[0]) if len(args) == 2 and not kws else ()
        if not lengths or not isinstance(args[1], types.NumberClass):
            return None
        return signature(types.Array(args[1].dtype, len(lengths), "C"), *args)


def _lengths(shape: object) -> tuple[int, ...]:
    """Return the lengths in the type of a constant shape; none if the shape isn't constant."""
    parts: Any = shape if isinstance(shape, types.BaseTuple) else (shape,)
    return tuple(part.literal_value for part in parts) if all(map(_is_constant, parts)) else ()


def _is_constant(part: object) -> bool:
    return isinstance(part, types.IntegerLiteral)


@lower_builtin(zeros, types.Any, types.Any)  # type: ignore[untyped-decorator]
def _code(context: Any, builder: ir.IRBuilder, sig: Any, _args: object) -> Any:
    lengths, kind = _lengths(sig.args[0]), sig.return_type
    if context.enable_nrt:
        shape, dtype = lengths if kind.ndim > 1 else lengths[0], as_dtype(kind.dtype)
        return context.compile_internal(builder, lambda: np.zeros(shape, dtype), signature(kind), ())
    item, word = context.get_data_type(kind.dtype), ir.IntType(64)
    size = context.get_abi_sizeof(item)
    data = cgutils.alloca_once(builder, ir.ArrayType(item, prod(lengths)))
    cgutils.memset(builder, data, word(size * prod(lengths)), 0)
    strides = [size * prod(lengths[axis + 1 :]) for axis in range(kind.ndim)]
    array = context.make_array(kind)(context, builder)
    populate_array(
        array, builder.bitcast(data, item.as_pointer()), tuple(map(word, lengths)), tuple(map(word, strides)),
        word(size), None,
    )  # fmt: skip
    return array._getvalue()
