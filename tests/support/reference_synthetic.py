"""Synthetic games as their definitions read: Python's own integers, trees as nested lists, boards cut with a knife.

Nothing is shared with `ludus.library.games`, which must agree with it.
"""

from __future__ import annotations

import functools
import itertools
from fractions import Fraction
from typing import Any

import numpy as np

BITS = 2**64
GAMMA = 0x9E3779B97F4A7C15


# Random numbers: SplitMix64 (Steele, Lea & Flood 2014).


def mix(x: int) -> int:
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % BITS
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB % BITS
    return x ^ (x >> 31)


def number(key: int, index: int) -> int:
    return mix((key + index * GAMMA) % BITS)


def unit(key: int, index: int) -> float:
    return (number(key, index) >> 11) / 2**53


def below(key: int, index: int, n: int) -> int:
    return ((number(key, index) >> 32) * n) >> 32


def root_key(seed: int) -> int:
    return mix(GAMMA ^ seed)


def child_key(key: int, move: int) -> int:
    return number(key, 8 + move)


# (d,b,F)-trees: leaves by their quantiles of F to the first player, who maximises; the other minimises.


def dbf_quantiles(branching: int, depth: int, seed: int) -> list:
    """The whole tree: a leaf is its quantile, any other node a list."""

    def grow(key: int, ply: int, share: float) -> Any:
        """`share` is the part of the values on this level that are smaller, seen by the first player."""
        if ply == depth:
            return share
        heir = below(key, 1, branching)
        children = []
        for move in range(branching):
            child, u = child_key(key, move), unit(child_key(key, move), 0)
            if ply % 2 == 0:  # the largest of b is smaller than x if all are
                best = share ** (1 / branching)
                children.append(grow(child, ply + 1, best if move == heir else best * u))
            else:
                best = (1 - share) ** (1 / branching)
                children.append(grow(child, ply + 1, 1 - best if move == heir else 1 - best * u))
        return children

    root = root_key(seed)
    first = [(child_key(root, move), unit(child_key(root, move), 0)) for move in range(branching)]
    return [grow(key, 1, 1 - u) for key, u in first]  # a rank is to the player to move, here the second


def flat(tree: Any) -> list:
    """The leaves of a tree of one depth, from left to right."""
    return [leaf for child in tree for leaf in flat(child)] if isinstance(tree, list) else [tree]


def best_of(tree: Any, maximise: bool = True) -> Any:
    """Minimax, as it is defined."""
    if not isinstance(tree, list):
        return tree
    return (max if maximise else min)(best_of(child, not maximise) for child in tree)


def root_distribution(branching: int, depth: int, x: float) -> float:
    """The chance that the root of a uniform tree is worth at most x to the first player, if a leaf is with chance x."""
    for ply in range(depth - 1, -1, -1):
        x = x**branching if ply % 2 == 0 else 1 - (1 - x) ** branching
    return x


def root_quantile(branching: int, depth: int, share: np.ndarray) -> np.ndarray:
    """The inverse of `root_distribution`."""
    for ply in range(depth):
        share = share ** (1 / branching) if ply % 2 == 0 else 1 - (1 - share) ** (1 / branching)
    return share


# Trees of wins and losses: every tree there is, with its probability.


def all_trees(shapes: list[dict[int, Fraction]], win: list[Fraction], depth: int = 0) -> dict[str, Fraction]:
    """The trees below a node at `depth` and how likely each is, if shapes and leaves are drawn independently.

    `shapes[d]` has the chances of the numbers of moves at depth d, `win[d]` that a leaf there is won by the player to
    move. A tree is written W or L, a leaf, or its children in brackets.
    """
    found: dict[str, Fraction] = {}
    for n, chance in shapes[depth].items():
        if n == 0:
            found["W"] = found.get("W", Fraction(0)) + chance * win[depth]
            found["L"] = found.get("L", Fraction(0)) + chance * (1 - win[depth])
            continue
        for below in itertools.product(all_trees(shapes, win, depth + 1).items(), repeat=n):
            tree = "(" + "".join(text for text, _ in below) + ")"
            found[tree] = found.get(tree, Fraction(0)) + chance * functools.reduce(lambda a, b: a * b[1], below, 1)
    return {tree: chance for tree, chance in found.items() if chance > 0}


