"""How `lcf` knows the swings of a large tree when a goal has moved, without going through the tree.

Seen from the goal, a swing is a non-decreasing, piecewise-linear function: that of a leaf of value y is max(0, x - y)
at goal x, and sums and minima keep it so. Each inner node holds the *line*, SLOPE x + BASE, that its swing follows for
all goals from LOW to HIGH. A sum needs the lines of all its children. A minimum needs only the winner's line, and
proof that no other child undercuts it. Such proof is cheap: a swing never falls as the goal rises, so a line that held
at a lower goal bounds it from below; and an inner node of value y is never nearer to its goal than a leaf of that
value, and exactly as far, namely not at all, when y meets the goal. So when a goal moves, work is done only where it
leaves an interval that somebody relies on; hopeless siblings are not looked at, nor those that have arrived. Goals
like to go back and forth, so a node keeps its last few lines. Where a leaf has been expanded below it, it has none: it
holds a *point*, the swing at one goal. That is most of what is written, so it lies with the other numbers of the node.

Each node has two sides, one for a fall and one for a rise; for a fall all signs are turned, so that it is a rise too. A
*side* is five columns of the tree, which go together as one argument: `now`, the swings at the present goal; `seen_at`,
the goal for which the `now` of a node's children is right; `point`, the goal of a node's point, LINED if it has lines,
NaN if nothing is known of it; `there`, the swing at that goal; and `line`, the lines. The `parity` that goes with a
side is that of the depths at which all children must move.
"""

import numpy as np

from ludus.kernel.tree import children

# The cells of a line. If LOW is above HIGH there is none.
SLOPE, BASE, LOW, HIGH = 0, 1, 2, 3
CELLS = 4
# A row of `line`: the line that the node follows now, then those from before.
LINES = 4
LINED = np.inf
ROUNDING = 2.0**-50
"""Of a number, several times what is lost at most when it is rounded."""
PATIENCE = 10_000
"""Children looked at in one go before Python may look at the clock."""


def side_of(tree, parity):
    if parity == 0:
        return tree.fall, tree.fall_seen_at, tree.fall_point, tree.fall_there, tree.fall_line
    return tree.rise, tree.rise_seen_at, tree.rise_point, tree.rise_there, tree.rise_line


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
    swing = np.inf if tree.count[leaf] == 0 else x - y
    return swing if x > y else 0.0


def is_bound(swing):
    return np.signbit(swing)


def look_at_children(tree, side, node, x, parity):
    """The swings of the children of `node` at goal x, as far as they can be read off."""
    now, seen_at, _, _, _ = side
    sign = leaf_sign(tree, node, parity)
    for child in children(tree, node):
        now[child] = swing_or_bound(tree, side, child, x, sign)
    seen_at[node] = x


def swing_or_bound(tree, side, node, x, sign):
    """The swing of `node` at goal x as far as its value and its lines tell."""
    _, _, point, _, line = side
    y = sign * tree.value[node]
    if (tree.count[node] > 0) & (x > y):
        if point[node] == LINED and holds(line, node, x):
            return max(line[node, SLOPE] * x + line[node, BASE], x - y)
        swing = best_bound(side, node, x, y)[4]
        return swing if point[node] == x or swing == np.inf else -swing
    return leaf_swing(tree, node, x, sign)


# Lines.


def holds(line, node, x):
    """Whether the line of `node` is its swing at goal x; one from before is taken up again if that is."""
    if line[node, LOW] <= x <= line[node, HIGH]:
        return True
    for at in range(CELLS, LINES * CELLS, CELLS):
        if line[node, at + LOW] <= x <= line[node, at + HIGH]:
            for cell in range(CELLS):
                line[node, cell], line[node, at + cell] = line[node, at + cell], line[node, cell]
            return True
    return False


def best_bound(side, node, x, y):
    """The line that shows best how large the swing of an inner node of value y must be at x: it is not less at any goal
    from LOW to HIGH; and further up see `at_least`, which comes last. (Branches no processor could predict.)"""
    _, _, point, there, line = side
    slope, base, low, high, most = 1.0, -y, -np.inf, np.inf, x - y
    if point[node] != LINED:
        swing = at_least(0.0, there[node], point[node], x, y)
        if (point[node] <= x) & (swing > most):
            return 0.0, there[node], point[node], point[node], swing
        return slope, base, low, high, most
    for at in range(0, LINES * CELLS, CELLS):
        its_slope, its_base = line[node, at + SLOPE], line[node, at + BASE]
        its_low, its_high = line[node, at + LOW], line[node, at + HIGH]
        swing = at_least(its_slope, its_base, its_high, x, y)
        is_better = (its_low <= x) & (swing > most)
        slope, base = its_slope if is_better else slope, its_base if is_better else base
        low, high = its_low if is_better else low, its_high if is_better else high
        most = swing if is_better else most
    return slope, base, low, high, most


def at_least(slope, base, high, x, y):
    """How large a swing is at x that follows this line up to HIGH: from there on it grows with the goal or faster, once
    that is above the value y. (Less what rounding may have added.)"""
    end = min(x, high)
    swing, growth = slope * end + base, x - max(end, y)
    return swing + max(0.0, growth - ROUNDING * (slope * abs(end) + abs(base) + growth))


