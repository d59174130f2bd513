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

A distribution is held as the probabilities that the value, to the player at the root, is at most x, for `CELLS` values
x, equally far apart around the first interval of the root's best move. What lies beyond them counts as the last one.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist

import numpy as np

from ludus.core.budget import RUNNING, STOP_EXHAUSTED, STOP_SURE, TRAVERSED
from ludus.core.calibration import LEVEL, interval_high, interval_low
from ludus.core.columns import number, row, whole
from ludus.core.evaluator import WIN
from ludus.core.parts import part
from ludus.core.rules import load, phase
from ludus.core.tree import UNOPENED, best_child, expand
from ludus.searches.best_first.driver import BestFirst

CELLS = 32
MARGIN = 2.5
"""How far the values reach beyond the interval of the root's best move, in widths of it."""
REACH, STEPS = 4.0, 64
"""The table of the normal distribution: so many standard deviations either way, in so many steps each."""
NOTICED = 1e-4
"""A change of a distribution by less than this is not told to the parent: it would hardly matter there."""
PERCENTILE = NormalDist().inv_cdf((1 + LEVEL) / 2)


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
        "open": whole(),  # whether there is something to expand below
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
        while tree.count[node] > 0:
            node = most_promising(tree, node)
        return node

    def open_leaf(self, game, evaluator, tree, leaf):
        if not expand(game, evaluator, tree, leaf):
            return False
        for child in range(tree.first[leaf], tree.first[leaf] + tree.count[leaf]):
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
        for child in range(tree.first[leaf], tree.first[leaf] + tree.count[leaf]):
            begin_distribution(tree, child)
        node = leaf
        while renew_distribution(self, tree, node) and node > 0:
            node = tree.parent[node]
        tree.register[0].node = node
        return RUNNING

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        curve = NormalDist()
        points = np.linspace(-REACH, REACH, 2 * int(REACH * STEPS) + 1)
        return {"normal": np.array([curve.cdf(z) for z in points]), "row": np.zeros(CELLS)}

    def statistics(self, tree):
        return {"doubt": f"{tree.register[0].doubt:.3g}"}

    def knowledge(self, tree, node):
        """The mean as value; for the root's moves also the spread, and the probability to be better than the best."""
        known = super().knowledge(tree, node)
        if int(tree.parent[node]) != 0:
            return known
        best = self.choice(tree)
        better = float(chance_of_more(tree, node, best)) if node != best else np.nan
        return replace(known, more={"spread": float(tree.spread[node]), "better": better})


# Distributions, to the player at the root.


def set_cells(tree):
    """The root has been expanded: the values x lie around the interval of its best move."""
    at, best = tree.register[0], best_child(tree, 0)
    for child in range(tree.first[0], tree.first[0] + tree.count[0]):  # an unfinished game, if there is one
        if tree.count[child] == UNOPENED and (tree.count[best] == 0 or tree.value[child] < tree.value[best]):
            best = child
    width = tree.high[best] - tree.low[best] if tree.high[best] > tree.low[best] else 1.0
    at.lowest = -tree.high[best] - MARGIN * width
    at.step = (1.0 + 2.0 * MARGIN) * width / (CELLS - 1)


def begin_distribution(tree, leaf):
    """A normal distribution between the ends of its interval; a finished game has a single value."""
    at, sign = tree.register[0], 1.0 if tree.depth[leaf] % 2 == 0 else -1.0
    tree.open[leaf] = 1 if tree.count[leaf] == UNOPENED else 0
    mean = sign * (tree.low[leaf] + tree.high[leaf]) / 2.0
    deviation = (tree.high[leaf] - tree.low[leaf]) / 2.0 / PERCENTILE
    for k in range(CELLS):
        distance = at.lowest + k * at.step - mean
        if deviation > 0.0:
            z = min(max(distance / deviation, -REACH), REACH)
            tree.at_most[leaf, k] = tree.normal[int((z + REACH) * STEPS)]
        else:
            tree.at_most[leaf, k] = 1.0 if distance >= 0.0 else 0.0
    set_moments(tree, leaf)


