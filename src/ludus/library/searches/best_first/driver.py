"""The loop that all best-first searches share: select a leaf, open it, back up what it brought.

One tree, one expansion for all: a leaf's children are all generated and evaluated at once. A strategy is its own
columns, its own choice of the leaf, its own backup where minimax's does not do, and its own reason to stop.
"""

from __future__ import annotations

from ludus.kernel.columns import distance
from ludus.kernel.limits import DEPTH, NEEDS_NODES, RUNNING, STOP_DEPTH, spent
from ludus.kernel.parts import part
from ludus.kernel.tree import UNOPENED, children, expand
from ludus.model.search import Search


class BestFirst(Search):
    """The driver of the best-first searches."""

    family = "best-first"
    grows_tree = True
    registers = {"leaf": "i8"}  # the leaf to be expanded next; 0 before it is selected
    columns = {
        "depth": distance(),  # plies from the root
        "path": distance(),  # how many child pointers a descent from the root to this node looks at
    }

    def step(self, game, evaluator, tree, limits):
        status = grow(self, game, evaluator, tree, limits)
        settle(self, tree)
        return status


def grow(search, game, evaluator, tree, limits):
    """Expand one leaf after the other. Why that ends, or is interrupted."""
    at = tree.register[0]
    status = begin(search, game, tree)
    while status == RUNNING:
        if at.leaf == 0 and tree.count[0] != UNOPENED:
            leaf = select(search, game, tree)
            if leaf <= 0:
                return -leaf
            at.leaf = leaf
        leaf = at.leaf
        if leaf > 0 and tree.depth[leaf] >= limits[DEPTH]:
            return STOP_DEPTH
        status = spent(game.meter, limits, leaf == 0)
        if status != RUNNING:
            break
        if not open_leaf(search, game, evaluator, tree, leaf):
            return NEEDS_NODES
        at.leaf = 0
        opened(tree, leaf)
        status = back_up(search, game, tree, limits, leaf)
    return status


@part
def begin(search, game, tree):
    """At the beginning of every slice: what must be there before a leaf is selected. RUNNING, or why to come back."""
    return RUNNING


@part
def select(search, game, tree):
    """The leaf to expand next; or, with a minus sign, why the search ends. The root has been expanded before."""
    raise NotImplementedError


@part
def open_leaf(search, game, evaluator, tree, leaf):
    """Generate and evaluate the children of `leaf`; False, and nothing done, if there is no room for them."""
    return expand(game, evaluator, tree, leaf)


@part
def back_up(search, game, tree, limits, leaf):
    """`leaf` has been expanded: set what its children begin with, and renew what changes above them.

    RUNNING, or why the search must end.
    """
    raise NotImplementedError


@part
def settle(search, tree):
    """At the end of every slice: do what was put off, since the tree may be looked at now."""


def follow_best(tree, node):
    """The leaf, or finished game, to which the best children lead from `node`."""
    while tree.count[node] > 0:
        node = tree.best[node]
    return node


def opened(tree, leaf):
    """What every best-first search knows of the new children of `leaf`."""
    below = tree.path[leaf] + tree.count[leaf]
    for child in children(tree, leaf):
        tree.path[child] = below
        tree.depth[child] = tree.depth[leaf] + 1


def report(session):
    """Let a search work out what people are to see: a step in which its register `report` is 1."""
    at = session.tree.record.register[0]
    at.report = 1
    session.step()
    at.report = 0
