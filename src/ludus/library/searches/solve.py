"""The exact result: alpha-beta to the end of the game, by questions with two answers.

Each pass over the tree asks one question, "is the value above this score?", with a window of no width, which cuts most
(Pearl 1980's TEST; the outer loop is Plaat's MTD). The answers narrow an interval until only the value is left; what
was found out for one question is in the table for the next. Then the line is followed: in each of its positions the
question is which move keeps the value. Only finished games count, by their score; no evaluator is asked.

Order of moves: one that ends the game well or is known to be good, the one that was good here before, then those that
leave the opponent the fewest replies ("fastest first"), then those that refuted most elsewhere (the history heuristic).
To look at all replies pays where much lies below, so the search keeps account of how much lies below each ply.
Rules of the game, where it has them, help: `lowest`, `highest` and `foreseen` cut what they decide, `urgency` orders.

A position at the limit of depth is unknown: good for whoever a proof is not about. So what is proven is true, however
shallow the search. The limit begins low and grows, so that a quick win is found quickly and a game which goes in
circles is searched all the same.

The loop is its own, smaller than the driver's: a question needs no windows, no lines, no evaluator and no chance.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ludus.kernel.columns import integer, number
from ludus.kernel.columns import node as node_index
from ludus.kernel.limits import DEPTH, GENERATED, NEEDS_NODES, RUNNING, TRAVERSED, spent
from ludus.kernel.rules import Contradiction, load, over
from ludus.kernel.table import MOST_MEMORY, Table, fetch
from ludus.kernel.tree import UNOPENED, generate, open_node
from ludus.library.searches.full_width.alphabeta import HISTORY
from ludus.library.searches.full_width.order import DONE
from ludus.library.searches.questions import (
    FINITE,
    PROOF,
    begin_at,
    catch_up,
    first_question,
    foreseen_of,
    highest_of,
    lowest_of,
    next_question,
    note_at_root,
)
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
from ludus.library.searches.solve_memory import (
    MADE,
    NOT_YET,
    PLAIN,
    PLIES,
    SOME,
    arrange,
    expected_work,
    finish,
    known_from_table,
    note_work,
    remember,
)
from ludus.model.result import Known
from ludus.model.search import RESULT, SCORE, Search

WORTH_TELLING = 100.0
"""Nodes that a position may cost from which on threads tell each other that they are there."""

MOST_INTERPRETED = 64.0
"""Megabytes that the table takes at most where the search runs interpreted."""


class Solve(Search):
    """The exact value, a best move and the line, by questions with two answers (after Pearl 1980, Plaat 1996)."""

    name = "solve"
    looks_ahead = False  # two plies it does; but what it has not solved it plays no better than that
    proves = True
    variants = ("goal=result", "memory_of_table=0.001", "threads=2")
    registers = {
        "node": "i8",  # the node whose children are being searched
        "ply": "i8",  # its distance from the root
        "horizon": "i8",  # positions so far from the root are unknown
        "searched": "i8",  # the last horizon with which the question could not be decided; 0: none
        "phase": "i8",  # what the question is for: see `questions.py`
        "about": "i8",  # the node that it is about: the root, later the end of the line so far
        "low": "f8",  # the value of the root is at least this
        "high": "f8",  # ... and at most this
        "asked": "f8",  # is it above this?
        "stride": "f8",  # how far the next question goes beyond what is known
        "rising": "i8",  # whether the last answer was yes
        "optimistic": "i8",  # whether what is unknown is good for the player at the root; 0: bad
        "chosen": "i8",  # the root's child that is worth `low`; 0: none is known
        "hint": "i8",  # the move that was good before in the position that is entered; -1: none
    }
    columns = {
        "backed": number(),  # the best value found so far
        "best": node_index(),  # the child that gave it
        "unsure": integer(),  # whether something unknown was met below
        "next": integer(),  # the next child to try, where they are tried as the rules list them; else -1
        "order": number(),  # how early its parent tries it, where they are not; DONE once it was tried
        "ready": integer(),  # whether its state has been generated, and whether the game foresees nothing there
        "entered": integer(),  # nodes generated before it was entered
        "rank": number(),  # of the root's children: how early it was tried the first time
        "least": number(),  # of the root's children: the move to it is worth at least this
        "most": number(),  # ... and at most this
    }

    def __init__(
        self, goal: Literal["score", "result"] = "score", memory_of_table: float = 64.0, threads: int = 1
    ) -> None:
        """
        goal: the exact score; or only the result, a win 1, a draw 0, a loss -1
        memory_of_table: megabytes in which positions are remembered
        threads: the number of threads, which share the table; not the same nodes each time
        """
        check_threads(threads)
        if not 0 < memory_of_table <= MOST_MEMORY:
            raise ValueError(f"memory_of_table must be above 0 and at most {MOST_MEMORY:,.0f} MB")
        self.only_result = goal == "result"
        self.memory_of_table = memory_of_table
        self.threads, self.repeats = threads, threads == 1
        self.value_scale = RESULT if goal == "result" else SCORE

    def step(self, game, evaluator, tree, limits):
        at = tree.register[0]
        if at.horizon == 0:
            first_question(self, game, tree, limits[DEPTH])
        while True:
            node = at.node
            unopened = tree.count[node] == UNOPENED
            child = np.int64(-1) if unopened else next_child(tree, node)
            if unopened or child >= 0:
                status = spent(game.meter, limits, tree.count[0] == UNOPENED)
                if status != RUNNING:
                    return status
            if unopened:
                if not open_node(game, tree, node):
                    return NEEDS_NODES
                if tree.count[node] == 0 and node != 0:
                    raise Contradiction  # `over` said that there are moves
                arrange(self, game, tree, node)
            elif child >= 0:
                visit(self, game, tree, node, child)
            elif node != at.about:
                leave(self, game, tree, node)
            else:
                status = next_question(game, tree, limits[DEPTH])
                if status != RUNNING:
                    return status

    def begin_together(self, tree, node):
        ply = tree.register[0].ply + 1
        if expected_work(tree, ply) >= WORTH_TELLING:
            say_where(tree, ply, node, question(tree))

    def end_together(self, tree, node, is_kept):
        say_left(tree, tree.register[0].ply, is_kept)

    def is_for_later(self, tree, node, child):
        at = tree.register[0]
        if node == at.about or tree.best[node] < 0 or tree.next[node] >= 0:
            return False
        if expected_work(tree, at.ply + 1) < WORTH_TELLING:
            return False
        if at.phase == PROOF and (catch_up(tree, node) or give_up(tree, node)):
            return True
        return put_off(tree, at.ply + 1, node, child, question(tree))

    # What follows runs in Python only.

    def unused_parts(self, game):
        return (Solve.begin_together, Solve.end_together, Solve.is_for_later) if self.threads == 1 else ()

    def extras_of_member(self, extras, number):
        return extras_of_member(extras, number)

    def extras(self, game, evaluator, compiled):
        # Interpreted, a list of millions of cells would cost more to look after than it could ever save.
        megabytes = self.memory_of_table if compiled else min(self.memory_of_table, MOST_INTERPRETED)
        table = Table(game.layout, megabytes, compiled, self.threads > 1)
        facts = np.array([*map(game.has_rule, ("lowest", "highest", "foreseen", "urgency")), False])
        arrays = {"history": np.zeros((2, HISTORY)), "work": np.zeros(PLIES), "goal": np.zeros(2), "facts": facts}
        return {"table": table.record} | arrays | extras_together(self.threads)

    def prepare(self, tree, game, state, limits):
        begin_search(tree)
        tree.history[:] = 0
        tree.work[:] = -1
        tree.facts[FINITE] = game.length > 0

    def conclude(self, session):
        """No move is worth more than the root."""
        tree = session.tree.record
        children = slice(int(tree.first[0]), int(tree.first[0] + tree.count[0]))
        tree.most[children] = np.minimum(tree.most[children], tree.register[0].high)

    def choice(self, tree):
        at, children = tree.register[0], range(int(tree.first[0]), int(tree.first[0] + tree.count[0]))
        return max(children, key=lambda child: (tree.least[child], child == at.chosen, min(tree.most[child], at.high)))

    def line(self, tree):
        node, found = int(tree.register[0].about), []
        while node > 0:
            found.append(int(tree.move[node]))
            node = int(tree.parent[node])
        return found[::-1] or [int(tree.move[self.choice(tree)])]

    def statistics(self, tree):
        """Within how many plies the question at hand could not be decided, if that is known."""
        at = tree.register[0]
        return {"depth": int(at.searched)} if at.searched > 0 and at.low < at.high else {}

    def knowledge(self, tree, node):
        low, high = float(tree.least[node]) + 0.0, float(tree.most[node]) + 0.0
        if low == high:
            return Known(low, low, high, True)
        if np.isfinite(low) and np.isfinite(high):
            return Known(low=low, high=high)
        return Known(low if np.isfinite(low) else high if np.isfinite(high) else np.nan, low, high)


def question(tree):
    """What is asked, in 64 bits."""
    at = tree.register[0]
    return np.float64(tree.goal[0]).view(np.uint64) ^ np.uint64(2 * at.horizon + at.optimistic)


# The loop. A node is left as soon as its value reaches the `goal` of the player who moves there.


def next_child(tree, node):
    """The untried child that comes first in order, -1 if all were tried or the question is decided."""
    if tree.backed[node] >= tree.goal[tree.register[0].ply % 2]:
        return np.int64(-1)
    first = tree.first[node]
    if tree.next[node] >= 0:
        return tree.next[node] if tree.next[node] < first + tree.count[node] else np.int64(-1)
    best = np.int64(-1)
    for child in range(first, first + tree.count[node]):
        if tree.order[child] > DONE and (best < 0 or tree.order[child] > tree.order[best]):
            best = child
    return best


def visit(search, game, tree, node, child):
    """Take the value of `child` if it is known, else enter it."""
    at = tree.register[0]
    game.meter[TRAVERSED] += 1
    if tree.next[node] >= 0:
        tree.next[node] = child + 1
    else:
        tree.order[child] = DONE
    if tree.ready[child] == NOT_YET:
        look_at(search, game, tree, load(tree.state, node), child)
    if tree.count[child] != 0:
        tree.unsure[child] = 0
        if not is_known(search, game, tree, child):
            if at.ply + 1 < at.horizon:
                if is_for_later(search, tree, node, child):
                    return
                begin_together(search, tree, child)
                enter(game, tree, child)
                at.ply += 1
                return
            tree.unsure[child] = 1
    take(game, tree, node, child)


def look_at(search, game, tree, state, child):
    """Generate `child` from its parent's state; a finished game is valued at once."""
    after = generate(game, tree, state, child)
    if expected_work(tree, tree.register[0].ply + 1) >= SOME:
        fetch(tree.table, after)
    tree.ready[child] = MADE
    tree.count[child] = UNOPENED
    if over(game, after):
        finish(search, game, tree, after, child)


