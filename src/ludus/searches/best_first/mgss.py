"""MGSS* (Russell & Wefald 1989): expand the leaf from which the decision is expected to gain most."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ludus.core.budget import PAUSED, RUNNING, STOP_SOLVED, STOP_SURE, TRAVERSED
from ludus.core.columns import node as node_index
from ludus.core.columns import number, row
from ludus.searches.best_first.driver import BestFirst
from ludus.searches.best_first.mgss_gains import CELLS, begin_walk, promise_of_leaf, renew, walk
from ludus.core.tree import UNOPENED, expand
from ludus.core.evaluator import WIN


class MetaGreedySingleStep(BestFirst):
    """MGSS*: expand the leaf from which the decision is expected to gain most (Russell & Wefald 1989)."""

    name = "mgss"
    registers = {
        "walking": "i8",
        "walk": "i8",
        "top": "i8",
        "found": "i8",
        "gain": "f8",
        "cost": "f8",
    }
    columns = {
        "best": node_index(),
        "second": number(np.inf),
        "rise": row(CELLS),
        "fall": row(CELLS),
        "gain": number(),
        "cap": number(np.inf),
    }

    @property
    def needs(self):
        return ("error",)

    def open_leaf(self, game, evaluator, tree, leaf):
        if not expand(game, evaluator, tree, leaf):
            return False
        for child in range(tree.first[leaf], tree.first[leaf] + tree.count[leaf]):
            tree.depth[child] = tree.depth[leaf] + 1
            mean, spread = evaluator.calibration.error[0, 0], evaluator.calibration.error[0, 1]
            promise_of_leaf(tree, child, tree.value[child] + mean, spread)
        return True

    def select(self, game, tree):
        at = tree.register[0]
        if abs(tree.value[0]) >= WIN:
            return np.int64(-STOP_SOLVED)
        if not at.walking:
            begin_walk(game, tree)
        at.walking = 1
        if not walk(game, tree):
            return np.int64(-PAUSED)
        at.walking = 0
        return at.found if at.gain > at.cost else np.int64(-STOP_SURE)

    def back_up(self, game, tree, limits, leaf):
        node = leaf
        while node >= 0:
            game.meter[TRAVERSED] += tree.count[node]
            if not renew(tree, node):
                break
            node = tree.parent[node]
        return RUNNING
