"""Records in compiled code: a pointer to the fields, however many there are.

Numba passes a namedtuple to a function one number at a time, and an array is seven of them: a search's record of
thirty arrays was two hundred arguments of every call, half the work of compiling. A `RecordType` is passed as one
pointer, and a function reads from it, once and at its beginning, those fields that it names. What is stored of an
array is its data and its shape: nothing that a kernel sees may own memory, so nothing has to be counted. Of arrays that
are fields of the same structures only the first is stored: where the others are follows from it.

A record within a record stays a namedtuple, with all that Numba can do with one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import NativeValue, infer_getattr, lower_getattr_generic, register_model, unbox

from ludus.compile.numba_internals import AttributeTemplate, as_dtype, models
from ludus.compile.unowned_array import as_field, borrowed


class RecordType(types.Type):
    """The type of a record that is an argument of `step`; another of the same name and members is the same type."""

    def __init__(self, name: str, fields: tuple[str, ...], members: tuple[Any, ...]) -> None:
        self.fields, self.members = fields, members
        super().__init__(f"{name}({', '.join(map(str, members))})")

    @property
    def mangling_args(self) -> tuple[str, tuple[Any, ...]]:
        """What stands for it in the names of functions: thousands of letters otherwise, at every call."""
        return f"Record{hashlib.sha256(self.name.encode()).hexdigest()[:16]}", ()


def native_type(value: Any) -> Any:
    """The type that `value`, an argument of `step`, has in compiled code."""
    kind = borrowed(numba.typeof(value))
    if not hasattr(value, "_fields"):
        return kind
    homes: dict[Any, tuple[str, int]] = {}
    members = [as_field(*field, homes) for field in zip(kind, value, value._fields, strict=True)]
    return RecordType(type(value).__name__, value._fields, tuple(members))


@infer_getattr
class RecordAttributes(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, record: RecordType, name: str) -> Any:
        return record.members[record.fields.index(name)] if name in record.fields else None


@register_model(RecordType)
class RecordModel(models.PrimitiveModel):
    """A pointer to a structure that holds the parts of all fields, one after the other."""

    def __init__(self, manager: Any, record: RecordType) -> None:
        parts: list[ir.Type] = []
        self.offsets = {}
        for field, member in zip(record.fields, record.members, strict=True):
            if _has_place(member, field):
                self.offsets[field] = len(parts)
                parts += _part_types(manager, member)
            else:
                self.offsets[field] = self.offsets[member.home]
        super().__init__(manager, record, ir.LiteralStructType(parts).as_pointer())


def _has_place(kind: Any, field: str) -> bool:
    """Whether a field of this type has parts of its own in the structure."""
    return getattr(kind, "home", "") in ("", field)


def _is_plain(kind: Any) -> bool:
    """Whether an array of this type is known by its data and its shape."""
    return isinstance(kind, types.Array) and (kind.layout == "C" or getattr(kind, "stride", 0) > 0)


def _part_types(manager: Any, kind: Any) -> list[ir.Type]:
    """What a field of this type takes in the structure: the types of its parts."""
    if _is_plain(kind):
        size = manager[types.intp].get_value_type()
        return [manager[types.CPointer(kind.dtype)].get_value_type()] + [size] * kind.ndim
    if isinstance(kind, types.BaseTuple):
        return [part for item in kind for part in _part_types(manager, item)]
    return [manager[kind].get_data_type()]


def _take_apart(context: Any, builder: ir.IRBuilder, kind: Any, value: Any) -> list[Any]:
    """The parts of a field's value."""
    if _is_plain(kind):
        array = context.make_array(kind)(context, builder, value)
        return [array.data, *cgutils.unpack_tuple(builder, array.shape, kind.ndim)]
    if isinstance(kind, types.BaseTuple):
        items = cgutils.unpack_tuple(builder, value, len(kind))
        return [part for item, v in zip(kind, items, strict=True) for part in _take_apart(context, builder, item, v)]
    return [context.data_model_manager[kind].as_data(builder, value)]


