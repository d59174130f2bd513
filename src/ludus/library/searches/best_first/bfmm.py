"""Best-first minimax (Korf & Chickering 1996): always expand the leaf at the end of the principal variation.

The value of the root is the static value of one leaf, the end of the line that both sides think best. If that
leaf's value is wrong, so is the root's; so that is the leaf to look behind. Expanding it makes the line look better or
worse, and the next principal leaf may lie elsewhere.

As published, the search ends when the principal leaf is a finished game, though others may be better. *Completion*
(Cohen-Solal 2020) lets it go on: a finished game is resolved, and so is a node with a child that is a proven win, or
whose children are all resolved. A descent takes the best child that is not resolved, until the root is.

Where chance decides, a node is worth the mean of its outcomes, so the value of the root is that of many leaves. Of the
outcomes that are not resolved the descent takes the one whose probability is greatest compared with the expansions
that it has had: they are shared out by probability. (This is ours; the papers have no chance. As published, without
completion, the search refuses such games.)

`recursive=true` is their form in linear space; `bfmm_recursive.py` says how.
"""

import numpy as np

from ludus.kernel.columns import integer, number
from ludus.kernel.columns import node as node_index
from ludus.kernel.limits import RUNNING, STOP_EXHAUSTED, STOP_SOLVED, TRAVERSED
from ludus.kernel.tree import best_child, children
from ludus.library.searches.best_first.bfmm_recursive import descend_again, is_new
from ludus.library.searches.best_first.driver import follow_best
from ludus.library.searches.best_first.outcomes import (
    WithChance,
    begin_outcomes,
    by_chance,
    chance_decides,
    has_chance,
    mean_value,
    odds_of,
)
from ludus.model.evaluator import WIN
from ludus.model.result import Known


class BestFirstMinimax(WithChance):
    """Best-first minimax: expand the leaf at the end of the principal variation (Korf & Chickering 1996)."""

    name = "bfmm"
    contender = True
    variants = ("complete=false", "reuse=true", "recursive=true")
    registers = {"node": "i8"}  # where the next descent may start, all above it being as it was
    columns = {
        "best": node_index(),  # the child that the next descent goes through
        "resolved": integer(),  # whether the value comes from finished games alone
        # In linear space, or with chance: how many expansions there have been below it; and how many of them are in
        # memory again.
        "grown": number(0, "i4"),
        "regrown": number(0, "i4"),
    }

    def __init__(self, complete: bool = True, reuse: bool = False, recursive: bool = False) -> None:
        """
        complete: go on until the best move is proven; false: end when the principal leaf is a finished game, as
            published
        reuse: keep the tree below the position that comes up two plies later
        recursive: keep only the principal line and its siblings in memory, and grow again what was forgotten
        """
        if reuse and recursive:
            raise ValueError("recursive=true keeps no tree: it does not go with reuse=true")
        self.complete, self.reuse, self.recursive = complete, reuse, recursive
        self.proves, self.grows_tree = complete, not recursive
        self.handles_chance = type(self).handles_chance and complete

    def select(self, game, tree):
        if tree.resolved[0]:
            return np.int64(-STOP_SOLVED)
        leaf = tree.register[0].node
        if self.recursive:
            leaf = descend_again(tree, leaf)
        leaf = follow_best(tree, leaf)
        return np.int64(-STOP_EXHAUSTED) if tree.count[leaf] == 0 else leaf  # if it is a finished game

    def back_up(self, game, tree, limits, leaf):
        """Negamax values from the new children of `leaf` upward, as far as they change anything."""
        begin_outcomes(self, game, tree, leaf)
        for child in children(tree, leaf):
            tree.resolved[child] = self.complete and tree.count[child] == 0
            if self.recursive or has_chance(self, tree):
                tree.grown[child] = tree.regrown[child] = 0
        node, top = leaf, np.int64(0)
        while True:
            best = best_child(tree, node)
            if self.recursive and not is_new(tree, node):  # what is known of it is not reached yet
                tree.best[node] = next_child(self, tree, node, best)
                top = node
                break
            value = mean_value(tree, node) if by_chance(self, tree, node) else -tree.value[best]
            changed = value != tree.value[node]
            tree.value[node] = value
            tree.best[node] = next_child(self, tree, node, best)
            if tree.best[node] != best:
                tree.resolved[node] = tree.best[node] < 0 or won(self, tree, value)
                changed = changed or tree.resolved[node]
            if has_chance(self, tree):  # expansions are counted up to the root
                tree.grown[node] += 0 if self.recursive else 1
            elif not (changed or self.recursive):
                break
            if node == 0:
                break
            node = tree.parent[node]
        tree.register[0].node = node
        # The meter: a descent to the leaf, from the root or from where something is grown again, and the way back.
        game.meter[TRAVERSED] += 2 * (tree.path[leaf] - tree.path[top]) + tree.count[leaf]
        return RUNNING

    # What follows runs in Python only.

    def choice(self, tree):
        """The root's child with the best value; of equals one that is proven, else the first."""
        first, count = int(tree.first[0]), int(tree.count[0])
        values = tree.value[first : first + count].tolist()
        best = min(values)
        if values.count(best) == 1:
            return first + values.index(best)
        return first + min(range(count), key=lambda child: (values[child], -tree.resolved[first + child]))

    def line(self, tree):
        """In linear space only as far as it is in memory, and not into what is being grown again."""
        if not self.recursive:
            return super().line(tree)
        node = self.choice(tree)
        found = [int(tree.move[node])]
        while tree.count[node] > 0 and tree.regrown[node] == tree.grown[node] and not chance_decides(tree, node):
            node = int(best_child(tree, node))
            found.append(int(tree.move[node]))
        return found

    def knowledge(self, tree, node):
        """A node is resolved as soon as a win is found: the winner can force at least that."""
        known = super().knowledge(tree, node)
        if known.proven or not tree.resolved[node]:
            return known
        value = known.value
        if len(odds_of(tree)) > 0:
            return Known(value, value, value, proven=True)
        return Known(value, value if value > -WIN else -np.inf, value if value < WIN else np.inf, proven=True)


def set_value(tree, node):
    """The value of an inner node from its children's, and whether it is resolved; the best child."""
    best = best_child(tree, node)
    value = -tree.value[best]
    tree.value[node] = value
    tree.resolved[node] = tree.resolved[best] and (value >= WIN or best_open_child(tree, node) < 0)
    return best


def next_child(search, tree, node, best):
    """Through which child the next descent goes, `best` being the one with the best value; -1: all are resolved."""
    if by_chance(search, tree, node):
        return most_due(tree, node)
    return best_open_child(tree, node) if tree.resolved[best] else best


def most_due(tree, node):
    """The outcome that is to be looked behind next, of those that are not resolved; the first of equals; -1: none.

    What cannot happen counts as resolved.
    """
    found, most = np.int64(-1), 0.0
    for child in children(tree, node):
        due = tree.odds[child] / (1.0 + tree.grown[child])
        if due > most and not tree.resolved[child]:
            found, most = np.int64(child), due
    return found


def won(search, tree, value):
    """Whether nothing can be better than this value of a resolved child. Among means of wins and losses it may."""
    return value >= WIN and not has_chance(search, tree)


def best_open_child(tree, node):
    """The child that is worst for the opponent of those that are not resolved, the first of equals; -1: none."""
    best = np.int64(-1)
    for child in children(tree, node):
        if not tree.resolved[child] and (best < 0 or tree.value[child] < tree.value[best]):
            best = child
    return best
