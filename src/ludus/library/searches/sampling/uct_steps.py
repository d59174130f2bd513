"""The steps of a visit of `uct`: descend to a leaf, open it or judge it; and the parts that an option may replace."""

from __future__ import annotations

import math

import numpy as np

from ludus.kernel.chance import drawn_outcome
from ludus.kernel.limits import EXPANDED, GENERATED, TRAVERSED
from ludus.kernel.parts import part
from ludus.kernel.playout import playout, sign
from ludus.kernel.random import below
from ludus.kernel.rules import chance, evaluate, final, load, moves
from ludus.kernel.tree import UNOPENED, generate, open_node
from ludus.library.searches.sampling.uct_backup import back_up, back_up_bounds, credit
from ludus.model.evaluator import WIN

SQUARES, OPINIONS, WEIGHT = 0, 1, 2
"""Cells of `tree.opinions`: the sum of the squares of all opinions, their number, their weight in a leaf's value."""

# The parts: what an option may do in another way.


@part
def guide(search, tree, node):
    """Before the children of `node` are compared: a number for `believed`."""
    return 0.0


@part
def believed(search, tree, child, guide):
    """What the descent takes a child that was visited to be worth, to the player to move there."""
    return tree.value[child]


@part
def untried(search, tree, child, explore):
    """The urgency of a child that was never visited; `explore` is the bonus of one that was visited once."""
    return search.fpu


@part
def begin(search, tree, child):
    """A new child is listed."""


@part
def note(search, tree, node, value, finished):
    """`node` has been judged for the first time: the evaluator's opinion, or the result of a finished game."""


@part
def renew(search, game, tree, node):
    """What the children of `node` are has changed; -1: there is no such node."""


@part
def pick(search, tree, node):
    """The child to descend to where a player decides."""
    return most_urgent(search, tree, node)


@part
def sure(search, tree):
    """Whether enough is known to stop."""
    return False


@part
def play_out(search, game, state, tree):
    """The score of a random game from `state`, the leaf's, to the player to move there."""
    at = tree.register[0]
    return playout(game, state, at.moves, tree.reply, tree.random, at.longest)


@part
def count_game(search, game, tree):
    """What was found at the leaf is about to be counted."""


@part
def begin_turn(search, tree):
    """This thread wants the tree for itself; False if it has to wait for long."""
    return True


@part
def end_turn(search, tree):
    """The others may have the tree."""


@part
def begin_visit(search, tree, leaf):
    """`leaf` is about to be judged."""


# The descent.


def descend(search, game, tree):
    """Go on from where the descent stands to a leaf, or to where chance leads to what is proven."""
    node = tree.register[0].node
    while tree.count[node] > 0 and tree.low[node] < tree.high[node]:
        tree.register[0].ply += 1
        if tree.outcomes[node] > 0:
            game.meter[TRAVERSED] += 1
            n = chance(game, load(tree.state, node), game.probabilities)
            node = tree.first[node] + drawn_outcome(tree.random, game.probabilities, n)
        else:
            game.meter[TRAVERSED] += tree.count[node]
            node = pick(search, tree, node)
            tree.register[0].turn += 1
    tree.register[0].node = node
    return node


def most_urgent(search, tree, node):
    """The child of greatest urgency that may still change the bounds of `node`; of equals, one at random."""
    first, end = tree.first[node], tree.first[node] + tree.count[node]
    explore = search.c * math.sqrt(math.log(max(tree.visits[node], 1.0)))
    low, leading = tree.low[node], guide(search, tree, node)
    best, chosen, ties = -np.inf, first, 0
    for child in range(first, end):
        if -tree.low[child] <= low:
            continue
        if tree.visits[child] > 0.0:
            urgency = explore * tree.rarity[child] - believed(search, tree, child, leading)
        else:
            urgency = untried(search, tree, child, explore)
        if urgency > best:
            best, chosen, ties = urgency, child, 1
        elif urgency == best:
            ties += 1
            if below(tree.random, ties) == 0:
                chosen = child
    return chosen


# The leaf.


