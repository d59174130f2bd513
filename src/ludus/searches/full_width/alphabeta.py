"""Alpha-beta, fail-soft, with iterative deepening (Knuth & Moore 1975; Slate & Atkin 1977).

Minimax that does not look at what cannot matter: a move already refuted by one reply needs no second. The order in
which moves are tried decides how much that saves, so at inner nodes all successors are generated, valued statically and
tried best first; the previous iteration's best move comes before all. Options remember what was good elsewhere: in the
same position (`table`), at the same distance from the root (`killers`), or in the whole search (`history`). None of
them changes the value (`memory.py`). Others search some lines less, or beyond the horizon, and do (`selective.py`,
`quiescence.py`).
"""

from __future__ import annotations

import math

import numpy as np

from ludus.core.budget import AUTO, DEEPEN, DEPTH, GENERATE, NODES, UNITS, UNLIMITED
from ludus.core.columns import node as node_index
from ludus.core.columns import number, whole
from ludus.core.errors import SpecError
from ludus.core.normal import normal_quantile
from ludus.core.parts import part
from ludus.core.rules import load
from ludus.core.table import Table
from ludus.core.tree import LONGEST_LINE
from ludus.searches.full_width.driver import FullWidth, Ties
from ludus.searches.full_width.memory import (
    HISTORY,
    KILLER_PLIES,
    cut_by_child,
    known_from_table,
    prefer,
    remember_move,
    remember_value,
    remembered_move,
)
from ludus.searches.full_width.order import as_listed, in_order
from ludus.searches.full_width.quiescence import RULES, Quiescence, arrange_quiet, stands_at_once
from ludus.searches.full_width.selective import (
    begin_options,
    is_doubted,
    is_plain,
    is_razored,
    is_restricted,
    judge_trial,
    next_trial,
    plies_for,
    restrict,
    set_trial,
)
from ludus.searches.full_width.walk import inside, look_at, static_value
from ludus.searches.together import (
    begin_search,
    begin_together,
    check_threads,
    end_together,
    extras_of_hand,
    extras_together,
    give_up,
    is_for_later,
    put_off,
    say_left,
    say_where,
)

