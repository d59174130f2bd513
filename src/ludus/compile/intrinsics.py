"""What compiled code does with boards beyond what Numba offers: see `form.py` for arrays and tuples as boards.

An array in a state cannot be written to, in compiled code by its type: so nobody changes a state that he was given, or
the row of a tree that it was loaded from.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from ludus.kernel.form import ARRAY, Part

NAMES = ("frozen", "owned", "tuple_at", "put_tuple", "put_array", "as_tuple")
"""What the generated rules use."""


def state_type(form: Any) -> Any:
    """The type of a state of this form, or of an element of one."""
    if not isinstance(form, Part):
        return types.BaseTuple.from_types([state_type(inner) for inner in form])
    kind = from_dtype(form.dtype)
    if form.kind == ARRAY:
        return types.Array(kind, len(form.shape), "C", readonly=True)
    for length in reversed(form.shape):
        kind = types.UniTuple(kind, length)
    return kind


@intrinsic
def frozen(typing, array):
    """The same array, but nobody can write to it."""

    def generate(context, builder, signature, arguments):
        if context.enable_nrt:
            context.nrt.incref(builder, signature.return_type, arguments[0])
        return arguments[0]

    return types.Array(array.dtype, array.ndim, "C", readonly=True)(array), generate


@intrinsic
def owned(typing, array, like):
    """`array` as a state has it, in the type of `like`, in memory that no row of a tree is a part of."""
    if not isinstance(array, types.Array) or array.ndim != like.ndim:
        raise TypingError(f"a board must be an array of {like.ndim} dimensions, as initial() gives, not {array}")
    writeable = types.Array(like.dtype, like.ndim, "C")
    fits = array.dtype == like.dtype and array.layout == "C" and array.aligned
    kind = like.dtype

    def copy(array):
        return array.copy()

    def convert(array):
        return np.ascontiguousarray(array).astype(kind)

    def generate(context, builder, signature, arguments):
        if not fits:
            return context.compile_internal(builder, convert, writeable(array), arguments[:1])
        given = context.make_array(array)(context, builder, arguments[0])
        place = cgutils.alloca_once_value(builder, arguments[0])
        with builder.if_else(cgutils.is_null(builder, given.meminfo)) as (borrowed, counted):
            with borrowed:
                builder.store(context.compile_internal(builder, copy, writeable(array), arguments[:1]), place)
            with counted:
                context.nrt.incref(builder, array, arguments[0])
        return builder.load(place)

    return like(array, like), generate


@intrinsic
def copied(typing, array, like):
    """The same in memory of its own, whoever owns that of `array`: where rows of a tree are counted too."""
    if not isinstance(array, types.Array) or array.ndim != like.ndim:
        raise TypingError(f"a board must be an array of {like.ndim} dimensions, as initial() gives, not {array}")
    kind = like.dtype

    def convert(array):
        return np.ascontiguousarray(array).astype(kind)

    def generate(context, builder, signature, arguments):
        made = types.Array(like.dtype, like.ndim, "C")
        return context.compile_internal(builder, convert, made(array), arguments[:1])

    return like(array, like), generate


@intrinsic
def tuple_at(typing, column, index, like):
    """The row of `column` at `index` as a tuple, in the type of `like`."""

    def generate(context, builder, signature, arguments):
        return context.unpack_value(builder, like, _tuple(context, builder, signature, arguments))

    return like(column, types.intp, like), generate


@intrinsic
def put_tuple(typing, column, index, board):
    """Store a tuple in the row of `column` at `index`."""

    def generate(context, builder, signature, arguments):
        context.pack_value(builder, board, arguments[2], _tuple(context, builder, signature, arguments))
        return context.get_dummy_value()

    return types.void(column, types.intp, board), generate


@intrinsic
def put_array(typing, column, index, board):
    """Store an array in the row of `column` at `index`."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(board)(context, builder, arguments[2])
        row = _row(context, builder, signature, arguments)
        cgutils.raw_memmove(builder, row, array.data, array.nitems, array.itemsize)
        return context.get_dummy_value()

    return types.void(column, types.intp, board), generate


