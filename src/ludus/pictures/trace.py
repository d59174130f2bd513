"""The picture of how a tree grew: after Figures 6 to 11 of Utgoff & Cochran 2001, with values and a legend."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ludus.pictures.files import write_figure
from ludus.pictures.trees import LARGEST, depth_of, draw_tree, place
from ludus.runtime.trace import Row, Trace

BANDS = 60
"""The most rows of symbols; of more expansions, several share a row."""
MOVES = 12
"""The most moves of the root that are told apart: those with the largest subtrees."""
TALLEST = 15.0
"""Inches: two screens."""
COLORS = [f"C{k}" for k in range(10)] + ["#1b6", "#a07"]
BELOW: dict[str, Any] = {
    **{"loc": "upper center", "bbox_to_anchor": (0.5, 0), "borderaxespad": 4.5, "fontsize": 7, "frameon": False}
}
"""Where the legend of a column stands."""
REST = "#bbbbbb"
"""The colour of all other moves together."""

ENDS = ("pessimistic", "optimistic")
"""The numbers that are the ends of an interval, which is drawn around the values."""

Symbols = dict[tuple[str, bool], list[tuple[int, int]]]


def draw_trace(trace: Trace, path: str | Path) -> None:
    """The picture as a file."""
    write_figure(trace_figure(trace), path, dpi=130)


def trace_figure(trace: Trace, *, with_values: bool = True, with_tree: bool = True) -> Any:
    """Time goes down. Shares of the root's subtrees, the choice among its moves, their values, what else the search
    knows of them, shares of depths.

    Where the search knows no values of moves, or nothing else, there is no column for that. A small tree is drawn below
    as it is. Without values and tree it has the three columns of the paper's figures.
    """
    from matplotlib.figure import Figure

    rows = trace.rows
    values = np.array([row.values for row in rows], float)
    bounded = rows[-1].more.keys() >= set(ENDS)
    known = with_values and (bounded or bool(np.isfinite(values).any()))
    names = [name for name in rows[-1].more if with_values and name not in ENDS and name != "visits"]
    small = with_tree and trace.tree is not None and len(trace.tree) <= LARGEST
    placed = place(trace.tree, trace.line) if small and trace.tree is not None else None
    tree_height = 1.0 + 0.8 * depth_of(placed) if placed is not None else 0.0
    height = min(max(4.0, 2.0 + 0.11 * min(len(rows), BANDS)), TALLEST - tree_height)
    figure = Figure(figsize=(12, height + tree_height), layout="constrained")
    parts: Any = figure.subfigures(2, 1, height_ratios=[height, tree_height]) if small else [figure]
    axes = list(parts[0].subplots(1, 3 + known + bool(names), sharey=True))
    time = np.arange(len(rows))
    chosen = _largest(rows[-1])
    colors = dict(zip(chosen, COLORS, strict=False))
    _subtrees(axes[0], time, rows, trace.moves, colors)
    axes[0].set_ylabel("expansion")
    axes[0].set_ylim(max(len(rows) - 0.5, 0.5), -0.5)
    axes[0].yaxis.get_major_locator().set_params(integer=True)
    _choices(axes[1], rows, trace.moves, chosen)
    if known:
        _values(axes[2], time, values, trace.moves, colors)
        if bounded:
            _intervals(axes[2], time, rows, colors)
    if names:
        _numbers(axes[-2], time, rows, names[:2], colors)
    _depths(axes[-1], time, rows)
    parts[0].suptitle(f"{trace.player} on {trace.game}: {len(rows)} expansions", fontsize=11)
    if placed is not None:
        title = "the tree: each move with its value to whoever makes it; in green the principal variation"
        draw_tree(parts[1].subplots(), placed, title)
    return figure


def _largest(row: Row) -> list[int]:
    """The root's moves with the largest subtrees, in the order of the rules."""
    order = sorted(range(len(row.sizes)), key=lambda k: -row.sizes[k])
    return sorted(order[:MOVES])