def line_of(tree, side, node, x, sign):
    """The line that holds at x; an inner node must be up to date."""
    _, _, point, there, line = side
    y = sign * tree.value[node]
    if x <= y:
        return 0.0, 0.0, -np.inf, y
    if tree.count[node] > 0:
        if point[node] != LINED:
            return 0.0, there[node], x, x
        return line[node, SLOPE], line[node, BASE], line[node, LOW], line[node, HIGH]
    if tree.count[node] == 0:
        return 0.0, np.inf, np.nextafter(y, np.inf), np.inf
    return 1.0, -y, y, np.inf


def set_line(side, node, slope, base, low, high):
    """A new line for an inner node, and those before it are kept."""
    _, _, point, _, line = side
    if point[node] == LINED:
        for cell in range(LINES * CELLS - 1, CELLS - 1, -1):
            line[node, cell] = line[node, cell - CELLS]
    else:
        for at in range(CELLS, LINES * CELLS, CELLS):
            line[node, at + LOW], line[node, at + HIGH] = np.inf, -np.inf
    line[node, SLOPE], line[node, BASE], line[node, LOW], line[node, HIGH] = slope, base, low, high
    point[node] = LINED


def forget(tree, node):
    """What is below `node` changes: nothing is known of it any more."""
    forget_side(tree, node, 0)
    forget_side(tree, node, 1)


def forget_side(tree, node, parity):
    now, _, point, _, _ = side_of(tree, parity)
    now[node], point[node] = -0.0, np.nan


def pass_through(tree, side, node, x, parity):
    """What is below `node` is about to change. Its swing at this goal may well stay the same; no other is known."""
    forget_side(tree, node, 1 - parity)
    set_point(side, node, side[0][node], x)


def set_point(side, node, swing, x):
    _, _, point, there, _ = side
    point[node], there[node] = x, swing


def renew(tree, side, top, x, parity):
    """Find the swing of an inner node at x and its line: a walk over those nodes below it that must be known.

    A node that had no line because something below it has changed is likely to change again: a point will do. False
    if after PATIENCE children the walk is not at its end; asked for the same swing again, it goes on.
    """
    now, seen_at, point, _, _ = side
    at = tree.register[0]
    node = at.walk if at.walk > 0 else top
    at.walk = 0
    seen = 0
    while True:
        if seen > PATIENCE:
            at.walk = node
            return False
        seen += tree.count[node]
        if seen_at[node] != x:
            look_at_children(tree, side, node, x, parity)
        summed = all_must_move(tree, node, parity)
        swing, needed = swing_of(tree, now, node, summed)
        if needed > 0:
            node = needed
            continue
        now[node] = swing
        if np.isnan(point[node]):
            slope, base, low, high = 0.0, swing, x, x
        elif summed:
            slope, base, low, high = sum_of_lines(tree, side, node, x)
        else:
            slope, base, low, high = lowest_line(tree, side, node, x)
        if low < high:
            set_line(side, node, slope, base, low, high)
        else:
            set_point(side, node, swing, x)
        if node == top:
            return True
        node = tree.parent[node]


def swing_of(tree, now, node, summed):
    """The swing of an inner node; or, second, a child whose swing must be known first."""
    return sum_of_swings(tree, now, node) if summed else least_swing(tree, now, node)


def sum_of_swings(tree, now, node):
    """The sum of the children's swings and 0; or, second, a child whose swing must be known first."""
    swing = 0.0
    for child in children(tree, node):
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


def sum_of_lines(tree, side, node, x):
    """All children must move."""
    slope, base, low, high, hopeless = 0.0, 0.0, -np.inf, np.inf, np.inf
    for child in children(tree, node):
        its_slope, its_base, its_low, its_high = line_of(tree, side, child, x, 1.0)
        slope += its_slope
        base += its_base
        low = max(low, its_low)
        high = min(high, its_high)
        if its_base == np.inf:
            hopeless = min(hopeless, its_low)
    if base == np.inf:
        slope, low, high = 0.0, hopeless, np.inf
    return slope, base, low, high


def lowest_line(tree, side, node, x):
    """One child suffices: the winner's line, as long as no other can be below it."""
    now, _, _, _, _ = side
    first, end = tree.first[node], tree.first[node] + tree.count[node]
    winner = first
    while is_bound(now[winner]) or now[winner] > now[node]:
        winner += 1
    slope, base, low, high = line_of(tree, side, winner, x, -1.0)
    for child in range(first, end):
        if child == winner:
            continue
        if is_bound(now[child]):
            its_slope, its_base, its_low, its_high, _ = best_bound(side, child, x, -tree.value[child])
        else:
            its_slope, its_base, its_low, its_high = line_of(tree, side, child, x, -1.0)
        low = max(low, its_low)
        if its_slope > slope:
            low = max(low, (base - its_base) / (its_slope - slope))
        if slope > 0.0:
            crossing = (its_base - base) / (slope - its_slope) if its_slope < slope else np.inf
            if crossing > its_high:  # beyond its line, its swing grows with the goal or faster
                above = (its_slope - 1.0) * its_high + its_base - base
                crossing = above / (slope - 1.0) if slope > 1.0 else np.inf
            high = min(high, crossing)
    return slope, base, low, high
