"""Bit boards: the operations that plain Python arithmetic is slow at.

What stands here is the meaning; compiled code gets the processor's own instructions (`compile/natives.py`).
"""

import numpy as np


def popcount(bits):
    """How many bits of a `uint64` are set."""
    return int(bits).bit_count()


def lowest_bit(bits):
    """The number of the lowest set bit of a `uint64` that is not 0."""
    return (int(bits) & -int(bits)).bit_length() - 1


def highest_bit(bits):
    """The number of the highest set bit of a `uint64` that is not 0."""
    return int(bits).bit_length() - 1


def squares(bits: int | np.uint64) -> list[int]:
    """The numbers of the set bits; Python only."""
    return [i for i in range(64) if int(bits) >> i & 1]
