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
"""

import math

import numpy as np

from ludus.searches.best_first.mgss_gains import (
    MEAN,
    PATIENCE,
    SPREAD,
    gain,
    side_and_goal,
    side_of,
)

# The cells of what is known of a node's best set, at one goal: the logarithms of gain and probability, how many leaves.
GAIN, PROBABILITY, SIZE, GOAL = 0, 1, 2, 3
CELLS = 4
SETS = 4
"""How many goals a node keeps its best set for."""
CELLS_OF_SETS = SETS * CELLS
GRID = 4.0
FAR = 30.0
"""Standard deviations from which on the normal curve's tail is taken from its expansion."""


def sets_of(tree, parity):
    return tree.rise_sets if parity == 1 else tree.fall_sets


def forget_sets(tree, node):
    """Something below `node` has changed."""
    for at in range(GOAL, SETS * CELLS, CELLS):
        tree.rise_sets[node, at] = np.nan
        tree.fall_sets[node, at] = np.nan


def side_goal_and_place(tree, top):
    """As `side_and_goal`, the goal rounded up; and where in a row of sets those for this goal are."""
    parity, goal = side_and_goal(tree, top)
    step = tree.register[0].error / GRID
    if step <= 0.0 or not abs(goal) < np.inf:
        return parity, goal, 0
    steps = math.ceil(goal / step)
    return parity, steps * step, steps % SETS * CELLS


def find_set(tree, top):
    """Work out the best set below a child of the root; False if that takes long, and is not done yet."""
    at = tree.register[0]
    parity, goal, place = side_goal_and_place(tree, top)
    sets, patience = sets_of(tree, parity), at.looks + PATIENCE
    node = at.walk if at.walk > 0 else top
    at.walk = 0
    while at.looks <= patience:
        at.looks += max(tree.count[node], 1)
        if tree.count[node] <= 0:
            set_of_leaf(tree, node, parity, goal, place)
        else:
            needed = unknown_child(tree, sets, node, parity, goal, place)
            if needed > 0:
                node = needed
                continue
            if tree.depth[node] % 2 == parity:
                join_sets(tree, sets, node, goal, place)
            else:
                take_best_set(tree, sets, node, place)
        sets[node, place + GOAL] = goal
        if node == top:
            return True
        node = tree.parent[node]
    at.walk = node
    return False


def unknown_child(tree, sets, node, parity, goal, place):
    """A child that matters and whose set at this goal is not known; 0: none. Leaves are worked out at once."""
    narrow = tree.depth[node] % 2 == parity
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if sets[child, place + GOAL] != goal and not (narrow and tree.value[child] > goal):
            if tree.count[child] > 0:
                return child
            set_of_leaf(tree, child, parity, goal, place)
            sets[child, place + GOAL] = goal
    return np.int64(0)


def set_of_leaf(tree, leaf, parity, goal, place):
    """The leaf itself; a finished game is in no set."""
    row, promise = sets_of(tree, parity)[leaf], side_of(tree, parity)
    mean, spread = promise[leaf, MEAN], promise[leaf, SPREAD]
    row[place + SIZE] = 1.0
    if tree.count[leaf] == 0 or goal == np.inf or (spread <= 0.0 and mean <= goal):
        row[place + GAIN] = row[place + PROBABILITY] = -np.inf
        return
    z = (goal - mean) / spread if spread > 0.0 else -np.inf
    if z < FAR:
        row[place + GAIN] = math.log(gain(mean, spread, np.inf, goal))
        row[place + PROBABILITY] = math.log(0.5 * math.erfc(z / math.sqrt(2.0)))
    else:
        tail = -0.5 * z * z - 0.5 * math.log(2.0 * math.pi) - math.log(z)
        row[place + GAIN] = tail + math.log(spread / z)
        row[place + PROBABILITY] = tail


def join_sets(tree, sets, node, goal, place):
    """At a narrow node: the sets of all children that do not stand above the goal, together."""
    cap, excess, probability, size = np.inf, np.inf, 0.0, 0.0
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if tree.value[child] > goal:
            cap = min(cap, tree.value[child])
            continue
        if sets[child, place + GAIN] == -np.inf:
            probability = -np.inf
            break
        excess = min(excess, sets[child, place + GAIN] - sets[child, place + PROBABILITY])
        probability += sets[child, place + PROBABILITY]
        size += sets[child, place + SIZE]
    if probability > -np.inf and cap < np.inf:
        excess = min(excess, math.log(cap - goal))
    sets[node, place + GAIN] = excess + probability if probability > -np.inf else -np.inf
    sets[node, place + PROBABILITY] = probability
    sets[node, place + SIZE] = max(size, 1.0)


def take_best_set(tree, sets, node, place):
    """At a free node: the set of one child."""
    best = best_of_sets(tree, sets, node, place)
    for cell in (GAIN, PROBABILITY, SIZE):
        sets[node, place + cell] = sets[best, place + cell]


def best_of_sets(tree, sets, node, place):
    """The child whose set has the greatest gain a leaf, the first of equals."""
    best, most = tree.first[node], -np.inf
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        gain_a_leaf = sets[child, place + GAIN] - math.log(sets[child, place + SIZE])
        if gain_a_leaf > most:
            best, most = child, gain_a_leaf
    return best


def gain_a_leaf(tree, top):
    """Of the best set below a child of the root, which must be known."""
    parity, _, place = side_goal_and_place(tree, top)
    row = sets_of(tree, parity)[top]
    return math.exp(row[place + GAIN]) / row[place + SIZE]


def best_set(tree):
    """Find the move of the root with the best set, and that set's leaf that is least likely to rise; False if it is not
    found yet. Where no set can change the decision there is no leaf."""
    at = tree.register[0]
    end = tree.first[0] + tree.count[0]
    while at.top < end:
        if not find_set(tree, at.top):
            return False
        at.top += 1
    best, most = np.int64(0), -np.inf
    for top in range(tree.first[0], end):
        parity, _, place = side_goal_and_place(tree, top)
        row = sets_of(tree, parity)[top]
        if row[place + GAIN] - math.log(row[place + SIZE]) > most:
            best, most = top, row[place + GAIN] - math.log(row[place + SIZE])
    at.found, at.gain, at.below, at.delta = best, math.exp(most), best, np.inf
    if best > 0:
        at.found = leaf_of_set(tree, best)
    return True


def leaf_of_set(tree, top):
    """The way to the leaf: at a narrow node to the child whose part of the set is least likely to rise."""
    parity, goal, place = side_goal_and_place(tree, top)
    sets, node = sets_of(tree, parity), top
    while tree.count[node] > 0:
        tree.register[0].looks += tree.count[node]
        if tree.depth[node] % 2 != parity:
            node = best_of_sets(tree, sets, node, place)
            continue
        least, found = np.inf, tree.first[node]
        for child in range(tree.first[node], tree.first[node] + tree.count[node]):
            if tree.value[child] <= goal and sets[child, place + PROBABILITY] < least:
                least, found = sets[child, place + PROBABILITY], child
        node = found
    return node
