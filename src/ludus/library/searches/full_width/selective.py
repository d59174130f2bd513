"""Options of alpha-beta that search some lines less, or more, than others. None of them keeps the value of minimax.

*Trials* find something out about a node before its moves are tried:

- `null_move` (Beal 1987; Goetsch & Campbell 1988): if the opponent may move twice running, and still the value is too
  good for him to allow, then it is so with any good move. Wrong in *zugzwang*, where to move is a burden.
- `probcut` (Buro 1995): a shallow search predicts the value of the deep one by a line, v = a v' + b, with an error of
  standard deviation sigma, all of them fitted to positions of like phase. Where that lies outside the window with
  confidence p, the deep search is left out.
- `singular` (Anantharaman, Campbell & Hsu 1990): a shallow search finds the best move, another one the best of the
  rest. If that is worse by a margin, all hangs on a single move: it is searched a ply deeper.

Three more decide about a child:

- `razor` (Birmingham & Kent 1977): a move, not the first, whose static value is worse than what the player has already
  is left out.
- `reductions` (late moves; see Levy, Broughton & Taylor 1989 for the idea): moves tried late, that are not noisy, are
  searched a ply less; if one turns out better than expected, once more with all its plies.
- `staged` (Greenblatt, Eastlake & Crocker 1967): a new best move at the root is verified by a secondary search below
  the last position of its line. It is worth what that finds if that is less.

Nothing here claims a result of the game, a value of `WIN` or more, that was not seen: where the window has such a
bound, nothing is left out.
"""

from __future__ import annotations

import numpy as np

from ludus.kernel.rules import load, noisy, null, phase, store
from ludus.kernel.tree import children
from ludus.library.searches.full_width.memory import remembered_move
from ludus.library.searches.full_width.order import DONE, leave_child_out
from ludus.library.searches.full_width.walk import arrive, inside, static_value
from ludus.model.calibration import PHASE, SHALLOW_PLIES, class_of, probcut_row
from ludus.model.evaluator import WIN

NULL, SHALLOW, BEST, REST, OVER = 1, 2, 3, 4, 5
"""The trials, in this order: of the null move; for ProbCut; the best move, and the rest, for singular extensions."""

LONGEST_EXTENDED = 2
"""Singular moves are extended in lines of up to this many times the depth of the iteration."""

WORST = np.nextafter(WIN, 0.0)
"""What a line is worth to the opponent, at most, that is lost in the secondary search alone: it was not all seen."""


def begin_options(search, tree, node):
    """The moves of `node` have been listed; nothing is known yet."""
    tree.trying[node] = 0
    bare = node == 0 or trial_of(tree, node) != 0 or is_restricted(search, tree, node, tree.register[0].ply)
    tree.made[node] = OVER if bare else 0
    tree.single[node] = -1
    tree.tries[node] = 0


def trial_of(tree, node):
    """Which trial of its parent's `node` is; 0: it is reached by a move, or the root."""
    parent = tree.parent[node]
    if node == 0 or tree.outcomes[parent] > 0:
        return np.int64(0)
    return tree.trying[parent]


# Trials.


def next_trial(search, game, evaluator, tree, node):
    """The number of the next trial at `node`; 0: none, or no more. A trial is not tried itself."""
    made = tree.made[node]
    if tree.outcomes[node] > 0 or made == OVER or tree.alpha[node] >= tree.beta[node]:
        return np.int64(0)
    if made < NULL and may_pass(search, tree, node):
        return np.int64(NULL)
    if made < SHALLOW and may_predict(search, game, evaluator, tree, node):
        return np.int64(SHALLOW)
    if made < BEST and search.singular > 0.0 and tree.left[node] >= 3 and tree.count[node] > 1:
        return np.int64(BEST)
    if made == BEST and tree.single[node] >= 0:
        return np.int64(REST)
    tree.made[node] = OVER
    return np.int64(0)


