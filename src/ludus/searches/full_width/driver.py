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
is done; the root's children are generated once. Where chance decides, values are averaged (`outcomes.py`). With the
parts as they stand here the search is plain minimax.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ludus.core.budget import DEEPEN, DEPTH, NEEDS_NODES, RUNNING, STOP_DEPTH, STOP_SOLVED, TRAVERSED, spent
from ludus.core.columns import node as node_index
from ludus.core.columns import number, whole
from ludus.core.evaluator import WIN
from ludus.core.parts import part
from ludus.core.random import below
from ludus.core.result import Known
from ludus.core.rules import Contradiction, chance, evaluate, final, load, over
from ludus.core.search import Search
from ludus.core.tree import UNOPENED, generate, keep_line, open_node, publish_line
from ludus.searches.full_width.outcomes import begin_outcomes, end_probing, outcome_window, take_outcome

# Orders that no value reaches: of the best move, of a move of unknown value, and of a move that was tried.
FIRST, LAST, DONE = 1e300, -1e300, -np.inf

MOST_FREE = 8
"""Forced moves cost no depth only up to so many times the depth of the iteration."""

EXACT, LOWER, UPPER = 0, 1, 2
"""What a value is: itself, or a bound of what a wider window would have given."""


Ties = Literal["first", "random"]
"""Which of the root's moves is played if several have the best value: the first that the rules list, or any."""


class FullWidth(Search):
    """The driver of the full-width searches."""

    family = "full-width"
    handles_chance = True
    walks = True
    registers = {
        "node": "i8",  # the node whose children are being searched
        "ply": "i8",  # its distance from the root
        "horizon": "i8",  # the depth of this iteration; 0 before the first
        "chosen": "i8",  # the root's child to play; 0 before there is one
        "length": "i8",  # the length of the line that goes with it
        "passes": "i8",  # how often the root was searched in this iteration
        "cutoffs": "i8",  # nodes left early, because one move was too good for the opponent to allow
        "first_cutoffs": "i8",  # ... the first that was tried
        "hits": "i8",  # nodes that were known when they were entered
        "researches": "i8",  # nodes, or passes over the root, that were searched once more
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
        "ready": whole(),  # 0: its state has not been generated; 1: it has; 2: and `static` is known
        "static": number(),  # the evaluator's opinion of the node, where somebody has asked, or a finished game's value
        "outcomes": whole(),  # how many outcomes chance has there; 0 where a player decides
        "share": number(),  # of an outcome: its probability
        "least": number(),  # of an outcome: what it is worth at least
        "total": number(),  # where chance decides: what the outcomes so far add to the average
        "probing": whole(),  # ... and whether of each outcome only one move is searched
        "rank": whole(),  # at the root's children: which of two equals comes first
        "searched": whole(),  # at the root's children: the depth of the iteration that gave `value`
        "bound": whole(),  # ... and whether that is EXACT, LOWER or UPPER
        "proven": whole(),  # ... and whether it is exact and comes from finished games alone
    }

    def __init__(self, ties: Ties = "first", free_forced: bool = False) -> None:
        """
        ties: of the moves with the best value the `first` listed is played, or any, by the seed (`random`)
        free_forced: where there is only one move, it costs no depth
        """
        self.ties, self.free_forced = ties, free_forced
        self.shuffles = ties == "random"
        self.exact = type(self).exact and not free_forced
        self.keeps_depth = not free_forced

    def step(self, game, evaluator, tree, limits):
        at = tree.register[0]
        if at.horizon == 0:
            at.horizon = 1 if limits[DEEPEN] else limits[DEPTH]
            begin_pass(self, tree)
        while True:
            node = at.node
            unopened = tree.count[node] == UNOPENED
            tried = 0 if unopened else trial(self, evaluator, tree, node)
            child = np.int64(-1) if unopened or tried > 0 else next_child(tree, node)
            if unopened or tried > 0 or child >= 0:
                status = spent(game.meter, limits, at.horizon == 1 and at.passes == 1)
                if status != RUNNING:
                    return status
            if unopened:
                if not begin_node(self, game, evaluator, tree, node):
                    return NEEDS_NODES
            elif tried > 0 and tree.size[0] == tree.parent.size:
                return NEEDS_NODES
            elif tried > 0 or child >= 0:
                visit(self, game, evaluator, tree, node, child, tried)
            elif node != 0:
                leave(self, game, evaluator, tree, node)
            elif another_pass(self, tree):
                at.researches += 1
                begin_pass(self, tree)
            elif tree.cut[0] == 0:
                return all_finished(self, tree)
            elif at.horizon >= limits[DEPTH]:
                return STOP_DEPTH
            else:
                at.horizon += 1
                at.passes = 0
                begin_pass(self, tree)

    def begin_chance(self, game, evaluator, tree, node):
        outcomes = chance(game, load(tree.state, node), game.probabilities)
        if outcomes > 0:
            as_listed(tree, node)
            begin_outcomes(self, game, evaluator, tree, node)
        return outcomes

    def outcomes_at(self, tree, node):
        return tree.outcomes[node]

    # What follows runs in Python only.

    def unused_parts(self, game):
        return () if game.has_chance else ("begin_chance", "outcomes_at")

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

    def next_visit(self, session, node):
        tree = session.tree.record
        if trial(self, session.evaluator, tree, node) > 0:
            return int(tree.size[0])
        return int(next_child(tree, node))

    def statistics(self, tree):
        """How deep the last iteration went, and what is above 0 of the rest."""
        at = tree.register[0]
        found = {"depth": int(at.horizon), "cut-offs": int(at.cutoffs)}
        if at.cutoffs > 0:
            found["by the first move"] = f"{at.first_cutoffs / at.cutoffs:.0%}"
        found |= {"table hits": int(at.hits), "researches": int(at.researches)}
        return {name: number for name, number in found.items() if number}


