"""One game between two players, from an opening to its end.

A player that raises, chooses an illegal move, overruns its budget or takes too long forfeits the game; the record says
why. A rule of the game that fails is no player's fault: the error names the position, and the run ends.
"""

from __future__ import annotations

import threading
import warnings

from ludus.arena.play.faults import Decision, is_of_game
from ludus.arena.play.openings import Opening
from ludus.arena.play.records import GameRecord
from ludus.arena.play.referee import Board
from ludus.arena.play.seats import Seat
from ludus.arena.pool.serving import announce, end_heartbeat, heartbeat, is_dangerous
from ludus.common.errors import LudusError, describe
from ludus.kernel.chance import Dice
from ludus.model.playable import LONGEST_GAME, PlayableGame, Repetitions
from ludus.runtime.player import Player
from ludus.runtime.runner import InterpretedWarning


def play_game(
    opening: Opening, first: Player, second: Player, seed: int, move_limit: float | None = None, index: int = 0
) -> GameRecord:
    """Play from an opening to the end; `first` moves first after it. `index` is the game's in its pair, 0 or 1."""
    game, board, history = opening.game, board_for(opening.game, first, second), Repetitions(opening.game)
    states = opening.states
    board.reset(game, states[-1])
    seats = Seat(first), Seat(second)
    moves: list[int] = []
    fault = ""
    repeated = any(history.add(state) for state in states)
    dangerous = is_dangerous()
    turns, dice, before = 0, Dice(opening.dice), game.decisions(opening.moves)
    while not (board.is_over or repeated or fault or len(moves) >= LONGEST_GAME):
        if odds := board.odds:
            moves.append(dice.pick(board.legal, odds))
            board.play(moves[-1])
            repeated = history.add(board.state)
            continue
        turn, ply = turns % 2, before + turns
        heartbeat(index, turn)
        if dangerous:
            announce(Decision.of(game, seats[turn].player, board.state, seed_of_move(seed, ply)))
        try:
            move = seats[turn].decide(game, board.state, seed_of_move(seed, ply), ply, move_limit)
        except Exception as error:
            if is_of_game(error, seats[turn].player):
                raise
            fault = str(error) if isinstance(error, LudusError) else f"{type(error).__name__}: {error}"
            continue
        fault = seats[turn].overrun(game)
        if not fault and not board.play(move):
            fault = f"chose {move}, which is not legal in position {describe(game, board.state)}"
        if not fault:
            moves.append(move)
            turns += 1
            repeated = history.add(board.state)
    end_heartbeat()
    score = -1.0 if fault else board.score if board.is_over else 0.0
    effort = seats[0].effort, seats[1].effort
    decisions = seats[0].decisions, seats[1].decisions
    return GameRecord(tuple(moves), score if turns % 2 == 0 else -score, effort, decisions, fault)


def seed_of_move(seed: int, ply: int) -> int:
    """The seed of the move at this ply, from that of the game: cheap, since every move needs one."""
    return (seed + ply * 0x9E3779B97F4A7C15) % 2**64


class _Boards(threading.local):
    """The boards of a thread, kept from game to game; a Dask worker may have several threads."""

    def __init__(self) -> None:
        self.made: dict[tuple[type, bool], Board] = {}


_boards = _Boards()


def board_for(game: PlayableGame, first: Player, second: Player) -> Board:
    """The thread's board for games of this class; interpreted if both players are."""
    interpreted = first.compiled is False and second.compiled is False
    key = type(game), interpreted
    if key not in _boards.made:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InterpretedWarning)  # the players have said so
            _boards.made[key] = Board(game, False if interpreted else None)
    return _boards.made[key]
