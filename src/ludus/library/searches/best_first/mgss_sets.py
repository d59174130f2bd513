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

A set is worked out only where it may be the best. Where sets are joined the whole is less likely than a part, gains no
more if it succeeds, and has more leaves: so its MERIT, the gain a leaf, is at most that of each part, times the
probability of those parts that are known. As soon as this is less than the merit of another child of the free node
above, the rest need not be known. What is kept then is a bound, which holds until something below changes.

`mgss_stand.py` chooses the leaf, and tells how far up a change is followed.
"""

import math

import numpy as np

from ludus.kernel.normal_tail import log_tail
from ludus.kernel.tree import children
from ludus.library.searches.best_first.mgss_gains import PATIENCE, side_and_goal
from ludus.model.calibration import error_mean, error_sd

# The cells of what is known of a node's best set, at one goal: the logarithms of its gain if it succeeds, of its
# probability, how many leaves it has (0: only a bound of its merit is known), the logarithm of its gain a leaf, which
# is its MERIT; and the goal.
EXCESS, PROBABILITY, SIZE, MERIT, GOAL = 0, 1, 2, 3, 4
CELLS = 5
PLACE_BITS = 4
PLACES = 1 << PLACE_BITS
SETS = PLACES // 2
"""How many goals a node keeps its best set for, on each side."""
CELLS_OF_SETS = PLACES * CELLS
GRID = 4.0
LOGS = [math.log(max(size, 1)) for size in range(256)]
"""The logarithms of small numbers of leaves; 0 for none."""
ROUNDING = 1e-9
"""More than all that is lost by rounding on the way to the root, compared with the numbers themselves."""


# An *aim* is what `side_goal_and_place` gives: the side, the goal, and the place of the sets for it. A bit of `known`
# tells for each place whether what is there still holds. The sets of brothers for the same place lie in slots one after
# the other, since one looks at all of them: so they are in the rows of the brothers, but not each in its own.


def side_goal_and_place(tree, top):
    """As `side_and_goal`, the goal rounded up; and the place of the sets for this goal."""
    parity, goal = side_and_goal(tree, top)
    step = tree.register[0].error / GRID
    if step <= 0.0 or not abs(goal) < np.inf:
        return parity, goal, parity * SETS
    steps = math.ceil(goal / step)
    return parity, steps * step, parity * SETS + steps % SETS


def first_slot(tree, node, place):
    """Where the set of the first child of a node is; those of its brothers come after it."""
    return tree.first[node] * PLACES + place * tree.count[node]


def slot_of(tree, node, place):
    """Where the set of a node is that is not the root."""
    parent = tree.parent[node]
    return first_slot(tree, parent, place) + node - tree.first[parent]


def cell(slot, which):
    """Where in `sets` one of the cells of a slot is."""
    return slot >> PLACE_BITS, (slot & (PLACES - 1)) * CELLS + which


def forget_sets(tree, node):
    """Something below `node` has changed."""
    tree.known[node] = 0


def is_known(tree, sets, node, slot, aim):
    """Whether something is known of the best set of a node at this aim."""
    return (tree.known[node] >> aim[2]) & 1 == 1 and sets[cell(slot, GOAL)] == aim[1]


def is_settled(tree, node, slot, aim, least):
    """Whether the best set of a node is known, or that its merit is less than `least`."""
    if not is_known(tree, tree.sets, node, slot, aim):
        return False
    return tree.sets[cell(slot, SIZE)] > 0.0 or tree.sets[cell(slot, MERIT)] < least


def find_set(tree, top, aim, least):
    """Work out the best set below a child of the root, or that its merit is less than `least`; False if that takes
    long, and is not done. Then it goes on at the node `walk` the next time."""
    at, slot = tree.register[0], slot_of(tree, top, aim[2])
    patience = at.looks + PATIENCE
    node = at.walk if at.walk > 0 else top
    at.walk, tree.least[top] = 0, least
    while not is_settled(tree, top, slot, aim, least):
        if at.looks > patience:
            at.walk = node
            return False
        at.looks += max(tree.count[node], 1)
        needed = renew_set(tree, tree.sets, node, aim)
        node = needed if needed > 0 else tree.parent[node]
    return True


def renew_set(tree, sets, node, aim):
    """What is known of the set of a node from those of its children, and 0; or nothing but a child of which more must
    be known first."""
    if tree.count[node] <= 0:
        set_of_leaf(tree, sets, node, slot_of(tree, node, aim[2]), aim)
        return np.int64(0)
    if tree.depth[node] % 2 == aim[0]:
        return join_sets(tree, sets, node, aim)
    return take_best_set(tree, sets, node, aim)


def keep(sets, slot, goal, excess, probability, size):
    """What is known of a set; a probability of zero (minus infinity) stands for no set at all."""
    sets[cell(slot, EXCESS)] = excess
    sets[cell(slot, PROBABILITY)] = probability
    sets[cell(slot, SIZE)] = size
    sets[cell(slot, MERIT)] = excess + probability - log_of(size) if probability > -np.inf else -np.inf
    sets[cell(slot, GOAL)] = goal


def keep_bound(sets, slot, goal, most):
    """The merit of a set is not greater than this."""
    sets[cell(slot, SIZE)] = 0.0
    sets[cell(slot, MERIT)] = most
    sets[cell(slot, GOAL)] = goal


def log_of(size):
    """The logarithm of the number of leaves of a set."""
    return LOGS[int(size)] if size < len(LOGS) else math.log(size)


def set_of_leaf(tree, sets, leaf, slot, aim):
    """The leaf itself; a finished game is in no set, nor one that cannot get there."""
    parity, goal, place = aim
    tree.known[leaf] |= 1 << place
    line = tree.bucket[leaf]
    mean, spread = tree.value[leaf] + error_mean(tree.calibration, line), error_sd(tree.calibration, line)
    if tree.depth[leaf] % 2 == parity:  # the riser moves where nodes are not narrow
        mean = -mean
    if tree.count[leaf] == 0 or not abs(mean) < np.inf or (spread <= 0.0 and mean <= goal):
        keep(sets, slot, goal, 0.0, -np.inf, 1.0)
    elif spread <= 0.0:
        keep(sets, slot, goal, math.log(mean - goal), 0.0, 1.0)
    else:
        probability, excess = log_tail((goal - mean) / spread)
        keep(sets, slot, goal, excess + tree.log_sd[line], probability, 1.0)


def join_sets(tree, sets, node, aim):
    """At a narrow node: the sets of all children that do not stand above the goal, together."""
    _, goal, place = aim
    cap, excess, probability, size = np.inf, np.inf, 0.0, 0.0
    bound, weak, unknown, slot = np.inf, np.int64(0), np.int64(0), first_slot(tree, node, place) - 1
    for child in children(tree, node):
        slot += 1
        if tree.value[child] > goal:
            cap = min(cap, tree.value[child])
            continue
        if not is_known(tree, sets, child, slot, aim):
            if tree.count[child] > 0:
                unknown = child if unknown == 0 or child == tree.best[node] else unknown
                continue
            set_of_leaf(tree, sets, child, slot, aim)
        if sets[cell(slot, SIZE)] > 0.0:
            excess = min(excess, sets[cell(slot, EXCESS)])
            probability += sets[cell(slot, PROBABILITY)]
            size += sets[cell(slot, SIZE)]
        elif sets[cell(slot, MERIT)] < bound:
            bound, weak = sets[cell(slot, MERIT)], child
    if cap < np.inf:
        excess = min(excess, math.log(cap - goal))
    if probability == -np.inf or (unknown == 0 and weak == 0):
        keep(sets, slot_of(tree, node, place), goal, excess, probability, max(size, 1.0))
        tree.known[node] |= 1 << place
        return np.int64(0)
    least, most = tree.least[node], min(excess + probability - log_of(size), bound + probability)
    if most < least:
        keep_bound(sets, slot_of(tree, node, place), goal, most)
        tree.known[node] |= 1 << place
        return np.int64(0)
    needed = unknown if unknown > 0 else weak
    tree.least[needed] = least - probability - ROUNDING * (1.0 + abs(least) + abs(probability))
    return needed


def take_best_set(tree, sets, node, aim):
    """At a free node: the set of one child."""
    place, least = aim[2], tree.least[node]
    best, most, wide, bound, unknown = np.int64(-1), -np.inf, np.int64(0), -np.inf, np.int64(0)
    slot = first_slot(tree, node, place) - 1
    for child in children(tree, node):
        slot += 1
        if not is_known(tree, sets, child, slot, aim):
            if tree.count[child] > 0:
                unknown = child if unknown == 0 or child == tree.best[node] else unknown
                continue
            set_of_leaf(tree, sets, child, slot, aim)
        merit = sets[cell(slot, MERIT)]
        if sets[cell(slot, SIZE)] > 0.0:
            if best < 0 or merit > most:
                best, most = slot, merit
        elif merit > bound:
            bound, wide = merit, child
    least = max(least, most)
    if unknown > 0 or (wide > 0 and bound >= least):
        needed = unknown if unknown > 0 else wide
        tree.least[needed] = least
        return needed
    tree.known[node] |= 1 << place
    mine = slot_of(tree, node, place)
    if wide > 0 and bound >= most:
        keep_bound(sets, mine, aim[1], bound)
        return np.int64(0)
    for which in range(CELLS):
        sets[cell(mine, which)] = sets[cell(best, which)]
    return np.int64(0)


def merit(tree, top):
    """The gain a leaf of the best set below a child of the root, as a logarithm, however long it takes."""
    aim = side_goal_and_place(tree, top)
    while not find_set(tree, top, aim, -np.inf):
        pass
    return tree.sets[cell(slot_of(tree, top, aim[2]), MERIT)]
