"""SSS* (Stockman 1979) and its dual: of the leaves that alpha-beta would look at, the promising ones first.

A *solution tree* has all successors of its MIN nodes and one of each MAX node: it is a way to play for MAX, worth as
much as its worst leaf. The best solution tree is worth what the game tree is. SSS* grows all of them at once. A *state*
(n, s, h) stands for many: n is a node, s says whether it is LIVE or SOLVED, and the *merit* h, the worst leaf so far,
is an upper bound of what they are worth. OPEN holds the states. The one with the highest merit is taken, of equals the
leftmost in the tree; the operator Gamma says what takes its place, until the root is solved.

DUAL* (`dual=true`; Marsland, Reinefeld & Schaeffer 1987) does the same for MIN: the roles are changed, and merits are
values to the opponent. At the root it solves one move after the other.

The tree of an iteration stays in memory until it is finished, so memory may end the search. An iteration that is not
finished has shown no move to be best, and counts for nothing. The meter charges every pointer: one for a state put on
OPEN, one for each step up the tree to see whether it was purged, or which of two leaves lies further left.
"""

from __future__ import annotations

import numpy as np

from ludus.kernel.columns import integer, number
from ludus.kernel.columns import node as node_index
from ludus.kernel.limits import DEEPEN, DEPTH, NEEDS_NODES, RUNNING, STOP_DEPTH, STOP_SOLVED, spent
from ludus.kernel.random import below
from ludus.kernel.rules import Contradiction, evaluate, load
from ludus.kernel.tree import LONGEST_LINE, UNOPENED, open_node
from ludus.library.searches.full_width.driver import FullWidth, Ties, depth_reached
from ludus.library.searches.full_width.merits import MeritReader
from ludus.library.searches.full_width.sss_open import (
    LIVE,
    SOLVED,
    highest_merits,
    is_purged,
    put,
    put_in_order,
    take_first,
)
from ludus.library.searches.full_width.walk import EXACT, LOWER, look_at
from ludus.model.search import Search


class StateSpaceSearch(Search):
    """SSS*: grows all ways to play at once, the most promising first; `dual=true` is DUAL* (Stockman 1979)."""

    name = "sss"
    family = "full-width"
    exact = True
    proves = True
    walks = True
    variants = ("dual=true", "order=false, ties=random")
    registers = {
        "horizon": "i8",  # the depth of this iteration; 0 before the first
        "front": "i8",  # how many states of OPEN are in its stack
        "waiting": "i8",  # ... and how many in its heap
        "taken": "i8",  # whether one has been taken from it and is still to be replaced ...
        "node": "i8",  # ... and its node
        "cut": "i8",  # whether this iteration has evaluated an unfinished game: if not, its value is final
        "chosen": "i8",  # the best move of the last iteration that was finished; 0 before
        "length": "i8",  # the length of the line that goes with it
    }
    columns = {
        "solved": integer(),  # LIVE or SOLVED
        "merit": number(),  # to the player whom the operator calls MAX
        "stack": integer(),  # of OPEN: cells 0 to `front` - 1 hold nodes, the last the first to be taken
        "heap": integer(),  # of OPEN: cells 0 to `waiting` - 1 hold leaves, the first to be taken in cell 0
        "ply": integer(),  # distance from the root
        "rank": integer(),  # its place among its siblings, from left to right
        "ranked": integer(),  # of the i-th sibling: which one has the rank i
        "best": node_index(),  # the successor that made its merit what it is; -1: none
        "ready": integer(),  # whether its state has been generated
        "static": number(),  # the value of a leaf; the evaluator's opinion, where moves are ordered by it
        "searched": integer(),  # at the root's children: the depth of the iteration that gave `value`
        "bound": integer(),  # ... and whether that is EXACT or LOWER
        "proven": integer(),  # ... and whether it is exact and comes from finished games alone
    }

    def __init__(self, dual: bool = False, order: bool = True, ties: Ties = "first") -> None:
        """
        dual: DUAL* instead of SSS*
        order: generate and value all successors of an inner node; the best is the leftmost
        ties: of the root's moves that are equally good the leftmost is played: as listed (`first`), or shuffled by the
            seed (`random`)
        """
        self.dual, self.order = dual, order
        self.shuffles = ties == "random"

    def step(self, game, evaluator, tree, limits):
        at = tree.register[0]
        if at.horizon == 0:
            at.horizon = 1 if limits[DEEPEN] else limits[DEPTH]
            begin_iteration(game, tree)
        while True:
            if not at.taken:
                status = spent(game.meter, limits, at.horizon == 1 or tree.count[0] == UNOPENED)
                if status != RUNNING:
                    return status
                at.node = take_first(game, tree)
                at.taken = not is_purged(game, tree, at.node)
            elif at.node == 0 and tree.solved[0] == SOLVED:
                finish_iteration(self, tree)
                if at.cut == 0:
                    return STOP_SOLVED
                if at.horizon >= limits[DEPTH]:
                    return STOP_DEPTH
                at.horizon += 1
                begin_iteration(game, tree)
            elif gamma(self, game, evaluator, tree, at.node):
                at.taken = 0
            else:
                return NEEDS_NODES

    # What follows runs in Python only.

    def conclude(self, session):
        """If it has just finished an iteration: no move is worth more than the merits that are left below it, which may
        be less than the best move."""
        tree, at = session.tree.record, session.tree.record.register[0]
        if at.taken and at.node == 0 and tree.solved[0] == SOLVED and not self.dual:
            children = np.arange(int(tree.first[0]), int(tree.first[0] + tree.count[0]))
            unsolved = children[tree.solved[children] != SOLVED]
            tree.value[unsolved] = -highest_merits(tree)[unsolved - children[0]]

    def statistics(self, tree):
        return {"depth": depth_reached(tree)}

    def choice(self, tree):
        """The best move of the last iteration that was finished."""
        return int(tree.register[0].chosen) or super().choice(tree)

    def walker(self, session):
        return MeritReader(session, self.dual)

    line = FullWidth.line
    knowledge = FullWidth.knowledge


