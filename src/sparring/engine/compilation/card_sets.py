"""Machine code for `engine.card_sets`. Importing this module replaces `lowest` in compiled code."""

# mypy: allow-untyped-defs, allow-untyped-calls

from llvmlite import ir
from numba.core import types

from sparring.engine import card_sets

from .vector_code import intrinsic


@intrinsic
def _trailing_zeros(_typing, bits):
    """Compile `card_sets.lowest`: the number of zeros below the lowest set bit, an instruction of the processor."""

    def code(_context, builder, _signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


def _compiled_lowest(cards):
    return _trailing_zeros(cards)


card_sets.lowest.machine_code = _compiled_lowest  # type: ignore[attr-defined]