def _row(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """A pointer to a row of a column."""
    column = signature.args[0]
    array = context.make_array(column)(context, builder, arguments[0])
    stride = builder.extract_value(array.strides, 0)
    return cgutils.pointer_add(builder, array.data, builder.mul(arguments[1], stride))


def _tuple(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The same for a column of tuples."""
    kind = context.get_data_type(signature.args[2])
    return builder.bitcast(_row(context, builder, signature, arguments), kind.as_pointer())


@intrinsic
def as_tuple(typing, board, like):
    """A tuple in the type of `like`."""
    if not isinstance(board, types.BaseTuple) or _form(board) != _form(like):
        raise TypingError(f"a board must be a tuple of {_form(like)} numbers, as initial() gives, not {board}")

    def generate(context, builder, signature, arguments):
        return context.cast(builder, arguments[0], board, like)

    return like(board, like), generate


def _form(board: Any) -> str:
    """The lengths of nested tuples: `3 x 4`, or `(3, 4)` of one that is ragged."""
    inner = [_form(kind) for kind in board] if isinstance(board, types.BaseTuple) else []
    if not inner or not any(inner):
        return str(len(inner)) if isinstance(board, types.BaseTuple) else ""
    return f"{len(inner)} x {inner[0]}" if len(set(inner)) == 1 else f"({', '.join(inner)})"


@functools.cache
def due_after(length: int) -> Any:
    """`alternation.due`, where the states of a game's author have this number of elements."""

    @intrinsic
    def due(typing, game, state):
        def generate(context, builder, signature, arguments):
            if len(state) == length:
                return context.get_constant(types.boolean, False)
            return builder.extract_value(arguments[1], length)

        return types.boolean(game, state), generate

    return due


@intrinsic
def replace(typing, board, index, value):
    """`boards.replace`."""
    if isinstance(board, types.Array):

        def change(board, index, value):
            changed = board.copy()
            changed[index] = value
            return changed

        made = types.Array(board.dtype, board.ndim, "C")

        def generate_array(context, builder, signature, arguments):
            return context.compile_internal(builder, change, signature, arguments)

        return made(board, index, value), generate_array

    if not isinstance(board, types.UniTuple):
        raise TypingError(f"replace needs a tuple of numbers that are all of one type, or an array, not {board}")

    def generate(context, builder, signature, arguments):
        tuple_, position, element = arguments
        size = position.type(board.count)
        negative = builder.icmp_signed("<", position, position.type(0))
        position = builder.select(negative, builder.add(position, size), position)
        with builder.if_then(builder.icmp_unsigned(">=", position, size), likely=False):
            context.call_conv.return_user_exc(builder, IndexError, ("replace: there is no such element",))
        place = cgutils.alloca_once_value(builder, tuple_)
        builder.store(element, builder.gep(place, [position.type(0), position], inbounds=True))
        return builder.load(place)

    return board(board, types.intp, board.dtype), generate


# Cells that several threads use at once (`lock.py`).


def _cell(context, builder, signature, arguments):
    """Where a cell of an array of `int64` is."""
    kind, array = signature.args[0], arguments[0]
    found = context.make_array(kind)(context, builder, array)
    index = context.cast(builder, arguments[1], signature.args[1], types.intp)
    return cgutils.get_item_pointer(context, builder, kind, found, [index], wraparound=False)


@intrinsic
def peek(typing, cells, index):
    def generate(context, builder, signature, arguments):
        return builder.load_atomic(_cell(context, builder, signature, arguments), "monotonic", 8)

    return types.int64(cells, index), generate


@intrinsic
def swap(typing, cells, index, number):
    def generate(context, builder, signature, arguments):
        cell = _cell(context, builder, signature, arguments)
        return builder.atomic_rmw("xchg", cell, arguments[2], "acquire")

    return types.int64(cells, index, types.int64), generate


@intrinsic
def put(typing, cells, index, number):
    def generate(context, builder, signature, arguments):
        builder.store_atomic(arguments[2], _cell(context, builder, signature, arguments), "release", 8)
        return context.get_dummy_value()

    return types.void(cells, index, types.int64), generate


@intrinsic
def prefetch(typing, cells, index):
    """`prefetch.prefetch`."""

    def generate(context, builder, signature, arguments):
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        tuples = isinstance(cells, types.BaseTuple)
        arrays = cgutils.unpack_tuple(builder, arguments[0], len(cells)) if tuples else [arguments[0]]
        for column, array in zip(cells if tuples else [cells], arrays, strict=True):
            row = _row(context, builder, types.void(column, types.intp), [array, arguments[1]])
            cell = builder.bitcast(row, cgutils.voidptr_t)
            builder.call(function, [cell, word(0), word(3), word(1)])  # to read it; to keep it near; it is data
        return context.get_dummy_value()

    return types.void(cells, types.intp), generate