def is_known(search, game, tree, node):
    """Is the question at `node` decided by what the game says, or by the table? If not, `backed` is what is sure."""
    at, state = tree.register[0], load(tree.state, node)
    ply = at.ply + 1
    goal, against = tree.goal[ply % 2], -tree.goal[at.ply % 2]
    if tree.ready[node] != PLAIN:
        tree.backed[node] = foreseen_of(search, game, tree, state)
        if tree.backed[node] == tree.backed[node]:  # not NaN
            return True
    tree.backed[node] = -np.inf
    at.hint = -1
    if expected_work(tree, ply) < SOME and ply < at.horizon:
        return False  # to search it costs no more than to ask
    tree.backed[node] = lowest_of(search, game, tree, state)
    if tree.backed[node] >= goal:
        return True
    high = highest_of(search, game, tree, state)
    if high <= against:
        tree.backed[node] = high
        return True
    if known_from_table(tree, node, state, goal, against):
        return True
    if ply >= at.horizon and (ply + at.optimistic) % 2 == 1:
        tree.backed[node] = high  # the unknown is good for the player to move
    return False


def enter(game, tree, node):
    """Begin to search below `node`."""
    begin_at(tree, node)
    tree.entered[node] = game.meter[GENERATED]


def leave(search, game, tree, node):
    """`node` is done: remember what it is worth, forget its children, and go back to its parent."""
    at, parent = tree.register[0], tree.parent[node]
    work = game.meter[GENERATED] - tree.entered[node]
    note_work(tree, at.ply, work)
    yes = tree.backed[node] >= tree.goal[at.ply % 2]
    # Of two answers one is about the player whom the unknown is bad for, and true whatever it is.
    is_kept = work >= SOME and (tree.unsure[node] == 0 or yes == ((at.ply + at.optimistic) % 2 == 0))
    if is_kept:
        remember(tree, node, work, yes)
    end_together(search, tree, node, is_kept)
    tree.size[0] = tree.first[node]
    tree.count[node] = UNOPENED
    at.node = parent
    at.ply -= 1
    take(game, tree, parent, node)


def take(game, tree, node, child):
    """Give the value of `child` to `node`, its parent."""
    game.meter[TRAVERSED] += 1
    value = -tree.backed[child]
    tree.unsure[node] |= tree.unsure[child]
    if node == 0:
        note_at_root(tree, child)
    if value > tree.backed[node]:
        tree.backed[node] = value
        tree.best[node] = child
        ply = tree.register[0].ply
        if value >= tree.goal[ply % 2]:
            tree.history[ply % 2, tree.move[child] % HISTORY] += 1.0
