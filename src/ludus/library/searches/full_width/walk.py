"""The steps of the full-width driver: a node is entered, its children are visited, it is left, and its value is taken.

`driver.py` tells how they follow each other, and what the window of a node promises.
"""

from __future__ import annotations

import numpy as np

from ludus.kernel.limits import TRAVERSED
from ludus.kernel.rules import Contradiction, evaluate, final, load, over
from ludus.kernel.tree import UNOPENED, children, generate, keep_line, open_node, publish_line
from ludus.library.searches.full_width.order import DONE, FIRST, LAST, only_first, rank_root
from ludus.library.searches.full_width.outcomes import outcome_window, take_outcome
from ludus.library.searches.full_width.parts import (
    again,
    arrange,
    begin_chance,
    begin_trial,
    beyond,
    combine,
    doubted,
    end_trial,
    known,
    leaf_value,
    outcomes_at,
    plies_left,
    refuted,
    root_window,
    skipped,
    trying,
    window,
)

MOST_FREE = 8
"""Forced moves cost no depth only up to this many times the depth of the iteration."""

EXACT, LOWER, UPPER = 0, 1, 2
"""What a value is: itself, or a bound of what a wider window would have given."""


def begin_pass(search, tree):
    """Search the root's children again, the best one first, the others as they were found to be."""
    at = tree.register[0]
    if tree.count[0] > 0:
        for child in children(tree, 0):
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


def enter(tree, node, left, alpha, beta):
    """Begin to search below `node`, to this depth, with this window."""
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
    elif tried > 0 or not is_settled(search, tree, node, child):
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


def is_settled(search, tree, node, child):
    """Whether `child` is an outcome whose value was found when it was probed."""
    return outcomes_at(search, tree, node) > 0 and tree.settled[child] != 0


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
    if is_probed(search, tree, node) and tree.count[node] > 1 and tree.outcomes[node] == 0:
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
    elif value == tree.backed[node] <= tree.floor[node] and not is_exact(tree, tree.best[node]):
        tree.length[node] = 0  # two moves share an upper bound, and either may be worse
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
    if is_exact(tree, child):
        tree.bound[child] = EXACT
    else:
        tree.bound[child] = UPPER if value <= tree.floor[child] else LOWER
    tree.proven[child] = tree.bound[child] == EXACT and tree.cut[child] == 0


def is_exact(tree, node):
    """Whether the value of `node`, which was searched, is exact."""
    return inside(tree.backed[node], tree.floor[node], tree.beta[node])


def inside(value, low, high):
    """Whether a value in the window (low, high) is exact; an infinite one is where the window is open."""
    return (low < value or low == -np.inf) and (value < high or high == np.inf)
