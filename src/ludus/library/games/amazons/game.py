"""Amazons (Walter Zamkauskas, 1988) on boards of 5x5 to 10x10 squares.

A move takes one of the mover's amazons to where a chess queen could go, and throws a stone from there to where a queen
could go next. Whoever cannot move loses. White moves first.

A state is (mine, theirs, side): two sets of squares, each of two words (see `amazons_board`), and 0 if white moves.
Both sets contain all the stones, so a stone is what is in both and an amazon what is in one. A move is
16384 from + 128 to + stone, by the numbers of the squares.
"""

import re
from typing import Any, Literal

import numpy as np

from ludus.common.errors import StateError, unknown
from ludus.kernel.limits import EVALUATED
from ludus.kernel.rules import play
from ludus.library.games.amazons import features as amazons_features
from ludus.library.games.amazons.board import (
    ONE,
    STRIDE,
    WORD,
    ZERO,
    common,
    count,
    first,
    is_empty,
    lowest_bit,
    most_moves,
    neighbours,
    queen_from,
    ray_table,
    single,
    squares,
    survey,
    union,
    without,
    words,
)
from ludus.library.games.amazons.features import write_features
from ludus.model.game import Game

AMAZONS = 4  # of each side, at most
SQUARE, MOVE = 7, 21  # bits of a square, and of a move
LAST = (1 << SQUARE) - 1
LOST = 1 << 20  # beyond any static value
COLUMNS = "abcdefghij"
ROWS = WORD // STRIDE  # in a word


MOST = 10_000
"""The most moves that `best` can ask for: more than any position has."""