def open_leaf(search, game, evaluator, tree, leaf):
    """List the moves of `leaf`; with a prior, make and evaluate its children. False if there is no room."""
    if not open_node(game, tree, leaf):
        return False
    tree.outcomes[leaf] = chance(game, load(tree.state, leaf), game.probabilities)
    first, end = tree.first[leaf], tree.first[leaf] + tree.count[leaf]
    for child in range(first, end):
        tree.visits[child] = tree.total[child] = 0.0
        tree.low[child], tree.high[child] = -1, 1
        begin(search, tree, child)
    if search.prior > 0.0:
        state, proven = load(tree.state, leaf), False
        for child in range(first, end):
            after = generate(game, tree, state, child)
            if moves(game, after, tree.reply) == 0:
                value = finish(search, game, evaluator, tree, child, after)
                proven = search.solver
            else:
                value = squashed(search, tree, evaluate(evaluator, game, after))
                note(search, tree, child, value, False)
            credit(tree, child, search.prior, search.prior * value)
        if proven:
            back_up_bounds(game, tree, leaf)
            tree.register[0].node = tree.register[0].ply = tree.register[0].turn = (
                0  # the descent may have become pointless
            )
    renew(search, game, tree, leaf)
    return True


def meet(search, game, evaluator, tree, leaf):
    """Come to `leaf`: whether it is to be judged. If not, what it is worth is known, and noted in `found`."""
    at = tree.register[0]
    at.leaf, at.made = leaf, at.turn
    if tree.count[leaf] != UNOPENED:
        at.found = tree.value[leaf]
        return False
    if tree.visits[leaf] == 0.0:
        generate(game, tree, load(tree.state, tree.parent[leaf]), leaf)
    state = load(tree.state, leaf)
    at.moves = moves(game, state, tree.reply)
    if at.moves == 0:
        at.found = finish(search, game, evaluator, tree, leaf, state)
    return at.moves > 0


def judge(search, game, evaluator, tree):
    """What the leaf seems to be worth to the player to move there. Nothing is written that threads share."""
    at, found = tree.register[0], 0.0
    state, weight = load(tree.state, at.leaf), tree.opinions[WEIGHT]
    if weight > 0.0 or search.implicit > 0.0:
        at.opinion = squashed(search, tree, evaluate(evaluator, game, state))
        found += weight * at.opinion
    if weight < 1.0:
        game.meter[EXPANDED] += 1
        found += (1.0 - weight) * sign(play_out(search, game, state, tree))
    at.found = found


def count_found(search, game, tree):
    """Count what was found at the leaf, on the way back to the root; the next descent begins there."""
    at = tree.register[0]
    leaf = at.leaf
    if tree.count[leaf] == UNOPENED:  # or another thread has opened it since
        note(search, tree, leaf, at.opinion, False)
    count_game(search, game, tree)
    back_up(game, tree, leaf, at.found, at.lost)
    renew(search, game, tree, tree.parent[leaf])
    at.idle = 0 if game.meter[GENERATED] > at.before else at.idle + 1
    at.barren += 1 if at.idle > 0 else 0
    at.before = game.meter[GENERATED]
    at.node = at.ply = at.turn = at.leaf = 0
    at.lost = 0.0


def finish(search, game, evaluator, tree, node, state):
    """The game is over at `node`: its result, and the bounds for the solver."""
    result = sign(final(evaluator, game, state))
    tree.count[node] = 0
    note(search, tree, node, result, True)
    if search.solver:
        tree.low[node] = tree.high[node] = np.int8(result)
    return result


def squashed(search, tree, opinion):
    """An opinion as a result between -1 and 1. One that claims a win is one, and does not count for the scale."""
    if abs(opinion) >= WIN:
        return sign(opinion)
    scale = search.scale
    if scale == 0.0:
        tree.opinions[SQUARES] += opinion * opinion
        tree.opinions[OPINIONS] += 1.0
        scale = math.sqrt(tree.opinions[SQUARES] / tree.opinions[OPINIONS])
    return math.tanh(opinion / scale) if scale > 0.0 else 0.0
