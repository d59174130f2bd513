"""The charts of a ranking: ratings with their intervals, and what a move costs against what it is worth."""

from __future__ import annotations

import textwrap
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.core.texttable import shorten

if TYPE_CHECKING:
    from ludus.arena.ranking import Ranking, Standing

LETTERS = 40
"""Of a line in a label; a longer name has a second one, and then an end."""
BEST, OTHER = "#2f8f5b", "#445566"
FIRST_RING, RINGS = 9, 30
"""A label is at most so many steps away from its point; the first is so many points wide, each other half of that."""


def ratings_figure(ranking: Ranking) -> Any:
    """Ratings with error bars, the best on top, those left out who have not played."""
    rows = _rows(ranking)
    labels = [_label(place, ranking.short_names[row.number]) for place, row in enumerate(rows)]
    lines = max(label.count("\n") for label in labels) + 1
    figure, axes = _figure(8, 1.5 + (0.16 + 0.18 * lines) * len(rows))
    for place, row in enumerate(rows):
        value, low, high = row.rating.value, row.rating.low, row.rating.high
        color = BEST if place == 0 else OTHER
        axes.errorbar([value], [place], xerr=[[value - low], [high - value]], fmt="o", color=color, capsize=3)
    axes.set_yticks(range(len(rows)), labels)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.axvline(0, color="#999", linewidth=0.8)
    axes.set_xlabel("Elo, with 95 % intervals")
    axes.grid(axis="x", color="#ddd", linewidth=0.6)
    title = ", ".join([f"{ranking.game}: {ranking.games:,} games", *ranking.terms])
    figure.suptitle(textwrap.fill(title, 90, break_on_hyphens=False), fontsize=10)
    return figure


def effort_figure(ranking: Ranking) -> Any:
    """What a move costs in time, and what it is worth: numbers at the points, names at the side."""
    rows, names = _rows(ranking), ranking.short_names
    figure, axes = _figure(8, max(4.2, 0.9 + 0.22 * len(rows)))
    points = [(max(row.effort.microseconds, 0.1), row.rating.value) for row in rows]
    for place, ((x, y), row) in enumerate(zip(points, rows, strict=True)):
        color = BEST if place == 0 else OTHER
        error = [[y - row.rating.low], [row.rating.high - y]]
        label = f"{place + 1}  {shorten(names[row.number], 32)}"
        axes.errorbar([x], [y], yerr=error, fmt="o", color=color, ecolor=f"{color}80", capsize=2, label=label)
    _scale_time(axes, [x for x, _ in points])
    axes.set_ylabel("Elo")
    axes.grid(color="#ddd", linewidth=0.6)
    handles = [bar.lines[0] for bar in axes.containers]
    labels = [bar.get_label() for bar in axes.containers]
    blank = {"handlelength": 0, "handletextpad": 0, "markerscale": 0}
    figure.legend(handles, labels, loc="outside right upper", frameon=False, fontsize=8.5, **blank)
    figure.draw_without_rendering()  # from here on the axes do not move
    figure.set_layout_engine("none")
    for place, (point, offset) in enumerate(zip(points, offsets(axes, points), strict=True)):
        axes.annotate(
            str(place + 1),
            point,
            xytext=offset,
            textcoords="offset points",
            fontsize=9,
            ha="center",
            va="center",
            arrowprops={"arrowstyle": "-", "color": "#888", "linewidth": 0.6, "shrinkA": 4, "shrinkB": 0},
        )
    return figure


def _scale_time(axes: Any, times: list[float]) -> None:
    """Logarithmic, some room on both sides, a few round numbers written out."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    margin = max((max(times) / min(times)) ** 0.12, 3 / (max(times) / min(times)) ** 0.5, 1.3)
    axes.set_xscale("log")
    axes.set_xlim(min(times) / margin, max(times) * margin)
    few = max(times) * margin**2 / min(times) > 200
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0,) if few else (1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.12g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("microseconds a move")


def offsets(axes: Any, points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """For each point where its number goes: as near as it can be without lying on a point, a number or the frame.

    All in points of 1/72 inch. Greedy: the number of the best comes first.
    """
    scale = 72 / axes.figure.dpi
    at = axes.transData.transform(points) * scale
    low, high = np.array(axes.get_window_extent().extents).reshape(2, 2) * scale
    taken = [(x, y, 4.0, 4.0) for x, y in at]
    found: list[tuple[float, float]] = []
    for place, here in enumerate(at):
        half = 3.2 * len(str(place + 1)) + 1.0, 6.0
        chosen = (float(FIRST_RING), 0.0)
        for ring, turn in product(range(RINGS), range(16)):
            angle = (turn * 5 % 16) * np.pi / 8  # right first, then round about
            step = FIRST_RING * (1 + ring / 2) * np.array([np.cos(angle), np.sin(angle)])
            x, y = here + step
            inside = (low + half <= (x, y)).all() and ((x, y) <= high - half).all()
            free = all(abs(x - a) >= half[0] + w or abs(y - b) >= half[1] + h for a, b, w, h in taken)
            if inside and free:
                chosen = (float(step[0]), float(step[1]))
                break
        found.append(chosen)
        taken.append((here[0] + chosen[0], here[1] + chosen[1], *half))
    return found


def _rows(ranking: Ranking) -> list[Standing]:
    return [row for row in ranking.standings if row.games]


def _label(place: int, name: str) -> str:
    """Number and name, in two lines if one is not enough."""
    first, *rest = textwrap.wrap(f"{place + 1}  {name}", LETTERS, break_on_hyphens=False)
    return "\n".join([first, shorten(" ".join(rest), LETTERS)]) if rest else first


def _figure(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()
