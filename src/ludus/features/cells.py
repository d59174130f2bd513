"""The cells of a game's board: their shape, what stands on them, and the symmetries that the game declares.

A game says what stands on each cell by the rule `cells(state, contents)`: 0 nothing, 1 the mover's, 2 the opponent's.
If there are several sorts of pieces, 3 and 4 are another such pair, and so on; a last one without a partner is neutral.
Beside the rule stand `cell_shape`, the number of rows and of columns, `cell_kinds` and `symmetries`. A game whose state
has one plain board needs no rule: see `plain_board.py`.

A symmetry is a permutation: cell i goes to cell `permutation[i]`. Two positions that it maps to each other are worth
the same to the player to move.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from ludus.common.errors import LudusError

MOST = 10_000
"""The largest group of symmetries: more are a mistake."""

Permutation = tuple[int, ...]


def has_cells(game: Any) -> bool:
    """Whether it is known what stands on the cells of its board."""
    return game.has_rule("cells") or game.plain_board is not None


def shape_of(game: Any) -> tuple[int, ...]:
    """The sides of its board."""
    if game.cell_shape:
        return tuple(map(int, game.cell_shape))
    if game.has_rule("cells"):
        raise LudusError(f"{game.title} has the rule cells, so it must set cell_shape, like (8, 8).")
    if game.plain_board is None:
        raise LudusError(
            f"{game.title} has no rule cells(state, contents), and its states are not one board of small whole "
            "numbers and who is to move: write that rule, which says what stands on each cell."
        )
    return game.plain_board.shape


def kinds_of(game: Any) -> int:
    """How many different things may stand on a cell, nothing included."""
    return int(game.cell_kinds) if game.has_rule("cells") else game.plain_board.kinds


def size_of(game: Any) -> int:
    """How many cells there are."""
    return int(np.prod(shape_of(game)))


def contents_of(game: Any, state: Any) -> tuple[int, ...]:
    """What stands on each cell, row by row."""
    from ludus.kernel import rules

    room = np.zeros(game.room_for_cells, np.int64)
    with np.errstate(over="ignore"):
        n = rules.cells(game, state, room)
    return tuple(room[:n].tolist())


def swapped_kinds(game: Any) -> list[int] | None:
    """What each kind is to the other player; None if that is not known."""
    if not game.has_rule("cells") and not game.plain_board.owned:
        return None
    kinds = kinds_of(game)
    found = [0, *(kind + 1 if kind % 2 else kind - 1 for kind in range(1, kinds))]
    return [other if other < kinds else kind for kind, other in enumerate(found)]


# Lines.


def lines_in(shape: tuple[int, ...], length: int) -> list[tuple[tuple[int, ...], ...]]:
    """Every straight line of `length` squares in a box of any dimension, each as the coordinates of its squares."""
    directions = product((0, 1, -1), repeat=len(shape))
    steps = [step for step in directions if step > (0,) * len(shape)]  # of two opposite ones the first
    found = []
    for step in steps if length > 1 else steps[:1]:
        for start in product(*map(range, shape)):
            line = tuple(tuple(s + i * d for s, d in zip(start, step, strict=True)) for i in range(length))
            if all(0 <= place < side for place, side in zip(line[-1], shape, strict=True)):
                found.append(line)
    return found


def longest_lines(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Every straight line from edge to edge, of two cells or more, as the numbers of its cells."""
    number = {place: n for n, place in enumerate(product(*map(range, shape)))}
    following: dict[tuple[int, ...], dict[int, int]] = {}
    for one, other in lines_in(shape, 2):
        step = tuple(b - a for a, b in zip(one, other, strict=True))
        following.setdefault(step, {})[number[one]] = number[other]
    found = []
    for after in following.values():
        for first in sorted(after.keys() - set(after.values())):
            line = [first]
            while line[-1] in after:
                line.append(after[line[-1]])
            found.append(tuple(line))
    return found


# Symmetries.


def _numbers(shape: tuple[int, ...]) -> np.ndarray:
    return np.arange(int(np.prod(shape))).reshape(shape)


def _axes(shape: tuple[int, ...]) -> list[np.ndarray]:
    """The board reversed along each axis, and with equal neighbouring axes exchanged: from these all others follow."""
    board = _numbers(shape)
    exchanged = [board.swapaxes(k, k + 1) for k in range(len(shape) - 1) if shape[k] == shape[k + 1]]
    return [*(np.flip(board, axis) for axis in range(len(shape))), *exchanged]


def _named(shape: tuple[int, ...], name: str) -> list[np.ndarray]:
    """A board whose cells hold the numbers of those that they come from."""
    board = _numbers(shape)
    if name == "mirror":
        return [np.flip(board, -1)]
    if name == "flip":
        return [np.flip(board, 0)]
    if name == "all":
        return _axes(shape)
    if name == "rotations":
        if len(shape) < 2 or shape[-1] != shape[-2]:
            raise LudusError(f"symmetries has 'rotations', but a board of {shape} cells is not square.")
        return [np.rot90(board, axes=(-2, -1))]
    raise LudusError(f"symmetries are 'mirror', 'flip', 'rotations', 'all' or permutations of the cells, not {name!r}.")


def generators(game: Any) -> list[tuple[str, Permutation]]:
    """The declared symmetries, each with a name; from a name such as `all` several follow."""
    shape, found = shape_of(game), []
    size = int(np.prod(shape))
    declared = game.symmetries
    for number, symmetry in enumerate([declared] if isinstance(declared, str) else declared):
        if isinstance(symmetry, str):
            boards = _named(shape, symmetry)
            found += [(symmetry, tuple(np.argsort(board.ravel()).tolist())) for board in boards]
            continue
        permutation = tuple(int(cell) for cell in np.asarray(symmetry).ravel())
        if sorted(permutation) != list(range(size)):
            raise LudusError(f"symmetry {number} of {game.title} must hold each number from 0 to {size - 1} once.")
        found.append((f"number {number}", permutation))
    return found


def group_of(game: Any) -> list[Permutation]:
    """All symmetries that follow from the declared ones, first the one that leaves everything in its place."""
    found = [tuple(range(size_of(game)))]
    seen, steps = set(found), [permutation for _, permutation in generators(game)]
    for one in found:  # which grows
        for step in steps:
            product = tuple(step[cell] for cell in one)
            if product not in seen:
                seen.add(product)
                found.append(product)
        if len(found) > MOST:
            raise LudusError(f"from the symmetries of {game.title} more than {MOST} follow.")
    return found


def moved(contents: tuple[int, ...], permutation: Permutation) -> tuple[int, ...]:
    """The contents after a symmetry."""
    found = [0] * len(contents)
    for cell, to in enumerate(permutation):
        found[to] = contents[cell]
    return tuple(found)