class Amazons(Game):
    """Amazons: move like a queen, then throw a stone like one; whoever cannot move loses."""

    name = "amazons"
    evaluator = "territory-mobility"
    feature_names = amazons_features.NAMES
    lesson = {"rate": 0.5}
    cell_kinds = 4  # a stone is the last

    def __init__(
        self,
        size: Literal[10, 9, 8, 7, 6, 5] = 10,
        best: int = 0,
        by: Literal["territory-mobility", "territory", "queen-mobility"] = "territory-mobility",
    ) -> None:
        """best: only this many moves are legal, those with the best static values by the evaluator `by`; 0: all"""
        if not 0 <= best <= MOST:
            raise ValueError(f"best must be from 1 to {MOST}, or 0 for all moves")
        self.size, self.best, self.cell_shape = size, best, (size, size)
        self.symmetries = () if best else ("mirror", "flip")  # of equally good moves the first is kept
        self.by_territory, self.by_mobility = int(by != "queen-mobility"), int(by != "territory")
        self.length = size * size - 2 * AMAZONS
        self.max_moves = most_moves(size, AMAZONS)
        self.preview = self.max_moves if best else 0
        self.rays = ray_table(size)
        self.board_low, self.board_high = words(STRIDE * row + column for row in range(size) for column in range(size))

    def initial(self):
        """Each side has two amazons on its own edge and two on the others', all as far from the next corner."""
        last, away = self.size - 1, (self.size - 3) // 2
        white = [(0, away), (0, last - away), (away, 0), (away, last)]
        black = [(last - row, column) for row, column in white]
        mine, theirs = (words(STRIDE * row + column for row, column in side) for side in (white, black))
        return (*mine, *theirs, np.int8(0))

    def moves(self, state, out):
        mine, theirs = (state[0], state[1]), (state[2], state[3])
        amazons, n = without(mine, theirs), 0
        while not is_empty(amazons):
            start = first(amazons)
            amazons = without(amazons, single(start))
            taken = without(union(mine, theirs), single(start))
            goals = queen_from(self.rays, start, taken)
            while not is_empty(goals):
                goal = first(goals)
                goals = without(goals, single(goal))
                n = write_stones(out, n, (start << SQUARE | goal) << SQUARE, queen_from(self.rays, goal, taken))
        return keep_best(self, state, out, n) if self.best > 0 else n

    def play(self, state, move):
        stone, moved = single(move & LAST), union(single(move >> 2 * SQUARE), single(move >> SQUARE & LAST))
        mine = union((state[0] ^ moved[0], state[1] ^ moved[1]), stone)
        return (state[2] | stone[0], state[3] | stone[1], mine[0], mine[1], 1 - state[4])

    def over(self, state):
        """No amazon has an empty square beside it. One that has can go there and throw the stone back."""
        mine, theirs = (state[0], state[1]), (state[2], state[3])
        empty = without((self.board_low, self.board_high), union(mine, theirs))
        return is_empty(common(neighbours(without(mine, theirs)), empty))

    def score(self, state):
        return -1

    def null(self, state):
        return (state[2], state[3], state[0], state[1], 1 - state[4])

    def phase(self, state):
        """How many stones there are of those that the board has room for."""
        return min(count(common((state[0], state[1]), (state[2], state[3]))) / self.length, 1.0)

    def lowest(self, state):
        return -1

    def highest(self, state):
        return 1

    def features(self, state, numbers):
        mine, theirs = (state[0], state[1]), (state[2], state[3])
        empty = without((self.board_low, self.board_high), union(mine, theirs))
        return write_features(without(mine, theirs), without(theirs, mine), empty, numbers)

    def cells(self, state, contents):
        n = 0
        for row in range(self.size):
            word = 0 if row < ROWS else 1
            mine, theirs = (state[0], state[2]) if word == 0 else (state[1], state[3])
            for column in range(self.size):
                square = np.uint64(STRIDE * row + column - WORD * word)
                contents[n] = np.int64(mine >> square & ONE) + 2 * np.int64(theirs >> square & ONE)
                n += 1
        return n

    # For people.

    def mover(self, state):
        return int(state[4])

    def winner(self, state):
        return 1 - int(state[4])

    def _rows(self, state):
        """The board row by row, the highest first: `w`, `b`, `x` for a stone, `.` for nothing."""
        mine, theirs = (set(squares(half)) for half in (state[:2], state[2:4]))
        white, black = (theirs, mine) if state[4] else (mine, theirs)
        mark = {(False, False): ".", (True, False): "w", (False, True): "b", (True, True): "x"}
        rows = [range(STRIDE * row, STRIDE * row + self.size) for row in reversed(range(self.size))]
        return ["".join(mark[square in white, square in black] for square in row) for row in rows]

    def state_text(self, state):
        """As in chess: the rows from the highest, with `x` for a stone and numbers for empty squares; who moves."""
        rows = [re.sub(r"\.+", lambda empty: str(len(empty[0])), row) for row in self._rows(state)]
        return f"{'/'.join(rows)} {'wb'[int(state[4])]}"

    def parse_state(self, text):
        board, _, side = text.strip().lower().partition(" ")
        rows = [re.sub("10|[1-9]", lambda empty: "." * int(empty[0]), row) for row in board.split("/")]
        side = side.strip()
        if {len(rows), *map(len, rows)} != {self.size} or set("".join(rows)) - set("wbx.") or side not in ("w", "b"):
            start = self.state_text(self.initial())
            raise StateError(f"a position has {self.size} rows and the player to move, like {start!r}, not {text!r}.")
        for name in ("white", "black"):
            if not 1 <= board.count(name[0]) <= AMAZONS:
                raise StateError(f"{name} has 1 to {AMAZONS} amazons, not {board.count(name[0])}.")
        marks = {STRIDE * r + c: mark for r, row in enumerate(reversed(rows)) for c, mark in enumerate(row)}
        white, black = (words(s for s, mark in marks.items() if mark in own) for own in ("wx", "bx"))
        return (*black, *white, np.int8(1)) if side == "b" else (*white, *black, np.int8(0))

    def move_name(self, state, move):
        start, goal, stone = (square_name(move >> shift & LAST) for shift in (2 * SQUARE, SQUARE, 0))
        return f"{start}-{goal}/{stone}"

    def parse_move(self: Any, state, text):
        """Like d1-d7/g7: from, to, and where the stone goes; x instead of / is understood."""
        name = re.sub("x", "/", text.strip().lower())
        parts = re.fullmatch(r"([a-j])([1-9]|10)-([a-j])([1-9]|10)/([a-j])([1-9]|10)", name)
        if parts is None:
            raise StateError(f"{text!r} is not a move; one is written like d1-d7/g7, and the stone goes to g7.")
        start, goal, stone = (STRIDE * (int(parts[i + 1]) - 1) + COLUMNS.index(parts[i]) for i in (1, 3, 5))
        move = (start << SQUARE | goal) << SQUARE | stone
        if move not in self.legal(state):
            raise StateError(str(unknown("move", name, [self.move_name(state, legal) for legal in self.legal(state)])))
        return move

    def render(self, state):
        letters = "   " + " ".join(COLUMNS[: self.size])
        rows = [" ".join(row).translate(str.maketrans("wbx", "WB#")) for row in self._rows(state)]
        numbered = [f"{self.size - i:>2} {row} {self.size - i}" for i, row in enumerate(rows)]
        turn = "B (black)" if state[4] else "W (white)"
        return "\n".join([letters, *numbered, letters, f"{turn} to move"])

    def diagram(self, state):
        """a1 at the bottom left."""
        from ludus.pictures.diagram import squares as cells

        names = {"w": "white-amazon", "b": "black-amazon", "x": "stone"}
        rows, owners = enumerate(self._rows(state)), {"white-amazon": 0, "black-amazon": 1}
        pieces = {(r, c): names[mark] for r, row in rows for c, mark in enumerate(row) if mark != "."}
        labels = COLUMNS[: self.size], [str(row) for row in range(self.size, 0, -1)]
        return cells(self.size, pieces, owners=owners, color="#e8d6b0", labels=labels)

    def gesture(self, state, move):
        """From, to, and where the stone goes."""
        return [square_name(move >> shift & LAST) for shift in (2 * SQUARE, SQUARE, 0)]

    def svg(self, state):
        """The board for notebooks and pages, a1 at the bottom left."""
        from ludus.pictures.boards import board_svg

        names = {"w": "white-amazon", "b": "black-amazon", "x": "stone"}
        rows = enumerate(self._rows(state))
        pieces = {(r, c): names[mark] for r, row in rows for c, mark in enumerate(row) if mark != "."}
        labels = COLUMNS[: self.size], [str(row) for row in range(self.size, 0, -1)]
        title = f"Amazons: {self.state_text(state)}"
        return board_svg(self.size, pieces, color="#e8d6b0", title=title, labels=labels)


