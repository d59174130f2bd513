"""How `mgss` finds the leaf of greatest gain in a large tree without looking at every leaf.

Signs are turned so that the question is always the same: can this leaf make its move of the root *rise* above a goal?
Under a rival of the best move that is so as it stands, the values being the root player's and the goal the best move's
value; under the best move, which must fall, all are the opponent's, and the goal is the second best move's value. On
each of these two *sides* the nodes of the player who does not want the rise are *narrow*: only his best child counts,
and his second best, the riser's value there, is as far as the first can take the node. All other nodes are free.

Each node has a *promise* for each side, three numbers that hold whatever the goal is: the greatest MEAN, the
greatest SPREAD (standard deviation) and the greatest DELTA among the leaves below it that pass the structural rule. A
leaf's promise is its own; a narrow node has that of its best child, with DELTA cut; a free node the greatest of each
among its children. No leaf below can gain more than one that had all three, which shows where nothing better can be.
Promises change only above an expanded leaf. So when a value at the root changes, and with it the gain of every leaf,
nothing has to be renewed: the next walk simply meets other bounds. What a walk has found out about a narrow node, the
most that a leaf below it can gain at this goal, is kept too: no more can be gained at a higher goal, nor at a lower one
by more than the difference.

Where chance decides, an outcome of probability p that rises by x makes the node rise by p x: its value is p x + rest,
where `rest` is what the other outcomes add. So mean, spread, delta and gain of a leaf below become p mean + rest and so
on at the node. The walk goes the other way: below an outcome it asks for a rise above (goal - rest) / p, and a gain
there counts p times. Any outcome may be the one that changes, as if the node were free.
"""

import math

import numpy as np

from ludus.kernel.parts import part
from ludus.kernel.tree import children
from ludus.library.searches.best_first.outcomes import by_chance, mean_value

MEAN, SPREAD, DELTA = 0, 1, 2
CELLS = 3
RISE, FALL = 1, 0
"""The sides, by the parity of the depths at which nodes are narrow."""
FAINT = 1e-290
"""The gain of a relevant leaf of which the normal curve says that it cannot get there: beyond 37 deviations."""
ROUNDING = 1.0 + 1e-9
PATIENCE = 10_000
"""Children looked at in one go before Python may look at the clock."""


def unit_loss(z):
    """E[(Z - z)+] of a standard normal Z."""
    return math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) - z * 0.5 * math.erfc(z / math.sqrt(2.0))


def gain(mean, spread, delta, goal):
    """Equations 13 and 14: E[(min(X, delta) - goal)+] of a normal X, which is the difference of two losses; a limit if
    delta is infinite or the spread zero. A leaf that is not relevant, or a finished game, gains 0.
    """
    if delta <= goal:
        return 0.0
    if spread <= 0.0:
        return max(min(mean, delta) - goal, 0.0)
    low = (goal - mean) / spread
    found = spread * unit_loss(low)
    if delta < np.inf:
        found -= spread * unit_loss((delta - mean) / spread)
    return min(max(found, FAINT), delta - goal)


def most_gain(mean, spread, delta, goal):
    """No leaf with at most these numbers gains more."""
    if delta <= goal:
        return 0.0
    found = gain(mean, spread, np.inf, goal)
    return min(ROUNDING * found if found > FAINT else found, delta - goal)


# Who moves where.


@part
def turn_at(search, tree, node):
    """0 if the player at the root moves at `node`, or is the next to move there after chance; 1: the opponent."""
    return tree.depth[node] % 2


def is_narrow(search, tree, node, parity):
    """Whether an inner node is narrow on this side."""
    return turn_at(search, tree, node) == parity and not by_chance(search, tree, node)


# Promises.


def side_of(parity):
    """Where in a row of `promise` the three numbers of a side begin."""
    return parity * CELLS


