"""Plain minimax in negamax form (Shannon 1950, type A): every line to a depth, the values backed up.

A budget of `depth` alone searches to that depth at once. Under any other budget the depth is increased by one as
often as the budget allows (iterative deepening); only finished iterations count.
"""

from __future__ import annotations

import numpy as np

from ludus.core.budget import (
    DEEPEN,
    DEPTH,
    EXPANDED,
    NEEDS_NODES,
    NEEDS_PLIES,
    RUNNING,
    STOP_DEPTH,
    STOP_SOLVED,
    TRAVERSED,
    spent,
)
from ludus.core.rules import evaluate, final, load, over, play, store
from ludus.core.search import Search
from ludus.core.tree import UNOPENED, keep_line, open_node, publish_line

# Registers.
NODE = 0  # the node whose children are being searched
PLY = 1  # its distance from the root
HORIZON = 2  # the depth of this iteration; 0 before the first
CUT = 3  # whether this iteration evaluated an unfinished game
LENGTH = 4  # the length of the last finished iteration's principal line
DONE = 5  # how many iterations are finished


class Minimax(Search):
    """Plain minimax to a depth, deepened as long as the budget lasts (Shannon 1950)."""

    name = "minimax"
    contender = True
    columns = {"next": "i8", "backed": "f8", "length": "i8"}
    # next: how many of the node's children have been entered
    # backed: the best value found so far in this iteration
    # length: the length of the node's principal line

    def step(self, game, evaluator, tree, limits):
        if tree.register[HORIZON] == 0:
            tree.register[HORIZON] = 1 if limits[DEEPEN] else limits[DEPTH]
            enter(tree, 0)
        while True:
            node = tree.register[NODE]
            ply = tree.register[PLY]
            if ply + 3 > tree.line.shape[0]:
                return NEEDS_PLIES
            if tree.count[node] == UNOPENED and not open_node(game, tree, node):
                return NEEDS_NODES
            if tree.next[node] < tree.count[node]:
                status = spent(game.meter, limits, tree.register[HORIZON] == 1)
                if status != RUNNING:
                    return status
                visit(game, evaluator, tree, node, ply)
            elif node != 0:
                leave(game, tree, node, ply)
            else:
                finish_iteration(tree)
                if tree.register[CUT] == 0:
                    return STOP_SOLVED
                if tree.register[HORIZON] >= limits[DEPTH]:
                    return STOP_DEPTH
                tree.register[HORIZON] += 1
                game.meter[EXPANDED] += 1  # the root's children are there, but will be generated again
                enter(tree, 0)

    def line(self, tree):
        return [int(move) for move in tree.line[0, : tree.register[LENGTH]]] or super().line(tree)


def enter(tree, node):
    """Begin to search below `node`."""
    tree.next[node] = 0
    tree.backed[node] = -np.inf
    tree.length[node] = 0
    tree.register[NODE] = node
    if node == 0:
        tree.register[CUT] = 0
        tree.register[PLY] = 0


def visit(game, evaluator, tree, node, ply):
    """Generate the next child of `node`: a leaf of this iteration is valued, any other is entered."""
    child = tree.first[node] + tree.next[node]
    tree.next[node] += 1
    after = play(game, load(tree.state, node), tree.move[child])
    store(tree.state, child, after)
    game.meter[TRAVERSED] += 1
    tree.length[child] = 0
    if over(game, after):
        tree.backed[child] = final(evaluator, game, after)
        back_up(game, tree, child, ply)
    elif ply + 1 == tree.register[HORIZON]:
        tree.register[CUT] = 1
        tree.backed[child] = evaluate(evaluator, game, after)
        back_up(game, tree, child, ply)
    else:
        tree.count[child] = UNOPENED
        enter(tree, child)
        tree.register[PLY] = ply + 1


def leave(game, tree, node, ply):
    """All children of `node` are done: forget them, and go back to its parent."""
    tree.size[0] = tree.first[node]
    tree.count[node] = UNOPENED
    tree.register[NODE] = tree.parent[node]
    tree.register[PLY] = ply - 1
    back_up(game, tree, node, ply - 1)


def back_up(game, tree, child, ply):
    """Give the value of `child` to its parent, `ply` plies from the root, and its line if it is the best so far."""
    game.meter[TRAVERSED] += 1
    node = tree.parent[child]
    if node == 0 and tree.register[DONE] == 0:
        tree.value[child] = tree.backed[child]  # better than nothing, should the first iteration not be finished
    if -tree.backed[child] > tree.backed[node]:
        tree.backed[node] = -tree.backed[child]
        keep_line(tree, node, child, ply)


def finish_iteration(tree):
    """Only now do the root's values and line change."""
    for child in range(tree.first[0], tree.first[0] + tree.count[0]):
        tree.value[child] = tree.backed[child]
    tree.value[0] = tree.backed[0]
    tree.register[LENGTH] = publish_line(tree)
    tree.register[DONE] += 1
