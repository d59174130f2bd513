"""How `lcf` knows the swings of a large tree when a goal has moved, without going through the tree.

Seen from the goal, a swing is a non-decreasing, piecewise-linear function: that of a leaf of value y is max(0, x - y)
at goal x, and sums and minima keep it so. Each inner node holds the *line*, SLOPE x + BASE, that its swing follows for
all goals from LOW to HIGH. A sum needs the lines of all its children. A minimum needs only the winner's line, and
proof that no other child undercuts it. Such proof is cheap: a swing never falls as the goal rises, so a line that held
at a lower goal bounds it from below; and an inner node of value y is never nearer to its goal than a leaf of that
value, and exactly as far, namely not at all, when y meets the goal. So when a goal moves, work is done only where it
leaves an interval that somebody relies on; hopeless siblings are not looked at, nor those that have arrived. Goals
like to go back and forth, so a node keeps its last few lines.

Each node has two sides, one for a fall and one for a rise; for a fall all signs are turned, so that it is a rise too. A
*side* is three columns of the tree, which go together as one argument: `now`, the swings at the present goal; `line`,
the lines; and `since`, the goal, by its number, for which the `now` of a node's children is right. The `parity` that
goes with a side is that of the depths at which all children must move.
"""

import numpy as np

# The cells of a line. If LOW is HIGH it is called a point; if LOW is above, the node has none.
SLOPE, BASE, LOW, HIGH = 0, 1, 2, 3
CELLS = 4
# A row of `line`: the line that the node follows now, then those from before, if that one is not a point.
LINES = 4
ROUNDING = 2.0**-50
"""Of a number, several times what is lost at most when it is rounded."""
PATIENCE = 10_000
"""Children looked at in one go before Python may look at the clock."""


def side_of(tree, parity):
    if parity == 0:
        return tree.fall, tree.fall_line, tree.fall_since
    return tree.rise, tree.rise_line, tree.rise_since


# Swings at the present goal. A minus sign (zero has one, too) marks a lower bound.


def all_must_move(tree, node, parity):
    """Whether the swing of `node` is the sum of its children's; else it is the least of them."""
    return tree.depth[node] % 2 == parity


def leaf_sign(tree, parent, parity):
    """What turns the values of a node's children into y: the root player, who moves at even depths, sees the values at
    odd depths turned; and a fall (parity 0) turns all signs."""
    return 1.0 if all_must_move(tree, parent, parity) else -1.0


def is_bound(swing):
    return np.signbit(swing)


def look_at_children(tree, side, node, x, parity, number):
    """The swings of the children of `node` at goal x, as far as they can be read off; `number` stands for that goal."""
    now, line, since = side
    sign = leaf_sign(tree, node, parity)
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        now[child] = swing_or_bound(tree, line, child, x, sign)
    since[node] = number


def swing_or_bound(tree, line, node, x, sign):
    """The swing of `node` at goal x as far as its value and its lines tell.

    That of a leaf is max(0, x - y); a finished game cannot change, so an unmet goal is infinitely far.
    """
    y, count = sign * tree.value[node], tree.count[node]
    if (count > 0) & (x > y):
        if holds(line, node, x):
            return max(line[node, SLOPE] * x + line[node, BASE], x - y)
        swing = best_bound(line, node, x, y)[4]
        return -swing if swing < np.inf else swing
    swing = np.inf if count == 0 else x - y
    return swing if x > y else 0.0


# Lines.


def holds(line, node, x):
    """Whether the line of `node` is its swing at goal x; one from before is taken up again if that is."""
    if line[node, LOW] <= x <= line[node, HIGH]:
        return True
    if line[node, LOW] < line[node, HIGH]:
        for at in range(CELLS, LINES * CELLS, CELLS):
            if line[node, at + LOW] <= x <= line[node, at + HIGH]:
                for cell in range(CELLS):
                    line[node, cell], line[node, at + cell] = line[node, at + cell], line[node, cell]
                return True
    return False


def best_bound(line, node, x, y):
    """The line that shows best how large the swing of an inner node of value y must be at x: it is not less at any goal
    from LOW to HIGH; and further up see `at_least`, which comes last. (Without branches, which no processor could
    predict here.)"""
    slope, base, low, high = 1.0, -y, -np.inf, np.inf
    most = x - y
    for at in range(0, LINES * CELLS if line[node, LOW] < line[node, HIGH] else CELLS, CELLS):
        its_slope, its_base, its_high = line[node, at + SLOPE], line[node, at + BASE], line[node, at + HIGH]
        its_low = line[node, at + LOW]
        swing = at_least(its_slope, its_base, its_high, x, y)
        is_better = (its_low <= x) & (swing > most)
        slope, base = its_slope if is_better else slope, its_base if is_better else base
        low, high = its_low if is_better else low, its_high if is_better else high
        most = swing if is_better else most
    return slope, base, low, high, most


def at_least(slope, base, high, x, y):
    """How large a swing is at x that follows this line up to HIGH: from there on it grows with the goal or faster, once
    that is above the value y. (Less what rounding may have added.)"""
    if x <= high:
        return slope * x + base
    swing, growth = slope * high + base, x - max(high, y)
    return swing + max(0.0, growth - ROUNDING * (slope * abs(high) + abs(base) + growth))