def square_name(square):
    return f"{COLUMNS[square % STRIDE]}{square // STRIDE + 1}"


def write_stones(out, n, move, stones):
    """The moves that throw a stone to each of these squares."""
    low, high = stones
    while low != ZERO:
        out[n] = move + lowest_bit(low)
        low &= low - ONE
        n += 1
    while high != ZERO:
        out[n] = move + WORD + lowest_bit(high)
        high &= high - ONE
        n += 1
    return n


def keep_best(game, state, out, n):
    """Of the `n` moves in `out` keep the best, best first, by the static values of the states they lead to.

    All those states are generated and valued, and count. Until the end a move stands in `out` below its value to the
    opponent, so that the least is the best, and of equals the one that was listed first.
    """
    kept = 0
    for i in range(n):
        move = out[i]
        game.meter[EVALUATED] += 1
        valued = (value_to_mover(game, play(game, state, move)) << MOVE) + move
        if kept < game.best:
            kept += 1
        elif out[kept - 1] < valued:
            continue
        place = kept - 1
        while place > 0 and out[place - 1] > valued:
            out[place] = out[place - 1]
            place -= 1
        out[place] = valued
    for i in range(kept):
        out[i] &= (1 << MOVE) - 1
    return kept


def value_to_mover(game, state):
    """The static value by which moves are kept; whoever cannot move has lost."""
    mine, theirs, territory = overview(game, state)
    return game.by_territory * territory + game.by_mobility * (mine - theirs) if mine > 0 else -LOST


def overview(game, state):
    """The mover's queen moves, the opponent's, and the difference in territory."""
    mine, theirs = (state[0], state[1]), (state[2], state[3])
    empty = without((game.board_low, game.board_high), union(mine, theirs))
    return survey(without(mine, theirs), without(theirs, mine), empty)
