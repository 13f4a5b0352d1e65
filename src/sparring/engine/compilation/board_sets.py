"""Machine code for `engine.hexes` and `engine.squares`. Importing this module replaces the rules in compiled code.

A set of hexes is one vector with a row of the board in each lane; the lanes after the rows are 0.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types

from sparring.engine import hexes, squares
from sparring.engine.hexes import LARGEST, MIDDLE, SET_SIZE, Q, R
from sparring.engine.squares import ASCENDING, DIRECTIONS, STRIDES

from .vectors import intrinsic, splat, store_at

_INT, _BYTE = ir.IntType(32), ir.IntType(8)
_ROWS = ir.VectorType(_INT, SET_SIZE)

#: The lanes of a vector.
LANES = 32
_SET = ir.VectorType(_INT, LANES)

#: The number of hexes that `_write_places` looks at: the bits of a byte.
PLACES = 8
#: For each byte its set bits, lowest first, as bytes of a number.
_PLACES_OF = [
    sum(bit << 8 * i for i, bit in enumerate(bit for bit in range(PLACES) if byte >> bit & 1))
    for byte in range(1 << PLACES)
]


def _equal(value: int) -> Any:
    return ir.Constant(_SET, [value] * LANES)


def _loaded(builder: ir.IRBuilder, pointer: ir.Value) -> Any:
    """Return the set at a pointer."""
    lanes = [min(lane, SET_SIZE) for lane in range(LANES)]
    return builder.shuffle_vector(
        builder.load(pointer, align=4), ir.Constant(_ROWS, [0] * SET_SIZE), ir.Constant(_SET, lanes)
    )


def _shifted(builder: ir.IRBuilder, rows: ir.Value, by: int) -> Any:
    """Return a set in which each row moves by a number of lanes; the first or last ones become empty."""
    lanes = [lane - by if 0 <= lane - by < LANES else LANES for lane in range(LANES)]
    return builder.shuffle_vector(rows, _equal(0), ir.Constant(_SET, lanes))


def _around(builder: ir.IRBuilder, rows: ir.Value) -> Any:
    """Return the neighbours of all hexes of a set, as `hexes.mark_around` marks them."""
    one = _equal(1)
    above, below = _shifted(builder, rows, 1), _shifted(builder, rows, -1)
    found = builder.or_(builder.shl(rows, one), builder.lshr(rows, one))
    found = builder.or_(found, builder.or_(above, builder.lshr(above, one)))
    return builder.or_(found, builder.or_(below, builder.shl(below, one)))


@intrinsic
def _spread(_typing, row, bit, steps, board, taken, stops, reached):
    """Compile `hexes.spread` for the hex `bit` of a row."""

    def code(context, builder, signature, args):
        row, bit, steps = args[:3]
        pointers = [
            builder.bitcast(context.make_array(kind)(context, builder, value).data, _ROWS.as_pointer())
            for kind, value in zip(signature.args[3:], args[3:], strict=True)
        ]
        ground, blocked, ends = (_loaded(builder, pointer) for pointer in pointers[:3])
        ground = builder.and_(ground, builder.not_(blocked))
        lanes = ir.Constant(_SET, list(range(LANES)))
        is_row = builder.icmp_signed("==", lanes, splat(builder, builder.trunc(row, _INT), _SET))
        start = builder.select(is_row, splat(builder, builder.trunc(bit, _INT), _SET), _equal(0))
        passable = builder.or_(builder.not_(ends), start)
        found = cgutils.alloca_once_value(builder, start)
        builder.store(start, found)
        with cgutils.for_range(builder, steps):
            now = builder.load(found)
            new = builder.and_(_around(builder, builder.and_(now, passable)), ground)
            builder.store(builder.or_(now, new), found)
        others = builder.and_(builder.load(found), builder.not_(start))
        rows = ir.Constant(ir.VectorType(_INT, SET_SIZE), list(range(SET_SIZE)))
        builder.store(builder.shuffle_vector(others, others, rows), pointers[3], align=4)
        return context.get_dummy_value()

    return types.void(row, bit, steps, board, taken, stops, reached), code


@intrinsic
def _item(_typing, array, index):
    """Return the integer at an index that is in the array."""

    def code(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.sext(builder.load(builder.gep(data, [args[1]])), ir.IntType(64))

    return types.int64(array, types.int64), code


@intrinsic
def _write_places(_typing, byte, number, out, n):
    """Write `number` plus the place of each set bit of a byte to `out` from index `n` on; return the next index.

    Writes eight numbers, of which those after the next index mean nothing.
    """

    def code(context, builder, signature, args):
        byte, number, out, n = args
        kind = signature.args[2]
        item = context.get_data_type(kind.dtype)
        places, word = ir.VectorType(item, PLACES), ir.IntType(64)
        table = cgutils.global_constant(builder, "places", ir.Constant(ir.ArrayType(word, 1 << PLACES), _PLACES_OF))
        packed = builder.load(builder.gep(table, [word(0), byte]))
        found = builder.zext(builder.bitcast(packed, ir.VectorType(_BYTE, PLACES)), places)
        found = builder.add(found, splat(builder, builder.trunc(number, item), places))
        store_at(context, builder, kind, out, n, found)
        return builder.add(n, builder.ctpop(byte))

    return types.int64(types.int64, types.int64, out, types.int64), code


def _compiled_spread(start, steps, board, taken, stops, reached):
    _spread(R[start] + LARGEST + 1, 1 << (Q[start] + LARGEST), steps, board, taken, stops, reached)


def _compiled_numbers(rows, radius, out, n, base):
    width = 2 * radius + 1
    for row in range(LARGEST + 1 - radius, LARGEST + 2 + radius):
        west = max(LARGEST - radius, 2 * LARGEST + 1 - radius - row)
        bits = _item(rows, row) >> west
        number = base + _item(MIDDLE, row - 1) + west - LARGEST
        n = _write_places(bits & 255, number, out, n)
        n = _write_places((bits >> PLACES) & 255, number + PLACES, out, n)
        if width > 2 * PLACES:
            n = _write_places(bits >> 2 * PLACES, number + 2 * PLACES, out, n)
    return n


hexes.spread.machine_code = _compiled_spread  # type: ignore[attr-defined]
hexes.numbers.machine_code = _compiled_numbers  # type: ignore[attr-defined]


_LONG = ir.IntType(64)
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
