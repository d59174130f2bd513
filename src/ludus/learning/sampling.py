"""Positions of a game, from games that begin at random and go on by an evaluator's opinion.

A sampled game makes its first moves at random, any number of them up to the length of a typical game, so some games
are random from beginning to end. From there on each player makes the move that looks best one ply ahead, any of equals,
and now and then a random one. To choose, all successors are valued: so the value one ply deeper comes with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.kernel.chance import drawn_choice
from ludus.kernel.columns import Column, integer, number
from ludus.kernel.limits import GENERATED, NEEDS_NODES, RUNNING, STOP_DEPTH, STOP_EXHAUSTED, spent
from ludus.kernel.playout import longest_playout
from ludus.kernel.random import below, seed_for, unit
from ludus.kernel.rules import chance, digest, evaluate, final, guarded, load, moves, over, phase, play, score, store
from ludus.model.budget import Budget
from ludus.model.component import construct
from ludus.model.evaluator import Evaluator
from ludus.model.playable import PlayableGame
from ludus.model.program import Program
from ludus.runtime.player import typical_length
from ludus.runtime.runner import Runner

EXPLORE = 0.02
"""How often a player who goes by the evaluator makes a random move."""

PER_GAME = 8
"""Positions taken from a game. Those of one game share its result, so more of them say little more about the chances of
winning; more are taken only if the games that the nodes allow would give too few."""

PATIENCE = 100
"""When this many games in a row bring fewer new positions than there are games, it is assumed that few are left."""


class SampledGame(Program):
    """Plays one game; the positions on the way are the nodes, each with what is known of it."""

    handles_chance = True
    registers = {"begun": "i8", "ply": "i8", "opening": "i8"}
    columns = {
        "static": number(),
        "backed": number(),  # the value one ply deeper
        "stage": number(),  # the game's phase
        "outcomes": integer(),  # above 0 where chance decides
        "key": Column("u8", 0),  # 64 bits of the state
    }

    def __init__(self, typical: int = 30, longest: int = 1000) -> None:
        """typical: plies of a typical game; longest: plies after which a game counts as a draw."""
        self.typical, self.longest = typical, longest

    def step(self, game, evaluator, tree, limits):
        register = tree.register[0]
        if register.begun == 0:
            register.opening = below(tree.random, self.typical + 1)
            register.begun = 1
        while True:
            status = arrive(game, tree, limits, self.longest)
            if status != RUNNING:
                return status
            ply = register.ply
            state, n = load(tree.state, ply), tree.count[ply]
            tree.static[ply] = evaluate(evaluator, game, state)
            tree.stage[ply] = phase(game, state)
            picked = picked_move(tree, ply, n, ply < register.opening)
            tree.backed[ply] = go_on(game, evaluator, tree, ply, n, picked)
            register.ply = ply + 1

    def extras(self, game, evaluator, compiled):
        return {"odds": guarded(game.room, np.float64)}


def arrive(game, tree, limits, last):
    """List the moves of the position at `register.ply` in `tree.out`; RUNNING, or why the game does not go on.

    `last` is the ply beyond which it does not.
    """
    status = spent(game.meter, limits, False)
    if status != RUNNING:
        return status
    ply = tree.register[0].ply
    if ply + 1 >= tree.parent.size:
        return NEEDS_NODES
    tree.size[0] = ply + 1
    state = load(tree.state, ply)
    n = moves(game, state, tree.out)
    tree.count[ply] = n
    tree.key[ply] = digest(state)
    if n == 0:
        tree.value[ply] = score(game, state)
        return STOP_EXHAUSTED
    if ply == last:
        return STOP_DEPTH
    tree.outcomes[ply] = chance(game, state, tree.odds)
    return RUNNING


def picked_move(tree, ply, n, at_random):
    """Which of the moves in `tree.out` is made, where the evaluator is not asked; else -1."""
    by_chance = tree.outcomes[ply] > 0
    if by_chance or at_random or unit(tree.random) < EXPLORE:
        return drawn_choice(tree.random, tree.odds, tree.outcomes[ply], n)
    return np.int64(-1)


def go_on(game, evaluator, tree, ply, n, picked):
    """Store the next position of the game, after the picked move or the best, and return the value one ply deeper."""
    state = load(tree.state, ply)
    by_chance = tree.outcomes[ply] > 0
    best, mean, equals = -np.inf, 0.0, 0
    for i in range(n):
        after = play(game, state, tree.out[i])
        value = final(evaluator, game, after) if over(game, after) else evaluate(evaluator, game, after)
        if by_chance:
            mean += tree.odds[i] * value
        value = -value
        if i == 0 or value > best:
            best, equals = value, 1
        elif value == best:
            equals += 1
        chosen = i == picked
        if picked < 0 and value == best:
            chosen = below(tree.random, equals) == 0
        if chosen or i == 0:
            store(tree.state, ply + 1, after)
    return mean if by_chance else best


@dataclass(frozen=True)
class Played:
    """One sampled game: arrays with an entry for each position in which a player has to move."""

    game: PlayableGame
    number: int
    states: list[Any]
    keys: np.ndarray
    static: np.ndarray
    backed: np.ndarray
    phase: np.ndarray
    before: np.ndarray
    """How many moves the position before had; -1: there was none."""
    earlier: np.ndarray
    """How many the one before that had."""
    result: np.ndarray
    """Won, drawn or lost for the player to move: 1, 0.5 or 0."""
    by_opinion: np.ndarray
    """Whether the evaluator decided from there on, so that the result tells how good the position is."""
    cost: int
    """Nodes generated."""

    def drawn(self, seed: int, most: int, seen: set[tuple[int, int]]) -> list[int]:
        """The places of positions with finite values, drawn at random, that are not among those seen, which they join;
        at most this many."""
        kind = self.number if type(self.game).seeded else 0  # two games of other seeds share no position
        found: list[int] = []
        places = np.flatnonzero(np.isfinite(self.static) & np.isfinite(self.backed)).tolist()
        for place in sorted(places, key=lambda place: seed_for(seed, self.number, place, 2)):
            key = kind, int(self.keys[place])
            if len(found) < most and key not in seen:
                seen.add(key)
                found.append(place)
        return found


class Games:
    """Samples games, one after the other; game k is the same whoever asks, and whatever was asked before."""

    def __init__(
        self,
        game: PlayableGame,
        evaluator: Evaluator,
        seed: int,
        compiled: bool | None = None,
        announce: Callable[[str], None] | None = None,
    ) -> None:
        self.game, self.evaluator, self.seed = game, evaluator, seed
        program = SampledGame(typical_length(game), longest_playout(game))
        self.work = Runner(program, game, evaluator, compiled, announce)

    @property
    def is_compiled(self) -> bool:
        return self.work.kernel is not None

    def __iter__(self) -> Iterator[Played]:
        number = 0
        while True:
            yield self.play(number)
            number += 1

    def play(self, number: int) -> Played:
        """Play the game with this number; a game whose `seed` makes another one of its kind gets one of its own."""
        game, evaluator = self.game, self.evaluator
        if type(game).seeded:
            game = construct(type(game), game._arguments | {"seed": seed_for(self.seed, number) % 2**31})
            evaluator = evaluator.on(game)
        if not self.work.rebind(game, evaluator):
            self.work = Runner(self.work.program, game, evaluator, None if self.is_compiled else False)
        stopped = self.work.run(game.start, Budget(), seed_for(self.seed, number, 1))
        return self._read(game, number, is_over=stopped == "exhausted")

    def _read(self, game: PlayableGame, number: int, is_over: bool) -> Played:
        tree = self.work.tree
        size = int(tree.arrays["size"][0])
        last = size - 1  # the finished game, or one that is too long
        cells = {name: tree.arrays[name][:last].copy() for name in ("static", "backed", "stage", "outcomes", "key")}
        counts = tree.arrays["count"][:last].astype(float)
        places = np.flatnonzero(cells["outcomes"] == 0)
        score = float(tree.arrays["value"][last]) if is_over else 0.0
        own = np.append(cells["outcomes"] == 0, True).astype(int)
        turns = np.cumsum(own) - own  # the moves that players have made before each position
        sense = np.where((turns[last] - turns[:last]) % 2 == 0, 1.0, -1.0)
        opening = int(tree.record.register[0].opening)
        return Played(
            game,
            number,
            [tree.state(int(place)) for place in places],
            cells["key"][places],
            cells["static"][places],
            cells["backed"][places],
            cells["stage"][places],
            np.append(-1.0, counts)[:last][places],
            np.append([-1.0, -1.0], counts)[:last][places],
            (0.5 + 0.5 * np.sign(score * sense))[places],
            np.arange(last)[places] >= opening,
            int(self.work.meter[GENERATED]),
        )


@dataclass(frozen=True)
class Sample:
    """Distinct positions of many games, an entry each. No position counts twice, and so no game does."""

    game: np.ndarray
    """The number of the game that it is from."""
    static: np.ndarray
    backed: np.ndarray
    phase: np.ndarray
    before: np.ndarray
    earlier: np.ndarray
    result: np.ndarray
    by_opinion: np.ndarray
    games: int
    """How many games were played."""
    drawn: list[tuple[int, PlayableGame, Any]]
    """Some of the positions of each game, with their places in the arrays."""

    def __len__(self) -> int:
        return len(self.static)

    @property
    def held_out(self) -> np.ndarray:
        """Whether a position is from a game that nothing is fitted to."""
        return self.game % 4 == 3


FIELDS = ("static", "backed", "phase", "before", "earlier", "result", "by_opinion")


def sample(
    games: Games,
    positions: int,
    nodes: int,
    drawn: int,
    progress: Callable[[int], None] = lambda positions: None,
) -> Sample:
    """Distinct positions, `PER_GAME` of a game: at most `positions`, of games that generate at most `nodes` (and a
    game more), with up to `drawn` states of each game."""
    seen: set[tuple[int, int]] = set()
    parts: dict[str, list[np.ndarray]] = {name: [] for name in ("game", *FIELDS)}
    states: list[tuple[int, PlayableGame, Any]] = []
    cost = many = 0
    gained: deque[int] = deque([positions] * PATIENCE, maxlen=PATIENCE)  # new positions of the last games
    for played in games:
        cost += played.cost
        affordable = (played.number + 1) * nodes // max(cost, 1)
        per_game = max(PER_GAME, -(-positions // max(affordable, 1)))
        fresh = played.drawn(games.seed, min(per_game, positions - many), seen)
        for name in FIELDS:
            parts[name].append(getattr(played, name)[fresh])
        parts["game"].append(np.full(len(fresh), played.number))
        states += [(many + i, played.game, played.states[place]) for i, place in enumerate(fresh[:drawn])]
        many += len(fresh)
        gained.append(len(fresh))
        progress(many)
        if many >= positions or cost >= nodes or sum(gained) < PATIENCE:
            break
    arrays = {name: np.concatenate(found) for name, found in parts.items()}
    return Sample(**arrays, games=played.number + 1, drawn=states)
