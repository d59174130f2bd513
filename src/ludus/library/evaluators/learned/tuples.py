"""Learnt evaluators that see what stands on the cells of a board: weights of n-tuples (`tuples.py`)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ludus.common.errors import SpecError
from ludus.features.cells import group_of, kinds_of, shape_of, swapped_kinds
from ludus.features.tuples import MOST_CELLS, Board, check_size, segments_of, tables_of, tuples_of
from ludus.kernel.rules import cells, features, phase
from ludus.library.evaluators.learned.learned import Learned, own_features, stage
from ludus.library.evaluators.learned.record import Damaged


def board_of(game: Any, lengths: tuple[int, ...], antisymmetric: bool = True) -> Board:
    """A game's board, with the symmetries that it declares."""
    swapped = swapped_kinds(game) if antisymmetric else None
    return Board(shape_of(game), kinds_of(game), lengths, tuple(group_of(game)), tuple(swapped or ()))


def details_of(board: Board) -> dict[str, Any]:
    """A board for JSON."""
    return {
        "shape": list(board.shape),
        "kinds": board.kinds,
        "lengths": list(board.lengths),
        "symmetries": [list(permutation) for permutation in board.symmetries],
        "swapped": list(board.swapped),
    }


def board_in(details: dict[str, Any]) -> Board:
    """The board of which a file tells; `Damaged` if it is none."""

    def is_list(value: Any) -> bool:
        return isinstance(value, list) and all(type(number) is int and 0 <= number <= MOST_CELLS for number in value)

    symmetries, kinds = details.get("symmetries"), details.get("kinds", 0)
    lists: dict[str, Any] = {name: details.get(name) for name in ("shape", "lengths", "swapped")}
    if not all(map(is_list, lists.values())) or not isinstance(symmetries, list) or not all(map(is_list, symmetries)):
        raise Damaged("its board is not told in whole numbers")
    board = Board(kinds=kinds, symmetries=tuple(map(tuple, symmetries)), **{k: tuple(v) for k, v in lists.items()})
    size = math.prod(board.shape)
    if (
        type(kinds) is not int
        or not (board.shape and board.lengths and board.symmetries)
        or min(*board.shape, *board.lengths, kinds) < 1
        or len(set(board.lengths)) < len(board.lengths)
        or any(len(cells) != size or sorted(cells) != list(range(size)) for cells in board.symmetries)
        or (board.swapped and (len(board.swapped) != kinds or sorted(board.swapped) != list(range(kinds))))
        or type(details.get("own", 0)) is not int
    ):
        raise Damaged("its board cannot be right")
    return board


class LearnedTuples(Learned):
    """Weights of the straight n-tuples, and a constant."""

    kind = "tuples"
    internal_fields = ("about", "path", "board")

    def settle(self) -> None:
        about = self.about["features"]
        self.board, self.sides = board_in(about), about.get("sides", 1)
        if self.sides not in (1, 2) or not 0 <= self.own < self.size:
            raise Damaged("its features cannot be right")
        check_size(self.board, self.size)
        self.kinds, self.cells_in_all = self.board.kinds, int(np.prod(self.board.shape))
        tuples = tuples_of(self.board)
        self.columns = len(tuples.names)
        if self.sides * self.columns + 1 != self.size - self.own:
            raise Damaged("its board has other features")
        self.tuple_cells, self.tuple_start = tuples.cells, tuples.start
        self.tuple_column, self.tuple_sign = tuples.column + self.own, tuples.sign

    @property
    def own(self) -> int:
        """How many of the features are the game's own."""
        return 0

    @property
    def most_terms(self) -> int:
        return self.own + len(self.tuple_start) + 1

    def check_fits(self, game: Any) -> None:
        """Build the tables, too: they are wanted for playing only."""
        if (shape_of(game), kinds_of(game)) != (self.board.shape, self.board.kinds):
            sizes = " x ".join(map(str, self.board.shape))
            raise SpecError(f"{self.title} was learnt on a board of {sizes} cells with {self.kinds} kinds of contents.")
        segments = segments_of(self.board)
        self.segment_cells, self.segment_ends, self.segment_base = segments.cells, segments.ends, segments.base
        self.tables = self.all_tables()
        self.side_rows = len(self.tables) // self.sides

    def all_tables(self) -> np.ndarray:
        """What the patterns of each segment are worth, one table of all segments for each side."""
        weights = np.split(self.weights[:, self.own : -1], self.sides, axis=1)
        return np.concatenate([tables_of(self.board, own) for own in weights])

    def refresh(self) -> None:
        self.tables[:] = self.all_tables()

    def terms(self, game, state, places, numbers):
        cells(game, state, game.cell_values)
        return tuple_terms(self, game.cell_values, places, numbers, 0)

    def evaluate(self, game, state):
        cells(game, state, game.cell_values)
        row, share = stage(self.weights, phase(game, state))
        return tuple_value(self, game.cell_values, row, share)