def win_chances(shapes: list[dict[int, Fraction]], win: list[Fraction]) -> list[float]:
    """The chance that a node is won by the player to move, at each depth: the recursion of Pearl 1980."""
    chances: list[float] = []
    for depth in reversed(range(len(shapes))):
        x = 0.0
        for n, chance in shapes[depth].items():
            x += float(chance) * (float(win[depth]) if n == 0 else 1 - chances[0] ** n)
        chances.insert(0, x)
    return chances


# Board splitting: real boards, cut in pieces.


def p_board(side: int, p: float, seed: int) -> np.ndarray:
    key = root_key(seed)
    return np.array([[int(unit(key, row * side + column) < p) for column in range(side)] for row in range(side)])


def n_board(branching: int, rounds: int, p: float, seed: int) -> np.ndarray:
    """Each branch of the game tree is +1 or -1; a square is 1 if those on the way to it sum to more than 0."""
    side, key = branching**rounds, root_key(seed)

    def branch(ply: int, row: int, column: int) -> int:
        """The one that leads to the board after `ply` moves that has this square; boards are numbered row by row."""
        before = sum(branching**level for level in range(1, ply))
        high, wide = branching ** (rounds - ply // 2), branching ** (rounds - (ply + 1) // 2)
        index = before + row // high * (side // wide) + column // wide
        return 1 if unit(key, index) < p else -1

    def square(row: int, column: int) -> int:
        return int(sum(branch(ply, row, column) for ply in range(1, 2 * rounds + 1)) > 0)

    return np.array([[square(row, column) for column in range(side)] for row in range(side)])


def split(board: np.ndarray, branching: int, vertically: bool) -> list[np.ndarray]:
    return np.split(board, branching, axis=1 if vertically else 0)


def h_wins(board: np.ndarray, branching: int, vertically: bool = True) -> bool:
    """Whether H, who splits horizontally and wants a 1, wins with best play."""
    if board.size == 1:
        return bool(board[0, 0])
    results = [h_wins(part, branching, not vertically) for part in split(board, branching, vertically)]
    return all(results) if vertically else any(results)


def tip_1(board: np.ndarray) -> int:
    """N(g) at a tip: the number of 1's."""
    return sum(int(square) for row in board for square in row)


def tip_2(board: np.ndarray, squares: int, diagonals: str = "main") -> int:
    """Y(g) at a tip: a row or diagonal of 1's, a column of 0's, or N(g). `squares`: how many the first board had."""
    rows, columns = board.tolist(), board.T.tolist()
    if any(all(row) for row in rows):
        return squares
    if len(rows) == len(columns):
        falling = all(rows[i][i] for i in range(len(rows)))
        rising = all(rows[i][len(rows) - 1 - i] for i in range(len(rows)))
        if (falling and diagonals != "none") or (rising and diagonals == "both"):
            return squares
    if any(not any(column) for column in columns):
        return -squares
    return tip_1(board)


# Interval trees, seen by the first player throughout.


def interval_tree(branching: int, depth: int, width: int, tight: float, seed: int) -> list[tuple[int, int, int]]:
    """(value, lower bound, upper bound) of every node in breadth order, to the first player."""

    def draw(key: int, index: int, most: int, power: float = 1.0) -> int:
        return min(int(unit(key, index) ** power * (most + 1)), most)

    key = root_key(seed)
    level = [(key, draw(key, 0, 2 * width) - width, -width, width)]
    found = [node[1:] for node in level]
    for ply in range(depth):
        below_level = []
        for key, value, low, high in level:
            for move in range(branching):
                child, worth = child_key(key, move), value
                if move != below(key, 3, branching):  # as good as the value at best, as bad as the bound at worst
                    worth = low + draw(child, 0, value - low) if ply % 2 == 0 else high - draw(child, 0, high - value)
                # The first draw is for the bound that is bad for the player who moves here.
                first, second = (1, 2) if ply % 2 == 0 else (2, 1)
                lower = worth - draw(child, first, worth - low, tight)
                upper = worth + draw(child, second, high - worth, tight)
                last = ply + 1 == depth
                below_level.append((child, worth, worth if last else lower, worth if last else upper))
        level = below_level
        found += [node[1:] for node in level]
    return found
