"""The tail of the normal distribution from a table, for compiled and interpreted code alike.

It takes less time than `math.erfc`, `math.exp` and `math.log`. The tables are made when this file is imported, in eight
milliseconds.
"""

import math

import numpy as np

FAR = 9.0
"""Standard deviations beyond which next to nothing lies: 1 in 10^18."""
STEPS = 64
"""Points of the table of tails, to a standard deviation."""
WHOLE = 1.5 * 2.0**52
"""Added to a number of moderate size and taken off again, it leaves the nearest whole one."""


def tail_series(k):
    """The Taylor series of E max(Z - x, 0), Z being standard normal, at the k-th point x of the table; in steps.

    Its derivatives are minus the tail beyond x, then the density and the derivatives of that. Tail and value come from
    the density by the continued fraction of Mills' ratio, where the obvious formulas would lose digits.
    """
    x = k / STEPS
    density = math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    tail = 0.5 * math.erfc(x * math.sqrt(0.5))
    derivatives = [density - x * tail, -tail, density, -x * density]
    if x >= 3.0:
        rest = 0.0
        for n in range(50, 0, -1):
            rest = n / (x + rest)
        derivatives[:2] = [rest * density / (x + rest), -density / (x + rest)]
    for n in range(4, 9):
        derivatives.append(-x * derivatives[n - 1] - (n - 3) * derivatives[n - 2])
    return [value / math.factorial(n) / STEPS**n for n, value in enumerate(derivatives)]


TAILS = [tail_series(k) for k in range(int(FAR) * STEPS + 1)]


def normal_tail(x):
    """How likely a standard normal variable is to exceed x, and by how much it does on average, less counting as 0.

    For x from 0 to FAR, both to 13 digits. The order of the sums lets a processor do several at a time.
    """
    point = (x * STEPS + WHOLE) - WHOLE
    c, t = TAILS[int(point)], x * STEPS - point
    t2 = t * t
    t4 = t2 * t2
    excess = (c[0] + c[1] * t + (c[2] + c[3] * t) * t2) + t4 * ((c[4] + c[5] * t) + (c[6] + c[7] * t) * t2 + t4 * c[8])
    low = (c[1] + 2.0 * c[2] * t) + (3.0 * c[3] + 4.0 * c[4] * t) * t2
    high = (5.0 * c[5] + 6.0 * c[6] * t) + (7.0 * c[7] + 8.0 * c[8] * t) * t2
    return -STEPS * (low + t4 * high), excess


LOG_STEPS = 8
"""Points of the table of logarithms, to a standard deviation."""
LEAST, MOST = -9.0, 30.0
"""Where that table begins and ends."""


def log_series(c):
    """The Taylor series of the logarithm of what has the series c."""
    found = [np.log(c[0])]
    for n in range(1, len(c)):
        found.append((c[n] - sum(k * found[k] * c[n - k] for k in range(1, n)) / n) / c[0])
    return found


def log_tail_series():
    """The Taylor series of both logarithms that `log_tail` gives, in steps: a list for each point of its table."""
    points = range(int(LEAST) * STEPS, int(MOST) * STEPS + 1, STEPS // LOG_STEPS)
    c = [value * (STEPS // LOG_STEPS) ** n for n, value in enumerate(np.array([tail_series(k) for k in points]).T)]
    tail = log_series([-LOG_STEPS * n * c[n] for n in range(1, len(c))])
    return np.array([*tail, *(log_series(c)[n] - tail[n] for n in range(len(tail)))]).T.tolist()


LOG_TAILS = log_tail_series()


def log_tail(x):
    """The logarithms of how likely a standard normal variable is to exceed x, and of by how much it does if it does.

    From `LEAST` to `MOST` to 12 digits after the point, below that too; beyond, by the first term of an expansion.
    """
    if x > MOST:
        return -0.5 * x * x - math.log(x * math.sqrt(2.0 * math.pi)), -math.log(x)
    if x < LEAST:
        return 0.0, math.log(-x)
    steps = (x - LEAST) * LOG_STEPS
    point = (steps + WHOLE) - WHOLE
    c, t = LOG_TAILS[int(point)], steps - point
    t2 = t * t
    t4 = t2 * t2
    tail = (c[0] + c[1] * t + (c[2] + c[3] * t) * t2) + t4 * ((c[4] + c[5] * t) + (c[6] + c[7] * t) * t2)
    excess = (c[8] + c[9] * t + (c[10] + c[11] * t) * t2) + t4 * ((c[12] + c[13] * t) + (c[14] + c[15] * t) * t2)
    return tail, excess
