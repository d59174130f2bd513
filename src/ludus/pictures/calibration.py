"""The picture of a calibration: errors, intervals and win curves by phase, and how reliable the win curve is."""

from __future__ import annotations

import math
import textwrap
from pathlib import Path
from typing import Any

from ludus.pictures.charts import BEST, OTHER
from ludus.pictures.files import PICTURES, check_file, write_figure

SHADES = ("#9ecae1", "#6baed6", "#3182bd", "#08519c")
"""The classes of phase, from early to late."""


def draw(facts: dict[str, Any], path: str | Path) -> None:
    """Draw what `ludus calibrate` tells as JSON."""
    check_file(path, PICTURES, "picture")
    write_figure(calibration_figure(facts), path)


def calibration_figure(facts: dict[str, Any]) -> Any:
    """Three panels: the errors of the static value, the probability of winning that it stands for, and the results of
    held-out positions against what was predicted."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 4.2), layout="constrained")
    errors, curves, reliability = figure.subplots(1, 3)
    _draw_errors(errors, facts)
    _draw_curves(curves, facts)
    _draw_reliability(reliability, facts)
    for axes in (errors, curves, reliability):
        axes.grid(color="#ddd", linewidth=0.6)
    title = f"{facts['eval']} on {facts['game']}: {facts['positions']:,} positions, seed {facts['seed']}"
    figure.suptitle(textwrap.fill(title, 130, break_on_hyphens=False), fontsize=10)
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
    names = _phase_names(facts)
    axes.set_xticks(range(len(names)), names, fontsize=9)
    axes.set_xlabel("phase of the game")
    axes.set_ylabel("deeper value minus static value")
    axes.legend(frameon=False, fontsize=8.5)


def _draw_curves(axes: Any, facts: dict[str, Any]) -> None:
    """The win curve of each class of phase, the later the darker, and that of all phases."""
    low, high = facts["values"]["low"], facts["values"]["high"]
    values = [low + (high - low) * i / 100 for i in range(101)]
    shades = SHADES[-len(facts["phases"]) :]
    for row, name, shade in zip(facts["phases"], _phase_names(facts), shades, strict=True):
        axes.plot(values, _chances(row, values), color=shade, label=f"phase {name}")
    axes.plot(values, _chances(facts["win"], values), color=OTHER, linestyle="--", linewidth=1, label="all phases")
    axes.set_ylim(0, 1)
    axes.set_xlabel("static value (95 % of positions)")
    axes.set_ylabel("probability of winning")
    axes.legend(frameon=False, fontsize=8.5)


def _chances(curve: dict[str, float], values: list[float]) -> list[float]:
    return [0.5 + 0.5 * math.tanh(0.5 * (curve["intercept"] + curve["slope"] * value)) for value in values]


def _phase_names(facts: dict[str, Any]) -> list[str]:
    return [f"{row['from']:.2f} - {row['to']:.2f}" for row in facts["phases"]]


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
