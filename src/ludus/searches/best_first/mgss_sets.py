"""`mgss(unit=sets)`: leaves that can change the decision together, where none of them can alone.

To make a node rise above the goal takes one child of it if it is free; if it is narrow, all its children that do not
stand above the goal already (`mgss_gains.py` says what that means). So a *set* of leaves can make a move of the root
rise, and does if all of them do. Errors being independent, its PROBABILITY is the product of its leaves', and its GAIN
is estimated as the least of its leaves' gains times the probability that all others rise; children that stand above
the goal are a cap. Of the sets below a free node the one with the greatest gain for each of its leaves is taken. A set
of one leaf is what equations 13 and 14 are about.

All this depends on the goal, which moves with the values at the root. It is rounded up to a multiple of a `GRID`th of
the standard error, and each node keeps its set for the last few goals. So when a goal comes back, as goals do, only
what has changed below is worked out again. Numbers are kept as logarithms: probabilities of many leaves are small.

`mgss_stand.py` chooses the leaf, and tells how far up a change is followed.
"""

import math

import numpy as np

from ludus.core.normal_tail import log_tail
from ludus.searches.best_first.mgss_gains import DELTA, MEAN, PATIENCE, SPREAD, side_and_goal, side_of

# The cells of what is known of a node's best set, at one goal: the logarithms of its gain if it succeeds, of its
# probability, how many leaves it has, the logarithm of its gain a leaf; and the goal.
EXCESS, PROBABILITY, SIZE, MERIT, GOAL = 0, 1, 2, 3, 4
CELLS = 5
SETS = 8
"""How many goals a node keeps its best set for, on each side."""
CELLS_OF_SETS = 2 * SETS * CELLS
GRID = 4.0
ROUNDING = 1e-9
"""More than all that is lost by rounding on the way to the root, compared with the numbers themselves."""


def forget_sets(tree, node):
    """Something below `node` has changed."""
    tree.known[node] = 0


# An *aim* is what `side_goal_and_place` gives: the side, the goal, and where in a row of sets those for it are. A bit
# of `known` tells for each place whether the set that is there still holds.


def side_goal_and_place(tree, top):
    """As `side_and_goal`, the goal rounded up; and where in a row of sets those for this goal are."""
    parity, goal = side_and_goal(tree, top)
    step = tree.register[0].error / GRID
    if step <= 0.0 or not abs(goal) < np.inf:
        return parity, goal, parity * SETS * CELLS
    steps = math.ceil(goal / step)
    return parity, steps * step, (parity * SETS + steps % SETS) * CELLS


