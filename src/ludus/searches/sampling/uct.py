"""UCT: Monte Carlo tree search with UCB1 (Kocsis & Szepesvári 2006; Coulom 2006).

Descend from the root to a leaf, at each node to the child of greatest urgency: its mean result so far plus a bonus
c sqrt(ln N / n) that is the larger the less often it was visited, n times of its parent's N (UCB1, Auer, Cesa-Bianchi &
Fischer 2002). At the leaf complete the game at random, and count the result, won 1, drawn 0 or lost -1, at every node
of the path. A leaf is opened when it is visited a second time: its moves are listed, and one of them is played. In the
end the move visited most is chosen.

Options: an evaluator's opinion of the leaf instead of a playout, or mixed with it; its opinion of new nodes as a prior,
worth so many visits (Gelly & Silver 2007); first-play urgency (Gelly & Wang 2006). An opinion v is squashed to
tanh(v / scale).

The solver is MCTS-Solver (Winands, Björnsson & Saito 2008) with the bounds of Cazenave & Saffidine 2010, so that draws
are proven too: each node has the least and the greatest result that is still possible. A finished game has both alike,
and they are backed up as in minimax; where they meet, the node is proven. A child that cannot change the bounds of its
parent is not visited again, and once the root is proven the search ends.

Where chance decides, the descent follows an outcome drawn by its probability; the value is the mean over the visits.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from ludus.core.budget import (
    DEEPEN,
    DEPTH,
    EXPANDED,
    GENERATED,
    NEEDS_NODES,
    RUNNING,
    STOP_DEPTH,
    STOP_EXHAUSTED,
    STOP_SOLVED,
    TRAVERSED,
    spent,
)
from ludus.core.chance import drawn_outcome
from ludus.core.columns import number, whole
from ludus.core.evaluator import WIN
from ludus.core.playout import longest_playout, playout, sign
from ludus.core.random import below
from ludus.core.result import Known
from ludus.core.rules import chance, evaluate, final, load, moves
from ludus.core.search import RESULT, Search
from ludus.core.tree import UNOPENED, generate, open_node

PATIENCE = 10_000
"""So many visits in a row that generate nothing, and nothing is left to learn."""

SQUARES, OPINIONS, WEIGHT = 0, 1, 2
"""Cells of `tree.opinions`: the sum of the squares of all opinions, their number, their weight in a leaf's value."""


