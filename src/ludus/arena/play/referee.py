"""The referee: keeps the position of a game, checks that moves are legal and knows when it is over, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.common.errors import RuleError
from ludus.kernel.limits import STOP_EXHAUSTED
from ludus.kernel.rules import chance, guarded, load, moves, play, score, store
from ludus.model.playable import PlayableGame
from ludus.model.program import Program
from ludus.runtime.runner import Runner

NO_MOVE = -(2**62)


class Referee(Program):
    """One step plays one move, if it is legal, and looks at the position that arises."""

    handles_chance = True
    registers = {"move": "i8", "legal": "i8", "count": "i8", "outcomes": "i8"}

    def step(self, game, evaluator, tree, limits):
        n = moves(game, load(tree.state, 0), tree.out)
        tree.register[0].legal = 0
        for i in range(n):
            if tree.out[i] == tree.register[0].move:
                tree.register[0].legal = 1
        if tree.register[0].legal == 1:
            store(tree.state, 0, play(game, load(tree.state, 0), tree.register[0].move))
            n = moves(game, load(tree.state, 0), tree.out)
        tree.register[0].count = n
        tree.register[0].outcomes = chance(game, load(tree.state, 0), tree.odds)
        if n == 0:
            tree.value[0] = score(game, load(tree.state, 0))
        return STOP_EXHAUSTED

    def extras(self, game, evaluator, compiled):
        return {"odds": guarded(game.room, np.float64)}


class Board:
    """A game in progress."""

    def __init__(self, game: PlayableGame, compiled: bool | None = None) -> None:
        self.compiled = compiled
        self.work = Runner(Referee(), game, None, compiled)
        self.reset(game)

    def reset(self, game: PlayableGame, state: Any = None) -> None:
        """Start a game from `state`, or from the beginning."""
        if not self.work.rebind(game, self.work.evaluator):
            self.work = Runner(Referee(), game, None, self.compiled)
        self.state = game.start if state is None else state
        self.work.tree.plant(self.state, 0)
        self.play(NO_MOVE)

    def play(self, move: int) -> bool:
        """Make a move; if it is not legal, return False and change nothing."""
        tree = self.work.tree
        register = tree.record.register[0]
        register.move = move
        try:
            self.work.step()
        except Exception as error:
            if self.work.kernel is None:
                raise
            raise RuleError.replayed(self.work.game, error, lambda: self._replay(move)) from error
        self.is_over = register.count == 0
        outcomes = register.outcomes
        self.odds: list[float] = tree.record.odds[:outcomes].tolist() if outcomes else []
        """The probabilities of the legal moves, where chance decides; empty where a player does."""
        self.state = tree.state(0)
        return register.legal == 1

    def _replay(self, move: int) -> None:
        """Make the same move on an interpreted board, where a rule that fails names its position and its line."""
        slow = Board(self.work.game, compiled=False)
        slow.reset(self.work.game, self.state)
        slow.play(move)

    @property
    def legal(self) -> list[int]:
        record = self.work.tree.record
        return [int(move) for move in record.out[: record.register[0].count]]

    @property
    def score(self) -> float:
        """The score of a finished game to the player to move."""
        assert self.is_over
        value = float(self.work.tree.record.value[0])
        return value if abs(value) < np.inf else self.work.game.result(self.state)  # which names the position


class GameOnBoard:
    """A game as `random_game` asks for it, whose moves are made on a board, one after the other."""

    def __init__(self, game: PlayableGame, board: Board) -> None:
        board.reset(game)
        self.board, self.start = board, board.state

    def legal(self, state: Any) -> list[int]:
        return self.board.legal

    def odds(self, state: Any) -> list[float]:
        return self.board.odds

    def after(self, state: Any, move: int) -> Any:
        self.board.play(move)
        return self.board.state
