"""What stands in compiled code for the functions of `kernel/` that the processor can do itself."""

from __future__ import annotations

import functools

from ludus.compile.fingerprint import Binding
from ludus.kernel import bits, boards, lock
from ludus.kernel.prefetch import prefetch


@functools.cache
def natives() -> Binding:
    """The processor's own instructions for `bits.py`, `lock.py` and `prefetch.py`; and `boards.py` for Numba."""
    from llvmlite import ir
    from numba import types as nb
    from numba.extending import intrinsic

    @intrinsic
    def popcount(typing, bits):
        def generate(context, builder, signature, arguments):
            return builder.ctpop(arguments[0])

        return nb.int64(nb.uint64), generate

    @intrinsic
    def lowest_bit(typing, bits):
        def generate(context, builder, signature, arguments):
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return nb.int64(nb.uint64), generate

    @intrinsic
    def highest_bit(typing, bits):
        def generate(context, builder, signature, arguments):
            zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
            return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

        return nb.int64(nb.uint64), generate

    from ludus.compile import intrinsics

    found: Binding = {bits.popcount: popcount, bits.lowest_bit: lowest_bit, bits.highest_bit: highest_bit}
    found |= {lock.peek: intrinsics.peek, lock.swap: intrinsics.swap, lock.put: intrinsics.put}
    return found | {boards.replace: intrinsics.replace, prefetch: intrinsics.prefetch}