class Uct(Search):
    """Monte Carlo tree search with UCB1, and a solver for proven results (Kocsis & Szepesvári 2006; Winands 2008)."""

    name = "uct"
    family = "sampling"
    contender = True
    grows_tree = True
    plays_out = True
    handles_chance = True
    proves = True
    value_scale = RESULT
    variants = (
        "solver=false",
        "leaf=playout",
        "leaf=eval",
        "leaf=mix, weight=0.3",
        "prior=2.0",
        "fpu=0.5, c=0.7",
        "leaf=eval, scale=3.0",
        "reuse=true",
    )
    registers = {
        "node": "i8",  # how far the descent has come, and its distance from the root
        "ply": "i8",
        "idle": "i8",  # how many visits in a row have brought nothing new
        "longest": "i8",  # plies of a playout
    }
    columns = {
        "visits": number(),  # those of the prior included
        "total": number(),  # the sum of the results, to the player to move here; `value` is their mean
        "rarity": number(),  # 1 / sqrt(visits)
        "low": number(-1, "i1"),  # the least and the greatest result that is possible
        "high": number(1, "i1"),
        "outcomes": whole(),  # of an open node: how many outcomes chance has there, 0 where a player decides
    }

    def __init__(
        self,
        c: float = 1.0,
        leaf: Literal["auto", "playout", "eval", "mix"] = "auto",
        weight: float = 0.5,
        scale: float = 0.0,
        fpu: float = 1000.0,
        prior: float = 0.0,
        solver: bool = True,
        reuse: bool = False,
    ) -> None:
        """
        c: how much UCB1 explores; results are from -1 to 1
        leaf: what a leaf is worth: the result of a `playout`, the evaluator's opinion (`eval`), or a `mix` of both;
            `auto` asks an evaluator that knows something of the game, and plays out if there is none
        weight: of the opinion in a mix, from 0 to 1
        scale: the opinion that counts as tanh(1) = 0.76 of a win; 0: the root mean square of the opinions so far
        fpu: the urgency of a move that was never tried; the default has each tried once before any is tried again
        prior: how many visits the evaluator's opinion of a new node counts for; 0: nodes are not evaluated when made
        solver: prove wins, draws and losses
        reuse: keep the tree below the position that comes up two plies later
        """
        if not 0 <= c < math.inf:
            raise ValueError("c must be 0 or above")
        if not 0 <= weight <= 1:
            raise ValueError("weight must be from 0 to 1")
        if not 0 <= scale < math.inf:
            raise ValueError("scale must be above 0, or 0 to have it measured")
        if not 0 <= prior < math.inf:
            raise ValueError("prior must be 0 (none) or above")
        self.c, self.scale, self.fpu, self.prior = c, scale, fpu, prior
        self.leaf, self.weight = leaf, weight
        self.solver, self.reuse = solver, reuse
        self.proves = solver

    def step(self, game, evaluator, tree, limits):
        while True:
            if tree.low[0] == tree.high[0]:
                return STOP_SOLVED
            if tree.register[0].idle >= PATIENCE:
                return STOP_EXHAUSTED
            status = spent(game.meter, limits, tree.count[0] == UNOPENED)
            if status != RUNNING:
                return status
            leaf = descend(self, game, tree)
            if tree.count[leaf] == UNOPENED and (leaf == 0 or tree.visits[leaf] > self.prior):
                if leaf == 0 or tree.register[0].ply < limits[DEPTH]:
                    if not open_leaf(self, game, evaluator, tree, leaf):
                        return NEEDS_NODES
                    continue
                if limits[DEEPEN] == 0:
                    return STOP_DEPTH
            before = game.meter[GENERATED]
            back_up(game, tree, leaf, visit(self, game, evaluator, tree, leaf))
            tree.register[0].idle = 0 if game.meter[GENERATED] > before else tree.register[0].idle + 1
            tree.register[0].node = tree.register[0].ply = 0

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        weights = {"playout": 0.0, "eval": 1.0, "mix": self.weight, "auto": float(evaluator.judges)}
        return {"opinions": np.array([0.0, 0.0, weights[self.leaf]])}

    def prepare(self, tree, game, state, limits):
        tree.register[0].longest = longest_playout(game)
        if tree.size[0] == 1:  # nothing was kept
            tree.opinions[:WEIGHT] = 0.0

    def choice(self, tree):
        return preferred(tree, 0)

    def line(self, tree):
        node = preferred(tree, 0)
        found = [int(tree.move[node])]
        while tree.count[node] > 0 and tree.outcomes[node] == 0:
            node = preferred(tree, node)
            if np.isnan(tree.value[node]):
                break
            found.append(int(tree.move[node]))
        return found

    def knowledge(self, tree, node):
        """Values and bounds of a chance node's outcomes are to the player who moves next, like the node's own."""
        sense = 1 if int(tree.outcomes[int(tree.parent[node])]) > 0 else -1
        low, high = sorted((float(sense * tree.low[node]), float(sense * tree.high[node])))
        visits = round(tree.visits[node] - self.prior) if tree.visits[node] > 0 else 0
        return Known(0.0 + sense * float(tree.value[node]), low, high, low == high, {"visits": visits})


def preferred(tree, node):
    """The child to play at `node`: the one visited most, unless another is proven to be as good as it looks.

    So a proven win comes first, and a proven loss only where all are. Of those visited equally often the better one.
    """
    children = range(int(tree.first[node]), int(tree.first[node] + tree.count[node]))

    def most_visited(candidates):
        return max(candidates, key=lambda child: (tree.visits[child], -tree.value[child]))

    safe = max(-tree.high[child] for child in children)
    safest = most_visited([child for child in children if -tree.high[child] == safe])
    hopeful = [child for child in children if -tree.low[child] > safe]
    if not hopeful:
        return safest
    favourite = most_visited(hopeful)
    return favourite if -tree.high[favourite] == safe or -tree.value[favourite] > safe else safest


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
            node = most_urgent(search, tree, node)
    tree.register[0].node = node
    return node


