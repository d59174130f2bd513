"""Best-first minimax (Korf & Chickering 1996): always expand the leaf at the end of the principal variation.

The value of the root is the static value of one leaf, the end of the line that both sides think best. If that
leaf's value is wrong, so is the root's; so that is the leaf to look behind. Expanding it makes the line look better or
worse, and the next principal leaf may lie elsewhere.
"""

from ludus.core.budget import DEPTH, NEEDS_NODES, RUNNING, STOP_DEPTH, STOP_EXHAUSTED, TRAVERSED, spent
from ludus.core.search import Search
from ludus.core.tree import best_child, expand

NODE = 0  # register: where the next descent may start, all above it being as it was


class BestFirstMinimax(Search):
    """Best-first minimax: expand the leaf at the end of the principal variation (Korf & Chickering 1996)."""

    name = "bfmm"
    contender = True
    best_first = True
    columns = {
        "best": "i8",  # the child that the principal variation goes through
        "path": "i8",  # how many child pointers a descent from the root to this node looks at
        "depth": "i8",
    }

    def __init__(self, reuse: bool = False) -> None:
        """reuse: keep the tree below the position that comes up two plies later"""
        self.reuse = reuse

    def step(self, game, evaluator, tree, limits):
        while True:
            leaf = tree.register[NODE]
            while tree.count[leaf] > 0:
                leaf = tree.best[leaf]
            if tree.count[leaf] == 0:
                return STOP_EXHAUSTED  # the principal leaf is a finished game
            if leaf != 0 and tree.depth[leaf] >= limits[DEPTH]:
                return STOP_DEPTH
            status = spent(game.meter, limits, leaf == 0)
            if status != RUNNING:
                return status
            if not expand(game, evaluator, tree, leaf):
                return NEEDS_NODES
            back_up(game, tree, leaf)


def back_up(game, tree, leaf):
    """Negamax values from the new children of `leaf` upward, as far as they change anything."""
    if leaf == 0:
        tree.path[0] = 0
        tree.depth[0] = 0
    below = tree.path[leaf] + tree.count[leaf]
    for child in range(tree.first[leaf], tree.first[leaf] + tree.count[leaf]):
        tree.path[child] = below
        tree.depth[child] = tree.depth[leaf] + 1
    game.meter[TRAVERSED] += tree.path[leaf] + below  # a descent to the leaf, and the way back from its children
    node = leaf
    while True:
        tree.best[node] = best_child(tree, node)
        value = -tree.value[tree.best[node]]
        changed = value != tree.value[node]
        tree.value[node] = value
        if node == 0 or not changed:
            break
        node = tree.parent[node]
    tree.register[NODE] = node
