"""How `lcf` knows the swings of a large tree when a goal has moved, without going through the tree.

Seen from the goal, a swing is a non-decreasing, piecewise-linear function: that of a leaf of value y is max(0, x - y)
at goal x, and sums and minima keep it so. Each inner node holds the *line*, SLOPE x + BASE, that its swing follows for
all goals from LOW to HIGH. A sum needs the lines of all its children. A minimum needs only the winner's line, and
proof that no other child undercuts it: a swing never falls as the goal rises, so a line that held at a lower goal
bounds it from below. So when a goal moves, work is done only where it leaves an interval that somebody relies on;
hopeless siblings are not looked at. Goals like to go back and forth, so lines that held before are kept as well.

A node has lines of two kinds, by the *parity* of the depths at which all children must move: 1 if it should rise, 0 if
it should fall; with all signs turned, a fall is a rise too.
"""

import numpy as np

# A line, in `tree.lines[node, parity]`. A line from LOW to LOW is called a point.
SLOPE, BASE, LOW, HIGH = 0, 1, 2, 3
CELLS = 4
# Lines that held before, in `tree.kept[node, parity]`: how many there are, and then the lines.
MOST_KEPT = 4
KEPT_CELLS = 1 + MOST_KEPT * CELLS

NOTHING = 2.0**-1000  # a lower bound that says nothing, so that minus a bound is always negative


# Swings. `tree.swing` has them for the present goal: of a leaf it is computed on the spot, of an inner node read off
# its line or else, with a minus sign, a lower bound.


def all_must_move(tree, node, parity):
    """Whether the swing of `node` is the sum of its children's; else it is the least of them."""
    return tree.depth[node] % 2 == parity


def leaf_sign(tree, parent, parity):
    """What turns the values of a node's children into y: the root player, who moves at even depths, sees the values at
    odd depths turned; and a fall (parity 0) turns all signs."""
    return 1.0 if all_must_move(tree, parent, parity) else -1.0


def leaf_swing(tree, leaf, x, sign):
    """max(0, x - y); a finished game cannot change, so an unmet goal is infinitely far."""
    y = sign * tree.value[leaf]
    if x <= y:
        return 0.0
    return np.inf if tree.count[leaf] == 0 else x - y


def look_at_children(tree, node, x, parity, number):
    """The swings of the children of `node` at goal x, as far as they can be read off; `number` stands for that goal."""
    sign = leaf_sign(tree, node, parity)
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        tree.swing[child] = swing_or_bound(tree, child, x, parity, sign)
    tree.scanned[node] = number


def swing_or_bound(tree, node, x, parity, sign):
    if tree.count[node] <= 0:
        return leaf_swing(tree, node, x, sign)
    if holds(tree, node, x, parity):
        return swing_at(tree, node, x, parity)
    slope, base, _, high = best_bound(tree, node, x, parity)
    bound = slope * min(x, high) + base
    return -max(bound, NOTHING) if bound < np.inf else bound


def next_needed(tree, node, parity):
    """The child whose swing must be known next to know that of `node`, the most promising first; -1 if none must."""
    least, bound, needed = np.inf, np.inf, np.int64(-1)
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        swing = tree.swing[child]
        if swing >= 0.0:
            least = min(least, swing)
        elif -swing < bound:
            bound, needed = -swing, child
    return needed if bound <= least or all_must_move(tree, node, parity) else np.int64(-1)


def swing_from_children(tree, node, parity):
    """The swing of a node of whose children enough is known."""
    total, least = 0.0, np.inf
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        swing = tree.swing[child]
        total += swing
        if 0.0 <= swing < least:
            least = swing
    return total if all_must_move(tree, node, parity) else least


# Lines.


def swing_at(tree, node, x, parity):
    return max(0.0, tree.lines[node, parity, SLOPE] * x + tree.lines[node, parity, BASE])


def holds(tree, node, x, parity):
    """Whether the line of `node` is its swing at goal x; one from before is taken up again if that is."""
    if tree.lines[node, parity, LOW] <= x <= tree.lines[node, parity, HIGH]:
        return True
    for i in range(1, 1 + how_many_kept(tree, node, parity) * CELLS, CELLS):
        if tree.kept[node, parity, i + LOW] <= x <= tree.kept[node, parity, i + HIGH]:
            for cell in range(CELLS):
                now, before = tree.lines[node, parity, cell], tree.kept[node, parity, i + cell]
                tree.lines[node, parity, cell], tree.kept[node, parity, i + cell] = before, now
            return True
    return False


def how_many_kept(tree, node, parity):
    """A node without a line, or with a point, has none from before either."""
    if tree.lines[node, parity, LOW] < tree.lines[node, parity, HIGH]:
        return np.int64(tree.kept[node, parity, 0])
    return np.int64(0)