def side_of(evaluator, contents):
    """Which set of weights counts: where there are two, whether the number of cells that are not empty is odd."""
    if evaluator.sides == 1:
        return 0
    filled = 0
    for cell in range(evaluator.cells_in_all):
        filled += contents[cell] != 0
    return filled % 2


def tuple_terms(evaluator, contents, places, numbers, n):
    """The terms of the tuples, from place `n` on, and the constant; how many there are then."""
    start = evaluator.columns * side_of(evaluator, contents)
    for k in range(evaluator.tuple_start.size):
        entry = 0
        for i in range(evaluator.tuple_cells.shape[1]):
            cell = evaluator.tuple_cells[k, i]
            if cell >= 0:
                entry = entry * evaluator.kinds + contents[cell]
        entry += evaluator.tuple_start[k]
        places[n], numbers[n] = start + evaluator.tuple_column[entry], evaluator.tuple_sign[entry]
        n += 1 if evaluator.tuple_sign[entry] != 0.0 else 0
    places[n], numbers[n] = evaluator.weights.shape[1] - 1, 1.0
    return n + 1


def tuple_value(evaluator, contents, row, share):
    """What the tuples and the constant are worth, by the tables of the segments."""
    kinds, last = evaluator.kinds, evaluator.weights.shape[1] - 1
    next_row = row + 1 if share > 0.0 else row
    start = evaluator.side_rows * side_of(evaluator, contents)
    now, later, at = evaluator.weights[row, last], evaluator.weights[next_row, last], 0
    for k in range(evaluator.segment_ends.size):
        entry = 0
        while at < evaluator.segment_ends[k]:
            entry = entry * kinds + contents[evaluator.segment_cells[at]]
            at += 1
        entry += start + evaluator.segment_base[k]
        now += evaluator.tables[entry, row]
        later += evaluator.tables[entry, next_row]
    return now + share * (later - now)


class LearnedPairs(LearnedTuples):
    """The same of the pairs only: another name, so that nobody takes the one for the other."""

    kind = "pairs"


class LearnedFours(LearnedTuples):
    """The same of lines of four cells."""

    kind = "fours"


class LearnedBoth(LearnedTuples):
    """The game's own features, the n-tuples, and a constant."""

    kind = "both"

    def check_fits(self, game: Any) -> None:
        if own_features(game) != self.own:
            raise SpecError(f"{self.title} weighs {self.own} features of the game's own: learn it again.")
        super().check_fits(game)

    @property
    def own(self) -> int:
        return self.about["features"]["own"]

    def terms(self, game, state, places, numbers):
        n = features(game, state, numbers)
        for i in range(n):
            places[i] = i
        cells(game, state, game.cell_values)
        return tuple_terms(self, game.cell_values, places, numbers, n)

    def evaluate(self, game, state):
        n = features(game, state, game.feature_values)
        row, share = stage(self.weights, phase(game, state))
        next_row = row + 1 if share > 0.0 else row
        value = 0.0
        for i in range(n):
            weight = self.weights[row, i] + share * (self.weights[next_row, i] - self.weights[row, i])
            value += weight * game.feature_values[i]
        cells(game, state, game.cell_values)
        return value + tuple_value(self, game.cell_values, row, share)