def promise_of_leaf(search, tree, leaf, mean, spread):
    """Of a leaf whose value after an expansion has this mean and standard deviation, to the player to move there; none
    of a finished game, nor where the evaluator is sure: an infinite value has no gain that could be compared."""
    settled = tree.count[leaf] == 0 or not abs(mean) < np.inf
    for parity in (FALL, RISE):
        side = side_of(parity)
        sign = 1.0 if turn_at(search, tree, leaf) != parity else -1.0  # the riser moves where nodes are not narrow
        tree.promise[leaf, side + MEAN] = -np.inf if settled else sign * mean
        tree.promise[leaf, side + SPREAD] = 0.0 if settled else spread
        tree.promise[leaf, side + DELTA] = -np.inf if settled else np.inf


def promise_of_rest(search, tree, leaf, value):
    """Of a leaf some of whose successors have been seen, the best with this value: the others cannot make it less."""
    turn = turn_at(search, tree, leaf)
    side = side_of(1 - turn)
    tree.promise[leaf, side + MEAN] = max(tree.promise[leaf, side + MEAN], value)
    side = side_of(turn)
    tree.promise[leaf, side + MEAN] = min(tree.promise[leaf, side + MEAN], -value)
    tree.promise[leaf, side + DELTA] = -value


def renew_value(search, tree, node):
    """Value, best and second best child of an inner node; whether any has changed."""
    if by_chance(search, tree, node):
        before, tree.value[node] = tree.value[node], mean_value(tree, node)
        return before != tree.value[node]
    first = tree.first[node]
    best, lowest, second = first, tree.value[first], np.inf
    for child in range(first + 1, first + tree.count[node]):
        value = tree.value[child]
        if value < lowest:
            best, lowest, second = child, value, lowest
        elif value < second:
            second = value
    changed = tree.value[node] != -lowest or tree.best[node] != best or tree.second[node] != second
    tree.value[node], tree.best[node], tree.second[node] = -lowest, best, second
    return changed


def renew_promise(search, tree, node):
    """The promises of an inner node from those of its children; whether one has changed."""
    parity = turn_at(search, tree, node)
    if by_chance(search, tree, node):
        changed = renew_promise_of_chance(search, tree, node, RISE)
        return renew_promise_of_chance(search, tree, node, FALL) or changed
    best, side = tree.best[node], side_of(parity)  # the side on which this node is narrow
    delta = min(tree.second[node], tree.promise[best, side + DELTA])
    changed = set_promise(tree, side, node, tree.promise[best, side + MEAN], tree.promise[best, side + SPREAD], delta)
    side = side_of(1 - parity)
    mean, spread, delta = -np.inf, 0.0, -np.inf
    for child in children(tree, node):
        mean = max(mean, tree.promise[child, side + MEAN])
        spread = max(spread, tree.promise[child, side + SPREAD])
        delta = max(delta, tree.promise[child, side + DELTA])
    return set_promise(tree, side, node, mean, spread, delta) or changed


def renew_promise_of_chance(search, tree, node, parity):
    """On one side: the greatest that one of the outcomes promises the node, the others staying as they are."""
    side, mean, spread, delta = side_of(parity), -np.inf, 0.0, -np.inf
    for child in children(tree, node):
        odds = tree.odds[child]
        if odds > 0.0:
            rest = rest_of(search, tree, node, child, parity)
            mean = max(mean, odds * tree.promise[child, side + MEAN] + rest)
            spread = max(spread, odds * tree.promise[child, side + SPREAD])
            delta = max(delta, odds * tree.promise[child, side + DELTA] + rest)
    return set_promise(tree, side, node, mean, spread, delta)


def rest_of(search, tree, node, child, parity):
    """What the other outcomes than `child` add to the value of a node of chance, to the riser of this side."""
    rest = tree.value[node] - tree.odds[child] * tree.value[child]
    return rest if turn_at(search, tree, node) != parity else -rest


def set_promise(tree, side, node, mean, spread, delta):
    """Whether it is another than before."""
    promise = tree.promise
    changed = promise[node, side + MEAN] != mean or promise[node, side + SPREAD] != spread
    changed = changed or promise[node, side + DELTA] != delta
    promise[node, side + MEAN], promise[node, side + SPREAD], promise[node, side + DELTA] = mean, spread, delta
    return changed


# The walk to the leaf of greatest gain: depth first, the most promising child first, and only where a bound is greater
# than the greatest gain so far. It goes from one node that is not narrow to the next; the root is its first.


