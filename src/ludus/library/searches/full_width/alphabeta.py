"""Alpha-beta, fail-soft, with iterative deepening (Knuth & Moore 1975; Slate & Atkin 1977).

Minimax that does not look at what cannot matter: a move already refuted by one reply needs no second. The order in
which moves are tried decides how much that saves, so at inner nodes all successors are generated, valued statically and
tried best first; the previous iteration's best move comes before all. Options remember what was good elsewhere: in the
same position (`table`), at the same distance from the root (`killers`), or in the whole search (`history`). None of
them changes the value (`memory.py`). Others search some lines less, or beyond the horizon, and do
(`selective_options.py`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ludus.common.errors import SpecError
from ludus.kernel.limits import AUTO, DEEPEN, DEPTH, GENERATE, NODES, UNITS, UNLIMITED
from ludus.kernel.parts import part
from ludus.kernel.rules import load
from ludus.kernel.table import MOST_MEMORY, Table
from ludus.kernel.tree import children
from ludus.library.searches.full_width.memory import (
    HISTORY,
    KILLER_PLIES,
    cut_by_child,
    known_from_table,
    prefer,
    remember_move,
    remember_value,
    remembered_move,
)
from ludus.library.searches.full_width.order import as_listed, in_order
from ludus.library.searches.full_width.selective import is_plain, is_razored, restrict
from ludus.library.searches.full_width.selective_options import (
    SELECTIVE,
    SelectiveOptions,
    arrange_beyond,
    known_beyond,
    note_options,
    tries_some,
)
from ludus.library.searches.full_width.walk import inside, look_at, static_value
from ludus.library.searches.shared_answers import (
    begin_search,
    begin_together,
    check_threads,
    end_together,
    extras_of_member,
    extras_together,
    give_up,
    is_for_later,
    put_off,
    say_left,
    say_where,
)

WORTH_TELLING = 3
"""Plies left from which on threads tell each other where they are: what is shallower is done by the time they know."""


class AlphaBeta(SelectiveOptions):
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
        "table=true, killers=true, threads=2",
        "table=true, killers=true, history=true, aspiration=0.5, ties=random, etc=true",
        "star=2, free_forced=true",
        "null_move=1, probcut=0.7, razor=true, quiescence=noisy, quiet_plies=3, table=true",
        "quiescence=consistency, quiet_plies=1, tolerance=0.5, singular=0.5, reductions=1, staged=1",
    )
    registers = {"table_cuts": "i8"}  # how often `etc` had its way

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
        star: int = 1,
        etc: bool = False,
        threads: int = 1,
        **options: Any,
    ) -> None:
        """
        order: generate and value all successors of an inner node, and try the best first
        table: remember positions; entries cut at equal remaining depth only, so that the value stays minimax's,
            unless `deeper` allows entries from deeper searches too
        deeper: entries of the table cut also if they come from a deeper search
        killers: try moves first that cut at the same distance from the root
        history: try moves first that cut often in the whole search
        memory_of_table: megabytes for the table
        aspiration: search first in a window of this width around the last iteration's value; 0 for none
        branching: what `depth=auto` takes for the branching factor; 0 for the number of moves at the root
        star: where chance decides, and the evaluator says between which numbers its values lie: 1 for Star1; 2 for
            Star2, which probes every outcome first
        etc: before a node's moves are tried, ask the table about all of its successors
        threads: the number of threads, which share the table; not the same nodes each time
        options: those that select, and `ties` and `free_forced` as for `minimax`
        """
        super().__init__(**options)
        if star not in (1, 2):
            raise ValueError("star must be 1 or 2")
        if aspiration < 0:
            raise ValueError("aspiration must be 0 (none) or a width above 0")
        if not 0 < memory_of_table <= MOST_MEMORY or branching < 0:
            raise ValueError(
                f"memory_of_table must be above 0 and at most {MOST_MEMORY:,.0f} MB, and branching at least 0"
            )
        if (etc or deeper) and not table:
            raise ValueError(f"{'etc' if etc else 'deeper'} asks the table: it needs table=true")
        check_threads(threads)
        if threads > 1 and not table:
            raise ValueError("threads share what they know by the table: they need table=true")
        self.order, self.table, self.deeper = order, table, deeper
        self.killers, self.history, self.aspiration = killers, history, aspiration
        self.memory_of_table, self.branching = memory_of_table, branching
        self.star, self.etc = star, etc
        self.threads, self.repeats = threads, threads == 1
        self.exact = self.exact and not (table and deeper)

    # The parts of the driver that are alpha-beta's own.

    def window(self, tree, node, child):
        return -tree.beta[node], -tree.alpha[node]

    def probes(self, tree, node):
        return self.star == 2

    def arrange(self, game, evaluator, tree, node):
        """By static value, then what was good elsewhere; at the frontier, where statics cost most, by that alone."""
        ply = tree.register[0].ply
        note_options(self, tree, node)
        if arrange_beyond(self, game, evaluator, tree, node):
            return
        static = self.order and tree.left[node] > 1
        move_of_table = remembered_move(self, tree, node)
        restricted = tries_some(self, tree, node, ply)
        if static or move_of_table >= 0 or self.killers or self.history or restricted:
            in_order(tree, node)
            state = load(tree.state, node)
            for child in children(tree, node):
                if static:
                    look_at(self, game, evaluator, tree, state, child)
                    tree.order[child] = -static_value(self, game, evaluator, tree, child)
                prefer(self, tree, child, ply, static, move_of_table)
        else:
            as_listed(tree, node)
        after_arranging(self, game, evaluator, tree, node, restricted)

    def known(self, game, evaluator, tree, node):
        if tree.left[node] <= 0:
            return known_beyond(self, game, evaluator, tree, node)
        if not self.table or tries_some(self, tree, node, tree.register[0].ply + 1):
            return False
        if known_from_table(self, tree, node):
            return True
        begin_together(self, tree, node)
        return False

    def combine(self, game, tree, node):
        if self.table and tree.left[node] > 0 and not tries_some(self, tree, node, tree.register[0].ply):
            remember_value(tree, node)
            end_together(self, tree, node, True)

    def after_arranging(self, game, evaluator, tree, node, restricted):
        if restricted:
            restrict(self, tree, node, tree.register[0].ply)
        elif self.etc and node != 0 and tree.left[node] > 1:
            cut_by_child(self, game, evaluator, tree, node)

    def skipped(self, game, evaluator, tree, node, child):
        if is_for_later(self, tree, node, child):
            return True
        return self.razor and is_razored(self, game, evaluator, tree, node, child)

    def refuted(self, tree, node, child):
        if (self.killers or self.history) and tree.left[node] > 0:
            remember_move(self, tree, node, child)

    def root_window(self, tree):
        last = tree.value[0]
        if self.aspiration > 0 and last == last and tree.register[0].horizon > 1 and tree.register[0].passes == 1:
            return last - self.aspiration / 2, last + self.aspiration / 2
        return -np.inf, np.inf

    def another_pass(self, tree):
        """Once more with an open window, if the value lies outside; or beyond the horizon, after a first look."""
        if self.quiet_rule != 0 and is_plain(tree) and tree.cut[0] != 0:
            return True
        return not inside(tree.backed[0], tree.floor[0], tree.beta[0])

    # With several threads.

    def begin_together(self, tree, node):
        if tree.left[node] >= WORTH_TELLING:
            say_where(tree, tree.register[0].ply + 1, node, np.uint64(tree.left[node]))

    def end_together(self, tree, node, is_kept):
        if tree.left[node] >= WORTH_TELLING:
            say_left(tree, tree.register[0].ply, is_kept)

    def is_for_later(self, tree, node, child):
        if node == 0 or tree.best[node] < 0 or tree.next[node] >= 0 or tree.left[node] <= WORTH_TELLING:
            return False
        if not self.selects and give_up(tree, node):
            return True
        return put_off(tree, tree.register[0].ply + 1, node, child, np.uint64(tree.left[node] - 1))

    # What follows runs in Python only.

    def unused_parts(self, game):
        """The parts of options that are not set."""
        selective = self.selects or self.quiet_rule != 0 or self.razor or self.etc
        used = {*(SELECTIVE if selective else ()), *(TOGETHER if self.threads > 1 else ())}
        unused = [getattr(AlphaBeta, name) for name in (*SELECTIVE, *TOGETHER) if name not in used]
        return (*super().unused_parts(game), *unused)

    def extras(self, game, evaluator, compiled):
        table = Table(game.layout, self.memory_of_table if self.table else 0.0, compiled, self.threads > 1)
        killer = np.full((KILLER_PLIES, 2), -1, np.int64)
        own = {"table": table.record, "killer": killer, "history": np.zeros((2, HISTORY))}
        return super().extras(game, evaluator, compiled) | own | extras_together(self.threads)

    def extras_of_member(self, extras, number):
        return extras_of_member(extras, number)

    def prepare(self, tree, game, state, limits):
        begin_search(tree)
        if self.killers:
            tree.killer[:] = -1
        if self.history:
            tree.history[:] = 0
        if limits[DEPTH] == AUTO:
            self._choose_depth(game, state, limits)
        super().prepare(tree, game, state, limits)

    def statistics(self, tree):
        cuts = int(tree.register[0].table_cuts)
        return super().statistics(tree) | ({"cut-offs by a successor in the table": cuts} if cuts else {})

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


@part
def after_arranging(search, game, evaluator, tree, node, restricted):
    """The moves of `node` are arranged: drop some of them if it is `restricted`, or leave it at once."""


TOGETHER = ("skipped", "begin_together", "end_together", "is_for_later")
"""The parts that `threads` needs: one that the options need too, and its own."""
