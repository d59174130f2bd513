"""Random positions as examples to learn from, with their features, and how random games went from there.

The thesis's way (Abramson 1987, section 5.2.3): random moves from the beginning of the game, then random games
to the end from there. How many moves is drawn by a distribution: `middle` has the middle of a game most often and falls
off evenly to both sides (the thesis, for Othello), `uniform` has every depth as often (the thesis, for chess).

Selective sampling (section 7 of the thesis): with a `temperature` above 0 moves are not all equally likely. A move's
probability is proportional to exp(value / temperature), by the evaluator's opinion of the position that it leads to.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from ludus.kernel.limits import RUNNING, STOP_EXHAUSTED, spent
from ludus.kernel.playout import (
    TALLY,
    SettingName,
    begin_tally,
    drawn_move,
    longest_playout,
    note,
    playout,
    sampling,
)
from ludus.kernel.random import below, seed_for, unit
from ludus.kernel.rules import SLACK, chance, load, moves, phase, play, score, store, terms
from ludus.learning.features import Features, nothing_to_learn
from ludus.learning.recording import add_result, begin_results, example_arrays, worth
from ludus.library.evaluators.learned.learned import Learned
from ludus.model.budget import Budget
from ludus.model.program import Program
from ludus.runtime.player import typical_length
from ludus.runtime.runner import Runner

Depths = Literal["middle", "uniform"]

CHUNK = 250
"""How many positions are sampled at a time: what Ctrl-C may lose."""

TRIES = 10_000
"""After this many random games without a position to take, it is assumed that there is none."""


class RandomPositions(Program):
    """Draws positions by random moves, and plays random games from each."""

    handles_chance = True
    registers = {"done": "i8", "is_drawn": "i8", "written": "i8", "tries": "i8"}

    def __init__(
        self,
        positions: int = CHUNK,
        deepest: int = 60,
        middle: bool = True,
        longest: int = 1000,
        widest: int = 1,
        playouts: int = 32,
        setting: SettingName = "quick",
        temperature: float = 0.0,
    ) -> None:
        """deepest: the most random moves; middle: half as many are the likeliest, else any number is as likely;
        longest: plies after which a game counts as a draw; widest: terms that a position may have; playouts: from each
        position, or 0 for those of the setting, which may stop early; temperature: 0 for moves that are equally likely,
        else the evaluator has a say."""
        self.temperature = temperature
        self.positions, self.deepest, self.middle, self.longest, self.widest = (
            positions,
            deepest,
            middle,
            longest,
            widest,
        )
        vars(self).update(sampling(setting, playouts, playouts, -1.0, "auto", "result"))

    def step(self, game, evaluator, tree, limits):
        register = tree.register[0]
        while register.done < self.positions:
            status = spent(game.meter, limits, False)
            if status != RUNNING:
                return status
            if register.is_drawn == 0:
                register.tries += 1
                if register.tries > TRIES:
                    return STOP_EXHAUSTED
                if draw_position(self, game, evaluator, tree):
                    write_example(game, evaluator, tree)
                    begin_tally(tree.tally, 0)
                    register.is_drawn, register.tries = 1, 0
                continue
            state = load(tree.state, 1)
            result = finished(self, game, evaluator, tree, state)
            add_result(tree.results, register.done, result)
            if note(self, tree.tally, 0, result):
                register.done += 1
                register.is_drawn = 0
        return STOP_EXHAUSTED

    def extras(self, game, evaluator, compiled):
        own = {"tally": np.zeros((1, TALLY)), "standing": np.zeros(game.max_moves + SLACK)}
        return own | example_arrays(self.positions, self.widest)


def finished(program, game, evaluator, tree, state):
    """Play a game to its end; the score to the player to move in `state`."""
    n = moves(game, state, tree.out)
    if program.temperature == 0.0:
        return playout(game, state, n, tree.out, tree.random, program.longest)
    plies, sense = 0, 1.0
    while n > 0:
        if plies == program.longest:
            return 0.0
        chosen, by_chance = drawn(program, game, evaluator, tree, state, n)
        sense = sense if by_chance else -sense
        state = play(game, state, tree.out[chosen])
        n = moves(game, state, tree.out)
        plies += 1
    return sense * score(game, state)


def drawn(program, game, evaluator, tree, state, n):
    """Which of the `n` moves of `state` in `tree.out` is made, and whether chance makes it."""
    if program.temperature == 0.0 or n == 1 or chance(game, state, game.probabilities) > 0:
        return drawn_move(game, state, n, tree.random)
    best = -np.inf
    for i in range(n):
        after = play(game, state, tree.out[i])
        tree.standing[i] = -worth(game, evaluator, after)
        best = max(best, tree.standing[i])
    total = 0.0
    for i in range(n):
        tree.standing[i] = math.exp((tree.standing[i] - best) / program.temperature)
        total += tree.standing[i]
    left, chosen = total * unit(tree.random), 0
    while chosen < n - 1 and left >= tree.standing[chosen]:
        left -= tree.standing[chosen]
        chosen += 1
    return np.int64(chosen), False


def draw_position(program, game, evaluator, tree):
    """Make a random number of random moves, and store where that leads as node 1; whether there is a choice there."""
    plies = below(tree.random, program.deepest + 1)
    if program.middle:  # the mean of two numbers that are equally likely
        plies = (plies + below(tree.random, program.deepest + 1)) // 2
    state = load(tree.state, 0)
    n = moves(game, state, tree.out)
    while True:
        if n == 0 or (plies <= 0 and chance(game, state, game.probabilities) == 0):
            break
        chosen, by_chance = drawn(program, game, evaluator, tree, state, n)
        plies -= 0 if by_chance else 1
        state = play(game, state, tree.out[chosen])
        n = moves(game, state, tree.out)
    store(tree.state, 1, state)
    return n > 1


def write_example(game, evaluator, tree):
    """Note the terms of the state at node 1 as those of example `done`; they end at `written`."""
    register = tree.register[0]
    state = load(tree.state, 1)
    n = terms(evaluator, game, state, tree.term, tree.amount)
    for i in range(n):
        tree.places[register.written + i] = tree.term[i]
        tree.values[register.written + i] = tree.amount[i]
    register.written += n
    tree.counts[register.done] = n
    tree.far[register.done] = phase(game, state)
    begin_results(tree.results, register.done)


class RandomChunks:
    """Chunks of random positions; chunk k is the same whoever makes it."""

    def __init__(
        self,
        features: Features,
        seed: int,
        depths: Depths = "middle",
        deepest: int = 0,
        playouts: int | str = 32,
        compiled: bool | None = None,
        announce: Any = None,
        guide: Learned | None = None,
        temperature: float = 0.0,
    ) -> None:
        """deepest: 0 for the length of a typical game; playouts: a number, `weak` or `strong`; guide: the evaluator
        that chooses moves, where the temperature is above 0."""
        game, evaluator = features.game, (guide or features.evaluator).on(features.game)
        setting: Any = playouts if isinstance(playouts, str) else "quick"
        program = RandomPositions(
            CHUNK,
            deepest or typical_length(game),
            depths == "middle",
            longest_playout(game),
            evaluator.most_terms,
            0 if isinstance(playouts, str) else playouts,
            setting,
            temperature,
        )
        self.features, self.seed = features, seed
        self.work = Runner(program, game, evaluator, compiled, announce)

    @property
    def is_compiled(self) -> bool:
        return self.work.kernel is not None

    def make(self, number: int) -> dict[str, np.ndarray]:
        """The chunk with this number, as arrays."""
        work = self.work
        work.run(self.features.game.start, Budget(), seed_for(self.seed, number))
        arrays, register = work.tree.arrays, work.tree.record.register[0]
        if int(register.done) < CHUNK:
            raise nothing_to_learn(self.features.game)
        return taken(arrays, CHUNK, int(register.written)) | {"game": number * CHUNK + np.arange(CHUNK)}


def taken(arrays: dict[str, Any], rows: int, written: int) -> dict[str, np.ndarray]:
    """The examples that were written, as arrays for a file."""
    found = {"places": arrays["places"][:written].copy(), "values": arrays["values"][:written].copy()}
    return found | {name: arrays[name][:rows].copy() for name in ("counts", "far", "results")}