def gamma(search, game, evaluator, tree, node):
    """Stockman's operator: put in the place of the state of `node`, just taken from OPEN, what follows from it.

    The cases have his numbers. False, and nothing done, if there is no room for the successors of `node`.
    """
    if tree.solved[node] == SOLVED:
        parent, merit = tree.parent[node], tree.merit[node]
        if merit < tree.merit[parent] or not is_max(search, tree, node):
            tree.best[parent] = node
        tree.merit[parent] = merit
        if not is_max(search, tree, node):  # Case 1: one way to play suffices; all below the parent is purged
            put(game, tree, parent, SOLVED, merit)
        elif tree.rank[node] + 1 < tree.count[parent]:  # Case 2: the next answer of the opponent
            put(game, tree, tree.ranked[tree.first[parent] + tree.rank[node] + 1], LIVE, merit)
        else:  # Case 3: all his answers are solved
            put(game, tree, parent, SOLVED, merit)
        return True
    if tree.ready[node] == 0:
        look_at(search, game, evaluator, tree, load(tree.state, tree.parent[node]), node)
    merit = tree.merit[node]
    if tree.count[node] == 0 or tree.ply[node] == tree.register[0].horizon:  # Case 4: a leaf
        value = merit_of_leaf(search, game, evaluator, tree, node)
        if value < merit:
            put_in_order(game, tree, node, value)
        else:
            put(game, tree, node, SOLVED, merit)
        return True
    if tree.count[node] == UNOPENED and not open_successors(search, game, evaluator, tree, node):
        return False
    first = tree.first[node]
    if not is_max(search, tree, node):  # Case 5: the opponent's first answer
        put(game, tree, tree.ranked[first], LIVE, merit)
    else:  # Case 6: all ways to play
        for cell in range(first + tree.count[node] - 1, first - 1, -1):
            put(game, tree, tree.ranked[cell], LIVE, merit)
    return True


def is_max(search, tree, node):
    """Whether the player for whom solution trees are grown moves at `node`: he who moves at the root, or his rival."""
    return tree.ply[node] % 2 == search.dual