# The parts.


@part
def arrange(search, game, evaluator, tree, node):
    """Decide in which order the children of `node` are tried, and say so with `as_listed` or `in_order`."""
    as_listed(tree, node)


@part
def begin_chance(search, game, evaluator, tree, node):
    """`node` has been opened: how many outcomes has chance there? They are tried as listed. 0: a player decides."""
    return np.int64(0)


@part
def outcomes_at(search, tree, node):
    """How many outcomes chance has at `node`, as `begin_chance` has said."""
    return np.int64(0)


@part
def leaf_value(search, evaluator, tree, value, finished):
    """What a leaf is worth of which the evaluator has said `value`; `finished`: whether the game is over there."""
    return value


@part
def trial(search, evaluator, tree, node):
    """Something to be found out about `node`, not the root, before its moves are tried: its number; 0: nothing."""
    return 0


@part
def begin_trial(search, game, evaluator, tree, node, child, tried):
    """Trial number `tried` begins: store the state that it searches at `child`; set `left`, `alpha`, `beta` there."""


@part
def trying(search, tree, node):
    """The number of the trial at `node` that is under way; 0: none."""
    return 0


@part
def end_trial(search, tree, node, child):
    """The trial at `node` has given `child` a value: make use of it. From now on it is not under way."""


@part
def skipped(search, game, evaluator, tree, node, child):
    """Need `child` not be searched at all?"""
    return False


@part
def plies_left(search, game, tree, node, child):
    """How many plies deep `child` is to be searched; 0 or less: it lies at the horizon."""
    return tree.left[node] - 1


@part
def beyond(search, tree, child):
    """Is `child`, which lies at the horizon or `-left` plies beyond it, to be entered nevertheless?"""
    return False


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
    """Must `child`, searched or known, be searched once more? Then set its `alpha`, `beta` and `left`, and say True."""
    return False


@part
def doubted(search, tree, node, child):
    """The same, asked before `again`: is the value of `child` one that has to be verified?"""
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


@part
def all_finished(search, tree):
    """No unfinished game was evaluated in this iteration: why the search stops. Here its value is proven."""
    return STOP_SOLVED


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


def begin_node(search, game, evaluator, tree, node):
    """List the moves of `node`, or what chance may bring, and arrange them; False if there is no room."""
    if not open_node(game, tree, node):
        return False
    if tree.count[node] == 0 and node != 0:
        raise Contradiction  # `over` said that there are moves
    tree.outcomes[node] = begin_chance(search, game, evaluator, tree, node)
    if outcomes_at(search, tree, node) > 0:
        return True
    arrange(search, game, evaluator, tree, node)
    if node == 0:
        rank_root(search, tree)
    elif is_probed(search, tree, node):
        only_first(tree, node)
    return True


