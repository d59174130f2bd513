"""What the synthetic games share.

A node of a tree that is not stored is known by its *key*, 64 bits that begin a sequence of random numbers of its own
(`core.random.number`). The first few are the node's own draws; from `CHILDREN` on they are the keys of its children.
So a tree is a function of the root's key, which comes from the seed, and each path leads to a key of its own: two nodes
of n share one with probability n^2 / 2^65.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.common.errors import StateError
from ludus.kernel.random import S32, as_unit, number, seed_for

if TYPE_CHECKING:
    pass

CHILDREN = 8
"""The place of the first child's key in a node's sequence."""


def child_key(key, move):
    """The key of the node that `move` leads to."""
    return number(key, move + CHILDREN)


def drawn(key, index):
    """A draw of the node's own, uniform in [0, 1)."""
    return as_unit(number(key, index))


def drawn_below(key, index, n):
    """A draw of the node's own, a whole number in [0, n), uniform up to n / 2^32."""
    return np.int64(((number(key, index) >> S32) * np.uint64(n)) >> S32)


def numbered(out, n):
    """Moves 0 to n - 1, which is all that there is to say of the moves of a node."""
    for i in range(n):
        out[i] = i
    return n


# Python only: parameters, and states given as text.


def root_key(seed: int) -> np.uint64:
    """The key of the root."""
    if seed < 0:
        raise ValueError("seed must be 0 or above")
    return np.uint64(seed_for(seed))


def fair(branching: int, q: float = 0.0, win: float = 0.0) -> float:
    """The chance of a win for the player to move that is the same on every level of a tree: x = q win + (1-q)(1 - x^b).

    A node is a leaf with probability `q`, and then won with probability `win`; else it is won unless all its children
    are. With q = 0 this is xi_b, the root of x^b + x - 1 (Pearl 1980; b = 2: the golden ratio's 0.618).
    """
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        if middle < q * win + (1 - q) * (1 - middle**branching):
            low = middle
        else:
            high = middle
    return middle


def within(name: str, value: float, low: float, high: float) -> float:
    """A parameter, if it lies in its range."""
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low:g} to {high:g}")
    return value


def listed(name: str, text: object, count: int) -> list[str]:
    """The words of a parameter that is given once for all, or once for each of `count` places."""
    words = str(text).split()
    if len(words) not in (1, count):
        raise ValueError(f"{name} must be given once, or {count} times with spaces between, not {len(words)} times")
    return words * (count // len(words))


def numbers(name: str, text: object, count: int) -> np.ndarray:
    """The same for a parameter whose words are numbers."""
    words = listed(name, text, count)
    try:
        values = np.array([float(word) for word in words])
    except ValueError:
        raise ValueError(f"{name} must be a number, or {count} numbers with spaces between, not {text!r}") from None
    if not np.isfinite(values).all():
        raise ValueError(f"{name} must be finite")
    return values


def check_state(game: Any, text: str, fits: bool) -> None:
    """Refuse a state whose numbers no game comes to: compiled code would look beside its arrays."""
    if not fits:
        example = game.state_text(game.start)
        raise StateError(
            f"{text!r} is not a state of {game}: its numbers are out of range; one looks like {example!r}."
        )
