"""Nodes in which chance decides, in a best-first search.

The value of such a node is the mean of its outcomes' values, each weighted by its probability. It is to the player who
moves next, as theirs are, so nothing changes sign. A search that knows such nodes is a `WithChance`; in a game without
chance the parts are not used, and the columns take no memory.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ludus.kernel.columns import number
from ludus.kernel.parts import part
from ludus.kernel.rules import chance, load
from ludus.kernel.tree import children
from ludus.library.searches.best_first.driver import BestFirst

PLAYED = -1.0
"""In place of a probability: a player chooses this child."""


class WithChance(BestFirst):
    """A best-first search that can do with nodes in which chance decides."""

    handles_chance = True
    columns = {
        "odds": number(PLAYED),  # the probability of an outcome; PLAYED of what a player may choose
    }

    def begin_outcomes(self, game, tree, leaf):
        if has_chance(self, tree):
            write_outcomes(game, tree, leaf)

    def has_chance(self, tree):
        return len(tree.odds) > 0

    def by_chance(self, tree, node):
        return len(tree.odds) > 0 and tree.count[node] > 0 and tree.odds[tree.first[node]] >= 0.0

    # What follows runs in Python only.

    def unused_parts(self, game):
        unused = (WithChance.begin_outcomes, WithChance.has_chance, WithChance.by_chance)
        return () if game.has_chance else unused

    def unused_columns(self, game):
        return () if game.has_chance else ("odds",)

    def line(self, tree):
        """As far as players decide."""
        node = self.choice(tree)
        found = [int(tree.move[node])]
        while tree.count[node] > 0 and not chance_decides(tree, node):
            first = int(tree.first[node])
            node = first + int(np.argmin(tree.value[first : first + int(tree.count[node])]))
            found.append(int(tree.move[node]))
        return found

    def knowledge(self, tree, node):
        """What chance brings is seen by the player who moves next; a move by the one who makes it."""
        known = super().knowledge(tree, node)
        if not chance_decides(tree, int(tree.parent[node])):
            return known
        return replace(known, value=0.0 - known.value, low=0.0 - known.high, high=0.0 - known.low)


@part
def begin_outcomes(search, game, tree, leaf):
    """`leaf` has been expanded: if chance decides there, write down the probabilities of its children."""


@part
def has_chance(search, tree):
    """Whether chance has a part in the game."""
    return False


@part
def by_chance(search, tree, node):
    """Whether chance decides at `node`, which has been expanded."""
    return False


def write_outcomes(game, tree, leaf):
    """The probabilities of the children of `leaf`, or that a player chooses one."""
    outcomes = chance(game, load(tree.state, leaf), game.probabilities)
    for i in range(tree.count[leaf]):
        tree.odds[tree.first[leaf] + i] = game.probabilities[i] if outcomes > 0 else PLAYED


def mean_value(tree, node):
    """The value of a node in which chance decides."""
    total = 0.0
    for child in children(tree, node):
        if tree.odds[child] > 0.0:
            total += tree.odds[child] * tree.value[child]
    return total


# What follows runs in Python only.


def odds_of(tree):
    """The column `odds`; empty in a game without chance, of which a tree that is kept for people has no such column."""
    return getattr(tree, "odds", ())


def chance_decides(tree, node):
    """As `by_chance`."""
    return len(odds_of(tree)) > 0 and tree.count[node] > 0 and tree.odds[int(tree.first[node])] >= 0.0
