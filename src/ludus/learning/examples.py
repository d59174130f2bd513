"""Examples to learn from: positions with their features, and how the games went from there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Target = Literal["outcome", "margin", "win"]
TARGETS = ("outcome", "margin", "win")

WON, DRAWN, LOST, TOTAL = range(4)
"""The columns of `Examples.results`: how many games were won, drawn and lost, and the sum of their scores."""


@dataclass(frozen=True)
class Examples:
    """Positions, a row each: their features, how far the game is, the results from there on, and whose they are."""

    matrix: Any
    """The features (CSR)."""
    far: np.ndarray
    results: np.ndarray
    game: np.ndarray
    """Positions of the same game have the same number."""

    def __len__(self) -> int:
        return len(self.far)

    def target(self, which: Target) -> np.ndarray:
        """What is to be foretold, to the player to move: `outcome`, from -1, all games lost, to 1, all won, a draw 0;
        `margin`, the mean score; `win`, the same as `outcome` without the drawn games (0 where all are drawn)."""
        won, drawn, lost, total = self.results.T
        if which == "margin":
            return total / (won + drawn + lost)
        if which == "win":
            return (won - lost) / np.maximum(won + lost, 1.0)
        return (won - lost) / (won + drawn + lost)

    def chosen(self, rows: np.ndarray) -> Examples:
        """Some of them."""
        return Examples(self.matrix[rows], self.far[rows], self.results[rows], self.game[rows])

    @classmethod
    def joined(cls, parts: list[dict[str, np.ndarray]], size: int) -> Examples:
        """The examples of several chunks, each as arrays; `size` is the number of features."""
        from scipy.sparse import csr_array

        arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        ends = np.append(0, np.cumsum(arrays["counts"]))
        shape = len(arrays["far"]), size
        matrix = csr_array((arrays["values"].astype(float), arrays["places"].astype(np.int64), ends), shape=shape)
        matrix.sum_duplicates()
        return cls(matrix, arrays["far"], arrays["results"], arrays["game"])


def staged(matrix: Any, far: np.ndarray, stages: int) -> Any:
    """A column for each feature and stage, as `core.learned.stage` has it: those of the first stage come first."""
    from scipy.sparse import diags_array, hstack

    if stages == 1:
        return matrix
    at = np.clip(far, 0.0, 1.0) * (stages - 1)
    row = np.minimum(at.astype(np.int64), stages - 2)
    share = at - row
    parts = []
    for k in range(stages):
        near = np.where(row == k, 1.0 - share, np.where(row + 1 == k, share, 0.0))
        parts.append(diags_array(near) @ matrix)
    return hstack(parts, format="csr")
