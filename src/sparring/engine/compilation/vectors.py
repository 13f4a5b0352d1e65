"""Machine code for `engine.vectors`. Importing this module replaces the rules in compiled code.

LLVM doesn't turn such loops into vector instructions, because it can't know that arrays don't overlap.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types

from sparring.engine import vectors
from sparring.engine.vectors import LANES, STREAMS

from .vector_code import intrinsic, splat

_FLOAT, _DOUBLE, _INT = ir.FloatType(), ir.DoubleType(), ir.IntType(32)
_VECTOR, _WIDE = ir.VectorType(_FLOAT, LANES), ir.VectorType(_DOUBLE, LANES)


class _Operand:
    """An array argument in LLVM."""

    def __init__(self, context: Any, builder: ir.IRBuilder, kind: Any, value: ir.Value) -> None:
        self.builder, array = builder, context.make_array(kind)(context, builder, value)
        self.data, self.lengths = array.data, cgutils.unpack_tuple(builder, array.shape, kind.ndim)

    def _pointer(self, index: ir.Value, kind: ir.Type) -> Any:
        return self.builder.bitcast(self.builder.gep(self.data, [index]), kind.as_pointer())

    def scalar(self, index: ir.Value) -> Any:
        """Load a float32."""
        return self.builder.load(self._pointer(index, _FLOAT), align=4)

    def vector(self, index: ir.Value, kind: ir.VectorType = _VECTOR) -> Any:
        """Load LANES values from an index on."""
        return self.builder.load(self._pointer(index, kind), align=4)

    def store(self, index: ir.Value, vector: ir.Value) -> None:
        """Store LANES float32 values from an index on."""
        self.builder.store(vector, self._pointer(index, _VECTOR), align=4)


def _operands(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> list[_Operand]:
    return [_Operand(context, builder, kind, value) for kind, value in zip(signature.args, args, strict=True)]


def _steps(builder: ir.IRBuilder, count: ir.Value, step: int) -> Any:
    """Open a loop over the multiples of `step` below `count`."""
    return cgutils.for_range_slice(builder, count.type(0), count, count.type(step), count.type)


def _zeros(builder: ir.IRBuilder) -> Any:
    """Return a vector variable of zeros."""
    return cgutils.alloca_once_value(builder, ir.Constant(_VECTOR, [0.0] * LANES))


@intrinsic
def _narrow(_typing, target, source):
    """Compile `vectors.narrow`."""

    def code(context, builder, signature, args):
        to, values = _operands(context, builder, signature, args)
        with _steps(builder, to.lengths[0], LANES) as (k, _):
            to.store(k, builder.fptrunc(values.vector(k, _WIDE), _VECTOR))
        return context.get_dummy_value()

    return types.void(target, source), code


@intrinsic
def _layer(_typing, target, bias, weights, values):
    """Compile `vectors.layer`."""

    def code(context, builder, signature, args):
        to, start, rows, scales = _operands(context, builder, signature, args)
        width = to.lengths[0]
        with _steps(builder, width, LANES) as (column, _):
            sums = [_zeros(builder) for _ in range(STREAMS)]
            for total in sums:
                builder.store(ir.Constant(_VECTOR, [0.0] * LANES), total)
            with _steps(builder, scales.lengths[0], STREAMS) as (first, _):
                for stream, total in enumerate(sums):
                    k = builder.add(first, first.type(stream))
                    row = rows.vector(builder.add(builder.mul(k, width), column))
                    term = builder.fmul(row, splat(builder, scales.scalar(k), _VECTOR))
                    builder.store(builder.fadd(builder.load(total), term), total)
            first, second, third, fourth = (builder.load(total) for total in sums)
            whole = builder.fadd(builder.fadd(first, second), builder.fadd(third, fourth))
            whole = builder.fadd(whole, start.vector(column))
            zero = ir.Constant(_VECTOR, [0.0] * LANES)
            positive = builder.fcmp_ordered(">", whole, zero)
            to.store(column, builder.select(positive, whole, zero))
        return context.get_dummy_value()

    return types.void(target, bias, weights, values), code


@intrinsic
def _dot(_typing, first, second):
    """Compile `vectors.dot`."""

    def code(context, builder, signature, args):
        left, right = _operands(context, builder, signature, args)
        total = _zeros(builder)
        builder.store(ir.Constant(_VECTOR, [0.0] * LANES), total)
        with _steps(builder, left.lengths[0], LANES) as (k, _):
            builder.store(builder.fadd(builder.load(total), builder.fmul(left.vector(k), right.vector(k))), total)
        sums, half = builder.load(total), LANES // 2
        while half:
            low, high = (ir.Constant(ir.VectorType(_INT, half), list(range(at, at + half))) for at in (0, half))
            sums = builder.fadd(builder.shuffle_vector(sums, sums, low), builder.shuffle_vector(sums, sums, high))
            half //= 2
        return builder.fpext(builder.extract_element(sums, _INT(0)), _DOUBLE)

    return types.float64(first, second), code


def _compiled_narrow(target, source):
    _narrow(target, source)


def _compiled_layer(target, bias, weights, values):
    _layer(target, bias, weights, values)


def _compiled_dot(first, second):
    return _dot(first, second)


_CODE: dict[Any, Any] = {
    vectors.narrow: _compiled_narrow, vectors.layer: _compiled_layer, vectors.dot: _compiled_dot,
}  # fmt: skip
for _rule, _code in _CODE.items():
    _rule.machine_code = _code
