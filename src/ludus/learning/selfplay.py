"""Games in which an evaluator of features plays itself: examples for `logistic`, and TD(lambda) (Sutton 1988).

A game begins with random moves, any number of them up to a limit. From there on each player makes the move that looks
best one ply ahead, any of equals, and now and then a random one. Positions without a choice are passed over.

TD(lambda), as the LCF paper names it (Utgoff & Cochran 2001): the value of a position is the hyperbolic tangent of the
weighted sum, from -1, lost, to 1, won. After each game the weights move towards the lambda-returns of its positions:
what the next position was worth, and the one after it, and so on to the result, each later one by a factor lambda less.
After a random move that was not the best, the value of the best one stands for all that followed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ludus.kernel.chance import drawn_outcome
from ludus.kernel.limits import RUNNING, STOP_EXHAUSTED, spent
from ludus.kernel.playout import longest_playout, sign
from ludus.kernel.random import below, seed_for, unit
from ludus.kernel.rules import chance, load, moves, phase, play, score, store, terms
from ludus.learning.features import Features
from ludus.learning.recording import add_result, begin_results, example_arrays, worth
from ludus.library.evaluators.learned.learned import Learned, stage
from ludus.model.budget import Budget
from ludus.model.program import Program
from ludus.runtime.player import typical_length
from ludus.runtime.runner import Runner

GAMES = 50
"""Games in a chunk."""

ROOM = 40_000_000
"""Bytes that the terms of a chunk may take, unless one long game needs more; where they are full a chunk ends early."""


class SelfPlay(Program):
    """Plays games, one after the other, and learns from each if `rate` is above 0."""

    handles_chance = True
    registers = {
        "game": "i8",
        "begun": "i8",
        "ply": "i8",
        "opening": "i8",
        "first": "i8",
        "row": "i8",
        "learnt": "i8",
        "sense": "f8",
    }

    def __init__(
        self,
        games: int = GAMES,
        opening: int = 30,
        explore: float = 0.05,
        longest: int = 1000,
        most: int = 1,
        rate: float = 0.0,
        trace: float = 0.7,
    ) -> None:
        """opening: the most random moves at the beginning; explore: how often later moves are random; longest: plies
        after which a game counts as a draw; most: terms that a position may have; rate: of learning; trace: lambda."""
        self.games, self.opening, self.explore, self.longest = games, opening, explore, longest
        self.most, self.rate, self.trace = most, rate, trace

    def step(self, game, evaluator, tree, limits):
        register = tree.register[0]
        while register.game < self.games:
            status = spent(game.meter, limits, False)
            if status != RUNNING:
                return status
            if register.begun == 0:
                if register.row + self.longest > tree.far.size:
                    return STOP_EXHAUSTED
                store(tree.state, 1, load(tree.state, 0))
                register.ply, register.sense, register.begun = 0, 1.0, 1
                register.opening = below(tree.random, self.opening + 1)
                register.first = register.row
            state = load(tree.state, 1)
            n = moves(game, state, tree.out)
            if n == 0 or register.ply >= self.longest:
                result = score(game, state) if n == 0 else 0.0
                end_game(self, evaluator, tree, register.sense * result)
                register.begun = 0
                register.game += 1
                continue
            go_on(self, game, evaluator, tree, n)
        return STOP_EXHAUSTED

    def extras(self, game, evaluator, compiled):
        several = 1 if self.rate > 0.0 else self.games
        rows = max(self.longest, min(several * self.longest, ROOM // (12 * self.most)))
        return example_arrays(rows, self.most) | {
            "number": np.zeros(rows, np.int64),
            "senses": np.zeros(rows),
            "thought": np.zeros(rows),
            "better": np.zeros(rows),
            "by_opinion": np.zeros(rows, np.bool_),
            "steps": np.ones(evaluator.weights.shape[1]),
        }


def go_on(program, game, evaluator, tree, n):
    """Make a move from the state at node 1, and note the position if there was a choice."""
    register = tree.register[0]
    state = load(tree.state, 1)
    register.ply += 1
    outcomes = chance(game, state, game.probabilities)
    if outcomes > 0:
        chosen = drawn_outcome(tree.random, game.probabilities, outcomes)
        store(tree.state, 1, play(game, state, tree.out[chosen]))
        return
    if n > 1:
        note_position(program, game, evaluator, tree, state)
    at_random = register.ply <= register.opening or unit(tree.random) < program.explore
    picked = below(tree.random, n) if at_random or n == 1 else np.int64(-1)
    best, taken, equals = -np.inf, -np.inf, 0
    if n == 1 or register.ply <= register.opening:
        store(tree.state, 2, play(game, state, tree.out[picked]))
    else:
        for i in range(n):
            after = play(game, state, tree.out[i])
            value = -worth(game, evaluator, after)
            equals = 1 if value > best else equals + 1 if value == best else equals
            best = max(best, value)
            if i == picked or (picked < 0 and value == best and below(tree.random, equals) == 0):
                taken = value
                store(tree.state, 2, after)
    if n > 1:
        row = register.row
        tree.better[row] = best if taken < best else np.nan
        tree.by_opinion[row] = register.ply > register.opening
        register.row = row + 1
    register.sense = -register.sense
    store(tree.state, 1, load(tree.state, 2))


def note_position(program, game, evaluator, tree, state):
    """Write down the terms of a position, and what it is thought to be worth."""
    register = tree.register[0]
    row = register.row
    start = row * program.most
    n = terms(evaluator, game, state, tree.term, tree.amount)
    far = phase(game, state)
    at, share = stage(evaluator.weights, far)
    value = 0.0
    for i in range(n):
        place, amount = tree.term[i], tree.amount[i]
        tree.places[start + i] = place
        tree.values[start + i] = amount
        value += (1.0 - share) * evaluator.weights[at, place] * amount
        if share > 0.0:
            value += share * evaluator.weights[at + 1, place] * amount
    tree.counts[row] = n
    tree.far[row] = far
    tree.number[row] = register.game
    tree.senses[row] = register.sense
    tree.thought[row] = math.tanh(value)


def end_game(program, evaluator, tree, result):
    """Write the result to all positions of the game, from the last to the first, and learn from it.

    `result` is to the player who had the first move.
    """
    register = tree.register[0]
    target = result
    for k in range(register.row - register.first):
        row = register.row - 1 - k
        own = tree.senses[row] * result
        begin_results(tree.results, row)
        add_result(tree.results, row, own)
        if program.rate > 0.0 and tree.by_opinion[row]:
            if not np.isnan(tree.better[row]):  # a random move: the best one would have been worth this
                target = math.tanh(tree.better[row])
            elif k == 0:
                target = sign(own)
            else:
                later = tree.senses[row] * tree.senses[row + 1]
                target = later * ((1.0 - program.trace) * tree.thought[row + 1] + program.trace * target)
            learn(program, evaluator, tree, row, target)
    if program.rate > 0.0:
        register.row = register.first


def learn(program, evaluator, tree, row, target):
    """Move the weights of a position's terms so that its value comes nearer to the target."""
    tree.register[0].learnt += 1
    value = tree.thought[row]
    step = program.rate * (target - value) * (1.0 - value * value)
    at, share = stage(evaluator.weights, tree.far[row])
    start = row * program.most
    for i in range(tree.counts[row]):
        place = tree.places[start + i]
        change = step * tree.steps[place] * tree.values[start + i]
        evaluator.weights[at, place] += (1.0 - share) * change
        if share > 0.0:
            evaluator.weights[at + 1, place] += share * change


