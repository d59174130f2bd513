"""Pictures of theorems: formulas as lines, simulations as points with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus.pictures.curves import COLORS


def panels_figure(panels: Sequence[Any]) -> Any:
    """One pair of axes for each panel (`theorems.rows.Panel`), side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.6 * len(panels), 4.4), layout="constrained")
    for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        for number, series in enumerate(panel.series):
            color = COLORS[number % len(COLORS)]
            if series.is_simulated:
                below = [y - low for y, low in zip(series.y, series.low, strict=True)]
                above = [high - y for y, high in zip(series.y, series.high, strict=True)]
                axes.errorbar(
                    series.x, series.y, [below, above], fmt="o", color=color, capsize=3, ms=4, label=series.label
                )
            else:
                style = "--" if series.dashed else "-"
                axes.plot(series.x, series.y, style, color=color, label=series.label, linewidth=1.4)
        if panel.floor is not None:
            _scale(axes, panel.floor)
        axes.xaxis.get_major_locator().set_params(integer=panel.whole)
        axes.set_title(panel.title, fontsize=10)
        axes.set_xlabel(panel.across)
        axes.set_ylabel(panel.up)
        axes.grid(color="#ddd", linewidth=0.6)
        axes.legend(frameon=False, fontsize=8)
    return figure


def _scale(axes: Any, floor: float) -> None:
    """A logarithmic axis from `floor` on; a formula that gives 0 is not shown."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axes.set_yscale("log", nonpositive="mask")
    axes.set_ylim(floor, 1.0)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
