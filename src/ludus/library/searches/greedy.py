"""No lookahead: the move whose successor the evaluator likes best, as in the thesis's decision-quality tests."""

from ludus.kernel.limits import NEEDS_NODES, STOP_DEPTH, TRAVERSED
from ludus.kernel.tree import expand
from ludus.model.search import Search


class Greedy(Search):
    """No lookahead: the move to the best-valued successor, the first of equals (Abramson 1987, section 5.2.1)."""

    name = "greedy"
    contender = True
    looks_ahead = False
    handles_chance = True

    def step(self, game, evaluator, tree, limits):
        if not expand(game, evaluator, tree, 0):
            return NEEDS_NODES
        game.meter[TRAVERSED] += tree.count[0]
        return STOP_DEPTH
