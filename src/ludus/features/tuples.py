"""Systematic n-tuples (Jaskowski 2014): all straight lines of two or three cells, each with a weight for each pattern.

A *pattern* is what stands on the cells of a tuple. Tuples that a symmetry of the board maps to each other are of one
*class* and share their weights. Two patterns of a class also share a weight if a symmetry maps the tuple to itself with
its ends exchanged. And if the value is to be minus as much when the players change places, two patterns that differ in
just that have weights that add up to 0. What is left are the *columns*, the weights that are free.

On Othello's board the straight pairs are of 32 classes with 9 patterns each, 288 entries in all.

To sum up the weights of a position fast, all tuples of a line are looked up at once: *segments* are pieces of the
straight lines from edge to edge, as long as a table of all their patterns stays small.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.common.errors import SpecError
from ludus.features.cells import Permutation, longest_lines

LARGEST = 3**8
"""How many patterns the table of a segment has at most, unless its tuples have more."""


MOST_CELLS, MOST_LENGTH, MOST_PATTERNS = 100_000, 16, 1_000_000
"""Of the board in a file: the most cells, the longest tuple, the most patterns of one tuple."""


@dataclass(frozen=True)
class Board:
    """What must be known of a game's board, in numbers only: a key to its tuples, and what a file keeps."""

    shape: tuple[int, ...]
    kinds: int
    lengths: tuple[int, ...]
    symmetries: tuple[Permutation, ...] = ()
    """All of them."""
    swapped: tuple[int, ...] = ()
    """What each kind of piece is to the other player; nothing, if patterns are not to be worth minus each other."""


@dataclass(frozen=True)
class Tuples:
    """All tuples of a board, and their columns."""

    cells: np.ndarray
    """A row for each tuple: its cells, then -1 for those that a longer one would have."""
    start: np.ndarray
    """For each tuple: the index of the first entry of its class."""
    column: np.ndarray
    """For each entry, which is a class and a pattern: the index of its weight."""
    sign: np.ndarray
    """1, -1 if the value is minus that weight, or 0 if it has none."""
    names: tuple[str, ...]
    """The names of the columns: the cells of a tuple, and what stands on them."""
    classes: int


def _classes(board: Board) -> dict[tuple[int, ...], tuple[tuple[int, ...], bool]]:
    """For each tuple, in the order in which it is read: the first of its class, and whether that can be reversed."""
    lines = longest_lines(board.shape)
    found: dict[tuple[int, ...], tuple[tuple[int, ...], bool]] = {}
    for length in board.lengths:
        for line in lines:
            for i in range(len(line) - length + 1):
                one = line[i : i + length]
                if one in found or one[::-1] in found:
                    continue
                images = {tuple(move[cell] for cell in one) for move in board.symmetries} | {one}
                can_turn = one[::-1] in images
                for image in sorted(images):
                    if image[::-1] not in found:
                        found[image] = (one, can_turn)
    return found


def _number(pattern: tuple[int, ...], kinds: int) -> int:
    return functools.reduce(lambda number, kind: number * kinds + kind, pattern, 0)


def check_size(board: Board, columns: int) -> None:
    """Raise a `SpecError` if a board is too large, or has too many patterns for the allowed number of columns.

    Out of a file it might be anything, and its tuples would take hours. At most four patterns share a column, and a
    pattern has none only if to exchange the players leaves it as it is: with three kinds or more, at least a sixth of
    the patterns of a class have columns of their own.
    """
    if math.prod(board.shape) * 3 ** len(board.shape) * len(board.lengths) > 10 * MOST_CELLS:
        raise SpecError("its board is too large")
    if max(board.lengths) > MOST_LENGTH or board.kinds ** max(board.lengths) > MOST_PATTERNS:
        raise SpecError("its lines have too many patterns")
    if board.kinds > 2 and _patterns(board) > 6 * columns:
        raise SpecError("its board has more patterns")


def _patterns(board: Board) -> int:
    """How many patterns all classes have together."""
    return sum(board.kinds ** len(one) for one, _ in dict.fromkeys(_classes(board).values()))


@functools.lru_cache(maxsize=8)
def tuples_of(board: Board) -> Tuples:
    """The tuples of a board."""
    found = _classes(board)
    start: dict[tuple[int, ...], int] = {}
    column: list[int] = []
    sign: list[int] = []
    names: list[str] = []
    for one, can_turn in dict.fromkeys(found.values()):
        start[one] = len(column)
        columns, signs, new = _entries(len(one), can_turn, board, len(names))
        column, sign = column + columns, sign + signs
        where = "-".join(map(str, one))
        names += [f"{where}:{''.join(f'{kind:x}' for kind in pattern)}" for pattern in new]
    longest = max(board.lengths)
    cells = np.array([(*cells, *[-1] * (longest - len(cells))) for cells in found] or np.zeros((0, longest)), np.int64)
    starts = np.array([start[one] for one, _ in found.values()], np.int64)
    return Tuples(cells, starts, np.array(column, np.int64), np.array(sign, float), tuple(names), len(start))


