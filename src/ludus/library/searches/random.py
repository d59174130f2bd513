"""A legal move at random: the weakest opponent, and the first thing any search has to beat."""

from ludus.kernel.limits import NEEDS_NODES, STOP_EXHAUSTED
from ludus.kernel.random import below
from ludus.kernel.tree import open_node
from ludus.model.search import Search


class Random(Search):
    """A legal move, uniformly at random."""

    name = "random"
    contender = True
    looks_ahead = False
    handles_chance = True
    registers = {"chosen": "i8"}  # the child to play

    def step(self, game, evaluator, tree, limits):
        if not open_node(game, tree, 0):
            return NEEDS_NODES
        tree.register[0].chosen = tree.first[0] + below(tree.random, tree.count[0])
        return STOP_EXHAUSTED

    def choice(self, tree):
        return int(tree.register[0].chosen)
