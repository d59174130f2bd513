"""The distributions of `bstar-probability`: of the true value of each node, to the player at the root.

A distribution is held as the probabilities that the value is at most x, for `CELLS` values x, equally far apart around
the first interval of the root's best move. What lies beyond them counts as the last one.

An expansion changes one child of each node on the way to it, and mostly the same one as the expansion before. So the
product of the distributions of its brothers is kept, for one node of each depth.
"""

from statistics import NormalDist

import numpy as np

from ludus.kernel.parts import part
from ludus.kernel.tree import UNOPENED, best_child, children
from ludus.model.calibration import LEVEL

CELLS = 32
MARGIN = 2.5
"""How far the values reach beyond the interval of the root's best move, in widths of it."""
REACH, STEPS = 4.0, 64
"""The table of the normal distribution: how many standard deviations it reaches either way, and the steps in each."""
NOTICED = 1e-4
"""A change of a distribution by less than this is not told to the parent: it would hardly matter there."""
KEPT = 128
"""For this many depths the product of all children but one is kept; deeper nodes take the places of others."""
PERCENTILE = NormalDist().inv_cdf((1 + LEVEL) / 2)


def normal_table():
    """The normal distribution, from -REACH to REACH standard deviations."""
    points = np.linspace(-REACH, REACH, 2 * int(REACH * STEPS) + 1)
    return np.array([NormalDist().cdf(z) for z in points])


def set_cells(tree):
    """The root has been expanded: the values x lie around the interval of its best move."""
    at, best = tree.register[0], best_child(tree, 0)
    for child in children(tree, 0):  # an unfinished game, if there is one
        if tree.count[child] == UNOPENED and (tree.count[best] == 0 or tree.value[child] < tree.value[best]):
            best = child
    width = tree.high[best] - tree.low[best] if tree.high[best] > tree.low[best] else 1.0
    at.lowest = -tree.high[best] - MARGIN * width
    at.step = (1.0 + 2.0 * MARGIN) * width / (CELLS - 1)


def begin_distribution(tree, leaf):
    """A normal distribution between the ends of its interval; a finished game has a single value."""
    at, sign = tree.register[0], 1.0 if tree.depth[leaf] % 2 == 0 else -1.0
    tree.open[leaf] = 1 if tree.count[leaf] == UNOPENED else 0
    mean = sign * (tree.low[leaf] + tree.high[leaf]) / 2.0
    deviation = (tree.high[leaf] - tree.low[leaf]) / 2.0 / PERCENTILE
    its = tree.at_most[leaf]
    if deviation > 0.0:
        start, step = STEPS * ((at.lowest - mean) / deviation + REACH), STEPS * at.step / deviation
        for k in range(len(its)):
            its[k] = tree.normal[int(min(max(start + k * step, 0.0), 2.0 * REACH * STEPS))]
    else:
        for k in range(len(its)):
            its[k] = 1.0 if at.lowest + k * at.step >= mean else 0.0
    set_moments(tree, leaf)


# The best of several.
# (That the loops over cells do not know how many there are lets the compiler take several at a time.)


@part
def both(search, one, other):
    """The probability of two things of these probabilities, for two values to be at most x: they are independent."""
    return one * other


def forget_products(tree):
    """At the beginning: no product is kept."""
    for slot in range(KEPT):
        tree.kept[slot] = 0


def keep_product(search, tree, node, but):
    """For every x the probability that no other child than `but` is better to the player who moves at `node`."""
    slot, ours = tree.depth[node] % KEPT, tree.depth[node] % 2 == 0
    if tree.kept[slot] == but:
        return
    tree.kept[slot], product = but, tree.others[slot]
    cells = len(product)
    for k in range(cells):
        product[k] = 1.0
    for child in children(tree, node):
        its = tree.at_most[child]
        if child != but and ours:
            for k in range(cells):
                product[k] = both(search, product[k], its[k])
        elif child != but:
            for k in range(cells):
                product[k] = both(search, product[k], 1.0 - its[k])


def set_distribution(search, tree, node, child, in_any_case):
    """The distribution of the best of `child` and the others, if it is noticeably another; whether it is set."""
    keep_product(search, tree, node, child)
    others, ours = tree.others[tree.depth[node] % KEPT], tree.depth[node] % 2 == 0
    its, before, noticed = tree.at_most[child], tree.at_most[node], in_any_case
    for k in range(len(others)):
        noticed |= abs(of_best(search, others[k], its[k], ours) - before[k]) >= NOTICED
    if noticed:
        for k in range(len(others)):
            before[k] = of_best(search, others[k], its[k], ours)
    return noticed


def of_best(search, others, its, ours):
    """The probability that the best of a child and of others is at most x, to the player at the root."""
    return both(search, others, its) if ours else 1.0 - both(search, others, 1.0 - its)


# What a distribution says.


def set_moments(tree, node):
    """Mean and standard deviation; the mean, to the player to move, is the value, unless the game is over.

    They take the sums of all cells and of k times the k-th. Every fourth cell, from the last on, is added up, and these
    sums are added up as they grow: so four are under way at a time, and nothing is multiplied.
    """
    at, its = tree.register[0], tree.at_most[node]
    a = b = c = d = grown = 0.0
    for k in range(CELLS - 4, 0, -4):
        a, b, c, d = a + its[k], b + its[k + 1], c + its[k + 2], d + its[k + 3]
        grown += (a + b) + (c + d)
    a, b, c, d = a + its[0], b + its[1], c + its[2], d + its[3]
    cells, times_k = (a + b) + (c + d), 4.0 * grown + (b + 2.0 * c + 3.0 * d)
    first, last = 0.5 * its[0], 0.5 * its[CELLS - 1]
    total = (CELLS - 1.0) - (cells - first - last)
    squares = (CELLS - 1.0) ** 2 - (2.0 * times_k + first - (2.0 * CELLS - 1.0) * last)
    tree.spread[node] = at.step * np.sqrt(max(squares - total * total, 0.0))
    if tree.count[node] != 0:
        mean = at.lowest + at.step * total
        tree.value[node] = mean if tree.depth[node] % 2 == 0 else -mean


def chance_of_more(tree, node, other):
    """The probability that `node` is worth more than `other` to the player at the root; in one cell, half of it.

    (The cell below the first x has no end. Two sums at a time.)
    """
    its, others = tree.at_most[node], tree.at_most[other]
    even, odd = others[0] * (2.0 - its[0]), (others[1] - others[0]) * (2.0 - its[0] - its[1])
    for k in range(2, CELLS, 2):
        even += (others[k] - others[k - 1]) * (2.0 - its[k - 1] - its[k])
        odd += (others[k + 1] - others[k]) * (2.0 - its[k] - its[k + 1])
    beyond = (1.0 - others[CELLS - 1]) * (1.0 - its[CELLS - 1])
    return (even + odd + beyond) / 2.0
