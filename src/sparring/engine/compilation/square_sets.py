"""Machine code for `engine.squares`. Importing this module replaces `offer_walks` in compiled code."""

# mypy: allow-untyped-defs, allow-untyped-calls

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types

from sparring.engine import squares
from sparring.engine.squares import ASCENDING, DIRECTIONS, STRIDES

from .vector_code import intrinsic, splat, store_at

_BYTE, _LONG = ir.IntType(8), ir.IntType(64)
_BYTES = ir.VectorType(_BYTE, DIRECTIONS)


def _strides_of(directions: int) -> Any:
    """Return the strides of a set of directions, ascending, in the first bytes of a vector."""
    strides = [STRIDES[way] for way in ASCENDING if directions >> way & 1]
    return ir.Constant(_BYTES, [*strides, *[0] * (DIRECTIONS - len(strides))])


#: For each set of directions, as bits, their strides.
_STRIDES_OF = [_strides_of(directions) for directions in range(1 << DIRECTIONS)]


@intrinsic
def _write_walks(_typing, out, n, start, steps, directions):
    """Write `start` plus `steps` strides in each direction to `out` from index `n` on; return the next index.

    Writes eight numbers at once, of which those after the next index mean nothing.
    """

    def code(context, builder, signature, args):
        out, n, start, steps, directions = args
        kind = signature.args[0]
        item = context.get_data_type(kind.dtype)
        numbers = ir.VectorType(item, DIRECTIONS)

        table = cgutils.global_constant(
            builder, "strides", ir.Constant(ir.ArrayType(_BYTES, 1 << DIRECTIONS), _STRIDES_OF)
        )
        strides = builder.sext(builder.load(builder.gep(table, [_LONG(0), directions])), numbers)
        found = builder.add(
            builder.mul(strides, splat(builder, builder.trunc(steps, item), numbers)),
            splat(builder, builder.trunc(start, item), numbers),
        )
        store_at(context, builder, kind, out, n, found)
        return builder.add(n, builder.ctpop(directions))

    return types.int64(out, types.int64, types.int64, types.int64, types.int64), code


def _compiled_offer_walks(out, n, first, square, steps, directions):
    return _write_walks(out, n, first + square, steps, directions)


squares.offer_walks.machine_code = _compiled_offer_walks  # type: ignore[attr-defined]