class SelfPlayChunks:
    """Chunks of games that an evaluator plays against itself; chunk k is the same whoever makes it."""

    def __init__(
        self,
        features: Features,
        evaluator: Learned,
        seed: int,
        explore: float = 0.05,
        compiled: bool | None = None,
        announce: Any = None,
        rate: float = 0.0,
        trace: float = 0.7,
    ) -> None:
        game = features.game
        self.features, self.seed = features, seed
        self.evaluator = evaluator.on(game)
        self.evaluator.weights = evaluator.weights.copy()
        longest = longest_playout(game)
        program = SelfPlay(GAMES, typical_length(game) // 2, explore, longest, evaluator.most_terms, rate, trace)
        self.work = Runner(program, game, self.evaluator, compiled, announce)

    @property
    def is_compiled(self) -> bool:
        return self.work.kernel is not None

    def play(self, number: int) -> int:
        """Play the games of a chunk; how many positions there were, or how many were learnt from."""
        if self.work.program.rate > 0.0:
            self.evaluator.refresh()
        self.work.run(self.features.game.start, Budget(), seed_for(self.seed, number))
        register = self.work.tree.record.register[0]
        return int(register.learnt if self.work.program.rate > 0.0 else register.row)

    def make(self, number: int) -> dict[str, np.ndarray]:
        """The positions of a chunk from which on the evaluator decided, as arrays."""
        many = self.play(number)
        arrays, most = self.work.tree.arrays, self.work.program.most
        rows = np.flatnonzero(arrays["by_opinion"][:many])
        counts = arrays["counts"][rows]
        ends = np.cumsum(counts)
        where = np.repeat(rows * most - ends + counts, counts) + np.arange(ends[-1] if len(ends) else 0)
        found = {name: arrays[name][rows].copy() for name in ("counts", "far", "results")}
        found |= {"places": arrays["places"][where].copy(), "values": arrays["values"][where].copy()}
        return found | {"game": number * GAMES + arrays["number"][rows]}
