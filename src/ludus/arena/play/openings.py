"""Where the games of a match begin: distinct random openings, or other seeds of a synthetic game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from zlib import crc32

from ludus.arena.play.referee import Board, GameOnBoard
from ludus.common.errors import LudusError
from ludus.kernel.boards import state_key
from ludus.kernel.chance import Dice, random_game
from ludus.kernel.random import seed_for
from ludus.model.component import construct
from ludus.model.playable import PlayableGame
from ludus.model.watchdog import watching

PATIENCE = 500
"""After this many random openings in a row that were seen before, it is assumed that there are no others."""


@dataclass(frozen=True)
class Opening:
    """A game and the moves played before the players take over; `dice` is the seed of what chance does after them."""

    game: PlayableGame
    moves: tuple[int, ...]
    dice: int = 0

    @cached_property
    def states(self) -> list[Any]:
        """The positions so far, from the first one on; both games of a pair need them."""
        found = [self.game.start]
        for move in self.moves:
            found.append(self.game.after(found[-1], move))
        return found

    @property
    def state(self) -> Any:
        """The position in which the players take over."""
        return self.states[-1]


def openings(game: PlayableGame, plies: int, seed: int, board: Board | None = None) -> Iterator[Opening]:
    """Distinct positions after `plies` random moves, in an order that the seed decides; ends when they run out.

    A game whose parameter `seed` makes another game of its kind gets a new seed each time, and no random moves. In a
    game of chance a position may come again, with other dice. `board` is where the moves are made; by default on an
    interpreted one.
    """
    seen: set[int | None] = set()
    missed = index = 0
    while type(game).seeded:
        fresh = seed_for(seed, index) % 2**31
        index += 1
        if fresh not in seen:
            seen.add(fresh)
            yield Opening(_variant(game, fresh), (), seed_for(seed, index, 1))
    board = board or Board(game, compiled=False)
    while missed < PATIENCE:
        opening = _random_opening(game, board, plies, seed_for(seed, index))
        index += 1
        key = None if opening is None else hash((state_key(opening.state), opening.dice if game.has_chance else 0))
        if opening is None or key in seen:  # 64 bits that stand for a position: little memory in a long run
            missed += 1
            continue
        seen.add(key)
        missed = 0
        yield opening


def check_openings(game: PlayableGame, plies: int, seed: int, option: str = "openings") -> None:
    """One sentence if there is no position to play from after `plies` random plies, which `option` gave."""
    if type(game).seeded:
        return
    game.check_begins()
    if next(openings(game, plies, seed), None) is None:
        raise LudusError(f"no game lasts {plies} random plies: give a smaller `{option}` (0 is allowed).")


class Openings:
    """The openings of a run: every two players have their own, in a random order of their own, none of them twice.

    So what others have played says nothing about the next opening of these two, as the verdict of a ranking assumes.
    """

    def __init__(self, game: PlayableGame, plies: int, seed: int) -> None:
        self.game, self.seed = game, seed
        self._seeded = type(game).seeded
        self.plies = 0 if self._seeded else plies
        self._lists: dict[tuple[str, str], tuple[Iterator[Opening], list[tuple[int, tuple[int, ...], int]]]] = {}
        """For every two players those to come, and of the others the seed of the game, if it has one, moves and dice:
        a game of its own for each opening would take most of the memory of a long run."""

    @cached_property
    def _board(self) -> Board:
        return Board(self.game, compiled=False)

    def get(self, one: str, other: str, number: int) -> Opening | None:
        """The opening with this number, from 0 on, of these two players; None if there are not that many."""
        if (one, other) not in self._lists:
            seed = seed_for(self.seed, *(crc32(name.encode()) for name in (one, other)))
            self._lists[one, other] = openings(self.game, self.plies, seed, self._board), []
        source, found = self._lists[one, other]
        while len(found) <= number:
            opening = next(source, None)
            if opening is None:
                return None
            found.append((opening.game._arguments["seed"] if self._seeded else 0, opening.moves, opening.dice))
        fresh, moves, dice = found[number]
        return Opening(_variant(self.game, fresh) if self._seeded else self.game, moves, dice)


def _variant(game: PlayableGame, seed: int) -> PlayableGame:
    """The same kind of game with another seed."""
    return construct(type(game), game._arguments | {"seed": seed})


def _random_opening(game: PlayableGame, board: Board, plies: int, seed: int) -> Opening | None:
    """An opening of this many random plies, chance not counted; None if the game ends before."""
    moves: list[int] = []
    with watching():
        for ply in random_game(GameOnBoard(game, board), Dice(seed)):
            if ply.move is None:
                return None
            if plies == 0:
                break
            plies -= ply.is_decision
            moves.append(ply.move)
    return Opening(game, tuple(moves), seed_for(seed, 1))
