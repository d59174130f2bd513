"""The goals of `lcf`: what the root's children must reach for the best two moves to be misordered.

The first child should fall to the second's value, every other rise to the first's (Utgoff & Cochran 2001). A goal
counts as reached at equality. In the root player's sign a child of the root is worth minus its own value.

Swings are sums of differences of values, and their ties count. So that sums need no rounding, in whatever order they
are made, static values are rounded: to multiples of a *grid*, a 2^24th of the greatest static value of the root's
moves. (Sums of numbers that are 2^28 times as large, as wins may be, are rounded all the same.)
"""

import math

import numpy as np

from ludus.kernel.tree import UNOPENED, best_child, children
from ludus.library.searches.best_first.lcf_lines import ROUNDING, leaf_sign, side_of, swing_or_bound
from ludus.model.evaluator import WIN

# Cells of `tree.goal`: the values of the root's first and second child, how often they have changed, and the grid, 0 if
# there is none.
BEST, NEXT_BEST, NUMBER, GRID = 0, 1, 2, 3
CELLS_OF_GOAL = 4
FINENESS = 2.0**-24


def set_grid(tree):
    """From the static values of the root's moves; opinions that claim a win do not count."""
    most = 0.0
    for child in children(tree, 0):
        if tree.count[child] == UNOPENED and abs(tree.value[child]) < WIN:
            most = max(most, abs(tree.value[child]))
    tree.goal[GRID] = FINENESS * 2.0 ** math.frexp(most)[1] if most > 0.0 else 0.0


def round_values(tree, node):
    """Round the static values of the new children of `node`, unless that would make a claim of a win."""
    if node == 0:
        set_grid(tree)
    great = 3.0 * 2.0**51 * tree.goal[GRID]  # beside so great a number there is no room for less than the grid
    for child in children(tree, node):
        value = (tree.value[child] + great) - great
        if tree.count[child] == UNOPENED and abs(value) < WIN:
            tree.value[child] = value


def new_goals(tree):
    """Find the root's first and second child; whether either is new or has a new value."""
    tree.value[0] = -tree.value[best_child(tree, 0)]
    first, second = tree.first[0], np.int64(0)
    for child in range(first + 1, first + tree.count[0]):
        if tree.value[child] < tree.value[first]:
            first, second = child, first
        elif second == 0 or tree.value[child] < tree.value[second]:
            second = child
    best, next_best = -tree.value[first], -tree.value[second] if second > 0 else -np.inf
    changed = first != tree.register[0].first or second != tree.register[0].second
    changed = changed or best != tree.goal[BEST] or next_best != tree.goal[NEXT_BEST]
    tree.register[0].first, tree.register[0].second = first, second
    tree.goal[BEST], tree.goal[NEXT_BEST] = best, next_best
    if changed:
        tree.goal[NUMBER] += 1
    return changed


def goal_for(search, tree, child):
    """The first child should fall to the second's value, with all signs turned; every other rise to the first's. A tie
    of the two is worth as little as there is, where it is to be positive."""
    x = -tree.goal[NEXT_BEST] if child == tree.register[0].first else tree.goal[BEST]
    if search.ties_are_positive and tree.goal[BEST] == tree.goal[NEXT_BEST]:
        x += max(tree.goal[GRID] if tree.goal[GRID] > 0.0 else FINENESS, ROUNDING * abs(x))
    return x


def sum_parity(tree, child):
    """At which depths, odd (1) or even (0), all children must move.

    For a rise at the opponent's nodes, since he takes the best that is left to him; for a fall at our own.
    """
    return np.int64(0) if child == tree.register[0].first else np.int64(1)


def update_all_swing(search, tree):
    """Give every child of the root its goal, and its swing as far as it can be read off."""
    for child in children(tree, 0):
        i, x, parity = child - tree.first[0], goal_for(search, tree, child), sum_parity(tree, child)
        if x != tree.aim[i, parity]:
            tree.aim[i, parity] = x
            side = side_of(tree, parity)
            side[0][child] = swing_or_bound(tree, side, child, x, leaf_sign(tree, 0, parity))
