"""OPEN, the list of states of SSS*: the one with the highest merit comes first, of equals the leftmost in the tree.

What the operator puts in the place of the first state comes first again, so it goes on top of a stack, as in Stockman's
paper. Only a leaf may lose merit: it waits in a heap until the stack is empty. States that are purged stay where they
are, and are thrown away when they are taken: below a node that is solved there is nothing left to do.
"""

from __future__ import annotations

import numpy as np

from ludus.kernel.limits import TRAVERSED

LIVE, SOLVED = 0, 1
"""What a state says of its node."""


def put(game, tree, node, solved, merit):
    """Put a state on OPEN that comes before all that are there."""
    at = tree.register[0]
    tree.solved[node] = solved
    tree.merit[node] = merit
    tree.stack[at.front] = node
    at.front += 1
    game.meter[TRAVERSED] += 1


def put_in_order(game, tree, leaf, merit):
    """Put a leaf on OPEN, solved with less merit than it had: before all states of lesser merit."""
    tree.solved[leaf] = SOLVED
    tree.merit[leaf] = merit
    game.meter[TRAVERSED] += 1
    cell = tree.register[0].waiting
    tree.register[0].waiting += 1
    while cell > 0 and is_before(game, tree, leaf, tree.heap[(cell - 1) // 2]):
        tree.heap[cell] = tree.heap[(cell - 1) // 2]
        cell = (cell - 1) // 2
    tree.heap[cell] = leaf


def take_first(game, tree):
    """Take the first state from OPEN: its node."""
    at = tree.register[0]
    if at.front > 0:
        at.front -= 1
        return tree.stack[at.front]
    taken = tree.heap[0]
    at.waiting -= 1
    leaf = tree.heap[at.waiting]
    cell = np.int64(0)
    while 2 * cell + 1 < at.waiting:
        under = 2 * cell + 1
        if under + 1 < at.waiting and is_before(game, tree, tree.heap[under + 1], tree.heap[under]):
            under += 1
        if not is_before(game, tree, tree.heap[under], leaf):
            break
        tree.heap[cell] = tree.heap[under]
        cell = under
    tree.heap[cell] = leaf
    return taken


def is_before(game, tree, one, other):
    """Whether the leaf `one` is taken before `other`: it has more merit or, if equal, lies further left."""
    if tree.merit[one] != tree.merit[other]:
        return tree.merit[one] > tree.merit[other]
    left, right = one, other
    while tree.parent[left] != tree.parent[right]:
        game.meter[TRAVERSED] += 1
        if tree.ply[left] > tree.ply[right]:
            left = tree.parent[left]
        else:
            right = tree.parent[right]
    return tree.rank[left] < tree.rank[right]


def is_purged(game, tree, node):
    """Whether a node above is solved."""
    above = tree.parent[node]
    while above >= 0:
        game.meter[TRAVERSED] += 1
        if tree.solved[above] == SOLVED:
            return True
        above = tree.parent[above]
    return False


# What follows runs in Python only.


def highest_merits(tree):
    """Of each of the root's moves: the highest merit of the states below it that are still on OPEN and not purged.

    To MAX, who moves at the root, a move that is not solved is not worth more.
    """
    at, first = tree.register[0], int(tree.first[0])
    above = np.concatenate([tree.stack[: int(at.front)], tree.heap[: int(at.waiting)]])
    merits = tree.merit[above]
    while (below := tree.ply[above] > 1).any():
        above = np.where(below, tree.parent[above], above)
        is_left = ~below | (tree.solved[above] != SOLVED)
        above, merits = above[is_left], merits[is_left]
    found = np.full(int(tree.count[0]), -np.inf)
    np.maximum.at(found, above - first, merits)
    return found