def _entries(length: int, can_turn: bool, board: Board, first: int) -> tuple[list[int], list[int], list[Any]]:
    """Column, from `first` on, and sign of each pattern of a class; the patterns that name the new columns."""
    column: list[int] = []
    sign: list[int] = []
    new: dict[tuple[int, ...], int] = {}
    for pattern in np.ndindex(*[board.kinds] * length):
        turned = [pattern, pattern[::-1]] if can_turn else [pattern]
        other = [tuple(board.swapped[kind] for kind in same) for same in turned] if board.swapped else []
        chosen = min([*turned, *other])
        if set(turned) & set(other):  # minus itself
            column.append(0)
            sign.append(0)
            continue
        column.append(first + new.setdefault(chosen, len(new)))
        sign.append(1 if chosen in turned else -1)
    return column, sign, list(new)


# Segments.


@dataclass(frozen=True)
class Segments:
    """Pieces of lines, with the entries that make up their tables."""

    cells: np.ndarray
    """The cells of all segments, one after the other."""
    ends: np.ndarray
    """For each segment: the index in `cells` at which it ends."""
    base: np.ndarray
    """For each segment: the index of the first cell of its table."""
    entries: tuple[np.ndarray, ...]
    """For each table: for each pattern, the entries of the tuples in it."""


@functools.lru_cache(maxsize=8)
def segments_of(board: Board) -> Segments:
    """The segments that hold every tuple once; of those that are alike, read from the right end, there is one table."""
    tuples, kinds = tuples_of(board), board.kinds
    waiting = {frozenset(row[row >= 0].tolist()): k for k, row in enumerate(tuples.cells)}
    longest, room = max(board.lengths), max(board.lengths)
    while kinds ** (room + 1) <= LARGEST:
        room += 1
    tables: dict[Any, int] = {}
    entries: list[np.ndarray] = []
    cells: list[int] = []
    ends: list[int] = []
    base: list[int] = []
    for line in longest_lines(board.shape):
        for at in range(0, max(len(line) - longest, 0) + 1, max(room - longest + 1, 1)):
            segment = line[at : at + room]
            parts = map(frozenset, _parts(segment, board.lengths))
            inside = [waiting.pop(part) for part in parts if part in waiting]
            if not inside:
                continue
            key, segment = min((_key(tuples, one, inside), one) for one in (segment, segment[::-1]))
            if key not in tables:
                tables[key] = sum(len(table) for table in entries)
                entries.append(_table(key, len(segment), kinds))
            cells += segment
            ends.append(len(cells))
            base.append(tables[key])
    return Segments(np.array(cells, np.int64), np.array(ends, np.int64), np.array(base, np.int64), tuple(entries))


def _parts(segment: tuple[int, ...], lengths: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [segment[i : i + length] for length in lengths for i in range(len(segment) - length + 1)]


def _key(tuples: Tuples, segment: tuple[int, ...], inside: list[int]) -> tuple[Any, ...]:
    """All that a segment's table depends on: its length, and where in it the cells of which class are."""
    place = {cell: k for k, cell in enumerate(segment)}
    rows = [(int(tuples.start[k]), tuple(place[c] for c in tuples.cells[k].tolist() if c >= 0)) for k in inside]
    return len(segment), tuple(sorted(rows))


def _table(key: tuple[Any, ...], length: int, kinds: int) -> np.ndarray:
    """For each pattern of a segment the entries of its tuples."""
    patterns = np.indices((kinds,) * length).reshape(length, -1)
    found = np.zeros((patterns.shape[1], len(key[1])), np.int64)
    for k, (start, places) in enumerate(key[1]):
        for place in places:
            found[:, k] = found[:, k] * kinds + patterns[place]
        found[:, k] += start
    return found


def tables_of(board: Board, weights: np.ndarray) -> np.ndarray:
    """What each pattern of each table is worth (rows) in each stage of the game, given the columns' weights in each."""
    tuples, none = tuples_of(board), np.zeros((len(weights), 1))
    worth = np.append(weights, none, axis=1)[:, tuples.column] * tuples.sign
    found = [worth[:, table].sum(axis=2) for table in segments_of(board).entries]
    return np.ascontiguousarray(np.concatenate([*found, none], axis=1).T)