def best_bound(tree, node, x, parity):
    """The line that shows best how large the swing of an inner node at x must be: it is not less at any goal from LOW
    to HIGH, nor further up."""
    slope, base, low, high = line_of(tree, node, x, parity, 0.0)
    if low > x:
        slope, base, low, high = 0.0, 0.0, -np.inf, np.inf
    for i in range(1, 1 + how_many_kept(tree, node, parity) * CELLS, CELLS):
        its_slope, its_base = tree.kept[node, parity, i + SLOPE], tree.kept[node, parity, i + BASE]
        its_low, its_high = tree.kept[node, parity, i + LOW], tree.kept[node, parity, i + HIGH]
        if its_low <= x and its_slope * min(x, its_high) + its_base > slope * min(x, high) + base:
            slope, base, low, high = its_slope, its_base, its_low, its_high
    return slope, base, low, high


def line_of(tree, node, x, parity, sign):
    """The line of an inner node, as it is; that of a leaf is the one that holds at x."""
    if tree.count[node] > 0:
        line = tree.lines
        return line[node, parity, SLOPE], line[node, parity, BASE], line[node, parity, LOW], line[node, parity, HIGH]
    y = sign * tree.value[node]
    if x <= y:
        return 0.0, 0.0, -np.inf, y
    if tree.count[node] == 0:
        return 0.0, np.inf, np.nextafter(y, np.inf), np.inf
    return 1.0, -y, y, np.inf


def set_line(tree, node, parity, slope, base, low, high):
    """A new line for an inner node; the old one is kept, unless it was a point."""
    n = how_many_kept(tree, node, parity)
    if tree.lines[node, parity, LOW] < tree.lines[node, parity, HIGH]:
        n = min(n + 1, MOST_KEPT)
        for cell in range(n * CELLS, CELLS, -1):
            tree.kept[node, parity, cell] = tree.kept[node, parity, cell - CELLS]
        for cell in range(CELLS):
            tree.kept[node, parity, 1 + cell] = tree.lines[node, parity, cell]
    tree.kept[node, parity, 0] = n
    replace_line(tree, node, parity, slope, base, low, high)


def replace_line(tree, node, parity, slope, base, low, high):
    tree.lines[node, parity, SLOPE], tree.lines[node, parity, BASE] = slope, base
    tree.lines[node, parity, LOW], tree.lines[node, parity, HIGH] = low, high


def forget_lines(tree, node):
    """Something below `node` changes: none of its lines is right any more."""
    for parity in range(2):
        tree.lines[node, parity, LOW], tree.lines[node, parity, HIGH] = np.inf, -np.inf


def renew(tree, top, x, parity, number):
    """Find the swing of an inner node at x, and its line: a walk over those nodes below it that must be known."""
    node, entered = top, True
    while True:
        if entered:
            look_at_children(tree, node, x, parity, number)
        child = next_needed(tree, node, parity)
        entered = child >= 0
        if entered:
            node = child
            continue
        if all_must_move(tree, node, parity):
            add_lines(tree, node, x, parity)
        else:
            take_lowest_line(tree, node, x, parity)
        tree.swing[node] = swing_at(tree, node, x, parity)
        if node == top:
            return
        node = tree.parent[node]


def add_lines(tree, node, x, parity):
    """All children must move."""
    slope, base, low, high, hopeless = 0.0, 0.0, -np.inf, np.inf, np.inf
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        its_slope, its_base, its_low, its_high = line_of(tree, child, x, parity, 1.0)
        slope += its_slope
        base += its_base
        low = max(low, its_low)
        high = min(high, its_high)
        if its_base == np.inf:
            hopeless = min(hopeless, its_low)
    if base == np.inf:
        set_line(tree, node, parity, 0.0, np.inf, hopeless, np.inf)
    else:
        set_line(tree, node, parity, slope, base, low, high)


def take_lowest_line(tree, node, x, parity):
    """One child suffices: the winner's line, as long as no other can be below it."""
    first, end = tree.first[node], tree.first[node] + tree.count[node]
    winner, least = np.int64(-1), np.inf
    for child in range(first, end):
        swing = tree.swing[child]
        if swing >= 0.0 and (winner < 0 or swing < least):
            winner, least = child, swing
    slope, base, low, high = line_of(tree, winner, x, parity, -1.0)
    if least == 0.0 and slope == 0.0:  # nothing is less than zero
        set_line(tree, node, parity, slope, base, -np.inf, high)
        return
    for child in range(first, end):
        if child == winner:
            continue
        if tree.swing[child] >= 0.0:
            its_slope, its_base, its_low, its_high = line_of(tree, child, x, parity, -1.0)
        else:
            its_slope, its_base, its_low, its_high = best_bound(tree, child, x, parity)
        low = max(low, its_low)
        if its_slope > slope:
            low = max(low, (base - its_base) / (its_slope - slope))
        if slope > 0.0:
            crossing = (its_base - base) / (slope - its_slope) if its_slope < slope else np.inf
            if crossing > its_high:  # beyond its line, its swing does not fall
                crossing = (its_slope * its_high + its_base - base) / slope
            high = min(high, crossing)
    set_line(tree, node, parity, slope, base, low, high)
