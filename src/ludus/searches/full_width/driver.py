"""The loop that all full-width searches share: a depth-first walk with a stack, a window and iterative deepening.

The tree is used as a stack: below each node on the path from the root to the node at work lie its children, the deepest
on top. A node is *entered* with a window (alpha, beta) and a number of plies *left*; its moves are listed and arranged;
its children are visited one after another, each valued (at the horizon, at the end of the game, or because its value
is known) or entered in turn; then it is *left*, and its value taken by its parent.

**The window's promise** (fail-soft). When a node that was entered with (alpha, beta) is left, `backed` is
- the value of the tree searched below it, if alpha < backed < beta;
- an upper bound of that value, if backed <= alpha;
- a lower bound, if backed >= beta.
At the root, where the window is open unless the search narrows it, the value is exact.

Under a budget of `depth` alone the whole depth is searched at once. Under any other the depth is increased by one as
often as the budget allows. Each iteration tries the best move of the last one first, and counts as soon as that move
is done; the root's children are generated once. With the parts as they stand here the search is plain minimax.
"""

from __future__ import annotations

import numpy as np

from ludus.core.budget import DEEPEN, DEPTH, NEEDS_NODES, RUNNING, STOP_DEPTH, STOP_SOLVED, TRAVERSED, spent
from ludus.core.columns import node as node_index
from ludus.core.columns import number, whole
from ludus.core.evaluator import WIN
from ludus.core.parts import part
from ludus.core.result import Known
from ludus.core.rules import Contradiction, evaluate, final, load, over
from ludus.core.search import Search
from ludus.core.tree import UNOPENED, generate, keep_line, open_node, publish_line

# Orders that no value reaches: of the best move, of a move of unknown value, and of a move that was tried.
FIRST, LAST, DONE = 1e300, -1e300, -np.inf

EXACT, LOWER, UPPER = 0, 1, 2
"""What a value is: itself, or a bound of what a wider window would have given."""


class FullWidth(Search):
    """The driver of the full-width searches."""

    family = "full-width"
    registers = {
        "node": "i8",  # the node whose children are being searched
        "ply": "i8",  # its distance from the root
        "horizon": "i8",  # the depth of this iteration; 0 before the first
        "chosen": "i8",  # the root's child to play; 0 before there is one
        "length": "i8",  # the length of the line that goes with it
        "passes": "i8",  # how often the root was searched in this iteration
    }
    columns = {
        "left": whole(),  # plies to the horizon
        "alpha": number(),  # the window
        "beta": number(),
        "floor": number(),  # alpha as it was when the node was entered
        "backed": number(),  # the best value found so far
        "best": node_index(),  # the child that gave it
        "cut": whole(),  # whether an unfinished game was evaluated below: if not, the value is final
        "length": whole(),  # the length of its principal line
        "next": whole(),  # the next child to try, where they are tried as the rules list them; else -1
        "order": number(),  # how early its parent tries it, where they are not; DONE once it was tried
        "ready": whole(),  # whether its state has been generated
        "static": number(),  # the evaluator's opinion of the node, where somebody has asked, or a finished game's value
        "searched": whole(),  # at the root's children: the depth of the iteration that gave `value`
        "bound": whole(),  # ... and whether that is EXACT, LOWER or UPPER
        "proven": whole(),  # ... and whether it is exact and comes from finished games alone
    }

    def step(self, game, evaluator, tree, limits):
        at = tree.register[0]
        if at.horizon == 0:
            at.horizon = 1 if limits[DEEPEN] else limits[DEPTH]
            begin_pass(self, tree)
        while True:
            node = at.node
            unopened = tree.count[node] == UNOPENED
            child = next_child(tree, node) if not unopened else np.int64(-1)
            if unopened or child >= 0:
                status = spent(game.meter, limits, at.horizon == 1)
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
            elif node != 0:
                leave(self, game, tree, node)
            elif another_pass(self, tree):
                begin_pass(self, tree)
            elif tree.cut[0] == 0:
                return STOP_SOLVED
            elif at.horizon >= limits[DEPTH]:
                return STOP_DEPTH
            else:
                at.horizon += 1
                at.passes = 0
                begin_pass(self, tree)

    # What follows runs in Python only.

    def choice(self, tree):
        """The best move of the last iteration of which anything is known.

        Where an iteration that is not finished has shown that move to be lost, the best of those that it has not come
        to is chosen, unless they were lost before.
        """
        chosen, horizon = int(tree.register[0].chosen), int(tree.register[0].horizon)
        if chosen == 0:
            return super().choice(tree)
        if tree.value[chosen] >= WIN:
            first, count = int(tree.first[0]), int(tree.count[0])
            open_ones = [child for child in range(first, first + count) if tree.searched[child] < horizon]
            best = min(open_ones, key=lambda child: tree.value[child], default=chosen)
            return best if tree.value[best] < WIN else chosen
        return chosen

    def line(self, tree):
        at = tree.register[0]
        line = [int(move) for move in tree.line[0, : int(at.length)]]
        chosen = self.choice(tree)
        return line if line and chosen == int(at.chosen) else [int(tree.move[chosen])]

    def knowledge(self, tree, node):
        value = 0.0 - float(tree.value[node])
        if np.isnan(value):
            return Known(more={"depth": None})
        bound = int(tree.bound[node])
        # A lower bound on the value of the child is an upper bound on that of the move.
        low, high = (-np.inf if bound == LOWER else value), (np.inf if bound == UPPER else value)
        return Known(value, low, high, bool(tree.proven[node]), {"depth": int(tree.searched[node])})


