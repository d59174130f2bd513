"""Nodes in which chance decides, in a full-width search: *-minimax (Ballard 1983).

The value of such a node is the average of its outcomes' values. It is to the player who moves next, as theirs are, so
nothing changes sign. If the evaluator says between which numbers all its values lie (`lowest` and `highest`), an
average can be known to lie outside the window before all outcomes are searched. *Star1* stops there, and searches each
outcome with the widest window in which its value matters. *Star2* first probes every outcome: a single move of the
player's gives a lower bound of what he can have there. If it is his only one, that is the value.
"""

from __future__ import annotations

import numpy as np

from ludus.kernel.parts import part

SLACK = 1e-9
"""The window of an outcome is wider by this part of the numbers that it comes from, so that rounding cuts nothing."""


@part
def probes(search, tree, node):
    """Is every outcome of `node` to be probed before one is searched (Star2)?"""
    return False


def begin_outcomes(search, game, evaluator, tree, node):
    """`node` has been opened, and the probabilities of its outcomes are in `game.probabilities`."""
    first = tree.first[node]
    for i in range(tree.count[node]):
        tree.share[first + i] = game.probabilities[i]
        tree.least[first + i] = evaluator.lowest
        tree.settled[first + i] = 0
    tree.total[node] = 0.0
    useful = tree.left[node] > 1 and tree.beta[node] < evaluator.highest
    tree.probing[node] = useful and probes(search, tree, node)


def end_probing(tree, node):
    """All outcomes of `node` have been probed: now they are searched, from the first on."""
    tree.probing[node] = 0
    tree.next[node] = tree.first[node]


def outcome_window(evaluator, tree, node, child):
    """Outside this window an outcome lets the average lie outside the window of `node`, whatever the others bring."""
    share, total = tree.share[child], tree.total[node]
    low, high = missing(evaluator, tree, node, child)
    beta = (tree.beta[node] - total - low + SLACK * (abs(tree.beta[node]) + abs(total) + abs(low))) / share
    if tree.probing[node] != 0:
        return evaluator.lowest, beta
    return (tree.alpha[node] - total - high - SLACK * (abs(tree.alpha[node]) + abs(total) + abs(high))) / share, beta


def missing(evaluator, tree, node, child):
    """What the outcomes that are not searched yet, `child` left out, add to the average: at least, and at most."""
    low = high = 0.0
    start = tree.first[node] if tree.probing[node] != 0 else child + 1
    for other in range(start, tree.first[node] + tree.count[node]):
        if other != child and tree.share[other] > 0.0:
            low += tree.share[other] * tree.least[other]
            high += tree.share[other] * evaluator.highest
    return low, high


def take_outcome(evaluator, tree, node, child):
    """An outcome has a value: add it to the average; leave `node` if that cannot come back into the window."""
    low, high = missing(evaluator, tree, node, child)
    if tree.probing[node] != 0:
        tree.least[child] = max(tree.least[child], tree.backed[child])
        tree.settled[child] = tree.floor[child] < tree.backed[child] < tree.beta[child]
        low += tree.share[child] * tree.least[child]
        high = np.inf
    else:
        tree.total[node] += tree.share[child] * tree.backed[child]
        low += tree.total[node]
        high += tree.total[node]
    tree.backed[node] = tree.total[node]
    if low >= tree.beta[node]:
        tree.backed[node] = low
        tree.alpha[node] = tree.beta[node]
    elif high <= tree.alpha[node]:
        tree.backed[node] = high
        tree.alpha[node] = tree.beta[node]