def _put_together(context: Any, builder: ir.IRBuilder, kind: Any, read: Callable[[], Any]) -> Any:
    """A field's value from its parts, which `read` gives one after the other."""
    if _is_plain(kind):
        pointer = context.get_value_type(types.CPointer(kind.dtype))
        data = cgutils.pointer_add(builder, read(), getattr(kind, "offset", 0), pointer)
        return _array(context, builder, kind, data, [read() for _ in range(kind.ndim)])
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(builder, kind, [_put_together(context, builder, item, read) for item in kind])
    if isinstance(kind, types.Boolean):
        return builder.trunc(read(), ir.IntType(1))  # where Numba's own way is a branch
    return context.data_model_manager[kind].from_data(builder, read())


def _array(context: Any, builder: ir.IRBuilder, kind: Any, data: Any, shape: list[Any]) -> Any:
    """An array without an owner: what Numba would hold of it follows from its data and its shape."""
    size = context.get_constant(types.intp, as_dtype(kind.dtype).itemsize)
    strides: list[Any] = []
    items = context.get_constant(types.intp, 1)
    for length in reversed(shape):
        strides.insert(0, builder.mul(items, size))
        items = builder.mul(items, length)
    if getattr(kind, "stride", 0) > 0:
        strides = [context.get_constant(types.intp, kind.stride)]
    fields = {"nitems": items, "itemsize": size, "data": data}
    fields |= {"shape": cgutils.pack_array(builder, shape), "strides": cgutils.pack_array(builder, strides)}
    model = context.data_model_manager[kind]
    value = ir.Constant(model.get_value_type(), None)
    for name, field in fields.items():
        value = model.set(builder, value, field, name)
    return value


_read: WeakKeyDictionary[ir.Function, dict[tuple[str, str], Any]] = WeakKeyDictionary()
"""The fields that a function has read of its arguments, by the names of argument and field."""


@lower_getattr_generic(RecordType)
def get_field(context: Any, builder: ir.IRBuilder, record: RecordType, pointer: Any, name: str) -> Any:
    if not isinstance(pointer, ir.Argument):
        return _read_field(context, builder, record, pointer, name)
    known = _read.setdefault(builder.function, {})
    if (pointer.name, name) not in known:
        with builder.goto_entry_block():
            known[pointer.name, name] = _read_field(context, builder, record, pointer, name)
    return known[pointer.name, name]


def _read_field(context: Any, builder: ir.IRBuilder, record: RecordType, pointer: Any, name: str) -> Any:
    position = context.data_model_manager[record].offsets[name]

    def read() -> Any:
        nonlocal position
        part = builder.load(cgutils.gep_inbounds(builder, pointer, 0, position))
        part.set_metadata("invariant.load", builder.module.add_metadata([]))  # nothing writes there: read it once
        position += 1
        return part

    return _put_together(context, builder, record.members[record.fields.index(name)], read)


@unbox(RecordType)
def unbox_record(record: RecordType, obj: Any, c: Any) -> NativeValue:
    """The parts of a namedtuple, in memory that lasts as long as the call."""
    fields = types.Tuple(record.members)
    native = c.unbox(fields, obj)
    memory = cgutils.alloca_once(c.builder, c.context.get_value_type(record).pointee)
    items = cgutils.unpack_tuple(c.builder, native.value, len(fields))
    named = zip(record.fields, record.members, items, strict=True)
    own = [(kind, item) for field, kind, item in named if _has_place(kind, field)]
    parts = [part for kind, item in own for part in _take_apart(c.context, c.builder, kind, item)]
    for position, part in enumerate(parts):
        c.builder.store(part, cgutils.gep_inbounds(c.builder, memory, 0, position))

    def release() -> None:
        if native.cleanup is not None:
            native.cleanup()
        if c.context.enable_nrt:
            c.context.nrt.decref(c.builder, fields, native.value)

    return NativeValue(memory, native.is_error, release)