def is_probed(search, tree, node):
    """Whether `node`, not the root, is an outcome of which a single move is searched."""
    parent = tree.parent[node]
    return outcomes_at(search, tree, parent) > 0 and tree.probing[parent] != 0


def only_first(tree, node):
    """Of the moves of `node` only the one that comes first is tried."""
    if tree.next[node] >= 0:
        tree.count[node] = 1
        return
    chosen = next_child(tree, node)
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if child != chosen:
            tree.order[child] = DONE


def rank_root(search, tree):
    """Which of equally good moves comes first: as the rules list them, or as they are shuffled by the seed."""
    first, count = tree.first[0], tree.count[0]
    for i in range(count):
        tree.rank[first + i] = i
        if search.shuffles:
            other = below(tree.random, i + 1)
            tree.rank[first + i] = tree.rank[first + other]
            tree.rank[first + other] = i


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
    tree.register[0].researches += 1
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
    """The children of `node`, none of which is generated yet, are tried by `order`, which begins as the rules' own.

    Those of the root are equal to begin with: there `rank` decides.
    """
    first = tree.first[node]
    tree.next[node] = -1
    for child in range(first, first + tree.count[node]):
        tree.ready[child] = 0
        tree.order[child] = 0 if node == 0 else first - child


def next_child(tree, node):
    """The untried child that comes first in order, -1 if all were tried or none can matter any more."""
    if tree.alpha[node] >= tree.beta[node]:
        return np.int64(-1)
    first = tree.first[node]
    if tree.next[node] >= 0:
        if tree.next[node] == first + tree.count[node] and tree.outcomes[node] > 0 and tree.probing[node] != 0:
            end_probing(tree, node)
        return tree.next[node] if tree.next[node] < first + tree.count[node] else np.int64(-1)
    best = np.int64(-1)
    for child in range(first, first + tree.count[node]):
        order = tree.order[child]
        if order > DONE and (
            best < 0
            or order > tree.order[best]
            or (node == 0 and order == tree.order[best] and tree.rank[child] < tree.rank[best])
        ):
            best = child
    return best


def look_at(search, game, evaluator, tree, state, child):
    """Generate `child` from its parent's state; a finished game is valued at once."""
    arrive(search, game, evaluator, tree, child, generate(game, tree, state, child))


def arrive(search, game, evaluator, tree, child, after):
    """The state of `child`, `after`, is there: see whether the game is over."""
    tree.ready[child] = 1
    tree.count[child] = UNOPENED
    if over(game, after):
        tree.count[child] = 0
        tree.static[child] = leaf_value(search, evaluator, tree, final(evaluator, game, after), True)


def visit(search, game, evaluator, tree, node, child, tried):
    """Value `child`, or the trial to be made at `node`, if it is a leaf of this iteration or known; else enter it."""
    game.meter[TRAVERSED] += 1
    if tried > 0:
        child = place_trial(search, game, evaluator, tree, node, tried)
    elif not place_child(search, game, evaluator, tree, node, child):
        return
    if is_leaf(search, tree, child):
        value_leaf(search, game, evaluator, tree, child)
    else:
        if tried == 0:
            set_window(search, evaluator, tree, node, child)
        enter(tree, child, tree.left[child], tree.alpha[child], tree.beta[child])
        settled = known(search, game, evaluator, tree, child)
        while settled and is_repeated(search, tree, node, child):
            enter_again(game, tree, child)
            settled = known(search, game, evaluator, tree, child)
        if not settled:
            tree.register[0].ply += 1
            return
    tree.register[0].node = node
    take(search, game, evaluator, tree, node, child)


def place_child(search, game, evaluator, tree, node, child):
    """Generate `child`, and say how deep it is searched; False if it is not searched at all."""
    if tree.next[node] >= 0:
        tree.next[node] = child + 1
    else:
        tree.order[child] = DONE
    if outcomes_at(search, tree, node) > 0 and tree.share[child] == 0.0:
        return False  # chance never brings it
    if tree.ready[child] == 0:
        look_at(search, game, evaluator, tree, load(tree.state, node), child)
    if skipped(search, game, evaluator, tree, node, child):
        return False
    tree.left[child] = plies_left(search, game, tree, node, child) + is_free(search, tree, node)
    return True


