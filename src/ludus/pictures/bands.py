"""Curves with confidence bands: a value and its interval against a number, a line for each subject."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludus.common.texttable import shorten
from ludus.pictures.curves import COLORS, MARKERS
from ludus.pictures.files import PICTURES, check_file, write_figure


@dataclass(frozen=True)
class Curve:
    """A line: its name, and points (x, value, low, high) in the order of x. Without an interval, low and high are the
    value."""

    name: str
    points: Sequence[tuple[float, float, float, float]]


def draw_curves(curves: Sequence[Curve], path: str | Path, **options: Any) -> None:
    """Draw the figure into a file, `.svg`, `.png` or `.pdf`; the options are those of `band_figure`."""
    check_file(path, PICTURES, "picture")
    write_figure(band_figure(curves, **options), path)


def band_figure(
    curves: Sequence[Curve],
    *,
    title: str = "",
    x: str = "",
    y: str = "",
    note: str = "",
    level: float | None = None,
) -> Any:
    """All curves in one panel, each with its band. x and y: what stands at the axes; note: a line below the title;
    level: where a horizontal line is drawn."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(7, 4.4), layout="constrained")
    axes = figure.subplots()
    if level is not None:
        axes.axhline(level, color="#999", linewidth=0.8)
    for number, curve in enumerate(curves):
        if not curve.points:
            continue
        color, marker = COLORS[number % len(COLORS)], MARKERS[number % len(MARKERS)]
        at, value, low, high = np.array(curve.points, float).T
        if (high > low).any():
            axes.fill_between(at, low, high, color=color, alpha=0.18, linewidth=0)
        axes.plot(at, value, f"{marker}-", color=color, ms=5, linewidth=1.4, label=shorten(curve.name, 40))
    places = [point[0] for curve in curves for point in curve.points]
    if all(place == int(place) for place in places):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(color="#ddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, fontsize=8.5)
    if note:
        axes.set_title(textwrap.fill(note, 100, break_on_hyphens=False), fontsize=9)
    figure.suptitle(textwrap.fill(title, 90, break_on_hyphens=False), fontsize=10)
    return figure