def may_pass(search, tree, node):
    """Whether the null move is tried: not where a single move is legal, which may be a pass."""
    return search.null_move > 0 and tree.left[node] >= 2 and tree.count[node] > 1 and abs(tree.beta[node]) < WIN


def may_predict(search, game, evaluator, tree, node):
    """Whether a shallow search is asked first: there is something to be outside of, and a line, which is noted."""
    if search.probcut == 0.0 or (abs(tree.alpha[node]) >= WIN and abs(tree.beta[node]) >= WIN):
        return False
    known, left = evaluator.calibration, tree.left[node]
    if probcut_row(known, left, -1) < 0:
        return False
    tree.predictor[node] = probcut_row(known, left, class_of(known, PHASE, phase(game, load(tree.state, node))))
    return tree.predictor[node] >= 0


def set_trial(search, game, evaluator, tree, node, child, tried):
    """Trial number `tried` of `node` begins in the cell `child`."""
    tree.trying[node] = tried
    state = load(tree.state, node)
    alpha, beta, left = tree.alpha[node], tree.beta[node], tree.left[node]
    if tried == NULL:
        after = null(game, state)
        store(tree.state, child, after)
        arrive(search, game, evaluator, tree, child, after)
        tree.left[child] = left - 1 - search.null_move
        tree.alpha[child], tree.beta[child] = -beta, np.nextafter(-beta, np.inf)
        return
    store(tree.state, child, state)  # the same player moves
    tree.left[child] = left // 2
    if tried == SHALLOW:
        tree.left[child] = np.int64(evaluator.calibration.probcut[tree.predictor[node], SHALLOW_PLIES])
        alpha, beta = shallow_window(search, evaluator, tree, node)
    elif tried == REST:
        alpha, beta = tree.rivals[node], np.nextafter(tree.rivals[node], np.inf)
    tree.alpha[child], tree.beta[child] = alpha, beta


def shallow_window(search, evaluator, tree, node):
    """Outside this window a shallow value says, with confidence enough, that the deep one is outside the node's."""
    _, _, _, slope, intercept, sd = evaluator.calibration.probcut[tree.predictor[node]]
    alpha, beta = -np.inf, np.inf
    if abs(tree.alpha[node]) < WIN:
        alpha = (tree.alpha[node] - intercept - search.deviations * sd) / slope
    if abs(tree.beta[node]) < WIN:
        beta = (tree.beta[node] - intercept + search.deviations * sd) / slope
    return alpha, beta


def judge_trial(search, tree, node, child):
    """The trial under way at `node` has given `child` a value."""
    tried, value = tree.trying[node], tree.backed[child]
    tree.made[node] = tried
    tree.trying[node] = 0
    if tried == NULL:
        if -value >= tree.beta[node]:
            tree.register[0].null_cuts += 1
            leave_out(tree, node, tree.beta[node])
    elif tried == SHALLOW:
        if value >= tree.beta[child]:
            tree.register[0].probable_cuts += 1
            leave_out(tree, node, tree.beta[node])
        elif value <= tree.floor[child]:
            tree.register[0].probable_cuts += 1
            leave_out(tree, node, tree.alpha[node])
    elif tried == BEST:
        move = tree.move[tree.best[child]] if tree.best[child] >= 0 else remembered_move(search, tree, child)
        if value > tree.alpha[node] and abs(value) < WIN and move >= 0:
            tree.single[node] = child_of_move(tree, node, move)
            tree.rivals[node] = value - search.singular
    elif value > tree.rivals[node]:
        tree.single[node] = -1


def leave_out(tree, node, bound):
    """The moves of `node` are not searched: `bound` stands for its value."""
    tree.backed[node] = bound
    tree.cut[node] = 1
    tree.alpha[node] = tree.beta[node]


def child_of_move(tree, node, move):
    """The child of `node` that a legal move leads to."""
    child = tree.first[node]
    while tree.move[child] != move:
        child += 1
    return child


# Children.


