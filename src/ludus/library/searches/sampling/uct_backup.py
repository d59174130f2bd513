"""How `uct` counts a result on the way back to the root, and what it proves there.

Each node has the least and the greatest result that is still possible (Cazenave & Saffidine 2010), backed up as in
minimax; where chance decides, it may bring the worst or the best.
"""

import math

import numpy as np

from ludus.kernel.limits import TRAVERSED
from ludus.kernel.tree import children


def back_up(game, tree, leaf, result, lost):
    """Count a result at every node from `leaf` to the root, and prove what can be proven.

    `lost`: 1.0 if the visit was counted as lost when it began (`count_as_lost`), else 0.0.
    """
    node, news = leaf, tree.low[leaf] == tree.high[leaf] and tree.visits[leaf] == 0.0
    while True:
        if tree.low[node] == tree.high[node]:
            result = np.float64(tree.low[node])
        credit(tree, node, 1.0 - lost, result - lost)
        game.meter[TRAVERSED] += 1
        if node == 0:
            return
        node = tree.parent[node]
        if tree.outcomes[node] == 0:
            result = -result
        if news:
            news = tighten(game, tree, node)


def count_as_lost(tree, leaf):
    """A visit to `leaf` begins: at every node count it as lost for who moved there, so that others go elsewhere."""
    node = leaf
    while node >= 0:
        credit(tree, node, 1.0, 1.0)
        node = tree.parent[node]


def back_up_bounds(game, tree, node):
    """Prove what can be proven from `node` to the root."""
    while node >= 0 and tighten(game, tree, node):
        node = tree.parent[node]


def credit(tree, node, visits, total):
    """Count this number of visits, and the sum of their results."""
    tree.visits[node] += visits
    tree.total[node] += total
    tree.rarity[node] = 1.0 / math.sqrt(tree.visits[node])
    set_value(tree, node)


def set_value(tree, node):
    """The mean result, within the bounds; a proven node is worth its result."""
    low, high = tree.low[node], tree.high[node]
    if low == high:
        tree.value[node] = low
    elif tree.visits[node] > 0.0:
        tree.value[node] = min(max(tree.total[node] / tree.visits[node], low), high)


def tighten(game, tree, node):
    """The bounds of `node` from those of its children; whether they changed."""
    game.meter[TRAVERSED] += tree.count[node]
    low, high = np.int64(-1), np.int64(-1)
    if tree.outcomes[node] > 0:
        low = np.int64(1)
    for child in children(tree, node):
        if tree.outcomes[node] > 0:  # chance may bring the worst or the best
            low, high = min(low, tree.low[child]), max(high, tree.high[child])
        else:
            low, high = max(low, -tree.high[child]), max(high, -tree.low[child])
    changed = low != tree.low[node] or high != tree.high[node]
    tree.low[node], tree.high[node] = low, high
    set_value(tree, node)
    return changed
