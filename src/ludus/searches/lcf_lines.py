"""How `lcf` knows the swings of a large tree when a goal has moved, without going through the tree.

Seen from the goal, a swing is a non-decreasing, piecewise-linear function: that of a leaf of value y is max(0, x -
y) at goal x, and sums and minima keep it so. Each node holds the *line*, SLOPE x + BASE, that its swing follows for
all goals from LOW to HIGH. A sum needs the lines of all its children. A minimum needs only the winner's line, and
proof that no other child undercuts it: a swing never falls as the goal rises, and never changes faster than
STEEPEST. So when a goal moves, work is done only where it leaves an interval that somebody relies on; hopeless
siblings are not looked at. Goals like to go back and forth, so lines that held before are kept as well.
"""

import numpy as np

# What a line holds: the first cells of `tree.rise[node]` and `tree.fall[node]`. Lines that held before follow.
SLOPE, BASE, LOW, HIGH, STEEPEST = 0, 1, 2, 3, 4
CELLS = 5
LINES = 4
ALL_CELLS = LINES * CELLS


# Swings. That of a leaf is computed on the spot; an inner node has its line, and some that held before.


def is_known(tree, lines, node, x):
    """Whether the swing of `node` at goal x can be read off."""
    return tree.count[node] <= 0 or holds(lines, node, x)


def swing_of(tree, lines, node, x, sign):
    """The swing of a node where it is known."""
    return swing_at(lines, node, x) if tree.count[node] > 0 else leaf_swing(tree, node, x, sign)


def leaf_swing(tree, leaf, x, sign):
    """max(0, x - y); a finished game cannot change, so an unmet goal is infinitely far."""
    y = sign * tree.value[leaf]
    if x <= y:
        return 0.0
    return np.inf if tree.count[leaf] == 0 else x - y


def leaf_sign(tree, parent, parity):
    """What turns the values of a node's children into y: the root player, who moves at even depths, sees the values at
    odd depths turned; and a fall (parity 0) turns all signs."""
    return 1.0 if tree.depth[parent] % 2 == parity else -1.0


def holds(lines, node, x):
    """Whether the line of `node` is its swing at goal x; one from before is taken up again if that is."""
    if lines[node, LOW] <= x <= lines[node, HIGH]:
        return True
    for line in range(CELLS, ALL_CELLS, CELLS):
        if lines[node, line + LOW] <= x <= lines[node, line + HIGH]:
            for cell in range(CELLS):
                lines[node, cell], lines[node, line + cell] = lines[node, line + cell], lines[node, cell]
            return True
    return False


def swing_at(lines, node, x):
    return lines[node, SLOPE] * x + lines[node, BASE]


def set_line(lines, node, slope, base, low, high, steepest):
    if lines[node, LOW] < lines[node, HIGH]:  # a point is not worth keeping
        for cell in range(ALL_CELLS - 1, CELLS - 1, -1):
            lines[node, cell] = lines[node, cell - CELLS]
    lines[node, SLOPE] = slope
    lines[node, BASE] = base
    lines[node, LOW] = low
    lines[node, HIGH] = high
    lines[node, STEEPEST] = steepest


def forget_line(lines, node):
    lines[node, LOW], lines[node, HIGH] = np.inf, -np.inf
    if lines[node, CELLS + LOW] <= lines[node, CELLS + HIGH]:  # they fill up from here
        for line in range(CELLS, ALL_CELLS, CELLS):
            lines[node, line + LOW], lines[node, line + HIGH] = np.inf, -np.inf


def is_forgotten(lines, node):
    return lines[node, LOW] > lines[node, HIGH]


def line_above(lines, node, x, least):
    """A line of an inner node that proves its swing at goal x to be larger than `least`; -1 if none does."""
    for line in range(0, ALL_CELLS, CELLS):
        if bound_from(lines, node, line, x) > least:
            return line
    return -1


def bound_from(lines, node, line, x):
    """A lower bound on the swing at x, from a line that need not hold there."""
    low, high = lines[node, line + LOW], lines[node, line + HIGH]
    if low > high:
        return 0.0
    slope, base = lines[node, line + SLOPE], lines[node, line + BASE]
    if x >= low:
        return slope * min(x, high) + base
    steepest = lines[node, line + STEEPEST]
    return max(0.0, slope * low + base - steepest * (low - x)) if steepest < np.inf else 0.0


def renew_line(tree, lines, top, x, parity):
    """Make the line of `top` hold at x: a walk over those nodes below it whose lines do not and are needed."""
    node = top
    begin(tree, lines, node, x, parity)
    while True:
        child = next_needed(tree, lines, node, x, parity)
        if child >= 0:
            node = child
            begin(tree, lines, node, x, parity)
            continue
        if tree.depth[node] % 2 == parity:
            sum_of_lines(tree, lines, node, x, parity)
        else:
            least_of_lines(tree, lines, node, x, parity)
        if node == top:
            return
        swing = swing_at(lines, node, x)
        node = tree.parent[node]
        tree.least[node] = min(tree.least[node], swing)


