"""How `lcf` knows the swings of a large tree when a goal has moved, without going through the tree.

Seen from the goal, a swing is a non-decreasing, piecewise-linear function: that of a leaf of value y is max(0, x - y)
at goal x, and sums and minima keep it so. Each inner node holds the *line*, SLOPE x + BASE, that its swing follows for
all goals from LOW to HIGH. A sum needs the lines of all its children. A minimum needs only the winner's line, and
proof that no other child undercuts it: a swing never falls as the goal rises, so a line that held at a lower goal
bounds it from below. So when a goal moves, work is done only where it leaves an interval that somebody relies on;
hopeless siblings are not looked at. Goals like to go back and forth, so lines that held before are kept as well.

There are lines of two kinds, `tree.rise` and `tree.fall`, of which one is passed as `lines`: for a node that should
rise and for one that should fall, with all signs turned, so that it rises too. The `parity` that goes with them is
that of the depths at which all children must move.
"""

import numpy as np

# A line: the first cells of `lines[node]`. If LOW is HIGH it is called a point; if LOW is above, the node has none.
SLOPE, BASE, LOW, HIGH = 0, 1, 2, 3
CELLS = 4
# Then there is room for a line that the node's parent had before: each has as many as it has children, or fewer.
KEPT = 4
MOST_KEPT = 4


# Swings. In `tree.swing` they are for the present goal; a minus sign (zero has one, too) marks a lower bound.


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


def is_bound(swing):
    return np.signbit(swing)


def look_at_children(tree, lines, node, x, parity, number):
    """The swings of the children of `node` at goal x, as far as they can be read off; `number` stands for that goal."""
    sign = leaf_sign(tree, node, parity)
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        tree.now[child, parity] = swing_or_bound(tree, lines, child, x, sign)
    tree.scanned[node, parity] = number


def swing_or_bound(tree, lines, node, x, sign):
    if tree.count[node] <= 0:
        return leaf_swing(tree, node, x, sign)
    known = holds(tree, lines, node, x)
    if known:
        swing = lines[node, SLOPE] * x + lines[node, BASE]
    else:
        slope, base, _, high = best_bound(tree, lines, node, x)
        swing = slope * min(x, high) + base
    if not swing > 0.0:
        swing = 0.0
    return swing if known or swing == np.inf else -swing


# Lines.


def has_line(lines, node):
    return lines[node, LOW] <= lines[node, HIGH]


def room(tree, node):
    """Where the room for lines from before ends; it begins with the first child."""
    return tree.first[node] + min(tree.count[node], MOST_KEPT)


def end_of_kept(tree, lines, node):
    """Where the lines from before end; a node without a line, or with a point, has none."""
    end = tree.first[node]
    if lines[node, LOW] < lines[node, HIGH]:
        while end < room(tree, node) and lines[end, KEPT + LOW] <= lines[end, KEPT + HIGH]:
            end += 1
    return end


def holds(tree, lines, node, x):
    """Whether the line of `node` is its swing at goal x; one from before is taken up again if that is."""
    if lines[node, LOW] <= x <= lines[node, HIGH]:
        return True
    for row in range(tree.first[node], end_of_kept(tree, lines, node)):
        if lines[row, KEPT + LOW] <= x <= lines[row, KEPT + HIGH]:
            for cell in range(CELLS):
                lines[node, cell], lines[row, KEPT + cell] = lines[row, KEPT + cell], lines[node, cell]
            return True
    return False


def best_bound(tree, lines, node, x):
    """The line that shows best how large the swing of an inner node at x must be: it is not less at any goal from LOW
    to HIGH, nor further up."""
    slope, base, low, high = 0.0, 0.0, -np.inf, np.inf
    if lines[node, LOW] <= x:
        slope, base, low, high = lines[node, SLOPE], lines[node, BASE], lines[node, LOW], lines[node, HIGH]
    for row in range(tree.first[node], end_of_kept(tree, lines, node)):
        its_slope, its_base, its_high = lines[row, KEPT + SLOPE], lines[row, KEPT + BASE], lines[row, KEPT + HIGH]
        if lines[row, KEPT + LOW] <= x and its_slope * min(x, its_high) + its_base > slope * min(x, high) + base:
            slope, base, low, high = its_slope, its_base, lines[row, KEPT + LOW], its_high
    return slope, base, low, high


