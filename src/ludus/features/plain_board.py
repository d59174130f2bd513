"""Games whose states are a plain board and who is to move: what stands on the cells can be told without a rule `cells`.

The state has one board of small whole numbers, and no other. Some random games show the rest: *who is to move* is a
number that goes to and fro between two values; a kind of piece *belongs* to a player if his moves put it on the board
and the other's do not. Where each player has one kind, the cells are seen by the player to move: his are 1 and the
opponent's 2. Where that cannot be told, the same piece counts as another kind when the other player is to move.
"""

from __future__ import annotations

import math
import types
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ludus.kernel.chance import Dice, random_game
from ludus.kernel.form import ARRAY, NUMBER, Part, at

GAMES, PLIES = 10, 400
"""How many random games are looked at, and how many plies in all."""

MOST_CELLS, MOST_KINDS = 1024, 16
"""A larger board, or one with more different numbers, is not plain."""


@dataclass(frozen=True)
class PlainBoard:
    """Where the board is in a state, who is to move, and how its numbers are read."""

    board: Part
    turn: Part | None
    first: int
    """The number of the player who begins."""
    lowest: int
    """The least number on a board."""
    codes: np.ndarray
    """For each player, the one who begins first: the kind of piece that each number stands for, from `lowest` on."""
    owned: bool
    """Whether 1 is the mover's and 2 the opponent's."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Its sides; as many numbers in a row as a square has are taken for one."""
        side = math.isqrt(self.board.shape[0])
        return (side, side) if len(self.board.shape) == 1 and side**2 == self.board.shape[0] else self.board.shape

    @property
    def kinds(self) -> int:
        return int(self.codes.max()) + 1

    @property
    def source(self) -> str:
        """The rule `cells`, in Python; `CODES` are the codes."""
        shape = self.board.shape
        places = [f"i{k}" for k in range(len(shape))]
        inside = f"[{', '.join(places)}]" if self.board.kind == ARRAY else "".join(f"[{place}]" for place in places)
        loops = [f"{'    ' * (k + 1)}for i{k} in range({side}):" for k, side in enumerate(shape)]
        deep = "    " * (len(shape) + 1)
        turn = "0" if self.turn is None else f"0 if state{self.turn.place} == {self.first} else 1"
        return "\n".join(
            [
                "def cells(game, state, contents):",
                f"    turn, n = {turn}, 0",
                *loops,
                f"{deep}contents[n] = coded(CODES, {self.lowest}, turn, state{self.board.place}{inside})",
                f"{deep}n += 1",
                "    return n\n",
            ]
        )


def coded(codes, lowest, turn, number):
    """The kind of piece that a number on the board stands for; one that was never seen counts as nothing."""
    place = np.int64(number) - lowest
    return codes[turn, place] if 0 <= place < codes.shape[1] else 0


def bit_of(number, i):
    """Bit i of a number that is not below 0."""
    return np.int64(np.uint64(number) >> np.uint64(i) & np.uint64(1))


def rule_of(plain: PlainBoard) -> types.FunctionType:
    """The rule `cells` as a function of the game, the state and the buffer."""
    scope: dict[str, Any] = {"__name__": __name__, "coded": coded, "bit_of": bit_of, "CODES": plain.codes}
    exec(compile(plain.source, "<ludus cells>", "exec"), scope)
    return scope["cells"]


def find(game: Any) -> PlainBoard | None:
    """What random games show of a game's states; None if they are not plain."""
    parts = game.layout.parts
    boards = [part for part in parts if part.kind != NUMBER]
    if len(boards) != 1 or boards[0].dtype.kind not in "iu" or not 2 <= np.prod(boards[0].shape) <= MOST_CELLS:
        return None
    if not type(game).alternates or game.has_chance:
        return None
    played = some_games(game)
    numbers = sorted({number for states in played for state in states for number in _board(state, boards[0])})
    if numbers[-1] - numbers[0] >= MOST_KINDS:
        return None
    turns = [part for part in parts if part.kind == NUMBER and part.dtype.kind in "iu" and alternates(played, part)]
    turn = turns[0] if turns else None
    first = int(at(game.start, turn.path)) if turn is not None else 0
    pieces = sorted(set(numbers) - {_nothing(game, boards[0])}, key=lambda number: (abs(number), number < 0))
    owners = _owners(played, boards[0], pieces) if turn is not None else pieces[:2]
    seen = _views(pieces, owners, turn is not None)
    codes = np.zeros((2, numbers[-1] - numbers[0] + 1), np.int64)
    for player, view in enumerate(seen):
        for number, kind in view.items():
            codes[player, number - numbers[0]] = kind
    if turn is not None and not owners:
        codes[1, _nothing(game, boards[0]) - numbers[0]] = len(pieces) + 1
    return PlainBoard(boards[0], turn, first, numbers[0], codes, bool(owners))


def some_games(game: Any) -> list[list[Any]]:
    """The states of some random games."""
    found: list[list[Any]] = []
    while len(found) < GAMES and sum(map(len, found)) < PLIES:
        found.append([ply.state for ply in islice(random_game(game, Dice(len(found))), PLIES)])
    return found


def _board(state: Any, board: Part) -> list[int]:
    return np.asarray(at(state, board.path)).ravel().tolist()


def _nothing(game: Any, board: Part) -> int:
    """What an empty cell holds: 0, or else what most cells of the first board hold."""
    cells = _board(game.start, board)
    return 0 if 0 in cells else max(set(cells), key=cells.count)


def alternates(played: list[list[Any]], part: Part) -> bool:
    """Whether a number goes to and fro between two values, from move to move."""
    values = [[at(state, part.path) for state in states] for states in played]
    first, second = values[0][0], values[0][1] if len(values[0]) > 1 else values[0][0]
    return first != second and all(v == (first, second)[k % 2] for row in values for k, v in enumerate(row))


def _owners(played: list[list[Any]], board: Part, pieces: list[int]) -> list[int]:
    """The piece of the player who begins and that of the other; nothing if each has not exactly one."""
    put: tuple[set[int], set[int]] = (set(), set())
    for states in played:
        for k in range(len(states) - 1):
            before, after = _board(states[k], board), _board(states[k + 1], board)
            put[k % 2].update(new for old, new in zip(before, after, strict=True) if old != new and new in pieces)
    own = [pieces_put - other for pieces_put, other in (put, put[::-1])]
    return [min(own[0]), min(own[1])] if len(own[0]) == len(own[1]) == 1 else []


def _views(pieces: list[int], owners: list[int], has_turn: bool) -> tuple[dict[int, int], dict[int, int]]:
    """The kind of each piece, seen by the player who begins and by the other."""
    if not owners or not has_turn:
        kinds = {number: kind for kind, number in enumerate(pieces, 1)}
        shift = len(pieces) + 1 if has_turn else 0
        return kinds, {number: kind + shift for number, kind in kinds.items()}
    others = {number: kind for kind, number in enumerate([p for p in pieces if p not in owners], 3)}
    return {owners[0]: 1, owners[1]: 2} | others, {owners[0]: 2, owners[1]: 1} | others
