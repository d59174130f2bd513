"""The three-column picture of how a tree grew: Figures 6 to 11 of Utgoff & Cochran 2001."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ludus.core.trace import Row, Trace
from ludus.pictures.files import write_figure


def draw_trace(trace: Trace, path: str | Path) -> None:
    """Left: shares of the root's subtrees. Middle: the root's children. Right: shares of depths.

    Time goes down, a row for each expansion. In the middle a triangle that points up is the child of highest value, one
    that points down that of lowest swing, a square is both, a circle neither, all at the time of the choice; the one
    descended is filled.
    """
    from matplotlib.figure import Figure

    rows, count = trace.rows, len(trace.moves)
    figure = Figure(figsize=(12, min(max(4.0, 1.5 + 0.11 * len(rows)), 60)), layout="constrained")
    left, middle, right = figure.subplots(1, 3, sharey=True)
    time = np.arange(len(rows))
    _shares(left, time, [row.sizes for row in rows], "share of each move's subtree")
    left.set_ylabel("expansion")
    left.invert_yaxis()
    _children(middle, rows, trace.moves)
    _shares(right, time, [row.depths for row in rows], "share of each depth")
    figure.suptitle(f"{trace.player} on {trace.game}: {len(rows)} expansions", fontsize=11)
    middle.set_xlim(-0.7, count - 0.3)
    write_figure(figure, path, dpi=130)


def _shares(axes: Any, time: np.ndarray, parts: list[list[int]], title: str) -> None:
    """Draw the cumulated shares as lines, as in the paper, with tinted areas between them."""
    width = max(map(len, parts))
    table = np.array([part + [0] * (width - len(part)) for part in parts], float)
    bounds = np.cumsum(table, axis=1) / table.sum(axis=1, keepdims=True)
    before = np.zeros(len(time))
    for k in range(width):
        axes.fill_betweenx(time, before, bounds[:, k], color=f"C{k % 10}", alpha=0.25, linewidth=0)
        axes.plot(bounds[:, k], time, color="black", linewidth=0.6)
        before = bounds[:, k]
    axes.set_xlim(0, 1)
    axes.set_title(title, fontsize=9)


def _children(axes: Any, rows: list[Row], moves: list[str]) -> None:
    for (marker, filled), points in symbols(rows).items():
        x, y = zip(*points, strict=True)
        face = "black" if filled else "white"
        axes.scatter(x, y, marker=marker, s=26, facecolor=face, edgecolor="black", linewidth=0.7)
    axes.set_xticks(range(len(moves)), moves, fontsize=7, rotation=0 if len(moves) < 12 else 90)
    axes.set_title("the root's moves (up: best value, down: least swing, square: both)", fontsize=9)


def symbols(rows: list[Row]) -> dict[tuple[str, bool], list[tuple[int, int]]]:
    """The places (child, row) of each symbol, by its marker and whether it is filled.

    What stands in a row is what the search chose by: the children as the expansion before left them. Before the first
    one there are none; it shows them as they came.
    """
    found: dict[tuple[str, bool], list[tuple[int, int]]] = {}
    for time, row in enumerate(rows):
        seen = rows[max(time - 1, 0)]
        best = max((value for value in seen.values if value == value), default=None)  # NaN: not known yet
        least = min(seen.swings) if seen.swings else None
        for k, value in enumerate(seen.values):
            highest, lowest = value == best, seen.swings is not None and seen.swings[k] == least
            marker = "s" if highest and lowest else "^" if highest else "v" if lowest else "o"
            found.setdefault((marker, k == row.descended), []).append((k, time))
    return found