# The parts.


@part
def arrange(search, game, evaluator, tree, node):
    """Decide in which order the children of `node` are tried, and say so with `as_listed` or `in_order`."""
    as_listed(tree, node)


@part
def window(search, tree, node, child):
    """The window in which `child` is searched, to the player to move there."""
    return -np.inf, np.inf


@part
def known(search, game, evaluator, tree, node):
    """Is the value of `node`, just entered, known for its window? Then set `backed` and `cut`, and say True."""
    return False


@part
def again(search, tree, node, child):
    """Must `child`, searched or known, be searched once more? Then set its `alpha` and `beta`, and say True."""
    return False


@part
def combine(search, game, tree, node):
    """`node` is about to be left: work out or remember its value. Here it is the best of its children's already."""


@part
def refuted(search, tree, node, child):
    """The value of `child` is beyond the window of `node`: its move may be worth remembering."""


@part
def root_window(search, tree):
    """The window of the next pass over the root; `tree.value[0]` is the last iteration's value, NaN in the first."""
    return -np.inf, np.inf


@part
def another_pass(search, tree):
    """The root is done: must it be searched once more before the iteration is finished?"""
    return False


# The driver's own functions.


def begin_pass(search, tree):
    """Search the root's children again, the best one first, the others as they were found to be."""
    at = tree.register[0]
    if tree.count[0] > 0:
        for child in range(tree.first[0], tree.first[0] + tree.count[0]):
            value = tree.value[child]
            tree.order[child] = -value if value == value else LAST
        if at.chosen > 0:
            tree.order[at.chosen] = FIRST
    at.passes += 1
    at.ply = 0
    alpha, beta = root_window(search, tree)
    enter(tree, 0, at.horizon, alpha, beta)


def enter(tree, node, left, alpha, beta):
    """Begin to search below `node`, so many plies deep, with this window."""
    tree.left[node] = left
    tree.alpha[node] = alpha
    tree.beta[node] = beta
    tree.floor[node] = alpha
    tree.backed[node] = -np.inf
    tree.best[node] = -1
    tree.cut[node] = 0
    tree.length[node] = 0
    tree.register[0].node = node


def enter_again(game, tree, node):
    """Search below `node` once more, with the window that `again` has set."""
    game.meter[TRAVERSED] += 2  # back, and down once more
    enter(tree, node, tree.left[node], tree.alpha[node], tree.beta[node])


def as_listed(tree, node):
    """The children of `node`, none of which is generated yet, are tried in the order of the rules."""
    first = tree.first[node]
    if node == 0:
        in_order(tree, node)  # the root is searched again and again
        return
    tree.next[node] = first
    for child in range(first, first + tree.count[node]):
        tree.ready[child] = 0


