"""`mgss(unit=sets)`: which leaf is expanded next, and how far up what it brought is followed.

It is the leaf of the best set that is least likely to rise, since without it the others are of no use.

Not all above an expanded leaf is worked out again at once, as long as the goals stay the same. On the way down to the
leaf each node learns by how much the merit of its set may FALL without another being chosen at a free node above, and
by how much its probability may RISE without another part of the set being the least likely at a narrow one. The way
back ends at the first node, the *stand*, whose set has changed by less, and the next way down begins there. What is
above waits until the search leaves that place, or people are to see it. (Values are never put off.)

How far a change can move the merits above: where sets are joined, the logarithms of probabilities add up, so that of
the whole changes by as much; the whole has more leaves, so their number grows by no greater a factor, and its excess is
the least of several, so that falls by no more.
"""

import math

import numpy as np

from ludus.kernel.limits import TRAVERSED
from ludus.kernel.prefetch import prefetch
from ludus.kernel.tree import children
from ludus.library.searches.best_first.mgss_gains import renew_value
from ludus.library.searches.best_first.mgss_sets import (
    EXCESS,
    MERIT,
    PROBABILITY,
    ROUNDING,
    SIZE,
    cell,
    find_set,
    first_slot,
    forget_sets,
    renew_set,
    side_goal_and_place,
    slot_of,
)


def begin_sets(tree):
    """What has changed is where the last leaf was expanded."""
    at = tree.register[0]
    leave_stand(tree)
    at.top = at.below
    if at.below == 0 or at.found == 0:
        at.top = tree.first[0]
    at.walk = 0


def aims(tree):
    """That of the root's best child, and that of all others."""
    best, first = tree.best[0], tree.first[0]
    return side_goal_and_place(tree, best), side_goal_and_place(tree, first if first != best else first + 1)


def best_set(tree):
    """Find the move of the root with the best set, and that set's leaf that is least likely to rise; False if it is not
    found yet. Where no set can change the decision there is no leaf."""
    at, best, sets = tree.register[0], tree.best[0], tree.sets
    fall, rise = aims(tree)
    aim = fall if at.top == best else rise
    if not find_set(tree, at.top, aim, -np.inf):
        return False
    likely = sets[cell(slot_of(tree, at.top, aim[2]), MERIT)]
    at.found, at.below, most, next_most = np.int64(0), np.int64(0), -np.inf, -np.inf
    for top in children(tree, 0):
        at.top = top
        aim = fall if top == best else rise
        if not find_set(tree, top, aim, max(most, likely)):
            return False
        found = sets[cell(slot_of(tree, top, aim[2]), MERIT)]
        if found > most:
            at.below, most, next_most = top, found, most
        else:
            next_most = max(next_most, found)
    at.gain, at.delta = math.exp(most), np.inf
    if at.below > 0:
        at.parity, at.goal, at.place = fall if at.below == best else rise
        at.lead, at.fall, at.rise = best, fall[1], rise[1]
        at.dear = 2.0 * at.cost
        least = max(next_most, math.log(at.dear) if at.dear > 0.0 else -np.inf)
        tree.fall[at.below] = most - least - ROUNDING * (1.0 + abs(most))
        tree.rise[at.below] = np.inf
        at.found, at.held = leaf_of_set(tree, at.below), 1
    return True


def leaf_of_set(tree, node):
    """The way from a node of the best set down to its leaf: at a narrow node to the child whose part of the set is
    least likely to rise."""
    at, sets = tree.register[0], tree.sets
    parity, goal, place = at.parity, at.goal, at.place
    fall, rise = tree.fall[node], tree.rise[node]
    while tree.count[node] > 0:
        at.looks += tree.count[node]
        found, slot = tree.first[node], first_slot(tree, node, place)
        for child in (found, found + tree.count[node] - 1):  # where the numbers of a node begin, and end
            prefetch(tree.value, child)
            prefetch(tree.known, child)
        if tree.depth[node] % 2 != parity:
            most, next_most = sets[cell(slot, MERIT)], -np.inf
            for child in range(found + 1, tree.first[node] + tree.count[node]):
                slot += 1
                merit = sets[cell(slot, MERIT)]
                if merit > most:
                    found, most, next_most = child, merit, most
                else:
                    next_most = max(next_most, merit)
            fall = min(fall, most - next_most - ROUNDING * (1.0 + abs(most)))
        else:
            least, next_least = np.inf, np.inf
            for child in range(found, found + tree.count[node]):
                probability = sets[cell(slot, PROBABILITY)]
                slot += 1
                if tree.value[child] <= goal and probability < next_least:
                    if probability < least:
                        found, least, next_least = child, probability, least
                    else:
                        next_least = probability
            rise = min(rise, next_least - least - ROUNDING * (1.0 + abs(least)))
        node = found
        tree.fall[node], tree.rise[node] = fall, rise
    return node


# The way back.


def back_up_sets(search, game, tree, leaf):
    """Values from an expanded leaf upward; and sets, as far as they may change a choice."""
    at, node, changed = tree.register[0], leaf if tree.count[leaf] > 0 else -1, True
    held, highest = at.held and leaf == at.found, tree.depth[leaf]
    while node >= 0 and changed:
        game.meter[TRAVERSED] += tree.count[node]
        before, changed = tree.value[node], renew_value(search, tree, node)
        changed = changed if node == 0 else tree.value[node] != before
        if changed and node > 0 and tree.depth[node] % 2 != at.parity and tree.value[node] > at.goal:
            highest = tree.depth[node] - 1  # it stands above the goal, so the narrow node above needs it no more
        node = tree.parent[node]
    if changed and held:
        fall, rise = aims(tree)
        held = tree.best[0] == at.lead and fall[1] == at.fall and rise[1] == at.rise
    if held:
        renew_sets(tree, leaf, highest)
    else:
        leave_stand(tree)
        forget_path(tree, leaf)


def renew_sets(tree, node, highest):
    """From an expanded leaf upward, to the new stand, which is not below the depth `highest`."""
    at, sets = tree.register[0], tree.sets
    aim = at.parity, at.goal, at.place
    while node > 0:
        at.looks += tree.count[node]
        slot = slot_of(tree, node, at.place)
        excess, probability, size = sets[cell(slot, EXCESS)], sets[cell(slot, PROBABILITY)], sets[cell(slot, SIZE)]
        forget_sets(tree, node)
        tree.least[node] = -np.inf
        if renew_set(tree, sets, node, aim) > 0:
            break
        rise = sets[cell(slot, PROBABILITY)] - probability
        fall = max(excess - sets[cell(slot, EXCESS)], 0.0) - rise
        if sets[cell(slot, SIZE)] > size:
            fall += math.log(sets[cell(slot, SIZE)] / size)
        if tree.depth[node] <= highest and fall < tree.fall[node] and rise < tree.rise[node]:
            tree.fall[node] -= fall
            tree.rise[node] -= rise
            at.stand = node
            return
        node = tree.parent[node]
    at.stand = at.held = 0
    forget_path(tree, node)


def leave_stand(tree):
    """What was put off is above the stand: forget it."""
    at = tree.register[0]
    if at.stand > 0:
        forget_path(tree, tree.parent[at.stand])
    at.stand = at.held = 0


def forget_path(tree, node):
    """From a node upward: so the next search for a set below that child of the root begins there."""
    tree.register[0].walk = 0
    while node >= 0:
        forget_sets(tree, node)
        node = tree.parent[node]
