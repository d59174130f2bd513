"""(d, b, F)-trees: b moves everywhere, all leaves at depth d, their values independent with distribution F.

With leaf values in [0, 1] and F uniform all follows from one map for each kind of node: if a node's children are at
most x with probability y, the largest of b of them is so with probability y^b and the smallest with 1 - (1-y)^b.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.library.games.synthetic import fair


def limit(b: int, max_last: bool) -> float:
    """The quantile of F to which the root's value converges: xi_b if MAX makes the last move, else 1 - xi_b.

    xi_b is the root of x^b + x - 1.
    """
    return fair(b) if max_last else 1 - fair(b)


def at_most(y: Any, b: int, d: int, max_last: bool) -> Any:
    """The probability that the root is at most x, from y = F(x); arrays work too."""
    for level in range(d):
        y = y**b if max_last == (level % 2 == 0) else 1 - (1 - y) ** b
    return y


def expected(b: int, d: int, max_last: bool, quantile: Callable[[np.ndarray], np.ndarray] = lambda u: u) -> float:
    """The expected value of the root, where F has this quantile function; by default F is uniform in [0, 1]."""
    y = np.linspace(0, 1, 200_001)[1:-1]
    masses = np.diff(at_most(y, b, d, max_last))
    return float((quantile((y[1:] + y[:-1]) / 2) * masses).sum() / masses.sum())


def sampled_roots(leaves: np.ndarray, b: int, d: int, max_last: bool) -> np.ndarray:
    """The minimax values of trees whose leaves are the rows of an array."""
    for level in range(d):
        groups = leaves.reshape(len(leaves), -1, b)
        leaves = groups.max(axis=2) if max_last == (level % 2 == 0) else groups.min(axis=2)
    return leaves[:, 0]


def roots(
    random: np.random.Generator,
    trials: int,
    b: int,
    d: int,
    max_last: bool,
    draw: Callable[[Any], Any] | None = None,
) -> np.ndarray:
    """The minimax values of `trials` random trees; leaves are uniform in [0, 1] unless `draw(shape)` draws them."""
    at_once = max(int(4_000_000 // b**d), 1)
    parts = []
    for start in range(0, trials, at_once):
        shape = (min(at_once, trials - start), b**d)
        leaves = random.random(shape) if draw is None else draw(shape)
        parts.append(sampled_roots(leaves, b, d, max_last))
    return np.concatenate(parts)
