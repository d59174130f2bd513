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

from ludus.core.budget import (
    AUTO,
    DEEPEN,
    DEPTH,
    GENERATE,
    NEEDS_NODES,
    NEEDS_PLIES,
    NODES,
    RUNNING,
    STOP_DEPTH,
    STOP_SOLVED,
    TRAVERSED,
    UNITS,
    UNLIMITED,
    spent,
)
from ludus.core.errors import SpecError
from ludus.core.rules import evaluate, final, load, over, play, store
from ludus.core.search import Search
from ludus.core.table import EXACT, LOWER, UPPER, Table, keep, probe
from ludus.core.tree import UNOPENED, keep_line, open_node, publish_line

# Registers.
NODE, PLY = 0, 1  # the node whose children are being searched, and its distance from the root
HORIZON = 2  # the depth of this iteration; 0 before the first
CHOSEN = 3  # the root's child to play
LENGTH = 4  # the length of the line that goes with it

# An order that no static value reaches: the best move of the last iteration or of the table, then killers.
FIRST, SECOND, DONE = 1e300, 1e250, -np.inf
HISTORY = 4096
KILLER_PLIES = 256


class AlphaBeta(Search):
    """Fail-soft alpha-beta with iterative deepening and static move ordering (Knuth & Moore 1975)."""

    name = "alphabeta"
    contender = True
    chooses_depth = True
    columns = {
        "static": "f8",  # the evaluator's opinion of the node, where it was asked for ordering
        "order": "f8",  # how early its parent tries it; DONE once it was tried
        "next": "i8",  # the next child to try, where they are tried as the rules list them; else -1
        "ready": "i8",  # whether its state has been generated
        "alpha": "f8",  # the window
        "beta": "f8",
        "floor": "f8",  # alpha as it was when the node was entered
        "backed": "f8",  # the best value found so far
        "best": "i8",  # the child that gave it
        "cut": "i8",  # whether an unfinished game was evaluated below: if not, the value is final
        "length": "i8",  # the length of its principal line
        "searched": "i8",  # at the root's children: the depth of the iteration that gave `value`
        "bound": "i8",  # ... and whether that is exact
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
        if memory_of_table <= 0 or branching < 0:
            raise ValueError("memory_of_table must be above 0 and branching at least 0")
        self.order, self.table, self.deeper = order, table, deeper
        self.killers, self.history, self.aspiration = killers, history, aspiration
        self.memory_of_table, self.branching = memory_of_table, branching

    def step(self, game, evaluator, tree, limits):
        if tree.register[HORIZON] == 0:
            tree.register[HORIZON] = 1 if limits[DEEPEN] else limits[DEPTH]
            enter(tree, 0, -np.inf, np.inf)
        while True:
            node = tree.register[NODE]
            ply = tree.register[PLY]
            if ply + 3 > tree.line.shape[0]:
                return NEEDS_PLIES
            status = spent(game.meter, limits, tree.register[HORIZON] == 1)
            if status != RUNNING:
                return status
            if tree.count[node] == UNOPENED and not open_in_order(self, game, evaluator, tree, node, ply):
                return NEEDS_NODES
            child = next_child(tree, node) if tree.alpha[node] < tree.beta[node] else np.int64(-1)
            if child >= 0:
                visit(self, game, evaluator, tree, node, child, ply)
            elif node != 0:
                leave(self, game, tree, node, ply)
            elif self.aspiration > 0 and not inside(tree.backed[0], tree.floor[0], tree.beta[0]):
                start_iteration(tree, -np.inf, np.inf)  # the window was too narrow
            else:
                if tree.cut[0] == 0:
                    return STOP_SOLVED
                if tree.register[HORIZON] >= limits[DEPTH]:
                    return STOP_DEPTH
                tree.register[HORIZON] += 1
                if self.aspiration > 0:
                    start_iteration(tree, tree.value[0] - self.aspiration / 2, tree.value[0] + self.aspiration / 2)
                else:
                    start_iteration(tree, -np.inf, np.inf)

    # What follows runs in Python only.

    def extras(self, game, compiled):
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

    def choice(self, tree):
        return int(tree.register[CHOSEN]) or super().choice(tree)

    def line(self, tree):
        return [int(move) for move in tree.line[0, : tree.register[LENGTH]]] or super().line(tree)

    def opinion(self, tree, child):
        if np.isnan(tree.value[child]):
            return {"bound": None, "depth": None}
        # A lower bound on the value of the child is an upper bound on that of the move.
        return {"bound": ("exact", "upper", "lower")[int(tree.bound[child])], "depth": int(tree.searched[child])}


def enter(tree, node, alpha, beta):
    """Begin to search below `node` with this window."""
    tree.alpha[node] = alpha
    tree.beta[node] = beta
    tree.floor[node] = alpha
    tree.backed[node] = -np.inf
    tree.best[node] = -1
    tree.cut[node] = 0
    tree.length[node] = 0
    tree.register[NODE] = node


def start_iteration(tree, alpha, beta):
    """Search the root's children again, the best one first, the others as they were found to be."""
    for child in range(tree.first[0], tree.first[0] + tree.count[0]):
        tree.order[child] = -tree.value[child]
    tree.order[tree.register[CHOSEN]] = FIRST
    enter(tree, 0, alpha, beta)


def inside(value, low, high):
    return (low < value or low == -np.inf) and (value < high or high == np.inf)


def open_in_order(search, game, evaluator, tree, node, ply):
    """List the children of `node` and decide in which order to try them; False if there is no room."""
    if not open_node(game, tree, node):
        return False
    frontier = ply + 1 == tree.register[HORIZON]
    state = load(tree.state, node)
    hashed = np.int64(-1)
    if search.table:
        slot = probe(tree.table, state)
        if slot >= 0 and tree.table.age[slot] == tree.table.now[0]:
            hashed = tree.table.move[slot]
    first = tree.first[node]
    as_listed = hashed < 0 and not search.killers and not search.history and (frontier or not search.order) and node > 0
    tree.next[node] = first if as_listed else -1
    for child in range(first, first + tree.count[node]):
        move = tree.move[child]
        tree.ready[child] = 0
        if as_listed:
            continue
        tree.order[child] = first - child
        if search.order and not frontier:
            generate(game, evaluator, tree, state, child)
            if tree.count[child] != 0:
                tree.static[child] = evaluate(evaluator, game, load(tree.state, child))
            tree.order[child] = -tree.static[child]
        if search.history and (frontier or not search.order):
            tree.order[child] += tree.history[ply % 2, move % HISTORY] * 1e6
        if search.killers and (
            move == tree.killer[ply % KILLER_PLIES, 0] or move == tree.killer[ply % KILLER_PLIES, 1]
        ):
            tree.order[child] = SECOND
        if move == hashed:
            tree.order[child] = FIRST
    return True


def generate(game, evaluator, tree, state, child):
    """Play the move to `child`; a finished game is valued at once."""
    after = play(game, state, tree.move[child])
    store(tree.state, child, after)
    tree.ready[child] = 1
    tree.count[child] = UNOPENED
    if over(game, after):
        tree.count[child] = 0
        tree.static[child] = final(evaluator, game, after)


def next_child(tree, node):
    """The untried child that comes first in order, -1 if all were tried."""
    first = tree.first[node]
    if tree.next[node] >= 0:
        child = tree.next[node]
        tree.next[node] += 1
        return child if child < first + tree.count[node] else np.int64(-1)
    best = np.int64(-1)
    for child in range(first, first + tree.count[node]):
        if tree.order[child] > DONE and (best < 0 or tree.order[child] > tree.order[best]):
            best = child
    return best


def visit(search, game, evaluator, tree, node, child, ply):
    """Value `child` if it is a leaf of this iteration or known from the table, else enter it."""
    tree.order[child] = DONE
    game.meter[TRAVERSED] += 1
    if tree.ready[child] == 0:
        generate(game, evaluator, tree, load(tree.state, node), child)
    tree.length[child] = 0
    tree.cut[child] = 0
    left = tree.register[HORIZON] - ply - 1
    if tree.count[child] == 0:
        tree.backed[child] = tree.static[child]
    elif left == 0:
        tree.backed[child] = evaluate(evaluator, game, load(tree.state, child))
        tree.cut[child] = 1
    else:
        enter(tree, child, -tree.beta[node], -tree.alpha[node])
        if not (search.table and known(search, tree, child, left)):
            tree.register[PLY] = ply + 1
            return
        tree.register[NODE] = node
    back_up(search, game, tree, child, ply)


def known(search, tree, node, left):
    """Does the table settle the value of `node`, with so many plies left, for its window?"""
    table = tree.table
    slot = probe(table, load(tree.state, node))
    if slot < 0 or table.age[slot] != table.now[0]:
        return False
    if table.depth[slot] // 2 != left and not (search.deeper and table.depth[slot] // 2 > left):
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


def leave(search, game, tree, node, ply):
    """`node` is done: remember and forget it, and go back to its parent."""
    if search.table:
        bound = EXACT
        if tree.backed[node] <= tree.floor[node]:
            bound = UPPER
        elif tree.backed[node] >= tree.beta[node]:
            bound = LOWER
        depth = 2 * (tree.register[HORIZON] - ply) + tree.cut[node]  # the draft, and whether the value is final
        move = tree.move[tree.best[node]] if tree.best[node] >= 0 else np.int64(-1)
        keep(tree.table, load(tree.state, node), depth, tree.backed[node], bound, move)
    tree.size[0] = tree.first[node]
    tree.count[node] = UNOPENED
    tree.register[NODE] = tree.parent[node]
    tree.register[PLY] = ply - 1
    back_up(search, game, tree, node, ply - 1)


def back_up(search, game, tree, child, ply):
    """Give the value of `child` to its parent, `ply` plies from the root."""
    game.meter[TRAVERSED] += 1
    node = tree.parent[child]
    value = -tree.backed[child]
    tree.cut[node] |= tree.cut[child]
    if node == 0:
        tree.value[child] = tree.backed[child]
        tree.searched[child] = tree.register[HORIZON]
        tree.bound[child] = (
            EXACT if tree.alpha[0] < value < tree.beta[0] else LOWER if value <= tree.alpha[0] else UPPER
        )
    if value > tree.backed[node]:
        tree.backed[node] = value
        tree.best[node] = child
        keep_line(tree, node, child, ply)
        if node == 0 and inside(value, tree.floor[0], tree.beta[0]):
            # The first child of an iteration is the last one's best, so from here on this one counts.
            tree.value[0] = value
            tree.register[CHOSEN] = child
            tree.register[LENGTH] = publish_line(tree)
    if value > tree.alpha[node]:
        tree.alpha[node] = value
        if value >= tree.beta[node]:
            remember_cut(search, tree, child, ply)


def remember_cut(search, tree, child, ply):
    """A move that refuted one line may refute the next."""
    move = tree.move[child]
    row = ply % KILLER_PLIES
    if search.killers and tree.killer[row, 0] != move:
        tree.killer[row, 1] = tree.killer[row, 0]
        tree.killer[row, 0] = move
    if search.history:
        left = tree.register[HORIZON] - ply
        tree.history[ply % 2, move % HISTORY] += left * left