def in_order(tree, node):
    """The children of `node`, none of which is generated yet, are tried by `order`, which begins as the rules' own."""
    first = tree.first[node]
    tree.next[node] = -1
    for child in range(first, first + tree.count[node]):
        tree.ready[child] = 0
        tree.order[child] = first - child


def next_child(tree, node):
    """The untried child that comes first in order, -1 if all were tried or none can matter any more."""
    if tree.alpha[node] >= tree.beta[node]:
        return np.int64(-1)
    first = tree.first[node]
    if tree.next[node] >= 0:
        return tree.next[node] if tree.next[node] < first + tree.count[node] else np.int64(-1)
    best = np.int64(-1)
    for child in range(first, first + tree.count[node]):
        if tree.order[child] > DONE and (best < 0 or tree.order[child] > tree.order[best]):
            best = child
    return best


def look_at(game, evaluator, tree, state, child):
    """Generate `child` from its parent's state; a finished game is valued at once."""
    after = generate(game, tree, state, child)
    tree.ready[child] = 1
    tree.count[child] = UNOPENED
    if over(game, after):
        tree.count[child] = 0
        tree.static[child] = final(evaluator, game, after)


def visit(search, game, evaluator, tree, node, child):
    """Value `child` if it is a leaf of this iteration or known, else enter it."""
    game.meter[TRAVERSED] += 1
    if tree.next[node] >= 0:
        tree.next[node] = child + 1
    else:
        tree.order[child] = DONE
    if tree.ready[child] == 0:
        look_at(game, evaluator, tree, load(tree.state, node), child)
    left = tree.left[node] - 1
    if tree.count[child] == 0:
        tree.length[child] = 0
        tree.cut[child] = 0
        tree.backed[child] = tree.static[child]
    elif left == 0:
        tree.length[child] = 0
        tree.cut[child] = 1
        tree.backed[child] = evaluate(evaluator, game, load(tree.state, child))
    else:
        alpha, beta = window(search, tree, node, child)
        enter(tree, child, left, alpha, beta)
        settled = known(search, game, evaluator, tree, child)
        if settled and again(search, tree, node, child):
            enter_again(game, tree, child)
            settled = known(search, game, evaluator, tree, child)
        if not settled:
            tree.register[0].ply += 1
            return
        tree.register[0].node = node
    take(search, game, tree, node, child)


def leave(search, game, tree, node):
    """`node` is done: forget its children, and go back to its parent."""
    combine(search, game, tree, node)
    tree.size[0] = tree.first[node]
    tree.count[node] = UNOPENED
    parent = tree.parent[node]
    if again(search, tree, parent, node):
        enter_again(game, tree, node)
        return
    tree.register[0].node = parent
    tree.register[0].ply -= 1
    take(search, game, tree, parent, node)


def take(search, game, tree, node, child):
    """Give the value of `child` to `node`, its parent."""
    game.meter[TRAVERSED] += 1
    value = -tree.backed[child]
    tree.cut[node] |= tree.cut[child]
    if node == 0:
        note_at_root(tree, child)
    if value > tree.backed[node]:
        tree.backed[node] = value
        tree.best[node] = child
        keep_line(tree, node, child, tree.register[0].ply)
        if node == 0 and inside(value, tree.floor[0], tree.beta[0]):
            # The first child of an iteration is the last one's best, so from here on this one counts.
            tree.value[0] = value
            tree.register[0].chosen = child
            tree.register[0].length = publish_line(tree)
    if value > tree.alpha[node]:
        tree.alpha[node] = value
        if value >= tree.beta[node]:
            refuted(search, tree, node, child)


def note_at_root(tree, child):
    """A move of the root has a value: what is known of it, for people and for the next iteration."""
    value = tree.backed[child]
    tree.value[child] = value
    tree.searched[child] = tree.register[0].horizon
    leaf = tree.left[0] == 1 or tree.count[child] == 0
    if leaf or inside(value, tree.floor[child], tree.beta[child]):
        tree.bound[child] = EXACT
    else:
        tree.bound[child] = UPPER if value <= tree.floor[child] else LOWER
    tree.proven[child] = tree.bound[child] == EXACT and tree.cut[child] == 0


def inside(value, low, high):
    """Whether a value in the window (low, high) is exact; an infinite one is where the window is open."""
    return (low < value or low == -np.inf) and (value < high or high == np.inf)