def side_and_goal(tree, top):
    """On which side a child of the root is, and above which value it must rise."""
    if top == tree.best[0]:
        return FALL, tree.second[0]
    return RISE, -tree.value[tree.best[0]]


def begin_walk(search, tree, first, end):
    """Below these children of the root."""
    at = tree.register[0]
    at.walk, at.gain, at.found = 0, 0.0, 0
    for top in children(tree, 0):
        tree.gain[top] = 0.0
        if first <= top < end:
            at.top = top
            look_at(search, tree, top, np.inf, side_and_goal(tree, top)[1], 1.0)
    at.looks += tree.count[0]


@part
def question(search, tree, node, child):
    """What is asked of a child of a node that the walk is at: how high its delta may be, above which value it must
    rise, and how often a gain there counts."""
    return tree.cap[node], side_and_goal(tree, tree.register[0].top)[1], 1.0


@part
def keep_question(search, tree, node, cap, goal, scale):
    """The walk comes to `node`, of which this is asked."""
    tree.cap[node] = cap


def look_at(search, tree, node, cap, goal, scale):
    """The gain of a leaf, or a bound for those below an inner node, where this is asked of it."""
    at = tree.register[0]
    parity = side_and_goal(tree, at.top)[0]
    side = side_of(parity)
    mean, spread = tree.promise[node, side + MEAN], tree.promise[node, side + SPREAD]
    delta = min(cap, tree.promise[node, side + DELTA])
    if tree.count[node] > 0:
        most = most_gain(mean, spread, delta, goal)
        if cap <= tree.seen_cap[node] and is_narrow(search, tree, node, parity):
            most = min(most, tree.seen[node] + max(tree.seen_goal[node] - goal, 0.0))
        tree.gain[node] = scale * most
        return
    tree.gain[node] = scale * gain(mean, spread, delta, goal)
    if tree.gain[node] > at.gain:
        at.gain, at.found, at.below, at.delta, at.goal = tree.gain[node], node, at.top, delta, goal


def walk(search, tree):
    """Find the leaf of greatest gain, `found` with its `gain`; False if that takes long, and is not done yet."""
    at = tree.register[0]
    node, patience = at.walk, at.looks + PATIENCE
    while at.looks <= patience:
        child = most_promising(tree, node)
        at.looks += tree.count[node]
        if not tree.gain[child] > at.gain or tree.count[child] <= 0:
            if node == 0:
                return True
            node = leave(search, tree, node, tree.gain[child])
            continue
        at.top = child if node == 0 else at.top
        cap, goal, scale = question(search, tree, node, child)
        below = child
        if is_narrow(search, tree, child, side_and_goal(tree, at.top)[0]):
            cap = min(cap, tree.second[child])
            below = tree.best[child]
        if tree.count[below] <= 0:
            look_at(search, tree, below, cap, goal, scale)
            tree.gain[child] = tree.gain[below]
            continue
        keep_question(search, tree, below, cap, goal, scale)
        for grandchild in children(tree, below):
            cap, goal, scale = question(search, tree, below, grandchild)
            look_at(search, tree, grandchild, cap, goal, scale)
        at.looks += tree.count[below]
        node = below
    at.walk = node
    return False


def most_promising(tree, node):
    """The child with the highest bound or gain, the first of equals."""
    chosen = tree.first[node]
    for child in range(chosen + 1, chosen + tree.count[node]):
        if tree.gain[child] > tree.gain[chosen]:
            chosen = child
    return chosen


def leave(search, tree, node, most):
    """No leaf below a node gains more than `most`: keep that in mind, and give the node above where the walk was."""
    narrow = tree.parent[node]
    if not is_narrow(search, tree, narrow, side_and_goal(tree, tree.register[0].top)[0]) or narrow == 0:
        tree.gain[node] = most
        return narrow
    above = tree.parent[narrow]
    tree.gain[narrow] = most
    if above > 0:  # a child of the root may be on the other side the next time
        cap, goal, scale = question(search, tree, above, narrow)
        tree.seen[narrow], tree.seen_goal[narrow], tree.seen_cap[narrow] = most / scale, goal, cap
    return above


def unsee(tree, node):
    """Something below `node` has changed."""
    tree.seen_cap[node] = -np.inf
