"""How `lcf` knows the swings of a large tree when a goal has moved, without going through the tree.

Seen from the goal, a swing is a non-decreasing, piecewise-linear function: that of a leaf of value y is max(0, x - y)
at goal x, and sums and minima keep it so. Each inner node holds the *line*, SLOPE x + BASE, that its swing follows for
all goals from LOW to HIGH. A sum needs the lines of all its children. A minimum needs only the winner's line, and
proof that no other child undercuts it: a swing never falls as the goal rises, so a line that held at a lower goal
bounds it from below. So when a goal moves, work is done only where it leaves an interval that somebody relies on;
hopeless siblings are not looked at. Goals like to go back and forth, so lines that held before are kept as well.

Each node has two sides, one for a fall and one for a rise; for a fall all signs are turned, so that it is a rise too. A
*side* is four columns of the tree, which go together as one argument: `now`, the swings at the present goal; `line`;
`kept`, the lines from before; and `since`, the goal, by its number, for which the `now` of a node's children is right.
The `parity` that goes with a side is that of the depths at which all children must move.
"""

import numpy as np

# The cells of a line. If LOW is HIGH it is called a point; if LOW is above, the node has none.
SLOPE, BASE, LOW, HIGH = 0, 1, 2, 3
CELLS = 4
# Where a node's children are there is room for as many lines that it had before, but no more are of use than
MOST_KEPT = 4


def side_of(tree, parity):
    if parity == 0:
        return tree.fall, tree.fall_line, tree.fall_kept, tree.fall_since
    return tree.rise, tree.rise_line, tree.rise_kept, tree.rise_since


# Swings at the present goal. A minus sign (zero has one, too) marks a lower bound.


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


def look_at_children(tree, side, node, x, parity, number):
    """The swings of the children of `node` at goal x, as far as they can be read off; `number` stands for that goal."""
    now, _, _, since = side
    sign = leaf_sign(tree, node, parity)
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        now[child] = swing_or_bound(tree, side, child, x, sign)
    since[node] = number


def swing_or_bound(tree, side, node, x, sign):
    if tree.count[node] <= 0:
        return leaf_swing(tree, node, x, sign)
    line = side[1]
    known = holds(tree, side, node, x)
    if known:
        swing = line[node, SLOPE] * x + line[node, BASE]
    else:
        slope, base, _, high = best_bound(tree, side, node, x)
        swing = slope * min(x, high) + base
    if not swing > 0.0:
        swing = 0.0
    return swing if known or swing == np.inf else -swing


# Lines.


def room(tree, node):
    """Where the room for lines from before ends; it begins with the first child."""
    return tree.first[node] + min(tree.count[node], MOST_KEPT)


def end_of_kept(tree, side, node):
    """Where the lines from before end; a node without a line, or with a point, has none."""
    _, line, kept, _ = side
    row = tree.first[node]
    if line[node, LOW] < line[node, HIGH]:
        end = room(tree, node)
        while row < end and kept[row, LOW] <= kept[row, HIGH]:
            row += 1
    return row


def holds(tree, side, node, x):
    """Whether the line of `node` is its swing at goal x; one from before is taken up again if that is."""
    _, line, kept, _ = side
    if line[node, LOW] <= x <= line[node, HIGH]:
        return True
    for row in range(tree.first[node], end_of_kept(tree, side, node)):
        if kept[row, LOW] <= x <= kept[row, HIGH]:
            for cell in range(CELLS):
                line[node, cell], kept[row, cell] = kept[row, cell], line[node, cell]
            return True
    return False


def best_bound(tree, side, node, x):
    """The line that shows best how large the swing of an inner node at x must be: it is not less at any goal from LOW
    to HIGH, nor further up."""
    _, line, kept, _ = side
    slope, base, low, high = 0.0, 0.0, -np.inf, np.inf
    if line[node, LOW] <= x:
        slope, base, low, high = line[node, SLOPE], line[node, BASE], line[node, LOW], line[node, HIGH]
    for row in range(tree.first[node], end_of_kept(tree, side, node)):
        its_slope, its_base, its_high = kept[row, SLOPE], kept[row, BASE], kept[row, HIGH]
        if kept[row, LOW] <= x and its_slope * min(x, its_high) + its_base > slope * min(x, high) + base:
            slope, base, low, high = its_slope, its_base, kept[row, LOW], its_high
    return slope, base, low, high


def line_of(tree, side, node, x, sign):
    """The line of an inner node, as it is; that of a leaf is the one that holds at x."""
    if tree.count[node] > 0:
        line = side[1]
        return line[node, SLOPE], line[node, BASE], line[node, LOW], line[node, HIGH]
    y = sign * tree.value[node]
    if x <= y:
        return 0.0, 0.0, -np.inf, y
    if tree.count[node] == 0:
        return 0.0, np.inf, np.nextafter(y, np.inf), np.inf
    return 1.0, -y, y, np.inf


