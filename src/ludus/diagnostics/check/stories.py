"""Short finished games in words: a sign that is always wrong gives a valid game, but not the one that was meant."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from ludus.diagnostics.check.report import Story
from ludus.kernel.chance import Dice, random_game
from ludus.kernel.limits import GENERATED
from ludus.kernel.random import seed_for
from ludus.model.playable import PlayableGame

MANY, EFFORT = 50, 100_000
"""The stories are the shortest of this many random games, or of those for which that many moves were listed."""

LONG, TOLD = 200, 20
"""A longer game is not told; of a game that is long, this many moves are told."""

NAMES = ("First", "Second")


@dataclass(frozen=True)
class Finished:
    """A finished game: its moves, its last state, and the score to the player to move there."""

    moves: list[int]
    state: Any
    score: float


def tell(game: PlayableGame, seed: int) -> list[Story]:
    """The shortest of some random games that First won, and of those that Second won; if nobody did, a drawn one."""
    best: dict[str, Finished] = {}
    listed, before = 0, int(game.meter[GENERATED])
    for index in range(MANY):
        # Some games play to list their moves.
        if best and listed + 100 * (int(game.meter[GENERATED]) - before) > EFFORT:
            break
        plies = list(islice(random_game(game, Dice(seed_for(seed, index, 1))), LONG + 2))
        listed += sum(len(ply.legal) for ply in plies[: LONG + 1])
        end, played = plies[-1], [ply.move for ply in plies if ply.move is not None]
        if end.legal:
            continue
        found = Finished(played, end.state, float(game.score(end.state)))
        winner = _winner(game, found)
        if winner not in best or len(played) < len(best[winner].moves):
            best[winner] = found
    won = [name for name in NAMES if name in best]
    return [_story(game, best[name]) for name in won or best]


def _winner(game: PlayableGame, found: Finished) -> str:
    """First or Second; nothing if it is a draw."""
    to_move = game.decisions(found.moves) % 2
    return "" if found.score == 0 else NAMES[to_move if found.score > 0 else 1 - to_move]


def _story(game: PlayableGame, found: Finished) -> Story:
    told, turns = _told(game, found.moves), game.turns(found.moves)
    to_move = game.decisions(found.moves) % 2
    who = "chance brought" if turns[-1] is None else f"{NAMES[1 - to_move]} moved"
    last = f"{who} {told[-1]} and the game is over"
    winner = _winner(game, found)
    end = f"{winner} wins" if winner else "it is a draw"
    start = " ".join(told[:-1])
    if len(told) > TOLD + 1:
        start = f"{len(told) - 1} moves, the last of them {' '.join(told[-TOLD - 1 : -1])}"
    points = "" if abs(found.score) in (0.0, 1.0) else f" by {abs(found.score):g}"
    words = f"{f'After {start}: ' if start else ''}{last}: {end}{points}."
    return Story(words[0].upper() + words[1:], game.render(found.state))


def _told(game: PlayableGame, moves: list[int]) -> list[str]:
    """The moves as people write them; a pass that the library put in is told with the move before it."""
    names: list[str] = []
    state = game.start
    for move, turn in zip(moves, game.turns(moves), strict=True):
        if turn is not None and game.must_pass(state):
            names[-1] += f" ({NAMES[1 - turn]} moves again)"
        else:
            names.append(game.move_name(state, move))
        state = game.after(state, move)
    return names