def line_of(tree, lines, node, x, sign):
    """The line of an inner node, as it is; that of a leaf is the one that holds at x."""
    if tree.count[node] > 0:
        return lines[node, SLOPE], lines[node, BASE], lines[node, LOW], lines[node, HIGH]
    y = sign * tree.value[node]
    if x <= y:
        return 0.0, 0.0, -np.inf, y
    if tree.count[node] == 0:
        return 0.0, np.inf, np.nextafter(y, np.inf), np.inf
    return 1.0, -y, y, np.inf


def set_line(tree, lines, node, slope, base, low, high):
    """A new line for an inner node; the old one is kept, unless it was a point."""
    first, end = tree.first[node], room(tree, node)
    if lines[node, LOW] < lines[node, HIGH]:
        for row in range(min(end_of_kept(tree, lines, node), end - 1), first, -1):
            for cell in range(KEPT, KEPT + CELLS):
                lines[row, cell] = lines[row - 1, cell]
        for cell in range(CELLS):
            lines[first, KEPT + cell] = lines[node, cell]
    else:
        for row in range(first, end):
            lines[row, KEPT + LOW], lines[row, KEPT + HIGH] = np.inf, -np.inf
    lines[node, SLOPE], lines[node, BASE], lines[node, LOW], lines[node, HIGH] = slope, base, low, high


def forget(tree, node):
    """What is below `node` changes: nothing is known of it any more."""
    for lines in (tree.rise, tree.fall):
        lines[node, LOW], lines[node, HIGH] = np.inf, -np.inf
    tree.now[node, 0], tree.now[node, 1] = -0.0, -0.0


def renew(tree, lines, top, x, parity, number):
    """Find the swing of an inner node at x and its line: a walk over those nodes below it that must be known.

    A node that had no line because something below it has changed is likely to change again: a point will do.
    """
    node = top
    while True:
        if tree.scanned[node, parity] != number:
            look_at_children(tree, lines, node, x, parity, number)
        total, least, bound, needed = 0.0, np.inf, np.inf, np.int64(-1)
        for child in range(tree.first[node], tree.first[node] + tree.count[node]):
            swing = tree.now[child, parity]
            if is_bound(swing):
                if -swing < bound:
                    bound, needed = -swing, child
            else:
                total += swing
                least = min(least, swing)
        summed = all_must_move(tree, node, parity)
        if needed >= 0 and (summed or bound < least):
            node = needed
            continue
        swing = total if summed else least
        tree.now[node, parity] = swing
        if not has_line(lines, node):
            lines[node, SLOPE], lines[node, BASE], lines[node, LOW], lines[node, HIGH] = 0.0, swing, x, x
        elif summed:
            add_lines(tree, lines, node, x)
        else:
            take_lowest_line(tree, lines, node, x, parity)
        if node == top:
            return
        node = tree.parent[node]


def add_lines(tree, lines, node, x):
    """All children must move."""
    slope, base, low, high, hopeless = 0.0, 0.0, -np.inf, np.inf, np.inf
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        its_slope, its_base, its_low, its_high = line_of(tree, lines, child, x, 1.0)
        slope += its_slope
        base += its_base
        low = max(low, its_low)
        high = min(high, its_high)
        if its_base == np.inf:
            hopeless = min(hopeless, its_low)
    if base == np.inf:
        slope, low, high = 0.0, hopeless, np.inf
    set_line(tree, lines, node, slope, base, low, high)


def take_lowest_line(tree, lines, node, x, parity):
    """One child suffices: the winner's line, as long as no other can be below it."""
    first, end = tree.first[node], tree.first[node] + tree.count[node]
    winner, least = np.int64(-1), np.inf
    for child in range(first, end):
        swing = tree.now[child, parity]
        if not is_bound(swing) and (winner < 0 or swing < least):
            winner, least = child, swing
    slope, base, low, high = line_of(tree, lines, winner, x, -1.0)
    if least == 0.0 and slope == 0.0:  # nothing is less than zero
        set_line(tree, lines, node, slope, base, -np.inf, high)
        return
    for child in range(first, end):
        if child == winner:
            continue
        if is_bound(tree.now[child, parity]):
            its_slope, its_base, its_low, its_high = best_bound(tree, lines, child, x)
        else:
            its_slope, its_base, its_low, its_high = line_of(tree, lines, child, x, -1.0)
        low = max(low, its_low)
        if its_slope > slope:
            low = max(low, (base - its_base) / (its_slope - slope))
        if slope > 0.0:
            crossing = (its_base - base) / (slope - its_slope) if its_slope < slope else np.inf
            if crossing > its_high:  # beyond its line, its swing does not fall
                crossing = (its_slope * its_high + its_base - base) / slope
            high = min(high, crossing)
    set_line(tree, lines, node, slope, base, low, high)
