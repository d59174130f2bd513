"""The exact result: alpha-beta to the end of the game, by questions with two answers.

Each pass over the tree asks one question, "is the value above this score?", with a window of no width, which cuts most
(Pearl 1980's TEST; the outer loop is Plaat's MTD). The answers narrow an interval until only the value is left; what
was found out for one question is in the table for the next. Then the line is followed: in each of its positions the
question is which move keeps the value. Only finished games count, by their score; no evaluator is asked.

Order of moves: one that ends the game well or is known to be good, the one that was good here before, then those that
leave the opponent the fewest replies ("fastest first"), then those that refuted most elsewhere (the history heuristic).
To look at all replies pays where much lies below, so the search keeps account of how much lies below each ply.

Rules `lowest` and `highest` of the game, where it has them, cut what they decide.

A position at the limit of depth is unknown: good for whoever a proof is not about. So what is proven is true, however
shallow the search. Where nobody says how long the game can last the limit begins low and grows, so that a game which
goes in circles is searched all the same.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ludus.core.budget import DEPTH, GENERATED, NEEDS_NODES, RUNNING, spent
from ludus.core.columns import number, whole
from ludus.core.result import Known
from ludus.core.rules import Contradiction, holds, load, moves, score, store
from ludus.core.search import RESULT, SCORE
from ludus.core.table import Table, probe, slot_for
from ludus.core.tree import UNOPENED, generate, open_node
from ludus.searches.full_width.alphabeta import HISTORY, MOST_MEMORY, SECOND
from ludus.searches.full_width.driver import (
    FIRST,
    FullWidth,
    arrange,
    as_listed,
    ended,
    in_order,
    leave,
    next_child,
    visit,
)
from ludus.searches.questions import (
    FINITE,
    HIGHEST,
    LOWEST,
    first_question,
    highest_of,
    lowest_of,
    next_question,
    note_bounds,
)

PLIES = 512
"""Cells of the account of work: all plies from here on share the last one."""

SOME, MUCH = 6.0, 40.0
"""Nodes below a position from which on it is worth remembering, and all its replies worth looking at."""

FREE = 1e200
"""The order of finished games: they cost nothing."""


class Solve(FullWidth):
    """The exact value, a best move and the line, by questions with two answers (after Pearl 1980, Plaat 1996)."""

    name = "solve"
    proves = True
    variants = ("goal=result", "memory_of_table=0.001")
    registers = {
        "phase": "i8",  # PROOF or LINE
        "about": "i8",  # the node that the question is about: the root, later the end of the line so far
        "low": "f8",  # the value of the root is at least this
        "high": "f8",  # ... and at most this
        "asked": "f8",  # is it above this?
        "stride": "f8",  # how far the next question goes beyond what is known
        "rising": "i8",  # whether the last answer was yes
        "optimistic": "i8",  # whether what is unknown is good for the player at the root, 0: bad
        "hint": "i8",  # the move that was good here before; -1: none
    }
    columns = {
        "entered": whole(),  # nodes generated before it was entered
        "least": number(),  # of the root's children: the move to it is worth at least this
        "most": number(),  # ... and at most this
    }

    def __init__(self, goal: Literal["score", "result"] = "score", memory_of_table: float = 64.0) -> None:
        """
        goal: the exact score; or only the result, a win 1, a draw 0, a loss -1
        memory_of_table: megabytes in which positions are remembered
        """
        if not 0 < memory_of_table <= MOST_MEMORY:
            raise ValueError(f"memory_of_table must be above 0 and at most {MOST_MEMORY:g} MB")
        self.only_result = goal == "result"
        self.memory_of_table = memory_of_table
        self.value_scale = RESULT if goal == "result" else SCORE

    def step(self, game, evaluator, tree, limits):
        at = tree.register[0]
        if at.passes == 0:
            first_question(self, game, tree, limits)
        while True:
            node = at.node
            unopened = tree.count[node] == UNOPENED
            child = next_child(tree, node) if not unopened else np.int64(-1)
            if unopened or child >= 0:
                status = spent(game.meter, limits, tree.count[0] == UNOPENED)
                if status != RUNNING:
                    return status
            if unopened:
                if not open_node(game, tree, node):
                    return NEEDS_NODES
                if tree.count[node] == 0 and node != 0:
                    raise Contradiction  # `over` said that there are moves
                arrange(self, game, evaluator, tree, node)
            elif child >= 0:
                visit(self, game, evaluator, tree, node, child)
            elif node != at.about:
                leave(self, game, tree, node)
            else:
                status = next_question(self, tree, limits[DEPTH])
                if status != RUNNING:
                    return status

    # The parts of the driver.

    def window(self, tree, node, child):
        return -tree.beta[node], -tree.alpha[node]

    def root_window(self, tree):
        return tree.register[0].asked, np.nextafter(tree.register[0].asked, np.inf)

    def ended(self, game, evaluator, state):
        return np.sign(score(game, state)) if self.only_result else score(game, state)

    def judged(self, game, evaluator, tree, node, child):
        """The horizon: all that is known of `child` is what the game says of any position."""
        at, state = tree.register[0], load(tree.state, child)
        if (at.ply + 1 + at.optimistic) % 2 == 0:
            return lowest_of(self, game, tree, state)
        return highest_of(self, game, tree, state)

    def known(self, game, evaluator, tree, node):
        at, state = tree.register[0], load(tree.state, node)
        tree.entered[node] = game.meter[GENERATED]
        at.hint = -1
        if tree.facts[LOWEST]:
            tree.backed[node] = lowest_of(self, game, tree, state)
            if tree.backed[node] >= tree.beta[node]:
                return True
        if tree.facts[HIGHEST]:
            tree.backed[node] = highest_of(self, game, tree, state)
            if tree.backed[node] <= tree.alpha[node]:
                return True
        if expected_work(tree, at.ply + 1) >= SOME and known_from_table(tree, node, state):
            return True
        tree.backed[node] = -np.inf
        return False

    def arrange(self, game, evaluator, tree, node):
        at, state = tree.register[0], load(tree.state, node)
        first, count, work = tree.first[node], tree.count[node], expected_work(tree, at.ply)
        if node == 0:
            for child in range(first, first + count):
                tree.least[child], tree.most[child] = -np.inf, np.inf
        if work < SOME and node != at.about:
            as_listed(tree, node)
            return
        in_order(tree, node)
        for child in range(first, first + count):
            move = tree.move[child]
            tree.order[child] = tree.history[at.ply % 2, move % HISTORY]
            if move == at.hint:
                tree.order[child] = SECOND
        if work >= MUCH or node == at.about:
            for child in range(first, first + count):
                if look_ahead(self, game, evaluator, tree, state, child, tree.beta[node]):
                    break

    def combine(self, game, tree, node):
        """Keep account of what it cost, and remember what was proven."""
        at = tree.register[0]
        work = game.meter[GENERATED] - tree.entered[node]
        note_work(tree, at.ply, work)
        if work >= SOME:
            yes = tree.backed[node] >= tree.beta[node]
            # Of two answers one is about the player whom the unknown is bad for, and true whatever it is.
            if tree.cut[node] == 0 or yes == ((at.ply + at.optimistic) % 2 == 0):
                remember(tree, node, work, yes)

    def refuted(self, tree, node, child):
        tree.history[tree.register[0].ply % 2, tree.move[child] % HISTORY] += 1.0

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        table = Table(game.layout, self.memory_of_table, compiled, ("low", "high"))
        facts = np.array([game.has_rule("lowest"), game.has_rule("highest"), game.length > 0])
        return {"table": table.record, "history": np.zeros((2, HISTORY)), "work": np.zeros(PLIES), "facts": facts}

    def prepare(self, tree, game, state, limits):
        tree.table.now[0] += 1
        tree.history[:] = 0
        tree.work[:] = -1
        tree.facts[FINITE] = game.length > 0

    def choice(self, tree):
        at = tree.register[0]
        note_bounds(tree)
        children = range(int(tree.first[0]), int(tree.first[0] + tree.count[0]))
        return max(children, key=lambda child: (tree.least[child], child == at.chosen, tree.most[child]))

    def line(self, tree):
        node, found = int(tree.register[0].about), []
        while node > 0:
            found.append(int(tree.move[node]))
            node = int(tree.parent[node])
        return found[::-1] or [int(tree.move[self.choice(tree)])]

    def knowledge(self, tree, node):
        note_bounds(tree)
        low, high = float(tree.least[node]) + 0.0, min(float(tree.most[node]), float(tree.register[0].high)) + 0.0
        if low == high:
            return Known(low, low, high, True)
        if np.isfinite(low) and np.isfinite(high):
            return Known(low=low, high=high)
        return Known(low if np.isfinite(low) else high if np.isfinite(high) else np.nan, low, high)


def look_ahead(search, game, evaluator, tree, state, child, beta):
    """Play the move to `child` and count the replies; True if it is known to decide the question."""
    after = generate(game, tree, state, child)
    tree.ready[child] = 1
    replies = moves(game, after, tree.reply)
    if replies == 0:
        tree.count[child] = 0
        tree.static[child] = ended(search, game, evaluator, after)
        decided = -tree.static[child] >= beta
        tree.order[child] = FIRST if decided else FREE
        return decided
    slot = probe(tree.table, after)
    if slot >= 0 and -tree.table.high[slot] >= beta:
        tree.order[child] = FIRST
        return True
    if tree.order[child] < SECOND:
        tree.order[child] -= 1e9 * replies
    return False


# What lies below a position: the mean number of nodes at each ply, the later the more important.


def expected_work(tree, ply):
    """Nodes that a position at this ply may cost; very many where nothing is known."""
    work = tree.work[min(ply, PLIES - 1)]
    return work if work >= 0.0 else np.inf


def note_work(tree, ply, work):
    """A position at this ply has cost so many nodes."""
    cell = min(ply, PLIES - 1)
    tree.work[cell] += (work - tree.work[cell]) * 0.125 if tree.work[cell] >= 0.0 else work + 1.0


# The table: what is proven of a position, from below and from above.


def known_from_table(tree, node, state):
    """Does the table settle the question at `node`? If not, it may have a move to try first."""
    table = tree.table
    slot = probe(table, state)
    if slot < 0:
        return False
    tree.register[0].hint = table.move[slot]
    if table.low[slot] >= tree.beta[node]:
        tree.backed[node] = table.low[slot]
        return True
    if table.high[slot] <= tree.alpha[node]:
        tree.backed[node] = table.high[slot]
        return True
    return False


def remember(tree, node, work, yes):
    """Keep what was proven about `node`; a slot is worth the work that went into it."""
    table, state = tree.table, load(tree.state, node)
    slot = slot_for(table, state)
    if table.age[slot] != table.now[0] or not holds(table.state, slot, state):
        store(table.state, slot, state)
        table.age[slot] = table.now[0]
        table.low[slot], table.high[slot], table.move[slot] = -np.inf, np.inf, -1
    table.depth[slot] = work
    if yes:
        table.low[slot] = max(table.low[slot], tree.backed[node])
        table.move[slot] = tree.move[tree.best[node]]
    else:
        table.high[slot] = min(table.high[slot], tree.backed[node])
        if table.move[slot] < 0 and tree.best[node] >= 0:
            table.move[slot] = tree.move[tree.best[node]]