def is_free(search, tree, node):
    """Whether the move of `node`, there being only one, costs no depth."""
    if not search.free_forced or tree.count[node] != 1 or outcomes_at(search, tree, node) > 0:
        return False
    return tree.register[0].ply < MOST_FREE * tree.register[0].horizon


def set_window(search, evaluator, tree, node, child):
    """Set the window in which `child`, reached by a move or by chance, is searched."""
    if outcomes_at(search, tree, node) > 0:
        tree.alpha[child], tree.beta[child] = outcome_window(evaluator, tree, node, child)
    else:
        tree.alpha[child], tree.beta[child] = window(search, tree, node, child)


def place_trial(search, game, evaluator, tree, node, tried):
    """Let a trial at `node` begin, in the cell after its moves; which that is."""
    child = tree.size[0]
    tree.size[0] += 1
    tree.parent[child] = node
    tree.count[child] = UNOPENED
    tree.ready[child] = 1
    begin_trial(search, game, evaluator, tree, node, child, tried)
    return child


def is_leaf(search, tree, child):
    """Whether `child` is valued as it stands: a finished game, or at the horizon."""
    return tree.count[child] == 0 or (tree.left[child] <= 0 and not beyond(search, tree, child))


def is_repeated(search, tree, node, child):
    """Whether `child`, which has a value, is to be searched once more before its parent, `node`, takes it."""
    if outcomes_at(search, tree, node) > 0 or trying(search, tree, node) > 0:
        return False
    return doubted(search, tree, node, child) or again(search, tree, node, child)


def value_leaf(search, game, evaluator, tree, child):
    """Value `child`, a finished game or a position at the horizon."""
    tree.length[child] = 0
    tree.floor[child], tree.beta[child] = -np.inf, np.inf
    tree.cut[child] = tree.count[child] != 0
    tree.backed[child] = static_value(search, game, evaluator, tree, child)


def static_value(search, game, evaluator, tree, node):
    """What `node`, whose state is there, is worth as it stands: the evaluator is asked once."""
    if tree.ready[node] == 1 and tree.count[node] != 0:
        value = evaluate(evaluator, game, load(tree.state, node))
        tree.static[node] = leaf_value(search, evaluator, tree, value, False)
        tree.ready[node] = 2
    return tree.static[node]


def leave(search, game, evaluator, tree, node):
    """`node` is done: forget its children, and go back to its parent."""
    parent = tree.parent[node]
    if is_probed(search, tree, node):
        tree.floor[node] = tree.beta[node] = -np.inf  # whatever it is worth is a lower bound
    combine(search, game, tree, node)
    tree.size[0] = tree.first[node]
    tree.count[node] = UNOPENED
    if is_repeated(search, tree, parent, node):
        enter_again(game, tree, node)
        return
    tree.register[0].node = parent
    tree.register[0].ply -= 1
    take(search, game, evaluator, tree, parent, node)


def take(search, game, evaluator, tree, node, child):
    """Give the value of `child` to `node`, its parent."""
    game.meter[TRAVERSED] += 1
    if trying(search, tree, node) > 0:
        tree.size[0] = child
        end_trial(search, tree, node, child)
        return
    tree.cut[node] |= tree.cut[child]
    if outcomes_at(search, tree, node) > 0:
        take_outcome(evaluator, tree, node, child)
        return
    value = -tree.backed[child]
    if node == 0:
        note_at_root(tree, child)
    tried_first = tree.best[node] < 0
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
            tree.register[0].cutoffs += 1
            tree.register[0].first_cutoffs += tried_first
            refuted(search, tree, node, child)


def note_at_root(tree, child):
    """A move of the root has a value: what is known of it, for people and for the next iteration."""
    value = tree.backed[child]
    tree.value[child] = value
    tree.searched[child] = tree.register[0].horizon
    if inside(value, tree.floor[child], tree.beta[child]):
        tree.bound[child] = EXACT
    else:
        tree.bound[child] = UPPER if value <= tree.floor[child] else LOWER
    tree.proven[child] = tree.bound[child] == EXACT and tree.cut[child] == 0


def inside(value, low, high):
    """Whether a value in the window (low, high) is exact; an infinite one is where the window is open."""
    return (low < value or low == -np.inf) and (value < high or high == np.inf)