def _subtrees(axes: Any, time: np.ndarray, rows: list[Row], moves: list[str], colors: dict[int, str]) -> None:
    sizes = np.array([row.sizes for row in rows], float)
    others = [k for k in range(len(moves)) if k not in colors]
    parts = [(moves[k], colors[k], sizes[:, k]) for k in colors]
    if others:
        parts.append((f"{len(others)} others", REST, sizes[:, others].sum(1)))
    _shares(axes, time, parts, "share of each move's subtree")


def _depths(axes: Any, time: np.ndarray, rows: list[Row]) -> None:
    width = max(len(row.depths) for row in rows)
    table = np.array([row.depths + [0] * (width - len(row.depths)) for row in rows], float)
    # From pale to dark, so that neighbours differ and deep is dark.
    shades = [(0.92 - 0.75 * k / max(width - 1, 1), 0.94 - 0.62 * k / max(width - 1, 1), 0.97) for k in range(width)]
    parts = [(f"depth {k + 1}", shades[k], table[:, k]) for k in range(width)]
    _shares(axes, time, parts, "share of each depth")


def _shares(axes: Any, time: np.ndarray, parts: list[tuple[str, Any, np.ndarray]], title: str) -> None:
    """Cumulated shares as lines, as in the paper, over tinted areas; what is never there has no area and no name."""
    parts = [part for part in parts if part[2].any()]
    total = np.maximum(sum(sizes for *_, sizes in parts), 1.0)
    before = np.zeros(len(time))
    for name, color, sizes in parts:
        bound = before + sizes / total
        axes.fill_betweenx(time, before, bound, color=color, alpha=0.55, linewidth=0, label=name)
        axes.plot(bound, time, color="black", linewidth=0.5)
        before = bound
    axes.set_xlim(0, 1)
    axes.set_title(title, fontsize=9)
    axes.legend(ncols=3, **BELOW)