def begin(tree, lines, node, x, parity):
    """Start to renew the line of an inner node."""
    tree.cursor[node] = 0
    if tree.depth[node] % 2 != parity:
        sign, least = leaf_sign(tree, node, parity), np.inf
        for child in range(tree.first[node], tree.first[node] + tree.count[node]):
            if is_known(tree, lines, child, x):
                least = min(least, swing_of(tree, lines, child, x, sign))
        tree.least[node] = least


def next_needed(tree, lines, node, x, parity):
    """The next child whose line must be renewed first, -1 if there is none."""
    total = tree.depth[node] % 2 == parity
    for i in range(tree.cursor[node], tree.count[node]):
        child = tree.first[node] + i
        if not is_known(tree, lines, child, x) and (total or line_above(lines, child, x, tree.least[node]) < 0):
            tree.cursor[node] = i + 1
            return child
    return np.int64(-1)


def sum_of_lines(tree, lines, node, x, parity):
    """All children must move."""
    slope, base, low, high, steepest, hopeless = 0.0, 0.0, -np.inf, np.inf, 0.0, np.inf
    sign = leaf_sign(tree, node, parity)
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        its_slope, its_base, its_low, its_high, its_steepest = line_of(tree, lines, child, 0, x, sign)
        slope += its_slope
        base += its_base
        low = max(low, its_low)
        high = min(high, its_high)
        steepest += its_steepest
        if its_base == np.inf:
            hopeless = min(hopeless, its_low)
    if base == np.inf:
        set_line(lines, node, 0.0, np.inf, hopeless, np.inf, np.inf)
    else:
        set_line(lines, node, slope, base, low, high, steepest)


def line_of(tree, lines, node, line, x, sign):
    """The slope, base, low, high and steepest of a node's line; that of a leaf is the one that holds at x."""
    if tree.count[node] > 0:
        return (
            lines[node, line + SLOPE],
            lines[node, line + BASE],
            lines[node, line + LOW],
            lines[node, line + HIGH],
            lines[node, line + STEEPEST],
        )
    y = sign * tree.value[node]
    finished = tree.count[node] == 0
    if x <= y:
        return 0.0, 0.0, -np.inf, y, np.inf if finished else 1.0
    if finished:
        return 0.0, np.inf, np.nextafter(y, np.inf), np.inf, np.inf
    return 1.0, -y, y, np.inf, 1.0


def least_of_lines(tree, lines, node, x, parity):
    """One child suffices: the winner's line, as long as no other can be below it."""
    first, end = tree.first[node], tree.first[node] + tree.count[node]
    winner, least = np.int64(-1), np.inf
    sign = leaf_sign(tree, node, parity)
    for child in range(first, end):
        if is_known(tree, lines, child, x):
            swing = swing_of(tree, lines, child, x, sign)
            if winner < 0 or swing < least:
                winner, least = child, swing
    slope, base, low, high, steepest = line_of(tree, lines, winner, 0, x, sign)
    zero = slope == 0.0 and base == 0.0  # nothing is less than zero
    if zero:
        low = -np.inf
    for child in range(first, end):
        if child != winner:
            line = 0 if is_known(tree, lines, child, x) else line_above(lines, child, x, least)
            its_slope, its_base, its_low, its_high, its_steepest = line_of(tree, lines, child, line, x, sign)
            steepest = max(steepest, its_steepest)
            if not zero:
                low = max(low, undercut_below(slope, base, its_slope, its_base, its_low, its_steepest))
                high = min(high, undercut_above(slope, base, x, its_slope, its_base, its_low, its_high, its_steepest))
    set_line(lines, node, slope, base, low, high, steepest)


def undercut_below(slope, base, its_slope, its_base, its_low, its_steepest):
    """Going down from a goal where the line is not above another's swing: how far that is sure to remain so."""
    if its_slope > slope:
        crossing = (base - its_base) / (its_slope - slope)
        if crossing >= its_low:
            return crossing
    if its_low == -np.inf or its_steepest <= slope:
        return -np.inf
    gap = its_slope * its_low + its_base - (slope * its_low + base)
    if its_steepest == np.inf or not gap > 0:
        return its_low
    return its_low - gap / (its_steepest - slope)


def undercut_above(slope, base, x, its_slope, its_base, its_low, its_high, its_steepest):
    """The same, going up from x."""
    if slope == 0.0:
        return np.inf
    if x < its_low and its_steepest < slope:
        bound = its_slope * its_low + its_base - its_steepest * (its_low - x)
        return x + (bound - (slope * x + base)) / (slope - its_steepest)
    if its_slope < slope:
        crossing = (its_base - base) / (slope - its_slope)
        if crossing <= its_high:
            return crossing
    if its_high == np.inf:
        return np.inf
    return (its_slope * its_high + its_base - base) / slope
