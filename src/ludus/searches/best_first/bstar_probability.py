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

An expansion changes one child of each node on the way to it, and mostly the same one as the expansion before. So the
product of the distributions of its brothers is kept, for one node of each depth, and the next best promise of each
node: as long as the child that was descended to promises more, nothing has to be looked for.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist

import numpy as np

from ludus.core.budget import RUNNING, STOP_EXHAUSTED, STOP_SURE, TRAVERSED
from ludus.core.calibration import LEVEL, interval_high, interval_low
from ludus.core.columns import node as node_index
from ludus.core.columns import number, row, whole
from ludus.core.evaluator import WIN
from ludus.core.parts import part
from ludus.core.rules import load, phase
from ludus.core.tree import UNOPENED, best_child, expand
from ludus.searches.best_first.driver import BestFirst, follow_best

CELLS = 32
MARGIN = 2.5
"""How far the values reach beyond the interval of the root's best move, in widths of it."""
REACH, STEPS = 4.0, 64
"""The table of the normal distribution: so many standard deviations either way, in so many steps each."""
NOTICED = 1e-4
"""A change of a distribution by less than this is not told to the parent: it would hardly matter there."""
KEPT = 128
"""For so many depths the product of all children but one is kept; deeper nodes take the places of others."""
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
            tree.kept[:] = 0
        for child in range(tree.first[leaf], tree.first[leaf] + tree.count[leaf]):
            begin_distribution(tree, child)
        node, child = leaf, np.int64(0)
        while renew(self, tree, node, child) and node > 0:
            child, node = node, tree.parent[node]
        tree.register[0].node = node
        return RUNNING

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        curve = NormalDist()
        points = np.linspace(-REACH, REACH, 2 * int(REACH * STEPS) + 1)
        table = np.array([curve.cdf(z) for z in points])
        kept = {"kept": np.zeros(KEPT, np.int64), "others": np.zeros((KEPT, CELLS))}
        return {"normal": table} | kept

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
    its = tree.at_most[leaf]
    if deviation > 0.0:
        start, step = STEPS * ((at.lowest - mean) / deviation + REACH), STEPS * at.step / deviation
        for k in range(len(its)):
            its[k] = tree.normal[int(min(max(start + k * step, 0.0), 2.0 * REACH * STEPS))]
    else:
        for k in range(len(its)):
            its[k] = 1.0 if at.lowest + k * at.step >= mean else 0.0
    set_moments(tree, leaf)


@part
def both(search, one, other):
    """The probability of two things of these probabilities, for two values to be at most x: they are independent."""
    return one * other


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
    others = product_of_others(search, tree, node, child)
    noticed = set_distribution(search, tree, node, child, others, decided or tree.open[node] != was_open)
    if noticed:
        set_moments(tree, node)
    if decided:
        tree.value[node] = -tree.value[best_child(tree, node)]
    return noticed


def any_open(tree, node):
    """1 if there is something to expand below a child, else 0."""
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if tree.open[child] == 1:
            return 1
    return 0


# That the loops over cells do not know how many there are lets the compiler take several at a time.


def product_of_others(search, tree, node, but):
    """For every x the probability that no other child than `but` is better to the player who moves at `node`."""
    slot, ours = tree.depth[node] % KEPT, tree.depth[node] % 2 == 0
    product = tree.others[slot]
    if tree.kept[slot] == but:
        return product
    tree.kept[slot] = but
    cells = len(product)
    for k in range(cells):
        product[k] = 1.0
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        its = tree.at_most[child]
        if child != but and ours:
            for k in range(cells):
                product[k] = both(search, product[k], its[k])
        elif child != but:
            for k in range(cells):
                product[k] = both(search, product[k], 1.0 - its[k])
    return product


def set_distribution(search, tree, node, child, others, in_any_case):
    """The distribution of the best of `child` and the others, if it is noticeably another; whether it is set."""
    its, before, ours = tree.at_most[child], tree.at_most[node], tree.depth[node] % 2 == 0
    noticed = in_any_case
    for k in range(len(others)):
        noticed |= abs(of_best(search, others[k], its[k], ours) - before[k]) >= NOTICED
    if noticed:
        for k in range(len(others)):
            before[k] = of_best(search, others[k], its[k], ours)
    return noticed


def of_best(search, others, its, ours):
    """The probability that the best of a child and of others is at most x, to the player at the root."""
    return both(search, others, its) if ours else 1.0 - both(search, others, 1.0 - its)


def set_moments(tree, node):
    """Mean and standard deviation; the mean, to the player to move, is the value, unless the game is over.

    They take the sums of all cells and of k times the k-th. Every fourth cell, from the last on, is added up, and these
    sums are added up as they grow: so four are under way at a time, and nothing is multiplied.
    """
    at, its = tree.register[0], tree.at_most[node]
    a = b = c = d = grown = 0.0
    for k in range(CELLS - 4, 0, -4):
        a, b, c, d = a + its[k], b + its[k + 1], c + its[k + 2], d + its[k + 3]
        grown += (a + b) + (c + d)
    a, b, c, d = a + its[0], b + its[1], c + its[2], d + its[3]
    cells, times_k = (a + b) + (c + d), 4.0 * grown + (b + 2.0 * c + 3.0 * d)
    first, last = 0.5 * its[0], 0.5 * its[CELLS - 1]
    total = (CELLS - 1.0) - (cells - first - last)
    squares = (CELLS - 1.0) ** 2 - (2.0 * times_k + first - (2.0 * CELLS - 1.0) * last)
    tree.spread[node] = at.step * np.sqrt(max(squares - total * total, 0.0))
    if tree.count[node] != 0:
        mean = at.lowest + at.step * total
        tree.value[node] = mean if tree.depth[node] % 2 == 0 else -mean


def chance_of_more(tree, node, other):
    """The probability that `node` is worth more than `other` to the player at the root; in one cell, half of it.

    (The cell below the first x has no end. Two sums at a time.)
    """
    its, others = tree.at_most[node], tree.at_most[other]
    even, odd = others[0] * (2.0 - its[0]), (others[1] - others[0]) * (2.0 - its[0] - its[1])
    for k in range(2, CELLS, 2):
        even += (others[k] - others[k - 1]) * (2.0 - its[k - 1] - its[k])
        odd += (others[k + 1] - others[k]) * (2.0 - its[k] - its[k + 1])
    beyond = (1.0 - others[CELLS - 1]) * (1.0 - its[CELLS - 1])
    return (even + odd + beyond) / 2.0


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


def promise(tree, child):
    """The optimistic value of a child to the player who moves to it."""
    return tree.spread[child] - tree.value[child]


def find_most_promising(tree, node):
    """The child, of those with something to expand below, of highest optimistic value; the first of equals."""
    found, most, second = np.int64(-1), -np.inf, -np.inf
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if tree.open[child] == 1:
            its = promise(tree, child)
            if found < 0 or its > most:
                found, most, second = np.int64(child), its, most
            elif its > second:
                second = its
    tree.best[node], tree.next_best[node] = found, second
