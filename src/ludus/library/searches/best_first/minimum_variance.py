"""Minimum variance (Truscott 1979): nodes carry distributions, and the subtree of least variance is expanded first.

This is our reading of one sentence. The paper is not at hand; the survey of Abramson (1989, section 4) says that nodes
are assigned densities that tell where the minimax value is likely to lie, that the subtree of least variance is
expanded first, and that stable values are likely to be accurate; nobody seems to have tried it.

We take a leaf's minimax value to be normal: its static value plus the mean error of the evaluator's calibrated error
model, with that model's spread; a finished game is certain. A node is worth the greatest of what its moves are worth.
Taken to be independent, and the greatest of two to be normal again, their mean and variance are Clark's (1961), one
move after the other. A descent goes to the child of least variance among those that are not resolved (as in `bfmm`),
until it comes to a leaf. The move with the best minimax value is played.

Of a node's moves each keeps the distribution of the best of itself and those before it. So where one move has changed,
only those after it are compared again; and where nothing comes of the change, the nodes above are as they were.

The rule spends its effort on what is nearly settled: a subtree that is expanded usually gets less uncertain, and is
chosen again. `first=greatest` is the opposite rule, for comparison.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np

from ludus.kernel.columns import number
from ludus.kernel.limits import LOOKS, RUNNING, STOP_EXHAUSTED, STOP_SOLVED, TRAVERSED
from ludus.kernel.normal_tail import FAR, normal_tail
from ludus.kernel.rules import load, phase
from ludus.kernel.tree import children
from ludus.library.searches.best_first.bfmm import BestFirstMinimax, set_value
from ludus.library.searches.best_first.driver import follow_best
from ludus.model.calibration import bucket, error_mean, error_sd
from ludus.model.evaluator import WIN

NOTHING, CHANCES, VALUE, CHILDREN = 0, 1, 2, 3
"""What is new of a node: nothing; its distribution, or what to expand below it; also its value; its children too."""


class MinimumVariance(BestFirstMinimax):
    """Minimum variance: the subtree whose value is least uncertain is expanded first (Truscott 1979; our reading)."""

    name = "minimum-variance"
    contender = False
    handles_chance = False
    interleaved = True
    variants = ("first=greatest", "complete=false, reuse=true")
    columns = {
        "mean": number(),  # of the distribution of the minimax value, to the player to move
        "variance": number(),
        "mean_so_far": number(),  # of the best of this move and those before it, to the player who makes it
        "variance_so_far": number(),
        "open": number(),  # whether there is something to expand below, and it may matter
    }

    def __init__(
        self, first: Literal["least", "greatest"] = "least", complete: bool = True, reuse: bool = False
    ) -> None:
        """
        first: whether the child of least or of greatest variance is gone to
        complete, reuse: as for `bfmm`
        """
        super().__init__(complete=complete, reuse=reuse)
        self.sense = 1.0 if first == "least" else -1.0
        self.looks_ahead = False  # it may never look at the replies to a move

    @property
    def needs(self) -> tuple[str, ...]:
        return ("error",)

    def select(self, game, tree):
        if tree.resolved[0]:
            return np.int64(-STOP_SOLVED)
        if tree.open[0] == 0.0 and tree.count[0] > 0:
            return np.int64(-STOP_EXHAUSTED)
        return follow_best(tree, tree.register[0].node)

    def back_up(self, game, tree, limits, leaf):
        """Values and distributions from the new children of `leaf` upward, as far as they change anything."""
        # The meter: a descent to the leaf, and the way back from its children.
        game.meter[TRAVERSED] += 2 * tree.path[leaf] + tree.count[leaf]
        for child in children(tree, leaf):
            begin_distribution(game, tree, child)
            tree.resolved[child] = self.complete and tree.count[child] == 0
        node, child = leaf, tree.first[leaf]
        news = renew(self, tree, node, child, CHILDREN)
        while news != NOTHING and node > 0:
            limits[LOOKS] += 1  # a long way back takes long: the clock is to be looked at the sooner
            child, node = node, tree.parent[node]
            news = renew(self, tree, node, child, news)
        tree.register[0].node = node
        return RUNNING

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        return {"calibration": evaluator.calibration}

    def knowledge(self, tree, node):
        """Of the root's moves also the distribution."""
        known = super().knowledge(tree, node)
        if int(tree.parent[node]) != 0:
            return known
        return replace(known, more={"mean": 0.0 - float(tree.mean[node]), "sd": math.sqrt(tree.variance[node])})