def most_urgent(search, tree, node):
    """The child of greatest urgency that may still change the bounds of `node`; of equals, one at random."""
    first, end = tree.first[node], tree.first[node] + tree.count[node]
    explore = search.c * math.sqrt(math.log(max(tree.visits[node], 1.0)))
    low = tree.low[node]
    best, chosen, ties = -np.inf, first, 0
    for child in range(first, end):
        if -tree.low[child] <= low:
            continue
        urgency = search.fpu
        if tree.visits[child] > 0.0:
            urgency = explore * tree.rarity[child] - tree.value[child]
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
    if search.prior > 0.0:
        state, proven = load(tree.state, leaf), False
        for child in range(first, end):
            after = generate(game, tree, state, child)
            if moves(game, after, tree.reply) == 0:
                value = finish(search, game, evaluator, tree, child, after)
                proven = search.solver
            else:
                value = squashed(search, tree, evaluate(evaluator, game, after))
            credit(tree, child, search.prior, value)
        if proven:
            back_up_bounds(game, tree, leaf)
            tree.register[0].node = tree.register[0].ply = 0  # the descent may have become pointless
    return True


def visit(search, game, evaluator, tree, leaf):
    """What a visit to `leaf` finds: a result or an estimate of it, to the player to move there."""
    if tree.count[leaf] != UNOPENED:
        return tree.value[leaf]
    if tree.visits[leaf] == 0.0:
        generate(game, tree, load(tree.state, tree.parent[leaf]), leaf)
    state = load(tree.state, leaf)
    n = moves(game, state, tree.reply)
    if n == 0:
        return finish(search, game, evaluator, tree, leaf, state)
    found = 0.0
    weight = tree.opinions[WEIGHT]
    if weight > 0.0:
        found += weight * squashed(search, tree, evaluate(evaluator, game, state))
    if weight < 1.0:
        game.meter[EXPANDED] += 1
        result = playout(game, state, n, tree.reply, tree.random, tree.register[0].longest)
        found += (1.0 - weight) * sign(result)
    return found


def finish(search, game, evaluator, tree, node, state):
    """The game is over at `node`: its result, and the bounds for the solver."""
    result = sign(final(evaluator, game, state))
    tree.count[node] = 0
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


# Backing up.


def back_up(game, tree, leaf, result):
    """Count a result at every node from `leaf` to the root, and prove what can be proven."""
    node, news = leaf, tree.low[leaf] == tree.high[leaf] and tree.visits[leaf] == 0.0
    while True:
        if tree.low[node] == tree.high[node]:
            result = np.float64(tree.low[node])
        credit(tree, node, 1.0, result)
        game.meter[TRAVERSED] += 1
        if node == 0:
            return
        node = tree.parent[node]
        if tree.outcomes[node] == 0:
            result = -result
        if news:
            news = tighten(game, tree, node)


def back_up_bounds(game, tree, node):
    """Prove what can be proven from `node` to the root."""
    while node >= 0 and tighten(game, tree, node):
        node = tree.parent[node]


def credit(tree, node, visits, result):
    """Count a result as that of so many visits."""
    tree.visits[node] += visits
    tree.total[node] += visits * result
    tree.rarity[node] = 1.0 / math.sqrt(tree.visits[node])
    set_value(tree, node)


def set_value(tree, node):
    """The mean result, within the bounds; a proven node is worth its result."""
    low, high = tree.low[node], tree.high[node]
    if low == high:
        tree.value[node] = low
    elif tree.visits[node] > 0.0:
        tree.value[node] = min(max(tree.total[node] / tree.visits[node], low), high)


def tighten(game, tree, node):
    """The bounds of `node` from those of its children; whether they changed."""
    game.meter[TRAVERSED] += tree.count[node]
    low, high = np.int64(-1), np.int64(-1)
    if tree.outcomes[node] > 0:
        low = np.int64(1)
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if tree.outcomes[node] > 0:  # chance may bring the worst or the best
            low, high = min(low, tree.low[child]), max(high, tree.high[child])
        else:
            low, high = max(low, -tree.high[child]), max(high, -tree.low[child])
    changed = low != tree.low[node] or high != tree.high[node]
    tree.low[node], tree.high[node] = low, high
    set_value(tree, node)
    return changed
