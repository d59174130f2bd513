"""Lines with error bars, in panels side by side: what was measured against what was varied."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ludus.pictures.curves import common_legend, grid, look

TITLE = 40
"""Letters in a line of a panel's title."""
KEY, LETTER = 0.6, 0.066
"""Inches that a legend takes for the signs and for each letter of its longest name."""
Point = tuple[float, float, float | None, float | None]
"""A place on the x-axis, a value, and the ends of its interval, if it has one."""


def lines_figure(
    panels: Mapping[str, Mapping[str, Sequence[Point]]],
    *,
    x: str,
    y: str,
    log: Literal["", "x", "xy"] = "",
    limits: tuple[float, float] | None = None,
    guide: float | None = None,
    title: str = "",
) -> Any:
    """A panel for each title, in it a line for each name, in the same colour everywhere; one legend for all.

    x, y: what stands at the axes; log: which of them are logarithmic; limits: of the y-axis; guide: where a thin line
    goes across, such as one half.
    """
    from matplotlib.figure import Figure

    rows, columns = grid(len(panels))
    names = list(dict.fromkeys(name for lines in panels.values() for name in lines))
    beside = KEY + LETTER * max(map(len, names), default=0)
    figure = Figure(figsize=(max(3.6 * columns, 5.0) + beside, 3.4 * rows), layout="constrained")
    places = figure.subplots(rows, columns, squeeze=False, sharey=limits is not None)
    for (heading, lines), axes in zip(panels.items(), places.flat, strict=False):
        if guide is not None:
            axes.axhline(guide, color="#999", linewidth=0.8)
        for name, points in lines.items():
            _draw(axes, name, points, names.index(name))
        _dress(axes, heading, x, y, log, limits)
    for axes in places.flat[len(panels) :]:
        axes.set_visible(False)
    common_legend(figure, names)
    if title:
        figure.suptitle(title, fontsize=10)
    return figure


def _draw(axes: Any, name: str, points: Sequence[Point], number: int) -> None:
    shape, color = look(number)
    style = {"color": color, "ms": 4.5, "label": name}
    at, value = [point[0] for point in points], np.array([point[1] for point in points], float)
    if any(point[2] is None or point[3] is None for point in points):
        axes.plot(at, value, shape, **style)
        return
    low, high = (np.array([point[k] for point in points], float) for k in (2, 3))
    error = np.maximum([value - low, high - value], 0)
    axes.errorbar(at, value, error, fmt=shape, elinewidth=1, capsize=2, **style)


def _dress(axes: Any, heading: str, x: str, y: str, log: str, limits: tuple[float, float] | None) -> None:
    if "y" in log:
        axes.set_yscale("log")
    if "x" in log:
        axes.set_xscale("log")
    elif all(float(place).is_integer() for line in axes.lines for place in line.get_xdata()):
        axes.xaxis.get_major_locator().set_params(integer=True)
    if limits is not None:
        margin = 0.03 * (limits[1] - limits[0])
        axes.set_ylim(limits[0] - margin, limits[1] + margin)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title("\n".join(textwrap.wrap(heading, TITLE)), fontsize=9)
    axes.grid(color="#ddd", linewidth=0.6)