def merit_of_leaf(search, game, evaluator, tree, node):
    """The value of a leaf of this iteration to MAX."""
    if tree.count[node] != 0:
        tree.static[node] = evaluate(evaluator, game, load(tree.state, node))
        tree.register[0].cut = 1
    value = tree.static[node]
    return value if is_max(search, tree, node) else -value


def open_successors(search, game, evaluator, tree, node):
    """List the successors of `node` from left to right; False, and nothing done, if there is no room for them."""
    if not open_node(game, tree, node):
        return False
    if tree.count[node] == 0 and node != 0:
        raise Contradiction  # `over` said that there are moves
    ordered = search.order and tree.ply[node] + 1 < tree.register[0].horizon
    state = load(tree.state, node)
    first = tree.first[node]
    for child in range(first, first + tree.count[node]):
        tree.ply[child] = tree.ply[node] + 1
        tree.solved[child] = LIVE
        tree.best[child] = -1
        tree.ready[child] = 0
        place = child
        if ordered:
            look_at(search, game, evaluator, tree, state, child)
            if tree.count[child] != 0:
                tree.static[child] = evaluate(evaluator, game, load(tree.state, child))
            while place > first and tree.static[child] < tree.static[tree.ranked[place - 1]]:
                place -= 1
        if node == 0 and search.shuffles:
            place = shuffled_place(tree, child, place, ordered)
        insert(tree, node, child, child, place)
    return True


def shuffled_place(tree, child, place, ordered):
    """Any place to the left among those of equal static value, or among all if moves are not ordered."""
    lowest = place
    while lowest > tree.first[0] and not (ordered and tree.static[child] > tree.static[tree.ranked[lowest - 1]]):
        lowest -= 1
    return lowest + below(tree.random, place - lowest + 1)


def insert(tree, node, child, end, place):
    """Let `child` be in the cell `place` of the successors of `node`, those from there to `end` one further right."""
    first = tree.first[node]
    for cell in range(end, place, -1):
        tree.ranked[cell] = tree.ranked[cell - 1]
        tree.rank[tree.ranked[cell]] = cell - first
    tree.ranked[place] = child
    tree.rank[child] = place - first


# Iterations.


def begin_iteration(game, tree):
    """OPEN holds the root. Its successors are those of the last iteration, the best one the leftmost."""
    at = tree.register[0]
    at.front = at.waiting = at.taken = at.cut = 0
    tree.ready[0] = 1
    first = tree.first[0]
    if tree.count[0] > 0:
        tree.size[0] = first + tree.count[0]
        insert(tree, 0, at.chosen, first + tree.rank[at.chosen], first)
        for child in range(first, first + tree.count[0]):
            tree.solved[child] = LIVE
            tree.best[child] = -1
            if tree.count[child] != 0:
                tree.count[child] = UNOPENED
    put(game, tree, 0, LIVE, np.inf)


def finish_iteration(search, tree):
    """The root is solved: keep its best move, the line, and what is known of every move."""
    at = tree.register[0]
    first = tree.first[0]
    at.chosen = tree.best[0] if tree.best[0] >= 0 else tree.ranked[first]
    merit_before = np.inf
    for i in range(tree.count[0]):
        child = tree.ranked[first + i]
        if search.dual:
            # Each begins with the merit of those before it, and has its own value if that is lower still.
            exact = i == 0 or tree.merit[child] < merit_before
            merit_before = tree.merit[child]
            tree.value[child] = merit_before
        else:
            exact = tree.solved[child] == SOLVED
            tree.value[child] = -tree.merit[child] if exact else -tree.merit[0]
        if tree.solved[child] == SOLVED and (tree.count[child] == 0 or at.horizon == 1):  # a leaf has its own value
            exact = True
            tree.value[child] = tree.static[child]
        tree.searched[child] = at.horizon
        tree.bound[child] = EXACT if exact else LOWER
        tree.proven[child] = exact and (at.cut == 0 or tree.count[child] == 0)
    at.length = 0
    node = at.chosen
    while node >= 0 and at.length < LONGEST_LINE:
        tree.line[0, at.length] = tree.move[node]
        at.length += 1
        node = tree.best[node]
