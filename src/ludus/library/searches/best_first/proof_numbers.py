"""Proof and disproof numbers of a node, from what is proven of it and from its children's."""

from __future__ import annotations

import numpy as np


def begin_numbers(tree, node):
    """The numbers of a leaf: 0 and infinity if what is known of its score answers the question, else 1 and 1."""
    ours = tree.depth[node] % 2 == 0
    asked = tree.register[0].asked
    least = tree.low[node] if ours else -tree.high[node]
    most = tree.high[node] if ours else -tree.low[node]
    tree.proof[node] = 0.0 if least > asked else np.inf if most <= asked else 1.0
    tree.disproof[node] = np.inf if least > asked else 0.0 if most <= asked else 1.0


def renew_numbers(tree, node):
    """The numbers, the bounds and the best child of an opened node; whether the numbers or the bounds are new."""
    ours = tree.depth[node] % 2 == 0
    one, all_of = (tree.proof, tree.disproof) if ours else (tree.disproof, tree.proof)
    first = tree.first[node]
    least, total, best, low, high = np.inf, 0.0, first, -np.inf, -np.inf
    for child in range(first, first + tree.count[node]):
        if one[child] < least:
            least, best = one[child], child
        total += all_of[child]
        low = max(low, -tree.high[child])
        high = max(high, -tree.low[child])
    changed = one[node] != least or all_of[node] != total or tree.low[node] != low or tree.high[node] != high
    one[node], all_of[node] = least, total
    tree.low[node], tree.high[node] = low, high
    tree.best[node] = best
    return changed
