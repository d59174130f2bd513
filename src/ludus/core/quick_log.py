"""The natural logarithm from a table, for compiled and interpreted code alike.

Compiled code calls `math.log` in a library, and whatever the caller holds in registers has to be put away before that.
This one is a part of the code around it.
"""

import math

import numpy as np

STEPS = 128
"""Points of the table, from 1 to 2."""
STEP_BITS = 52 - 7
ONE = np.float64(1.0).view(np.int64)
MANTISSA = (1 << 52) - 1

LOGS = [[1.0 / (1.0 + (k + 0.5) / STEPS), math.log(1.0 + (k + 0.5) / STEPS)] for k in range(STEPS)]
LOG2 = math.log(2.0)


def quick_log(x):
    """ln x, of a number above 0 that is not too small for all its digits (2^-1022); to 15 digits after the point."""
    bits = np.float64(x).view(np.int64)
    part = bits & MANTISSA
    mantissa = np.int64(part | ONE).view(np.float64)  # from 1 to 2
    c = LOGS[part >> STEP_BITS]
    r = mantissa * c[0] - 1.0
    r2 = r * r
    series = r + r2 * ((-0.5 + r * (1.0 / 3.0)) + r2 * ((-0.25 + r * 0.2) - r2 * (1.0 / 6.0)))
    return ((bits - ONE) >> 52) * LOG2 + (c[1] + series)
