"""B* with distributions instead of intervals (Palay 1985, PSVB*; Berliner & McConnell 1996).

Each node has a probability distribution of its true value. That of a leaf is normal, with the evaluator's calibrated
interval between its 5th and its 95th percentile; that of a finished game is a single value. Backed up, the value of a
node is the best of its children's, taken to be independent: the probability that the highest of several is at most x
is the product of their probabilities, that the lowest is above x the product of the opposite ones.

The best move is the one with the highest mean, its rival the one that is most likely to be better. The search is sure
when the rival is better with a probability of `doubt` at most. Until then it expands below the one of the two whose
distribution is broader, where there is most to learn: PROVEBEST if it is the best move, DISPROVEREST if it is the
rival. Below the root's move the descent takes, as in B*, the child of highest optimistic value to the player who
moves: its mean and one standard deviation. (How the next leaf is chosen is our reading: the papers' programs have
further rules, and a second phase that verifies.)

How distributions are held and put together is in `bstar_distributions.py`. An expansion changes one child of each node
on the way to it, and mostly the same one as the expansion before. So the next best promise of each node is kept: as
long as the child that was descended to promises more, nothing has to be looked for.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ludus.kernel.columns import integer, number, row
from ludus.kernel.columns import node as node_index
from ludus.kernel.limits import RUNNING, STOP_EXHAUSTED, STOP_SURE, TRAVERSED
from ludus.kernel.rules import load, phase
from ludus.kernel.tree import UNOPENED, best_child, children, expand
from ludus.library.searches.best_first.bstar_distributions import (
    CELLS,
    KEPT,
    begin_distribution,
    chance_of_more,
    forget_products,
    normal_table,
    set_cells,
    set_distribution,
    set_moments,
)
from ludus.library.searches.best_first.driver import BestFirst, follow_best
from ludus.model.calibration import interval_high, interval_low
from ludus.model.evaluator import WIN


class BStarProbability(BestFirst):
    """B* with distributions: expand until no rival of the best move is likely to be better (Palay 1985)."""

    name = "bstar-probability"
    looks_ahead = False  # it is content when no other move is likely to be better
    variants = ("doubt=0.2",)
    registers = {
        "node": "i8",  # where the next descent starts: all above it is as it was
        "lowest": "f8",  # the first of the values x
        "step": "f8",  # how far they are apart
        "rival": "i8",  # the move that is most likely to be better than the best one; 0: none
        "doubt": "f8",  # with this probability
    }
    columns = {
        "low": number(),  # a leaf's interval, to the player to move
        "high": number(),
        "at_most": row(CELLS),  # the probability that the value to the player at the root is at most x
        "spread": number(),  # the standard deviation of the value
        "open": integer(),  # whether there is something to expand below
        "best": node_index(),  # the child that the next descent goes through; -1: none
        "next_best": number(),  # the highest promise of the others
    }

    def __init__(self, doubt: float = 0.01) -> None:
        """
        doubt: stop when no other move is better than the best one with a higher probability
        """
        if not 0 <= doubt < 1:
            raise ValueError("doubt must be from 0 to 1")
        self.doubt = doubt

    @property
    def needs(self) -> tuple[str, ...]:
        return ("interval",)

    def select(self, game, tree):
        node = tree.register[0].node
        if node == 0:
            node = move_to_pursue(self, tree)
            if node < 0:
                return node
        return follow_best(tree, node)

    def open_leaf(self, game, evaluator, tree, leaf):
        if not expand(game, evaluator, tree, leaf):
            return False
        for child in children(tree, leaf):
            tree.low[child] = tree.high[child] = tree.value[child]
            if tree.count[child] == UNOPENED:
                how_far = phase(game, load(tree.state, child))
                tree.low[child] = interval_low(evaluator.calibration, how_far, tree.value[child])
                tree.high[child] = interval_high(evaluator.calibration, how_far, tree.value[child])
        return True

    def back_up(self, game, tree, limits, leaf):
        game.meter[TRAVERSED] += 2 * tree.path[leaf] + tree.count[leaf]  # a descent to the leaf, and the way back
        if leaf == 0:
            set_cells(tree)
            forget_products(tree)
        for child in children(tree, leaf):
            begin_distribution(tree, child)
        node, child = leaf, np.int64(0)
        while renew(self, tree, node, child) and node > 0:
            child, node = node, tree.parent[node]
        tree.register[0].node = node
        return RUNNING

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        return {"normal": normal_table(), "kept": np.zeros(KEPT, np.int64), "others": np.zeros((KEPT, CELLS))}

    def statistics(self, tree):
        return {"doubt": float(tree.register[0].doubt)}

    def knowledge(self, tree, node):
        """The mean as value; for the root's moves also the spread, and the probability to be better than the best."""
        known = super().knowledge(tree, node)
        if int(tree.parent[node]) != 0:
            return known
        best = self.choice(tree)
        better = float(chance_of_more(tree, node, best)) if node != best else np.nan
        return replace(known, more={"spread": float(tree.spread[node]), "better": better})