def is_razored(search, game, evaluator, tree, node, child):
    """Is `child` left out for its static value? Not at the root, where every move is to have a value."""
    if node == 0 or tree.best[node] < 0 or tree.left[node] <= 1 or tree.outcomes[node] > 0 or tree.count[child] == 0:
        return False
    value = -static_value(search, game, evaluator, tree, child)
    if value >= max(tree.alpha[node], tree.backed[node]):
        return False
    tree.register[0].razored += 1
    tree.backed[node] = max(tree.backed[node], value)
    return leave_child_out(tree, node)


def plies_for(search, game, tree, node, child):
    """How deep `child` is searched: a ply more if its move is the only good one, a ply less if it comes late."""
    left, at = tree.left[node] - 1, tree.register[0]
    tree.short[child] = 0
    if node == 0 or tree.outcomes[node] > 0:
        return left
    tree.tries[node] += 1
    if child == tree.single[node]:
        if at.ply + tree.left[node] >= LONGEST_EXTENDED * at.horizon:
            return left
        at.extended += 1
        return left + 1
    if search.reductions == 0 or tree.tries[node] <= search.reductions or left < 2:
        return left
    if noisy(game, load(tree.state, node), tree.move[child]):
        return left
    at.reduced += 1
    tree.short[child] = 1
    return left - 1


def is_doubted(search, tree, node, child):
    """Is `child` searched once more: a reduced one that is too good, or a new best move at the root?"""
    if tree.short[child] != 0:
        tree.short[child] = 0
        if -tree.backed[child] > tree.alpha[node]:
            tree.left[child] = tree.left[node] - 1
            tree.alpha[child], tree.beta[child] = -tree.beta[node], -tree.alpha[node]
            return True
    if search.staged == 0 or node != 0:
        return False
    if tree.register[0].verifying != 0:
        end_verifying(tree, child)
        return False
    return begin_verifying(search, tree, child)


def is_plain(tree):
    """Whether this is the first look at the root's moves of a search that deepens: it goes no further than that."""
    at = tree.register[0]
    return at.deepens != 0 and at.horizon == 1 and at.passes == 1


# The secondary search: the line of a child of the root is followed, and all moves are tried from its end on.


def begin_verifying(search, tree, child):
    """Is `child` a new best move that is not sure? Then let it be searched along its line, as far as that is known."""
    at, value = tree.register[0], tree.backed[child]
    if not inside(value, tree.floor[child], tree.beta[child]) or -value <= tree.alpha[0]:
        return False
    if tree.cut[child] == 0 or abs(value) >= WIN:
        return False
    at.verifying = 1
    at.first_value, at.first_cut, at.steps = value, tree.cut[child], tree.length[child]
    for i in range(at.steps):
        tree.verified[i] = tree.line[2, i]
    tree.left[child] = max(tree.left[child], at.steps) + search.staged
    tree.alpha[child], tree.beta[child] = -np.inf, np.inf
    return True


def end_verifying(tree, child):
    """The line of `child` has been verified: the worse value counts."""
    at = tree.register[0]
    at.verifying = 0
    tree.backed[child] = max(at.first_value, min(tree.backed[child], WORST))
    tree.cut[child] |= at.first_cut


# Nodes of which not all moves are searched; what they are worth is not to be remembered.


def is_restricted(search, tree, node, ply):
    """Whether `node`, `ply` plies from the root, is such a one."""
    if search.staged > 0 and tree.register[0].verifying != 0 and 1 <= ply <= tree.register[0].steps:
        return True
    return search.singular > 0.0 and trial_of(tree, node) == REST


def restrict(search, tree, node, ply):
    """Only the move of the line that is verified, or all but the single good one, are tried."""
    along = trial_of(tree, node) != REST
    move = tree.verified[ply - 1] if along else tree.move[tree.single[tree.parent[node]]]
    for child in children(tree, node):
        if (tree.move[child] == move) != along:
            tree.order[child] = DONE