def set_line(tree, side, node, slope, base, low, high):
    """A new line for an inner node; the old one is kept, unless it was a point."""
    _, line, kept, _ = side
    first, end = tree.first[node], room(tree, node)
    if line[node, LOW] < line[node, HIGH]:
        for row in range(min(end_of_kept(tree, side, node), end - 1), first, -1):
            for cell in range(CELLS):
                kept[row, cell] = kept[row - 1, cell]
        for cell in range(CELLS):
            kept[first, cell] = line[node, cell]
    else:
        for row in range(first, end):
            kept[row, LOW], kept[row, HIGH] = np.inf, -np.inf
    line[node, SLOPE], line[node, BASE], line[node, LOW], line[node, HIGH] = slope, base, low, high


def forget(tree, node):
    """What is below `node` changes: nothing is known of it any more."""
    tree.fall_line[node, LOW], tree.fall_line[node, HIGH] = np.inf, -np.inf
    tree.rise_line[node, LOW], tree.rise_line[node, HIGH] = np.inf, -np.inf
    tree.fall[node], tree.rise[node] = -0.0, -0.0


def renew(tree, side, top, x, parity, number):
    """Find the swing of an inner node at x and its line: a walk over those nodes below it that must be known.

    A node that had no line because something below it has changed is likely to change again: a point will do.
    """
    now, line, _, since = side
    node = top
    while True:
        if since[node] != number:
            look_at_children(tree, side, node, x, parity, number)
        summed = all_must_move(tree, node, parity)
        swing, needed = total(tree, now, node) if summed else least(tree, now, node)
        if needed > 0:
            node = needed
            continue
        now[node] = swing
        if line[node, LOW] > line[node, HIGH]:
            line[node, SLOPE], line[node, BASE], line[node, LOW], line[node, HIGH] = 0.0, swing, x, x
        elif summed:
            add_lines(tree, side, node, x)
        else:
            take_lowest_line(tree, side, node, x)
        if node == top:
            return
        node = tree.parent[node]


def total(tree, now, node):
    """The sum of the children's swings, and 0; or a child that is only bounded."""
    swing = 0.0
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if is_bound(now[child]):
            return swing, child
        swing += now[child]
    return swing, np.int64(0)


def least(tree, now, node):
    """The least of the children's swings, and 0; or a child that may be below it."""
    first, end = tree.first[node], tree.first[node] + tree.count[node]
    known, bound = np.inf, np.inf
    for child in range(first, end):
        swing = now[child]
        known = min(known, np.inf if is_bound(swing) else swing)
        bound = min(bound, abs(swing))
    needed = np.int64(0)
    if bound < known:
        needed = first
        while now[needed] != -bound:
            needed += 1
    return known, needed


def add_lines(tree, side, node, x):
    """All children must move."""
    slope, base, low, high, hopeless = 0.0, 0.0, -np.inf, np.inf, np.inf
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        its_slope, its_base, its_low, its_high = line_of(tree, side, child, x, 1.0)
        slope += its_slope
        base += its_base
        low = max(low, its_low)
        high = min(high, its_high)
        if its_base == np.inf:
            hopeless = min(hopeless, its_low)
    if base == np.inf:
        slope, low, high = 0.0, hopeless, np.inf
    set_line(tree, side, node, slope, base, low, high)


def take_lowest_line(tree, side, node, x):
    """One child suffices: the winner's line, as long as no other can be below it."""
    now = side[0]
    first, end = tree.first[node], tree.first[node] + tree.count[node]
    winner = first
    while is_bound(now[winner]) or now[winner] > now[node]:
        winner += 1
    slope, base, low, high = line_of(tree, side, winner, x, -1.0)
    if now[node] == 0.0 and slope == 0.0:  # nothing is less than zero
        set_line(tree, side, node, slope, base, -np.inf, high)
        return
    for child in range(first, end):
        if child == winner:
            continue
        if is_bound(now[child]):
            its_slope, its_base, its_low, its_high = best_bound(tree, side, child, x)
        else:
            its_slope, its_base, its_low, its_high = line_of(tree, side, child, x, -1.0)
        low = max(low, its_low)
        if its_slope > slope:
            low = max(low, (base - its_base) / (its_slope - slope))
        if slope > 0.0:
            crossing = (its_base - base) / (slope - its_slope) if its_slope < slope else np.inf
            if crossing > its_high:  # beyond its line, its swing does not fall
                crossing = (its_slope * its_high + its_base - base) / slope
            high = min(high, crossing)
    set_line(tree, side, node, slope, base, low, high)
