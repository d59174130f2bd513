"""Arrays that compiled code borrows from Python: those of the tree, the meter, the fields of a game.

Numba counts references to every array, and passing a tree of thirty arrays to a function costs more than the function
does. Python keeps the arrays of a kernel's arguments alive while it runs, so they need no counts. Measured: minimax on
tic-tac-toe 23 against 1.2 million nodes/s, where a rule allocates and therefore counts are compiled in.

Where an array is one field of an array of structures, how far its cells are apart is a part of its type, and so is
where the field lies in a structure: compiled code has constants then, finds the structure once for all of its fields,
and knows that a number written to one field changes no other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from ludus.compile.numba_internals import Conversion, NativeValue, models, register_default, unbox


class UnownedArray(types.Array):
    """An array whose memory is somebody else's. A slice of it is an ordinary array that has no memory to count."""

    stride = 0
    """The bytes from one cell to the next, if that is known; else 0."""
    offset = 0
    """The bytes from the cells of its home to its own."""
    home = ""
    """The first field of the record that is a field of the same structures."""

    def __init__(self, dtype: Any, ndim: int, layout: str, readonly: bool, aligned: bool, **field: Any) -> None:
        """`field`: the attributes above, where it is a field of structures."""
        self.__dict__.update(field)
        access = "readonly" if readonly else "writeable"
        name = f"borrowed({dtype}, {ndim}d, {layout}, {access}, {aligned}, {self.stride}, {self.offset}, {self.home})"
        super().__init__(dtype, ndim, layout, readonly, name, aligned)

    @property
    def key(self) -> tuple[Any, ...]:
        """Types of the same key are one."""
        return (*super().key, self.stride, self.offset, self.home)

    @property
    def anywhere(self) -> UnownedArray:
        """The type of all such fields, wherever they lie: that of a function's argument, or of one of two fields."""
        return UnownedArray(self.dtype, self.ndim, self.layout, not self.mutable, self.aligned, stride=self.stride)

    def unify(self, context: Any, other: Any) -> Any:
        if isinstance(other, UnownedArray) and self.anywhere == other.anywhere:
            return self.anywhere
        return super().unify(context, other)

    def can_convert_to(self, context: Any, other: Any) -> Any:
        if isinstance(other, UnownedArray) and self.anywhere == other:
            return Conversion.safe
        return super().can_convert_to(context, other)


@register_default(UnownedArray)
class UnownedArrayModel(models.StructModel):
    """The same fields as any array's, but nothing to count in the first."""

    def __init__(self, manager: Any, kind: Any) -> None:
        fields = manager.lookup(types.Array(kind.dtype, kind.ndim, kind.layout))._fields
        members = manager.lookup(types.Array(kind.dtype, kind.ndim, kind.layout))._members
        super().__init__(manager, kind, [("meminfo", types.voidptr), *list(zip(fields, members, strict=True))[1:]])


@unbox(UnownedArray)
def unbox_borrowed(kind: Any, value: Any, c: Any) -> Any:
    native = c.context.make_array(kind)(c.context, c.builder)
    pointer = native._getpointer()
    signature = ir.FunctionType(ir.IntType(32), [c.pyapi.pyobj, c.pyapi.voidptr])
    adapt = c.pyapi._get_function(signature, name="numba_adapt_ndarray")
    failed = c.builder.call(adapt, (value, c.builder.bitcast(pointer, c.pyapi.voidptr)))
    return NativeValue(c.builder.load(pointer), is_error=cgutils.is_not_null(c.builder, failed))


def borrowed(kind: Any) -> Any:
    """The type of an argument whose arrays are borrowed."""
    if type(kind) is types.Array:
        return UnownedArray(kind.dtype, kind.ndim, kind.layout, not kind.mutable, kind.aligned)
    if not isinstance(kind, types.BaseTuple):
        return kind
    inner = [borrowed(each) for each in kind]
    if isinstance(kind, types.BaseNamedTuple):
        return types.BaseTuple.from_types(inner, kind.instance_class)
    return types.BaseTuple.from_types(inner)


def as_field(kind: Any, value: Any, name: str, homes: dict[Any, tuple[str, int]]) -> Any:
    """The type of an array that is one field of an array of structures; `kind` if it is none.

    `homes`: by array of structures and length, the first such field and where its cells are. This one is added if there
    is none. However long an array is: NumPy calls one of one cell contiguous, and Numba believes it.
    """
    structures = getattr(value, "base", None)
    if not isinstance(kind, UnownedArray) or not isinstance(structures, np.ndarray) or structures.dtype.names is None:
        return kind
    if value.dtype.names is not None or value.strides != structures.strides:
        return kind
    home, start = homes.setdefault((id(structures), value.size), (name, value.ctypes.data))
    place = {"stride": structures.itemsize, "offset": value.ctypes.data - start, "home": home}
    return UnownedArray(kind.dtype, 1, "A", not kind.mutable, kind.aligned, **place)
