"""Searches that misbehave, each in its own way, from the third ply on."""

import os
import signal

from ludus import Search
from ludus.kernel.limits import PAUSED, STOP_NODES, TRAVERSED
from ludus.kernel.rules import load, play
from ludus.kernel.tree import expand


def stones(tree):
    """How many squares of a tic-tac-toe board are taken."""
    mine, theirs = load(tree.state, 0)[:2]
    taken = 0
    for square in range(9):
        taken += (mine | theirs) >> square & 1
    return taken


class Raises(Search):
    """Raises."""

    def step(self, game, evaluator, tree, limits):
        expand(game, evaluator, tree, 0)
        if stones(tree) > 2:
            raise ValueError("too many stones")
        return STOP_NODES


class Cheats(Search):
    """Goes where somebody is already."""

    def step(self, game, evaluator, tree, limits):
        expand(game, evaluator, tree, 0)
        if stones(tree) > 2:
            for child in range(tree.first[0], tree.first[0] + tree.count[0]):
                tree.move[child] = 99
        return STOP_NODES


class Overruns(Search):
    """Generates fifty times what it may."""

    def step(self, game, evaluator, tree, limits):
        expand(game, evaluator, tree, 0)
        if stones(tree) > 2:
            for _ in range(50 * limits[0]):
                play(game, load(tree.state, 0), tree.move[1])
        return STOP_NODES


class Dawdles(Search):
    """Never gets done, but can be stopped between two slices."""

    def step(self, game, evaluator, tree, limits):
        if tree.count[0] < 0:
            expand(game, evaluator, tree, 0)
        game.meter[TRAVERSED] += 1
        return PAUSED if stones(tree) > 2 else STOP_NODES


class Hangs(Search):
    """Never comes back."""

    def step(self, game, evaluator, tree, limits):
        expand(game, evaluator, tree, 0)
        while stones(tree) > 2 and tree.size[0] > 0:
            tree.value[0] += 1
        return STOP_NODES


class Dies(Search):
    """Takes its process with it (interpreted only)."""

    def step(self, game, evaluator, tree, limits):
        expand(game, evaluator, tree, 0)
        if stones(tree) > 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return STOP_NODES