# What is known of a node.


def renew(search, tree, node, child):
    """What is known of an opened node whose child `child`, or all of them if it is 0, has changed; whether the parent
    is to know."""
    was_open, decided = tree.open[node], False
    tree.open[node] = tree.open[child] if child > 0 else 0
    if tree.open[node] == 0 or node == 0 or abs(tree.value[child]) >= WIN:
        decided = abs(tree.value[best_child(tree, node)]) >= WIN  # by finished games alone
        tree.open[node] = 0 if decided else any_open(tree, node)
    if tree.open[child] == 0 or child != tree.best[node] or promise(tree, child) <= tree.next_best[node] or child == 0:
        find_most_promising(tree, node)
    if child == 0:
        child = max(tree.best[node], tree.first[node])  # whose brothers are asked for next
    noticed = set_distribution(search, tree, node, child, decided or tree.open[node] != was_open)
    if noticed:
        set_moments(tree, node)
    if decided:
        tree.value[node] = -tree.value[best_child(tree, node)]
    return noticed


def any_open(tree, node):
    """1 if there is something to expand below a child, else 0."""
    for child in children(tree, node):
        if tree.open[child] == 1:
            return 1
    return 0


# What to expand.


def move_to_pursue(search, tree):
    """The root's child below which the next leaf is expanded; or, with a minus sign, why the search ends."""
    at, best, rival, closed = tree.register[0], best_child(tree, 0), np.int64(0), True
    at.doubt = 0.0
    for child in children(tree, 0):
        closed = closed and tree.open[child] == 0
        if child != best:
            chance = chance_of_more(tree, child, best)
            if rival == 0 or chance > at.doubt:
                at.doubt, rival = chance, child
    at.rival = rival
    if closed:
        return np.int64(-STOP_EXHAUSTED)
    if rival == 0 or at.doubt <= search.doubt:
        return np.int64(-STOP_SURE)
    if tree.open[best] == 0 and tree.open[rival] == 0:
        return next_open(tree, best)
    prove = tree.open[rival] == 0 or (tree.open[best] == 1 and tree.spread[best] >= tree.spread[rival])
    return best if prove else rival


def next_open(tree, best):
    """Nothing is left below the best move nor below its rival: of the others the one that is likeliest to be better."""
    found, most = np.int64(-STOP_EXHAUSTED), -1.0
    for child in children(tree, 0):
        if tree.open[child] == 1 and chance_of_more(tree, child, best) > most:
            found, most = child, chance_of_more(tree, child, best)
    return found


def promise(tree, child):
    """The optimistic value of a child to the player who moves to it."""
    return tree.spread[child] - tree.value[child]


def find_most_promising(tree, node):
    """The child, of those with something to expand below, of highest optimistic value; the first of equals."""
    found, most, second = np.int64(-1), -np.inf, -np.inf
    for child in children(tree, node):
        if tree.open[child] == 1:
            its = promise(tree, child)
            if found < 0 or its > most:
                found, most, second = np.int64(child), its, most
            elif its > second:
                second = its
    tree.best[node], tree.next_best[node] = found, second
