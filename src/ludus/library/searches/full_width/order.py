"""In which order the children of a node are tried, in a full-width search.

They are tried as the rules list them (`next` tells which one comes next), or by `order`, the greatest first. The root
is searched again and again, so its children always have an order; of equals there the one of lesser `rank` comes first.
"""

from __future__ import annotations

import numpy as np

from ludus.kernel.random import below
from ludus.kernel.tree import children
from ludus.library.searches.full_width.outcomes import end_probing

# Orders that no value reaches: of the best move, of a move of unknown value, and of a move that was tried.
FIRST, LAST, DONE = 1e300, -1e300, -np.inf


def rank_root(search, tree):
    """Which of equally good moves comes first: as the rules list them, or as they are shuffled by the seed."""
    first, count = tree.first[0], tree.count[0]
    for i in range(count):
        tree.rank[first + i] = i
        if search.shuffles:
            other = below(tree.random, i + 1)
            tree.rank[first + i] = tree.rank[first + other]
            tree.rank[first + other] = i


def as_listed(tree, node):
    """The children of `node`, none of which is generated yet, are tried in the order of the rules."""
    first = tree.first[node]
    if node == 0:
        in_order(tree, node)  # the root is searched again and again
        return
    tree.next[node] = first
    for child in range(first, first + tree.count[node]):
        tree.ready[child] = 0


def in_order(tree, node):
    """The children of `node`, none of which is generated yet, are tried by `order`, which begins as the rules' own.

    Those of the root are equal to begin with: there `rank` decides.
    """
    first = tree.first[node]
    tree.next[node] = -1
    for child in range(first, first + tree.count[node]):
        tree.ready[child] = 0
        tree.order[child] = 0 if node == 0 else first - child


def leave_child_out(tree, node):
    """A child of `node` is never searched: what `skipped` returns then. The value of `node` is not final without it."""
    tree.cut[node] = 1
    return True


def only_first(tree, node):
    """Of the moves of `node` only the one that comes first is tried; it still has as many as it has."""
    if tree.next[node] >= 0:
        in_order(tree, node)
    chosen = next_child(tree, node)
    for child in children(tree, node):
        if child != chosen:
            tree.order[child] = DONE


def next_child(tree, node):
    """The untried child that comes first in order, -1 if all were tried or none can matter any more."""
    if tree.alpha[node] >= tree.beta[node]:
        return np.int64(-1)
    first = tree.first[node]
    if tree.next[node] >= 0:
        if tree.next[node] == first + tree.count[node] and tree.outcomes[node] > 0 and tree.probing[node] != 0:
            end_probing(tree, node)
        return tree.next[node] if tree.next[node] < first + tree.count[node] else np.int64(-1)
    best = np.int64(-1)
    for child in range(first, first + tree.count[node]):
        order = tree.order[child]
        if order > DONE and (
            best < 0
            or order > tree.order[best]
            or (node == 0 and order == tree.order[best] and tree.rank[child] < tree.rank[best])
        ):
            best = child
    return best