def begin_distribution(game, tree, child):
    """Of a new node: the static value and how far it is from one that looks deeper; of a finished game the payoff."""
    tree.mean[child], tree.variance[child] = tree.value[child], 0.0
    tree.open[child] = 0.0 if tree.count[child] == 0 else 1.0
    if tree.count[child] == 0 or abs(tree.value[child]) >= WIN:
        return
    parent = tree.parent[child]
    above = tree.parent[parent]
    earlier = float(tree.count[above]) if above >= 0 else -1.0
    at = phase(game, load(tree.state, child))
    row = bucket(tree.calibration, at, float(tree.count[parent]), earlier, tree.value[child])
    tree.mean[child] += error_mean(tree.calibration, row)
    tree.variance[child] = error_sd(tree.calibration, row) ** 2


def renew(search, tree, node, child, news):
    """Renew what is known of an opened node, after these news of its child `child`, or of all from it on; its news."""
    value, resolved = tree.value[node], tree.resolved[node]
    mean, variance, opened, best = tree.mean[node], tree.variance[node], tree.open[node], tree.best[node]
    if news >= VALUE:
        set_value(tree, node)
    set_distribution(tree, node, child, news)
    tree.best[node] = least_variance(search, tree, node)
    tree.open[node] = 0.0 if tree.best[node] < 0 or tree.resolved[node] else 1.0
    if value != tree.value[node] or resolved != tree.resolved[node]:
        return VALUE
    same = mean == tree.mean[node] and variance == tree.variance[node]
    return NOTHING if same and opened == tree.open[node] and best == tree.best[node] else CHANCES


def set_distribution(tree, node, changed, news):
    """The greatest of what the moves of `node` are worth to the player who makes them, from the changed one on."""
    first, end = tree.first[node], tree.first[node] + tree.count[node]
    if changed > first:
        mean, variance, start = tree.mean_so_far[changed - 1], tree.variance_so_far[changed - 1], changed
    else:
        mean, variance, start = -tree.mean[first], tree.variance[first], first + 1
        tree.mean_so_far[first], tree.variance_so_far[first] = mean, variance
    for child in range(start, end):
        mean, variance = greatest_of_two(mean, variance, -tree.mean[child], tree.variance[child])
        if mean == tree.mean_so_far[child] and variance == tree.variance_so_far[child] and news != CHILDREN:
            return  # and so are those after it
        tree.mean_so_far[child], tree.variance_so_far[child] = mean, variance
    tree.mean[node], tree.variance[node] = mean, variance


def greatest_of_two(mean, variance, other_mean, other_variance):
    """Mean and variance of the greater of two independent normal variables (Clark 1961, equations 2 to 4).

    Moments are taken about the greater mean: finished games are worth millions. One that is farther behind than FAR
    has no say.
    """
    if mean < other_mean:
        mean, variance, other_mean, other_variance = other_mean, other_variance, mean, variance
    both = variance + other_variance
    if both == 0.0:
        return mean, 0.0
    spread = math.sqrt(both)
    behind = (mean - other_mean) / both * spread
    if not behind <= FAR:  # nor may what is no number be looked up in a table
        return mean, variance
    above, excess = normal_tail(behind)  # of the lesser: how likely it is the greater one, and by how much on average
    squares = variance * (1.0 - 2.0 * above) + both * (above - excess * behind)
    return mean + spread * excess, max(squares - both * excess * excess, 0.0)


def least_variance(search, tree, node):
    """The child to go to, of those below which something may be expanded; the first of equals; -1: there is none."""
    chosen = np.int64(-1)
    for child in children(tree, node):
        if tree.open[child] != 0.0 and (
            chosen < 0 or search.sense * tree.variance[child] < search.sense * tree.variance[chosen]
        ):
            chosen = np.int64(child)
    return chosen
