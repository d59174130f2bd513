"""The picture of a learnt evaluator: what it foretells against what came, and how it grew stronger."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from ludus.pictures.charts import BEST, OTHER
from ludus.pictures.files import PICTURES, check_file, write_figure


def draw(about: dict[str, Any], path: str | Path) -> None:
    """Draw what the file of a learnt evaluator tells."""
    check_file(path, PICTURES, "picture")
    write_figure(learning_figure(about), path)


def learning_figure(about: dict[str, Any]) -> Any:
    """Predicted against observed; for TD beside it the learning curve."""
    from matplotlib.figure import Figure

    curve = about.get("curve")
    figure = Figure(figsize=(9 if curve else 5, 4.4), layout="constrained")
    panels = figure.subplots(1, 2 if curve else 1, squeeze=False)[0]
    _draw_fit(panels[0], about)
    if curve:
        _draw_curve(panels[1], curve)
    for axes in panels:
        axes.grid(color="#ddd", linewidth=0.6)
    title = f"{about['name']}: {about['method']} on {about['game']}, {about['positions']:,} positions"
    figure.suptitle(textwrap.fill(title, 90 if curve else 50, break_on_hyphens=False), fontsize=10)
    return figure


def _draw_fit(axes: Any, about: dict[str, Any]) -> None:
    """A point for each position or, where only results are known, for positions with like predictions."""
    import numpy as np

    predicted, observed = (np.array(about["shown"][key]) for key in ("predicted", "observed"))
    if about["method"] == "regression":
        axes.plot(predicted, observed, ".", color=OTHER, ms=3, alpha=0.4)
    lots = [lot for lot in np.array_split(np.argsort(predicted, kind="stable"), 20) if len(lot)]
    means = [(predicted[lot].mean(), observed[lot].mean()) for lot in lots]
    axes.plot(*zip(*means, strict=True), "o-", color=BEST, ms=5, label="means of twentieths")
    ends = [min(predicted.min(), observed.min()), max(predicted.max(), observed.max())]
    axes.plot(ends, ends, color="#999", linewidth=0.8)
    axes.set_xlabel("predicted")
    axes.set_ylabel(f"observed: {about['target']}")
    axes.legend(frameon=False, fontsize=8.5)
    fit = about["fit"].get("r2")
    if fit is not None:
        axes.set_title(f"R² {fit:.3f}", fontsize=9)


def _draw_curve(axes: Any, curve: list[dict[str, Any]]) -> None:
    """The score against the opponent after each number of games, with its 95 % interval."""
    games = [point["games"] for point in curve]
    axes.fill_between(games, [p["low"] for p in curve], [p["high"] for p in curve], color="#94c3a880", linewidth=0)
    axes.plot(games, [point["score"] for point in curve], "o-", color=BEST, ms=4)
    axes.axhline(0.5, color="#999", linewidth=0.8)
    axes.set_ylim(0, 1)
    axes.set_xlabel("games of self-play")
    axes.set_ylabel(f"score against {curve[0]['opponent']}, 95 %")