def _choices(axes: Any, rows: list[Row], moves: list[str], chosen: list[int]) -> None:
    """A symbol for each move in each band of expansions; the darker it is, the more often it was descended there."""
    places = {k: place for place, k in enumerate(chosen)}
    size = -(-len(rows) // BANDS)
    dark: dict[tuple[int, int], int] = {}
    marks: dict[tuple[int, int], str] = {}
    for (marker, filled), points in symbols(rows).items():
        for k, time in points:
            if k in places:
                band = time // size
                dark[k, band] = dark.get((k, band), 0) + filled
                if time == min((band + 1) * size, len(rows)) - 1:  # as it was at the end of the band
                    marks[k, band] = marker
    for marker in sorted(set(marks.values())):
        spots = [spot for spot, mark in marks.items() if mark == marker]
        ends = [(band * size, min((band + 1) * size, len(rows))) for _, band in spots]
        faces = [str(1 - dark[spot] / (last - first)) for spot, (first, last) in zip(spots, ends, strict=True)]
        x, y = [places[k] for k, _ in spots], [(first + last - 1) / 2 for first, last in ends]
        axes.scatter(x, y, marker=marker, s=26, c=faces, edgecolor="black", linewidth=0.7)
    labels = [moves[k] for k in chosen]
    long = sum(map(len, labels)) > 24
    axes.set_xticks(range(len(chosen)), labels, fontsize=7, rotation=90 if long else 0)
    axes.set_xlim(-0.7, len(chosen) - 0.3)
    more = f", {len(moves) - len(chosen)} not shown" if len(moves) > len(chosen) else ""
    axes.set_title(f"choice of a move{more}", fontsize=9)
    guide = "least swing" if rows[0].swings else "greatest gain" if rows[0].gains else ""
    _explain(axes, guide, size, 0.55 * max(map(len, labels)) if long else 0.0)


def _explain(axes: Any, guide: str, size: int, pad: float) -> None:
    """The legend of the symbols: only those that this search has, `pad` lower than elsewhere."""
    from matplotlib.lines import Line2D

    names = {"^": "best value", "o": "another"}
    if guide:
        names = {"^": "best value", "v": guide, "s": "both", "o": "neither"}
    shape: dict[str, Any] = {"color": "none", "markeredgecolor": "black", "markeredgewidth": 0.7, "markersize": 5}
    handles = [Line2D([], [], marker=m, markerfacecolor="white", label=name, **shape) for m, name in names.items()]
    filled = "descended" if size == 1 else f"descended; a row is {size} expansions"
    handles.append(Line2D([], [], marker="o", markerfacecolor="black", label=filled, **shape))
    axes.legend(handles=handles, ncols=2, **BELOW | {"borderaxespad": BELOW["borderaxespad"] + pad})


def _values(axes: Any, time: np.ndarray, values: np.ndarray, moves: list[str], colors: dict[int, str]) -> None:
    """The value of each move over time, as a line. Values of won and lost games are drawn at the edges."""
    shown = np.where(np.isfinite(values), values, np.nan)
    middle = shown[np.abs(shown) < 2**19]
    if middle.size:  # those of finished games would leave no room for others
        spread = max(float(np.ptp(middle)), 1e-9)
        shown = np.clip(shown, middle.min() - 0.1 * spread, middle.max() + 0.1 * spread)
    for k in range(len(moves)):
        if k in colors:
            axes.plot(shown[:, k], time, color=colors[k], linewidth=1.2)
    axes.set_title("value of each move,\nto the player to move", fontsize=9)
    axes.grid(axis="x", color="#ddd", linewidth=0.6)
    axes.locator_params(axis="x", nbins=4)


def _intervals(axes: Any, time: np.ndarray, rows: list[Row], colors: dict[int, str]) -> None:
    """Between which ends the value of each move lies, as dotted lines; those of finished games are left out."""
    for name in ENDS:
        ends = np.array([row.more[name] for row in rows], float)
        shown = np.where(np.abs(ends) < 2**19, ends, np.nan)
        for k, color in colors.items():
            axes.plot(shown[:, k], time, color=color, linewidth=0.9, linestyle=":")
    axes.set_title("value and interval (dotted) of each move", fontsize=9)


def _numbers(axes: Any, time: np.ndarray, rows: list[Row], names: list[str], colors: dict[int, str]) -> None:
    """Further numbers of each move over time: the first as a line, the second dashed; none where one is infinite."""
    for name, style in zip(names, ("-", "--"), strict=False):
        numbers = np.array([row.more.get(name, [np.nan] * len(row.values)) for row in rows], float)
        shown = np.where(np.isfinite(numbers), numbers, np.nan)
        for k, color in colors.items():
            axes.plot(shown[:, k], time, color=color, linewidth=1.2, linestyle=style)
    words = [name.replace("_", " ") for name in names]
    axes.set_title(words[0] if len(words) == 1 else f"{words[0]} (line), {words[1]} (dashed)", fontsize=9)
    axes.grid(axis="x", color="#ddd", linewidth=0.6)
    axes.locator_params(axis="x", nbins=4)


def symbols(rows: list[Row]) -> Symbols:
    """The places (child, row) of each symbol, by its marker and whether it is filled.

    What stands in a row is what the search chose by: the children as the expansion before left them. Before the first
    one there are none; it shows them as they came.
    """
    found: Symbols = {}
    for time, row in enumerate(rows):
        seen = rows[max(time - 1, 0)]
        best = max((value for value in seen.values if value == value), default=None)  # NaN: not known yet
        guides = seen.swings or [-gain for gain in seen.gains or ()]  # the least is where to go
        for k, value in enumerate(seen.values):
            highest, chosen = value == best, bool(guides) and guides[k] == min(guides)
            marker = "s" if highest and chosen else "^" if highest else "v" if chosen else "o"
            found.setdefault((marker, k == row.descended), []).append((k, time))
    return found
