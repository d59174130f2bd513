"""Alpha-beta, fail-soft, with iterative deepening (Knuth & Moore 1975; Slate & Atkin 1977).

Minimax that does not look at what cannot matter: a move already refuted by one reply needs no second. The order in
which moves are tried decides how much that saves, so at inner nodes all successors are generated, valued statically and
tried best first; the previous iteration's best move comes before all. Options remember what was good elsewhere: in the
same position (`table`), at the same distance from the root (`killers`), or in the whole search (`history`). None of
them changes the value.
"""

from __future__ import annotations

import math

import numpy as np

from ludus.core.budget import AUTO, DEEPEN, DEPTH, GENERATE, NODES, UNITS, UNLIMITED
from ludus.core.errors import SpecError
from ludus.core.rules import evaluate, load
from ludus.core.table import Table, keep, probe
from ludus.searches.full_width.driver import EXACT, FIRST, LOWER, UPPER, FullWidth, as_listed, in_order, inside, look_at

SECOND = 1e250
"""The order of killers: after the best move, before any static value."""

HISTORY = 4096
"""Cells of the history table for each player: moves that leave the same remainder share one."""

KILLER_PLIES = 256
"""Rows of the table of killers: plies that leave the same remainder share one."""

MOST_MEMORY = 1e6
"""Megabytes that a table may take."""


class AlphaBeta(FullWidth):
    """Fail-soft alpha-beta with iterative deepening and static move ordering (Knuth & Moore 1975)."""

    name = "alphabeta"
    contender = True
    exact = True
    proves = True
    chooses_depth = True
    variants = (
        "order=false, branching=6.0",
        "table=true",
        "table=true, deeper=true",
        "table=true, memory_of_table=0.001",
        "killers=true, history=true, order=false",
        "aspiration=1.0",
        "table=true, killers=true, history=true, aspiration=0.5",
    )

    def __init__(
        self,
        order: bool = True,
        table: bool = False,
        deeper: bool = False,
        killers: bool = False,
        history: bool = False,
        aspiration: float = 0.0,
        memory_of_table: float = 16.0,
        branching: float = 0.0,
    ) -> None:
        """
        order: generate and value all successors of an inner node, and try the best first
        table: remember positions; entries cut at equal remaining depth only, so that the value stays minimax's,
            unless `deeper` allows entries from deeper searches too
        aspiration: search first in a window of this width around the last iteration's value; 0 for none
        branching: what `depth=auto` takes for the branching factor; 0 for the number of moves at the root
        """
        if aspiration < 0:
            raise ValueError("aspiration must be 0 (none) or a width above 0")
        if not 0 < memory_of_table <= MOST_MEMORY or branching < 0:
            raise ValueError(
                f"memory_of_table must be above 0 and at most {MOST_MEMORY:g} MB, and branching at least 0"
            )
        self.order, self.table, self.deeper = order, table, deeper
        self.killers, self.history, self.aspiration = killers, history, aspiration
        self.memory_of_table, self.branching = memory_of_table, branching
        self.exact = not (table and deeper)

    # The parts of the driver that are alpha-beta's own.

    def window(self, tree, node, child):
        return -tree.beta[node], -tree.alpha[node]

    def arrange(self, game, evaluator, tree, node):
        """By static value, then what was good elsewhere; at the frontier, where statics cost most, by that alone."""
        static = self.order and tree.left[node] > 1
        move_of_table = remembered_move(tree, load(tree.state, node)) if self.table else np.int64(-1)
        if not static and move_of_table < 0 and not self.killers and not self.history:
            as_listed(tree, node)
            return
        in_order(tree, node)
        ply = tree.register[0].ply
        state = load(tree.state, node)
        for child in range(tree.first[node], tree.first[node] + tree.count[node]):
            if static:
                look_at(game, evaluator, tree, state, child)
                if tree.count[child] != 0:
                    tree.static[child] = evaluate(evaluator, game, load(tree.state, child))
                tree.order[child] = -tree.static[child]
            prefer(self, tree, child, ply, static, move_of_table)

    def known(self, game, evaluator, tree, node):
        return self.table and known_from_table(self, tree, node)

    def combine(self, game, tree, node):
        if self.table:
            remember_value(tree, node)

    def refuted(self, tree, node, child):
        if self.killers or self.history:
            remember_move(self, tree, node, child)

    def root_window(self, tree):
        if self.aspiration > 0 and tree.register[0].horizon > 1 and tree.register[0].passes == 1:
            return tree.value[0] - self.aspiration / 2, tree.value[0] + self.aspiration / 2
        return -np.inf, np.inf

    def another_pass(self, tree):
        """Once more with an open window, if the value lies outside."""
        return not inside(tree.backed[0], tree.floor[0], tree.beta[0])

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        table = Table(game.layout, self.memory_of_table if self.table else 0.0, compiled)
        killer = np.full((KILLER_PLIES, 2), -1, np.int64)
        return {"table": table.record, "killer": killer, "history": np.zeros((2, HISTORY))}

    def prepare(self, tree, game, state, limits):
        tree.table.now[0] += 1
        if self.killers:
            tree.killer[:] = -1
        if self.history:
            tree.history[:] = 0
        if limits[DEPTH] == AUTO:
            self._choose_depth(game, state, limits)

    def _choose_depth(self, game, state, limits):
        """The fixed depth k at which b^(3k/4) nodes cost no more than the budget (Utgoff & Cochran 2001, section 5.1).

        The real cost is what it is: the other limits are lifted.
        """
        nodes = min(limits[NODES], limits[UNITS] / max(limits[GENERATE], 1))
        if nodes >= UNLIMITED / 1e6:
            raise SpecError("depth=auto needs a budget of nodes or units to choose the depth by.")
        branching = self.branching or len(game.legal(state))
        depth = math.log(nodes) / (0.75 * math.log(branching)) if branching > 1 else 1
        limits[DEPTH] = max(int(depth + 1e-9), 1)
        limits[NODES] = limits[UNITS] = UNLIMITED
        limits[DEEPEN] = 0


# What was good elsewhere.


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


# The table. An entry's `depth` is twice the plies left below its state, one more if unfinished games were evaluated.


def remembered_move(tree, state):
    """The best move of `state` that this search has found before; -1: none."""
    slot = probe(tree.table, state)
    return tree.table.move[slot] if slot >= 0 else np.int64(-1)


def known_from_table(search, tree, node):
    """Does the table settle the value of `node` for its window?"""
    table = tree.table
    slot = probe(table, load(tree.state, node))
    if slot < 0:
        return False
    left = table.depth[slot] // 2
    if left != tree.left[node] and not (search.deeper and left > tree.left[node]):
        return False
    value = table.value[slot]
    bound = table.bound[slot]
    if (
        bound == EXACT
        or (bound == LOWER and value >= tree.beta[node])
        or (bound == UPPER and value <= tree.alpha[node])
    ):
        tree.backed[node] = value
        tree.cut[node] = table.depth[slot] % 2
        return True
    return False


def remember_value(tree, node):
    """Keep what was found out about `node`."""
    bound = EXACT
    if tree.backed[node] <= tree.floor[node]:
        bound = UPPER
    elif tree.backed[node] >= tree.beta[node]:
        bound = LOWER
    move = tree.move[tree.best[node]] if tree.best[node] >= 0 else np.int64(-1)
    keep(tree.table, load(tree.state, node), 2 * tree.left[node] + tree.cut[node], tree.backed[node], bound, move)
