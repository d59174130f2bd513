"""The same random games through two implementations of the rules, ours and OpenSpiel's."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

import ludus
from ludus.arena.play.referee import Board


class Interpreted:
    """The rules as they stand, with the same words as the compiled referee."""

    def __init__(self, game: ludus.Game) -> None:
        self.reset(game)

    def reset(self, game: ludus.Game) -> None:
        self.game, self.state = game, game.start

    @property
    def legal(self) -> list[int]:
        return self.game.legal(self.state)

    def play(self, move: int) -> None:
        self.state = self.game.after(self.state, move)

    @property
    def score(self) -> float:
        return self.game.result(self.state)


def play_both(
    game: ludus.Game,
    theirs: Any,
    *,
    games: int,
    seed: int = 1,
    compiled: bool = True,
    number: Callable[[int, int], int] = lambda move, player: move,
) -> list[tuple[list[int], float]]:
    """Compare every list of legal moves and every result; the moves of each game and its result to the first player.

    `number` gives OpenSpiel's action for a move of ours by player 0 or 1. Where OpenSpiel skips a player's turn, he
    must have a single move here, the pass.
    """
    chance, played = random.Random(seed), []
    board = Board(game, compiled=True) if compiled else Interpreted(game)
    for _ in range(games):
        board.reset(game)
        other, turn, moves = theirs.new_initial_state(), 0, []
        while not other.is_terminal():
            if other.current_player() == turn:
                legal = board.legal
                assert [number(move, turn) for move in legal] == other.legal_actions()
                moves.append(chance.choice(legal))
                other.apply_action(number(moves[-1], turn))
            else:
                [skip] = board.legal
                moves.append(skip)
            board.play(moves[-1])
            turn = 1 - turn
        assert board.legal == []
        result = other.returns()[turn]  # to the player to move
        assert np.sign(board.score) == result
        played.append((moves, other.returns()[0]))
    return played