def line_of(tree, line, node, x, sign):
    """The line that holds at x; that of an inner node must be up to date."""
    y = sign * tree.value[node]
    if x <= y:
        return 0.0, 0.0, -np.inf, y
    if tree.count[node] > 0:
        return line[node, SLOPE], line[node, BASE], line[node, LOW], line[node, HIGH]
    if tree.count[node] == 0:
        return 0.0, np.inf, np.nextafter(y, np.inf), np.inf
    return 1.0, -y, y, np.inf


def set_line(line, node, slope, base, low, high):
    """A new line for an inner node; the old one is kept, unless it was a point."""
    if line[node, LOW] < line[node, HIGH]:
        for cell in range(LINES * CELLS - 1, CELLS - 1, -1):
            line[node, cell] = line[node, cell - CELLS]
    else:
        for at in range(CELLS, LINES * CELLS, CELLS):
            line[node, at + LOW], line[node, at + HIGH] = np.inf, -np.inf
    line[node, SLOPE], line[node, BASE], line[node, LOW], line[node, HIGH] = slope, base, low, high


def forget(tree, node):
    """What is below `node` changes: nothing is known of it any more."""
    forget_side(tree, node, 0)
    forget_side(tree, node, 1)


def forget_side(tree, node, parity):
    now, line, _ = side_of(tree, parity)
    line[node, LOW], line[node, HIGH] = np.inf, -np.inf
    now[node] = -0.0


def pass_through(tree, side, node, x, parity):
    """What is below `node` is about to change. Its swing at this goal may well stay the same; no other is known."""
    other = side_of(tree, 1 - parity)[0]
    if other[node] != 0.0 or not is_bound(other[node]):  # or it is forgotten already
        forget_side(tree, node, 1 - parity)
    set_point(side[1], node, side[0][node], x)


def set_point(line, node, swing, x):
    line[node, SLOPE], line[node, BASE], line[node, LOW], line[node, HIGH] = 0.0, swing, x, x


def renew(tree, side, top, x, parity, number):
    """Find the swing of an inner node at x and its line: a walk over those nodes below it that must be known.

    A node that had no line because something below it has changed is likely to change again: a point will do. False
    if after PATIENCE children the walk is not at its end; asked for the same swing again, it goes on.
    """
    now, line, since = side
    at = tree.register[0]
    node = at.walk if at.walk > 0 else top
    at.walk = 0
    seen = 0
    while True:
        if seen > PATIENCE:
            at.walk = node
            return False
        seen += tree.count[node]
        if since[node] != number:
            look_at_children(tree, side, node, x, parity, number)
        summed = all_must_move(tree, node, parity)
        swing, needed = swing_of(tree, now, node, summed)
        if needed > 0:
            node = needed
            continue
        now[node] = swing
        if line[node, LOW] > line[node, HIGH]:
            set_point(line, node, swing, x)
        elif summed:
            add_lines(tree, line, node, x)
        else:
            take_lowest_line(tree, now, line, node, x)
        if node == top:
            return True
        node = tree.parent[node]


def swing_of(tree, now, node, summed):
    """The swing of an inner node; or, second, a child whose swing must be known first."""
    return sum_of_swings(tree, now, node) if summed else least_swing(tree, now, node)


def sum_of_swings(tree, now, node):
    """The sum of the children's swings and 0; or, second, a child whose swing must be known first."""
    swing = 0.0
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if is_bound(now[child]):
            return swing, child
        swing += now[child]
    return swing, np.int64(0)


def least_swing(tree, now, node):
    """The least of the children's swings and 0; or, second, a child whose swing must be known first."""
    first, end = tree.first[node], tree.first[node] + tree.count[node]
    known, bound, needed = np.inf, np.inf, first
    for child in range(first, end):
        swing = now[child]
        known = min(known, np.inf if is_bound(swing) else swing)
        needed = child if abs(swing) < bound else needed
        bound = min(bound, abs(swing))
    return known, needed if bound < known else np.int64(0)


def add_lines(tree, line, node, x):
    """All children must move."""
    slope, base, low, high, hopeless = 0.0, 0.0, -np.inf, np.inf, np.inf
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        its_slope, its_base, its_low, its_high = line_of(tree, line, child, x, 1.0)
        slope += its_slope
        base += its_base
        low = max(low, its_low)
        high = min(high, its_high)
        if its_base == np.inf:
            hopeless = min(hopeless, its_low)
    if base == np.inf:
        slope, low, high = 0.0, hopeless, np.inf
    set_line(line, node, slope, base, low, high)


def take_lowest_line(tree, now, line, node, x):
    """One child suffices: the winner's line, as long as no other can be below it."""
    first, end = tree.first[node], tree.first[node] + tree.count[node]
    winner = first
    while is_bound(now[winner]) or now[winner] > now[node]:
        winner += 1
    slope, base, low, high = line_of(tree, line, winner, x, -1.0)
    for child in range(first, end):
        if child == winner:
            continue
        if is_bound(now[child]):
            its_slope, its_base, its_low, its_high, _ = best_bound(line, child, x, -tree.value[child])
        else:
            its_slope, its_base, its_low, its_high = line_of(tree, line, child, x, -1.0)
        low = max(low, its_low)
        if its_slope > slope:
            low = max(low, (base - its_base) / (its_slope - slope))
        if slope > 0.0:
            crossing = (its_base - base) / (slope - its_slope) if its_slope < slope else np.inf
            if crossing > its_high:  # beyond its line, its swing grows with the goal or faster
                above = (its_slope - 1.0) * its_high + its_base - base
                crossing = above / (slope - 1.0) if slope > 1.0 else np.inf
            high = min(high, crossing)
    set_line(line, node, slope, base, low, high)
