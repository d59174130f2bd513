"""The referee: keeps the position of a game, checks that moves are legal and knows when it is over, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core.budget import STOP_EXHAUSTED
from ludus.core.errors import RuleError
from ludus.core.game import Game
from ludus.core.perft import NoEvaluator
from ludus.core.rules import chance, load, moves, play, score, store
from ludus.core.search import Search, Session

MOVE, LEGAL, COUNT, OUTCOMES = 0, 1, 2, 3  # registers
NO_MOVE = -(2**62)


class Referee(Search):
    """Not a search: one step plays one move, if it is legal, and looks at the position that arises."""

    handles_chance = True

    def step(self, game, evaluator, tree, limits):
        n = moves(game, load(tree.state, 0), tree.out)
        tree.register[LEGAL] = 0
        for i in range(n):
            if tree.out[i] == tree.register[MOVE]:
                tree.register[LEGAL] = 1
        if tree.register[LEGAL] == 1:
            store(tree.state, 0, play(game, load(tree.state, 0), tree.register[MOVE]))
            n = moves(game, load(tree.state, 0), tree.out)
        tree.register[COUNT] = n
        tree.register[OUTCOMES] = chance(game, load(tree.state, 0), tree.odds)
        if n == 0:
            tree.value[0] = score(game, load(tree.state, 0))
        return STOP_EXHAUSTED

    def extras(self, game, compiled):
        return {"odds": np.zeros(len(game.buffer()))}


class Board:
    """A game in progress."""

    def __init__(self, game: Game, compiled: bool | None = None) -> None:
        self.compiled = compiled
        self.session = Session(Referee(), game, NoEvaluator(), compiled)
        self.reset(game)

    def reset(self, game: Game, state: Any = None) -> None:
        """Start a game from `state`, or from the beginning."""
        if not self.session.rebind(game, self.session.evaluator):
            self.session = Session(Referee(), game, NoEvaluator(), self.compiled)
        self.state = game.start if state is None else state
        self.session.tree.plant(self.state, 0)
        self._step(NO_MOVE)

    def _step(self, move: int) -> bool:
        register = self.session.tree.record.register
        register[MOVE] = move
        try:
            self.session.step()
        except Exception as error:
            if self.session.kernel is None:
                raise
            raise RuleError.replayed(self.session.game, error, lambda: self._replay(move)) from error
        self.is_over = register[COUNT] == 0
        outcomes = register[OUTCOMES]
        self.odds: list[float] = self.session.tree.record.odds[:outcomes].tolist() if outcomes else []
        """The probabilities of what is legal, where chance decides; empty where a player does."""
        self.state = self.session.tree.state(0)
        return register[LEGAL] == 1

    def _replay(self, move: int) -> None:
        """Make the same move on an interpreted board, where a rule that fails names its position and its line."""
        slow = Board(self.session.game, compiled=False)
        slow.reset(self.session.game, self.state)
        slow.play(move)

    def play(self, move: int) -> bool:
        """Make a move; False, and nothing happens, if it is not legal."""
        return self._step(move)

    @property
    def legal(self) -> list[int]:
        record = self.session.tree.record
        return [int(move) for move in record.out[: record.register[COUNT]]]

    @property
    def score(self) -> float:
        """The score of a finished game to the player to move."""
        value = float(self.session.tree.record.value[0])
        assert self.is_over
        assert not np.isnan(value)
        return value
