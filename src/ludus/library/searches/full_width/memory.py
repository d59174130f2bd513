"""What alpha-beta remembers of what was good elsewhere: killers, history, and the transposition table.

None of it changes the value. An entry of the table has as its `depth` twice the plies left below its state, one more if
unfinished games were evaluated.
"""

from __future__ import annotations

import numpy as np

from ludus.kernel.rules import load
from ludus.kernel.table import keep, probe
from ludus.kernel.tree import children, keep_line
from ludus.library.searches.full_width.order import FIRST
from ludus.library.searches.full_width.walk import is_free, look_at

SECOND = 1e250
"""The order of killers: after the best move, before any static value."""

HISTORY = 4096
"""Cells of the history table for each player: moves that leave the same remainder share one."""

KILLER_PLIES = 256
"""Rows of the table of killers: plies that leave the same remainder share one."""


def prefer(search, tree, child, ply, static, move_of_table):
    """Let the table's best move come first, then the killers; where there is no static value, by the history."""
    move = tree.move[child]
    if search.history and not static:
        tree.order[child] += tree.history[ply % 2, move % HISTORY] * 1e6
    if search.killers:
        row = ply % KILLER_PLIES
        if move == tree.killer[row, 0] or move == tree.killer[row, 1]:
            tree.order[child] = SECOND
    if move == move_of_table:
        tree.order[child] = FIRST


def remember_move(search, tree, node, child):
    """A move that refuted one line may refute the next."""
    move, ply = tree.move[child], tree.register[0].ply
    row = ply % KILLER_PLIES
    if search.killers and tree.killer[row, 0] != move:
        tree.killer[row, 1] = tree.killer[row, 0]
        tree.killer[row, 0] = move
    if search.history:
        tree.history[ply % 2, move % HISTORY] += tree.left[node] * tree.left[node]


# The table.


def remembered_move(search, tree, node):
    """The best move of `node` that this search has found before; -1: none."""
    if not search.table:
        return np.int64(-1)
    return tree.table.found[0].move if probe(tree.table, load(tree.state, node)) else np.int64(-1)


def known_from_table(search, tree, node):
    """Does the table settle the value of `node` for its window?"""
    found = tree.table.found[0]
    if not probe(tree.table, load(tree.state, node)) or not is_deep_enough(search, found, tree.left[node]):
        return False
    if found.low == found.high or found.low >= tree.beta[node]:
        tree.backed[node] = found.low
    elif found.high <= tree.alpha[node]:
        tree.backed[node] = found.high
    else:
        return False
    tree.register[0].hits += 1
    tree.cut[node] = found.depth % 2
    return True


def is_deep_enough(search, found, left):
    """Whether an entry comes from a search of this depth, or a deeper one if that is allowed."""
    plies = found.depth // 2
    return plies == left or (search.deeper and plies > left)


def cut_by_child(search, game, evaluator, tree, node):
    """Enhanced transposition cut-offs (Plaat et al. 1996): does the table know a move too good to be allowed?"""
    found, state, left = tree.table.found[0], load(tree.state, node), tree.left[node] - 1 + is_free(search, tree, node)
    for child in children(tree, node):
        if tree.ready[child] == 0:
            look_at(search, game, evaluator, tree, state, child)
        if not probe(tree.table, load(tree.state, child)):
            continue
        if is_deep_enough(search, found, left) and -found.high >= tree.beta[node]:
            tree.register[0].table_cuts += 1
            tree.backed[node] = -found.high
            tree.best[node] = child
            tree.cut[node] = found.depth % 2
            tree.length[child] = 0
            keep_line(tree, node, child, tree.register[0].ply)
            tree.alpha[node] = tree.beta[node]
            return


def remember_value(tree, node):
    """Keep what was found out about `node`."""
    low = high = tree.backed[node]
    if tree.backed[node] <= tree.floor[node]:
        low = -np.inf
    elif tree.backed[node] >= tree.beta[node]:
        high = np.inf
    move = tree.move[tree.best[node]] if tree.best[node] >= 0 else np.int64(-1)
    keep(tree.table, load(tree.state, node), 2 * tree.left[node] + tree.cut[node], low, high, move)