@part
def both(search, one, other):
    """The probability of two things of these probabilities, for two values to be at most x: they are independent."""
    return one * other


def renew_distribution(search, tree, node):
    """The distribution of an opened node's value, the best of its children's; whether anything is new.

    (That the loops over cells do not know how many there are lets the compiler take several at a time.)
    """
    first, end, ours = tree.first[node], tree.first[node] + tree.count[node], tree.depth[node] % 2 == 0
    was_open, product, before = tree.open[node], tree.row, tree.at_most[node]
    cells = len(product)
    tree.open[node] = 0
    for k in range(cells):
        product[k] = 1.0
    for child in range(first, end):
        tree.open[node] |= tree.open[child]
        its = tree.at_most[child]
        if ours:
            for k in range(cells):
                product[k] = both(search, product[k], its[k])
        else:
            for k in range(cells):
                product[k] = both(search, product[k], 1.0 - its[k])
    noticed = False
    for k in range(cells):
        product[k] = product[k] if ours else 1.0 - product[k]
        noticed |= abs(product[k] - before[k]) >= NOTICED
    best = -tree.value[best_child(tree, node)]
    decided = abs(best) >= WIN  # by finished games alone
    tree.open[node] = 0 if decided else tree.open[node]
    if not (noticed or decided or tree.open[node] != was_open):
        return False
    for k in range(cells):
        before[k] = product[k]
    set_moments(tree, node)
    if decided:
        tree.value[node] = best
    return True


def set_moments(tree, node):
    """Mean and standard deviation; the mean, to the player to move, is the value, unless the game is over."""
    at, total, squares = tree.register[0], 0.0, 0.0
    for k in range(CELLS - 1):
        more = 1.0 - (tree.at_most[node, k] + tree.at_most[node, k + 1]) / 2.0
        total += more
        squares += (2.0 * k + 1.0) * more
    tree.spread[node] = at.step * np.sqrt(max(squares - total * total, 0.0))
    if tree.count[node] != 0:
        mean = at.lowest + at.step * total
        tree.value[node] = mean if tree.depth[node] % 2 == 0 else -mean


def chance_in(tree, node, k):
    """The probability that the value lies between x[k - 1] and x[k]; the first cell has no end below."""
    return tree.at_most[node, k] - tree.at_most[node, k - 1] if k > 0 else tree.at_most[node, 0]


def chance_of_more(tree, node, other):
    """The probability that `node` is worth more than `other` to the player at the root; in one cell, half of it."""
    chance = 0.0
    for k in range(CELLS):
        chance += chance_in(tree, other, k) * (1.0 - tree.at_most[node, k] + chance_in(tree, node, k) / 2.0)
    beyond = (1.0 - tree.at_most[other, CELLS - 1]) * (1.0 - tree.at_most[node, CELLS - 1])
    return chance + beyond / 2.0


# What to expand.


def move_to_pursue(search, tree):
    """The root's child below which the next leaf is expanded; or, with a minus sign, why the search ends."""
    at, best, rival, closed = tree.register[0], best_child(tree, 0), np.int64(0), True
    at.doubt = 0.0
    for child in range(tree.first[0], tree.first[0] + tree.count[0]):
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
    for child in range(tree.first[0], tree.first[0] + tree.count[0]):
        if tree.open[child] == 1 and chance_of_more(tree, child, best) > most:
            found, most = child, chance_of_more(tree, child, best)
    return found


def most_promising(tree, node):
    """The child, of those with something to expand below, of highest optimistic value to the player who moves."""
    found, most = np.int64(-1), -np.inf
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        promise = tree.spread[child] - tree.value[child]
        if tree.open[child] == 1 and (promise > most or found < 0):
            found, most = child, promise
    return found
