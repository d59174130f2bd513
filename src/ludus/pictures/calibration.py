"""The picture of a calibration: errors and intervals by phase, and how reliable the win curve is."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from ludus.pictures.charts import BEST, OTHER
from ludus.pictures.files import PICTURES, check_file, write_figure


def draw(facts: dict[str, Any], path: str | Path) -> None:
    """Draw what `ludus calibrate` tells as JSON."""
    check_file(path, PICTURES, "picture")
    write_figure(calibration_figure(facts), path)


def calibration_figure(facts: dict[str, Any]) -> Any:
    """Two panels: the errors of the static value, and the results of held-out positions against what was predicted."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.2), layout="constrained")
    errors, curve = figure.subplots(1, 2)
    _draw_errors(errors, facts)
    _draw_reliability(curve, facts)
    for axes in (errors, curve):
        axes.grid(color="#ddd", linewidth=0.6)
    title = f"{facts['eval']} on {facts['game']}: {facts['positions']:,} positions, seed {facts['seed']}"
    figure.suptitle(textwrap.fill(title, 90, break_on_hyphens=False), fontsize=10)
    return figure


def _draw_errors(axes: Any, facts: dict[str, Any]) -> None:
    """For each class of phase the interval as a bar, the mean error with its standard deviation as a point."""
    depth, level = facts["depth"], 100 * facts["coverage"]["level"]
    for place, row in enumerate(facts["phases"]):
        label = {"label": f"{level:.0f} % of errors, {depth} plies"} if place == 0 else {}
        axes.bar([place], [row["high"] - row["low"]], 0.6, row["low"], color="#94c3a880", **label)
        for key, offset, color, words in (
            ("", -0.12, OTHER, "1 ply: mean and sd"),
            ("deep_", 0.12, BEST, f"{depth} plies"),
        ):
            mean, sd = row[f"{key}mean"], row[f"{key}sd"]
            if mean is not None:
                label = {"label": words} if place == 0 else {}
                axes.errorbar([place + offset], [mean], yerr=[sd], fmt="o", color=color, capsize=3, ms=5, **label)
    axes.axhline(0, color="#999", linewidth=0.8)
    axes.use_sticky_edges = False  # some room below the bars
    names = [f"{row['from']:.2f} - {row['to']:.2f}" for row in facts["phases"]]
    axes.set_xticks(range(len(names)), names, fontsize=9)
    axes.set_xlabel("phase of the game")
    axes.set_ylabel("deeper value minus static value")
    axes.legend(frameon=False, fontsize=8.5)


def _draw_reliability(axes: Any, facts: dict[str, Any]) -> None:
    """The share won among positions with like predictions; on the diagonal the curve is right."""
    points = facts["reliability"]
    axes.plot([0, 1], [0, 1], color="#999", linewidth=0.8)
    if points:
        axes.plot([p["predicted"] for p in points], [p["won"] for p in points], "o-", color=BEST, ms=5)
    else:
        axes.text(0.5, 0.4, "no position was held out", ha="center", color=OTHER)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_xlabel("predicted probability of winning")
    axes.set_ylabel("won, of held-out positions")
    score, base = facts["win"]["brier"], facts["win"]["base"]
    if score is not None and base is not None:
        axes.set_title(f"Brier score {score:.3f}, base rate {base:.3f}", fontsize=9)
