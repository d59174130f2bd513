"""Games walked through from the first position to the end: at random, or along given moves.

Each position of the game is a node of the tree, with how many moves there are and 64 bits that stand for it; so all
that is counted of a game is read from arrays, whether random moves made it or players did.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ludus.kernel.chance import drawn_choice
from ludus.kernel.columns import Column, integer
from ludus.kernel.limits import RUNNING
from ludus.kernel.playout import longest_playout
from ludus.kernel.random import seed_for
from ludus.kernel.rules import guarded, load, play, store
from ludus.learning.sampling import arrive
from ludus.model.budget import Budget
from ludus.model.playable import LONGEST_GAME, PlayableGame
from ludus.model.program import Program
from ludus.runtime.runner import Runner

RANDOM = -1
"""In the first cell of `tree.given`: all moves are made at random. Else it is how many moves are given."""


class WalkedGame(Program):
    """Plays one game; the positions on the way are the nodes."""

    handles_chance = True
    registers = {"ply": "i8"}
    columns = {
        "outcomes": integer(),  # above 0 where chance decides
        "made": integer(),  # the move that was made there
        "key": Column("u8", 0),  # 64 bits of the state
    }

    def __init__(self, longest: int = 1000) -> None:
        """longest: plies after which a random game counts as a draw."""
        self.longest = longest

    def step(self, game, evaluator, tree, limits):
        register = tree.register[0]
        given = tree.given[0]
        while True:
            status = arrive(game, tree, limits, self.longest if given == RANDOM else given)
            if status != RUNNING:
                return status
            ply = register.ply
            state, n = load(tree.state, ply), tree.count[ply]
            if given != RANDOM:
                move = tree.given[1 + ply]
            else:
                move = tree.out[drawn_choice(tree.random, tree.odds, tree.outcomes[ply], n)]
            tree.made[ply] = move
            store(tree.state, ply + 1, play(game, state, move))
            register.ply = ply + 1

    def extras(self, game, evaluator, compiled):
        return {"odds": guarded(game.room, np.float64), "given": np.full(LONGEST_GAME + 2, RANDOM, np.int64)}


@dataclass(frozen=True)
class Walked:
    """One game: arrays with an entry for each ply, chance and passes included."""

    moves: np.ndarray
    """The moves that were made."""
    counts: np.ndarray
    """From how many."""
    by_chance: np.ndarray
    """Whether chance made the move."""
    passes: np.ndarray
    """Whether it was a pass that the library puts in, where a player moves again."""
    keys: np.ndarray
    """64 bits of each position, the last one included, so there is one more of them."""
    score: float
    """To First; 0 if the game was not finished."""
    finished: bool
    """Whether the rules ended it: a game that lasts too long, or repeats a position too often, is a draw."""

    @property
    def decisions(self) -> np.ndarray:
        """The plies in which a player decides."""
        return np.flatnonzero(~(self.by_chance | self.passes))

    @property
    def last_mover(self) -> int:
        """Who made the last move: 0, First, or 1, Second; -1 if nobody moved."""
        decisions = self.decisions
        return int(_turns(self.by_chance)[decisions[-1]]) if len(decisions) else -1


class Walker:
    """Walks through games of one kind; game k is the same whatever was walked through before."""

    def __init__(
        self, game: PlayableGame, compiled: bool | None = None, announce: Callable[[str], None] | None = None
    ) -> None:
        self.game = game
        self.work = Runner(WalkedGame(longest_playout(game)), game, None, compiled, announce)

    @property
    def is_compiled(self) -> bool:
        return self.work.kernel is not None

    def random(self, seed: int, number: int) -> Walked:
        """The random game with this number."""
        self.work.tree.record.given[0] = RANDOM
        return self._walk(seed_for(seed, number))

    def along(self, moves: Sequence[int]) -> Walked:
        """The game in which these moves were made."""
        self.work.tree.record.given[0] = len(moves)
        self.work.tree.record.given[1 : 1 + len(moves)] = moves
        return self._walk(0)

    def _walk(self, seed: int) -> Walked:
        finished = self.work.run(self.game.start, Budget(), seed) == "exhausted"
        tree = self.work.tree
        last = int(tree.arrays["size"][0]) - 1
        counts, made = tree.arrays["count"][:last].copy(), tree.arrays["made"][:last].copy()
        by_chance = tree.arrays["outcomes"][:last] > 0
        passes = np.zeros(last, bool)
        if not type(self.game).alternates:
            for ply in np.flatnonzero((counts == 1) & ~by_chance):
                passes[ply] = self.game.must_pass(tree.state(int(ply)))
        sense = 1.0 if np.count_nonzero(~by_chance) % 2 == 0 else -1.0
        score = sense * float(tree.arrays["value"][last]) if finished else 0.0
        return Walked(made, counts, by_chance, passes, tree.arrays["key"][: last + 1].copy(), score, finished)


def _turns(by_chance: np.ndarray) -> np.ndarray:
    """Whose turn it is at each ply, 0 or 1; where chance decides, of whoever moves next."""
    own = (~by_chance).astype(int)
    return (np.cumsum(own) - own) % 2
