"""LLVM code for vectors, shared by the modules that replace rules by machine code."""

from typing import Any

from llvmlite import ir
from numba.extending import intrinsic as _intrinsic

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
