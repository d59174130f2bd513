"""Curves of strength against budget: a panel for each game, a line for each player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ludus.common.texttable import shorten
from ludus.pictures.charts import Rated, floor

ROW = 3
"""How many panels stand side by side."""
COLORS = ("#2f8f5b", "#2a6fb0", "#c2571a", "#8a4fa3", "#b5473c", "#7a6a2f", "#3aa0a0", "#d084b0", "#555f6b", "#a8a13a")
MARKERS = "os^Dv<>Ph*"


@dataclass(frozen=True)
class Panel:
    """A game: the key of its budgets, and of each player the budgets with ratings and intervals (value, low, high)."""

    title: str
    key: str
    curves: dict[str, list[tuple[float, float, float, float]]]


def curves_figure(panels: Sequence[Panel], players: Sequence[str]) -> Any:
    """All panels with one legend; players are in one colour everywhere, in this order."""
    from matplotlib.figure import Figure

    rows, columns = grid(len(panels))
    figure = Figure(figsize=(max(3.6 * columns, 5) + 2.6, 3.6 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for panel, place in zip(panels, axes.flat, strict=False):
        _draw(place, panel, players)
    for place in axes.flat[len(panels) :]:
        place.set_visible(False)
    common_legend(figure, [shorten(name, 34) for name in players])
    return figure


def grid(count: int) -> tuple[int, int]:
    """How many rows and columns this number of panels takes."""
    columns = 2 if count == 4 else min(max(count, 1), ROW)
    return -(-max(count, 1) // columns), columns


def look(number: int) -> tuple[str, str]:
    """The format of a line's points and of the line itself, and its colour: no two of the first twenty are alike."""
    again = number // len(COLORS) % 2
    return MARKERS[number % len(MARKERS)] + ("--" if again else "-"), COLORS[number % len(COLORS)]


def common_legend(figure: Any, names: Sequence[str]) -> None:
    """One legend beside all panels of a figure, with those of the names, in this order, that stand in one of them."""
    handles: dict[str, Any] = {}
    for place in figure.axes:
        for handle, label in zip(*place.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    labels = [name for name in names if name in handles]
    if labels:
        shown = [handles[label] for label in labels]
        figure.legend(shown, labels, loc="outside right upper", frameon=False, fontsize=8.5)


def _draw(axes: Any, panel: Panel, players: Sequence[str]) -> None:
    points = [Rated(name, *point[1:], 0.0) for name, curve in panel.curves.items() for point in curve]
    budgets = sorted({point[0] for curve in panel.curves.values() for point in curve})
    cut = floor(sorted(points, key=lambda point: -point.value))
    present = [name for name in players if name in panel.curves]
    step = min((b / a for a, b in pairwise(budgets)), default=2.0)
    for place, name in enumerate(present):
        shape, color = look(players.index(name))
        x, value, low, high = np.array(panel.curves[name]).T
        x = x * step ** (0.12 * (place / max(len(present) - 1, 1) - 0.5))  # so that no interval hides another
        shown = value if cut is None else np.where(value < cut, np.nan, value)
        error = [shown - low, high - shown]
        label = shorten(name, 34)
        axes.errorbar(
            x,
            shown,
            error,
            fmt=shape,
            color=color,
            ecolor=f"{color}90",
            elinewidth=1,
            capsize=2,
            ms=5,
            label=label,
        )
        for at, real, least in zip(x, value, low, strict=True):
            if cut is not None and least < cut:
                axes.plot([at], [cut], "v", color=color, ms=5, clip_on=False, label=label)
            if cut is not None and real < cut:
                below = {"textcoords": "offset points", "ha": "center", "fontsize": 7, "color": color}
                axes.annotate(f"{real:+.0f}", (at, cut), (0, 6), **below)
    axes.set_xscale("log")
    axes.set_xticks(budgets, [f"{budget:,g}" for budget in budgets])
    axes.minorticks_off()
    axes.set_xlabel({"units": "units of artificial time"}.get(panel.key, panel.key) + " a move")
    axes.set_ylabel("Elo" if cut is None else "Elo; ▾ farther below, not to scale")
    if cut is not None:
        axes.set_ylim(bottom=cut)
    axes.set_title(panel.title, fontsize=10)
    axes.grid(color="#ddd", linewidth=0.6)