def is_known(tree, node, aim):
    """Whether the best set of a node at this aim is kept."""
    _, goal, place = aim
    return (tree.known[node] >> (place // CELLS)) & 1 and tree.sets[node, place + GOAL] == goal


def is_settled(tree, node, aim, least):
    """Whether the best set of a node is kept, or it is known that its merit is less than `least`."""
    place = aim[2]
    if not is_known(tree, node, aim):
        return False
    return tree.sets[node, place + SIZE] > 0.0 or tree.sets[node, place + MERIT] < least


def find_set(tree, top, aim, least):
    """Work out the best set below a child of the root, or that its merit is less than `least`; False if that takes
    long, and is not done. Then it goes on at the node `walk` the next time."""
    at = tree.register[0]
    patience = at.looks + PATIENCE
    node = at.walk if at.walk > 0 else top
    at.walk, tree.least[top] = 0, least
    while not is_settled(tree, top, aim, least):
        if at.looks > patience:
            at.walk = node
            return False
        at.looks += max(tree.count[node], 1)
        needed = renew_set(tree, node, aim)
        node = needed if needed > 0 else tree.parent[node]
    return True


def renew_set(tree, node, aim):
    """What is known of the set of a node from those of its children, and 0; or nothing but a child of which more must
    be known first."""
    if tree.count[node] <= 0:
        set_of_leaf(tree, node, aim)
        return np.int64(0)
    if tree.depth[node] % 2 == aim[0]:
        return join_sets(tree, node, aim)
    return take_best_set(tree, node, aim)


def keep(tree, node, aim, excess, probability, size):
    """What is known of the set of `node`; a probability of zero (minus infinity) stands for no set at all."""
    sets, goal, place = tree.sets, aim[1], aim[2]
    sets[node, place + EXCESS] = excess
    sets[node, place + PROBABILITY] = probability
    sets[node, place + SIZE] = size
    sets[node, place + MERIT] = -np.inf
    if probability > -np.inf:
        sets[node, place + MERIT] = excess + probability - (math.log(size) if size > 1.0 else 0.0)
    sets[node, place + GOAL] = goal
    tree.known[node] |= 1 << (place // CELLS)


def keep_bound(tree, node, aim, most):
    """The merit of the set of `node` is not greater than this."""
    place = aim[2]
    tree.sets[node, place + SIZE] = 0.0
    tree.sets[node, place + MERIT] = most
    tree.sets[node, place + GOAL] = aim[1]
    tree.known[node] |= 1 << (place // CELLS)


def set_of_leaf(tree, leaf, aim):
    """The leaf itself; a finished game is in no set, nor one that cannot get there."""
    parity, goal, _ = aim
    side = side_of(parity)
    mean, spread = tree.promise[leaf, side + MEAN], tree.promise[leaf, side + SPREAD]
    delta = tree.promise[leaf, side + DELTA]
    if delta <= goal or (spread <= 0.0 and mean <= goal):
        keep(tree, leaf, aim, 0.0, -np.inf, 1.0)
    elif spread <= 0.0:
        keep(tree, leaf, aim, math.log(mean - goal), 0.0, 1.0)
    else:
        probability, excess = log_tail((goal - mean) / spread)
        keep(tree, leaf, aim, excess + math.log(spread), probability, 1.0)


def join_sets(tree, node, aim):
    """At a narrow node: the sets of all children that do not stand above the goal, together."""
    _, goal, place = aim
    sets, cap, excess, probability, size = tree.sets, np.inf, np.inf, 0.0, 0.0
    bound, weak, unknown = np.inf, np.int64(0), np.int64(0)
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if tree.value[child] > goal:
            cap = min(cap, tree.value[child])
            continue
        if not is_known(tree, child, aim):
            if tree.count[child] > 0:
                unknown = child if unknown == 0 or child == tree.best[node] else unknown
                continue
            set_of_leaf(tree, child, aim)
        if sets[child, place + SIZE] > 0.0:
            excess = min(excess, sets[child, place + EXCESS])
            probability += sets[child, place + PROBABILITY]
            size += sets[child, place + SIZE]
        elif sets[child, place + MERIT] < bound:
            bound, weak = sets[child, place + MERIT], child
    if cap < np.inf:
        excess = min(excess, math.log(cap - goal))
    if probability == -np.inf or (unknown == 0 and weak == 0):
        keep(tree, node, aim, excess, probability, max(size, 1.0))
        return np.int64(0)
    most = min(excess + probability - math.log(max(size, 1.0)), bound + probability)
    if most < tree.least[node]:
        keep_bound(tree, node, aim, most)
        return np.int64(0)
    needed = unknown if unknown > 0 else weak
    least = tree.least[node]
    tree.least[needed] = least - probability - ROUNDING * (1.0 + abs(least) + abs(probability))
    return needed


def take_best_set(tree, node, aim):
    """At a free node: the set of one child."""
    sets, place = tree.sets, aim[2]
    best, most, wide, bound, unknown = np.int64(-1), -np.inf, np.int64(0), -np.inf, np.int64(0)
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if not is_known(tree, child, aim):
            if tree.count[child] > 0:
                unknown = child if unknown == 0 or child == tree.best[node] else unknown
                continue
            set_of_leaf(tree, child, aim)
        merit = sets[child, place + MERIT]
        if sets[child, place + SIZE] > 0.0:
            if best < 0 or merit > most:
                best, most = child, merit
        elif merit > bound:
            bound, wide = merit, child
    least = max(tree.least[node], most)
    needed = unknown if unknown > 0 else wide
    if unknown > 0 or (wide > 0 and bound >= least):
        tree.least[needed] = least
        return needed
    if wide > 0 and bound >= most:
        keep_bound(tree, node, aim, bound)
        return np.int64(0)
    for cell in range(CELLS):
        sets[node, place + cell] = sets[best, place + cell]
    tree.known[node] |= 1 << (place // CELLS)
    return np.int64(0)


def best_of_sets(tree, sets, node, place):
    """The child whose set has the greatest gain a leaf, the first of equals."""
    best = tree.first[node]
    for child in range(best + 1, best + tree.count[node]):
        if sets[child, place + MERIT] > sets[best, place + MERIT]:
            best = child
    return best


def merit(tree, top):
    """The gain a leaf of the best set below a child of the root, as a logarithm, however long it takes."""
    aim = side_goal_and_place(tree, top)
    while not find_set(tree, top, aim, -np.inf):
        pass
    return tree.sets[top, aim[2] + MERIT]
