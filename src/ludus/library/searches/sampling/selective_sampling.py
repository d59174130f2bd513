"""Selective sampling (Abramson 1987, section 7): random play, then play that has learnt from it, and so on.

On the first run games are completed at random, and an evaluator of order 0 is fitted to them. On the second each move
is made with a probability that its standing by that evaluator gives it; to these games an evaluator of order 1 is
fitted; and so on. The moves of the root are judged by the games of the last run.

The thesis fits features of positions. So that it runs on any game, here the evaluator that is fitted has one number for
each player and move: the mean result to him over all times that he made it, with one draw added. So the standing of a
move is known without making it, and choosing costs no nodes. Its probability is proportional to exp(standing /
temperature). (As a way to guide playouts that is MAST: Finnsson & Björnsson 2008.) A move is known by its number,
whatever the position: a square of Othello, a column of Connect Four.
"""

from __future__ import annotations

import math

import numpy as np

from ludus.kernel.limits import DEEPEN, EXPANDED, NEEDS_NODES, RUNNING, STOP_SURE, TRAVERSED, part_spent, spent
from ludus.kernel.playout import MOST_SAMPLES, begin_tally, count_game, counting, estimate, longest_playout, sign
from ludus.kernel.random import below, unit
from ludus.kernel.rules import load
from ludus.kernel.tree import UNOPENED, children
from ludus.library.searches.sampling.flat import Flat, begin_move, open_root
from ludus.library.searches.sampling.halving import PLAYOUTS
from ludus.library.searches.sampling.told_playout import told_playout

MOVES = 4096
"""Moves that are told apart, a power of 2: two whose numbers differ by a multiple of it are taken for one."""

TIMES, TOTAL = 0, 1
"""What a run learns of a player's move: how often he made it, and the sum of the results to him."""

MOST_ORDER = 100


class SelectiveSampling(Flat):
    """Playouts whose moves are chosen by what earlier playouts have shown, again and again (Abramson 1987)."""

    name = "selective-sampling"
    plays_out = True
    variants = ("order=3, temperature=1.0, playouts=40",)
    registers = {
        "child": "i8",  # whose turn it is
        "order": "i8",  # the order of the evaluator that is being fitted
        "played": "i8",  # playouts
        "playouts": "i8",  # how many there are in all; 0: as many as the budget allows
        "plies": "i8",  # decisions in the playout so far
        "mover": "i8",  # who would have to move at its end
        "longest": "i8",  # plies of a playout
    }

    def __init__(self, order: int = 1, temperature: float = 0.1, playouts: int = 0) -> None:
        """
        order: how often play learns from the games before; 0 is plain random sampling
        temperature: a move is chosen with a probability proportional to exp(its mean result / temperature)
        playouts: how many in all, the same number in each run; 0: as many as the budget allows
        """
        if not 0 <= order <= MOST_ORDER:
            raise ValueError(f"order must be from 0 to {MOST_ORDER}")
        if not 0.01 <= temperature < math.inf:
            raise ValueError("temperature must be 0.01 or above")
        if not 0 <= playouts <= MOST_SAMPLES:
            raise ValueError(f"playouts must be at least 1 and at most {MOST_SAMPLES}, or 0 for what the budget allows")
        self.order, self.temperature, self.playouts = order, temperature, playouts
        self._set(counting("half", "result"))

    def extras(self, game, evaluator, compiled):
        """What this run and the one before have learnt of each player's moves (first runs of even order, then of odd;
        0 is the player who moves after the root); and the moves of a playout."""
        return {"learnt": np.zeros((2, 2, MOVES, 2)), "made": np.zeros(1 + longest_playout(game), np.int64)}

    def step(self, game, evaluator, tree, limits):
        at = tree.register[0]
        if tree.count[0] == UNOPENED:
            if not open_root(game, tree):
                return NEEDS_NODES
            at.child = tree.first[0]
        while True:
            if tree.count[at.child] != 0:
                status = spent(game.meter, limits, False)
                if status != RUNNING:
                    return status
                sample(self, game, evaluator, tree, at.child)
            game.meter[TRAVERSED] += 1
            at.child += 1
            if at.child == tree.first[0] + tree.count[0]:
                at.child = tree.first[0]
                if at.played == 0:
                    return STOP_SURE  # all moves end the game
                if is_run_over(self, game, tree, limits):
                    if at.order == self.order:
                        return STOP_SURE
                    next_order(tree)

    def choose_move(self, tree, n, mover):
        chosen = below(tree.random, n) if tree.register[0].order == 0 else by_weight(self, tree, n, mover)
        tree.made[tree.register[0].plies] = place(tree.reply[chosen])
        tree.register[0].plies += 1
        return chosen

    def prepare(self, tree, game, state, limits):
        tree.register[0].longest = longest_playout(game)
        tree.register[0].playouts = self.playouts or (0 if limits[DEEPEN] else PLAYOUTS)
        tree.learnt[:] = 0.0


def place(move):
    """The index under which results of a move are kept."""
    return move & (MOVES - 1)


def by_weight(search, tree, n, mover):
    """One of the `n` moves in `tree.reply`, with a probability proportional to its weight."""
    total = 0.0
    for i in range(n):
        total += weight(search, tree, mover, tree.reply[i])
    left = total * unit(tree.random)
    for i in range(n - 1):
        left -= weight(search, tree, mover, tree.reply[i])
        if left < 0.0:
            return np.int64(i)
    return np.int64(n - 1)


def weight(search, tree, mover, move):
    """The weight of a move in the choice, by its mean result in the order before, with one draw added."""
    before, cell = (tree.register[0].order - 1) % 2, place(move)
    mean = tree.learnt[before, mover, cell, TOTAL] / (tree.learnt[before, mover, cell, TIMES] + 1.0)
    return math.exp(mean / search.temperature)


def sample(search, game, evaluator, tree, child):
    """One playout after this move, from which play learns; a move that ends the game needs none."""
    at = tree.register[0]
    n = begin_move(search, game, evaluator, tree, child)
    if n == 0:
        return
    game.meter[EXPANDED] += 1
    at.plies = 0
    result = told_playout(search, game, tree, load(tree.state, child), n)
    at.played += 1
    count_game(search, tree.tally, child, result, 1.0)
    tree.value[child] = estimate(tree.tally, child)
    learn(tree, 1, place(tree.move[child]), -sign(result))
    for ply in range(at.plies):
        learn(tree, ply % 2, tree.made[ply], sign(result) if ply % 2 == 0 else -sign(result))


def learn(tree, mover, cell, result):
    """A game in which `mover` made a move had that result for him."""
    run = tree.register[0].order % 2
    tree.learnt[run, mover, cell, TIMES] += 1.0
    tree.learnt[run, mover, cell, TOTAL] += result


def next_order(tree):
    """The evaluator of this order is fitted: from now on it chooses the moves, and the next one is fitted.

    What the run before has found of the root's moves stands until the next one tries them.
    """
    tree.register[0].order += 1
    tree.learnt[tree.register[0].order % 2] = 0.0
    for child in children(tree, 0):
        if tree.count[child] != 0:
            begin_tally(tree.tally, child)


def is_run_over(search, game, tree, limits):
    """After each turn: has this run had its share of the playouts, or of the budget? The last takes what is left."""
    at, runs = tree.register[0], search.order + 1
    if at.playouts > 0:
        return at.played * runs >= at.playouts * (at.order + 1)
    return at.order < search.order and part_spent(game.meter, limits) * runs >= at.order + 1