WORTH_TELLING = 3
"""Plies left from which on threads tell each other where they are: what is shallower is done by the time they know."""

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
        "table=true, killers=true, threads=2",
        "table=true, killers=true, history=true, aspiration=0.5, ties=random, etc=true",
        "star=2, free_forced=true",
        "null_move=1, probcut=0.7, razor=true, quiescence=noisy, quiet_plies=3, table=true",
        "quiescence=consistency, quiet_plies=1, tolerance=0.5, singular=0.5, reductions=1, staged=1",
    )
    columns = {
        "trying": whole(),  # the trial that is under way; 0: none
        "made": whole(),  # the last trial that was made, OVER after all of them
        "single": node_index(),  # the child whose move is the only good one; -1: none
        "rivals": number(),  # what the other moves must not be worth more than, if it is
        "tries": whole(),  # how many moves were tried
        "short": whole(),  # whether it is searched a ply less, for having been tried late
    }
    registers = {
        "deepens": "i8",  # whether there is more than one iteration
        "verifying": "i8",  # whether a secondary search is going on,
        "steps": "i8",  # ... how many moves the line has that it follows,
        "first_value": "f8",  # ... and what the primary one has found
        "first_cut": "i8",
        "table_cuts": "i8",  # how often each option had its way
        "null_cuts": "i8",
        "probable_cuts": "i8",
        "razored": "i8",
        "extended": "i8",
        "reduced": "i8",
    }

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
        ties: Ties = "first",
        free_forced: bool = False,
        etc: bool = False,
        null_move: int = 0,
        quiescence: Quiescence = "none",
        quiet_plies: int = 6,
        tolerance: float = 0.0,
        razor: bool = False,
        singular: float = 0.0,
        probcut: float = 0.0,
        staged: int = 0,
        reductions: int = 0,
        threads: int = 1,
    ) -> None:
        """
        order: generate and value all successors of an inner node, and try the best first
        table: remember positions; entries cut at equal remaining depth only, so that the value stays minimax's,
            unless `deeper` allows entries from deeper searches too
        aspiration: search first in a window of this width around the last iteration's value; 0 for none
        branching: what `depth=auto` takes for the branching factor; 0 for the number of moves at the root
        star: where chance decides, and the evaluator says between which numbers its values lie: 1 for Star1; 2 for
            Star2, which probes every outcome first
        ties, free_forced: as for `minimax`
        etc: before a node's moves are tried, ask the table about all of its successors
        threads: so many processors search together, and share the table; not the same nodes each time

        With these the value is not minimax's:
        null_move: let the opponent move twice, and search that so many plies less; 0 for never
        quiescence: which positions at the horizon are judged as they stand; others are searched further
        quiet_plies: ... but not more than so many plies
        tolerance: what two values may differ by that `consistency` and `locked` call the same
        razor: leave out moves whose static value is worse than what the player has already
        singular: a move that is better than all others by this margin is searched a ply deeper; 0 for none
        probcut: leave out what a shallow search predicts to be outside the window with this confidence; 0 for never
        staged: verify a new best move by a secondary search of so many plies below the end of its line
        reductions: after so many moves of a node the others are searched a ply less; 0 for never
        """
        super().__init__(ties, free_forced)
        if star not in (1, 2):
            raise ValueError("star must be 1 or 2")
        if aspiration < 0:
            raise ValueError("aspiration must be 0 (none) or a width above 0")
        if not 0 < memory_of_table <= MOST_MEMORY or branching < 0:
            raise ValueError(
                f"memory_of_table must be above 0 and at most {MOST_MEMORY:g} MB, and branching at least 0"
            )
        self.order, self.table, self.deeper = order, table, deeper
        self.killers, self.history, self.aspiration = killers, history, aspiration
        self.memory_of_table, self.branching = memory_of_table, branching
        self.star, self.etc = star, etc
        if etc and not table:
            raise ValueError("etc asks the table: it needs table=true")
        check_threads(threads)
        if threads > 1 and not table:
            raise ValueError("threads share what they know by the table: they need table=true")
        self.threads, self.repeats = threads, threads == 1
        if min(null_move, quiet_plies, staged, reductions, tolerance, singular) < 0:
            raise ValueError("null_move, quiet_plies, tolerance, singular, staged and reductions must be at least 0")
        if probcut != 0 and not 0.5 <= probcut < 1:
            raise ValueError("probcut must be 0 (never) or a confidence from 0.5 to below 1")
        self.quiescence, self.quiet_rule = quiescence, RULES.index(quiescence)
        self.quiet_plies, self.tolerance = quiet_plies, tolerance
        self.null_move, self.razor, self.singular, self.probcut = null_move, razor, singular, probcut
        self.staged, self.reductions = staged, reductions
        self.deviations = normal_quantile(probcut) if probcut else 0.0
        self.tries = null_move > 0 or probcut > 0 or singular > 0
        self.selects = self.tries or staged > 0 or reductions > 0
        forward, further = null_move > 0 or probcut > 0 or razor, quiescence != "none" or singular > 0 or staged > 0
        self.exact = self.exact and not (table and deeper) and not (forward or further or reductions > 0)
        self.proves = type(self).proves and not forward
        self.keeps_depth = self.keeps_depth and not further

    @property
    def needs(self) -> tuple[str, ...]:
        """What some of the options cannot do without."""
        wanted = {"null": self.null_move > 0, "noisy": self.quiescence == "noisy", "probcut": self.probcut > 0}
        return tuple(need for need, is_wanted in wanted.items() if is_wanted)

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
            for child in range(tree.first[node], tree.first[node] + tree.count[node]):
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

    # Options that search less, or more: compiled only if one of them is set.

    def note_options(self, tree, node):
        if self.selects:
            begin_options(self, tree, node)

    def tries_some(self, tree, node, ply):
        return self.selects and is_restricted(self, tree, node, ply)

    def arrange_beyond(self, game, evaluator, tree, node):
        if tree.left[node] > 0:
            return False
        arrange_quiet(self, game, evaluator, tree, node)
        return True

    def known_beyond(self, game, evaluator, tree, node):
        return stands_at_once(self, game, evaluator, tree, node)

    def after_arranging(self, game, evaluator, tree, node, restricted):
        if restricted:
            restrict(self, tree, node, tree.register[0].ply)
        elif self.etc and node != 0 and tree.left[node] > 1:
            cut_by_child(self, game, evaluator, tree, node)

    def trial(self, evaluator, tree, node):
        return next_trial(self, evaluator, tree, node) if self.tries else np.int64(0)

    def begin_trial(self, game, evaluator, tree, node, child, tried):
        set_trial(self, game, evaluator, tree, node, child, tried)

    def trying(self, tree, node):
        return tree.trying[node] if self.tries and tree.outcomes[node] == 0 else np.int64(0)

    def end_trial(self, tree, node, child):
        judge_trial(self, tree, node, child)

    def skipped(self, game, evaluator, tree, node, child):
        if is_for_later(self, tree, node, child):
            return True
        return self.razor and is_razored(self, game, evaluator, tree, node, child)

    def plies_left(self, game, tree, node, child):
        return plies_for(self, game, tree, node, child) if self.selects else tree.left[node] - 1

    def beyond(self, tree, child):
        return self.quiet_rule != 0 and tree.left[child] > -self.quiet_plies and not is_plain(tree)

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

    def doubted(self, tree, node, child):
        return self.selects and is_doubted(self, tree, node, child)

    # The rest of alpha-beta.

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

    # What follows runs in Python only.

    def unused_parts(self, game):
        """The parts of options that are not set; a class derived from this one may have its own in place."""
        selective = self.selects or self.quiet_rule != 0 or self.razor or self.etc
        used = {*(SELECTIVE if selective else ()), *(TOGETHER if self.threads > 1 else ())}
        own = [name for name in (*SELECTIVE, *TOGETHER) if getattr(type(self), name) is getattr(AlphaBeta, name)]
        return (*super().unused_parts(game), *(name for name in own if name not in used))

    def extras(self, game, evaluator, compiled):
        table = Table(game.layout, self.memory_of_table if self.table else 0.0, compiled, self.threads > 1)
        killer = np.full((KILLER_PLIES, 2), -1, np.int64)
        verified = np.zeros(LONGEST_LINE + 2, np.int64)
        own = {"table": table.record, "killer": killer, "history": np.zeros((2, HISTORY)), "verified": verified}
        return own | extras_together(self.threads)

    def extras_of_hand(self, extras, number):
        return extras_of_hand(extras, number)

    def prepare(self, tree, game, state, limits):
        begin_search(tree)
        if self.killers:
            tree.killer[:] = -1
        if self.history:
            tree.history[:] = 0
        if limits[DEPTH] == AUTO:
            self._choose_depth(game, state, limits)
        tree.register[0].deepens = int(limits[DEEPEN])

    def statistics(self, tree):
        at = tree.register[0]
        more = {
            "cut-offs by a successor in the table": at.table_cuts,
            "null-move cut-offs": at.null_cuts,
            "ProbCut cut-offs": at.probable_cuts,
            "moves razored": at.razored,
            "moves extended": at.extended,
            "moves reduced": at.reduced,
        }
        return super().statistics(tree) | {name: int(number) for name, number in more.items() if number}

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


# The parts that options have in alpha-beta's own.


@part
def note_options(search, tree, node):
    """The moves of `node` have been listed: the options of selective search begin there."""


@part
def tries_some(search, tree, node, ply):
    """Whether of `node`, so many plies from the root, only some moves are tried, so its value is not to be kept."""
    return False


@part
def arrange_beyond(search, game, evaluator, tree, node):
    """Does `node` lie at the horizon or beyond? Then say which of its moves are tried."""
    return False


@part
def known_beyond(search, game, evaluator, tree, node):
    """Is the value of `node`, at the horizon or beyond, known? Then set `backed` and `cut`, and say True."""
    return False


@part
def after_arranging(search, game, evaluator, tree, node, restricted):
    """The moves of `node` are arranged: drop some of them if it is `restricted`, or leave it at once."""


SELECTIVE = (
    *("trial", "begin_trial", "trying", "end_trial", "skipped", "plies_left", "beyond", "doubted"),
    *("note_options", "tries_some", "arrange_beyond", "known_beyond", "after_arranging"),
)
"""The parts that only the selective options, and `etc`, need."""

TOGETHER = ("skipped", "begin_together", "end_together", "is_for_later")
"""The parts that `threads` needs: one that the options need too, and its own."""
