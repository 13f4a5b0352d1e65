"""Machine code for `engine.vectors`, `cards.lowest` and `rule.zeros`, replacing these rules when it is imported.

LLVM doesn't turn such loops into vector instructions, because it can't know that arrays don't overlap.

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
from numba.extending import intrinsic as _intrinsic
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import as_dtype

from sparring.engine import cards, vectors
from sparring.engine.rule import zeros
from sparring.engine.vectors import LANES, STREAMS

_INT = ir.IntType(32)

#: Numba's `intrinsic` without a type, because mypy would miss the first parameter of intrinsics in their calls.
intrinsic: Any = _intrinsic


def splat(builder: ir.IRBuilder, value: ir.Value, kind: ir.VectorType) -> Any:
    """Return a vector of equal values."""
    single = builder.insert_element(ir.Constant(kind, ir.Undefined), value, _INT(0))
    return builder.shuffle_vector(single, single, ir.Constant(ir.VectorType(_INT, kind.count), [0] * kind.count))


def store_at(
    context: Any, builder: ir.IRBuilder, kind: Any, array: ir.Value, index: ir.Value, vector: ir.Value
) -> None:
    """Store a vector in an array of Numba type `kind`, from an index on."""
    data = context.make_array(kind)(context, builder, array).data
    target = builder.bitcast(builder.gep(data, [index]), vector.type.as_pointer())
    builder.store(vector, target, align=kind.dtype.bitwidth // 8)


_FLOAT, _DOUBLE = ir.FloatType(), ir.DoubleType()
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


@intrinsic
def _trailing_zeros(_typing, bits):
    """Compile `cards.lowest`: the number of zeros below the lowest set bit, an instruction of the processor."""

    def code(_context, builder, _signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


def _compiled_lowest(cards):
    return _trailing_zeros(cards)


cards.lowest.machine_code = _compiled_lowest  # type: ignore[attr-defined]


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
def _lower_zeros(context: Any, builder: ir.IRBuilder, sig: Any, _args: object) -> Any:
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
