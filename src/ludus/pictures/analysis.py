"""The pictures of an analysis, drawn from what `ludus analyse` tells as JSON."""

from __future__ import annotations

from typing import Any

from ludus.pictures.charts import BEST, OTHER

PLAYS = (("random play", OTHER), ("good play", BEST))
"""Both kinds of play, with their colours."""


def analysis_figure(found: dict[str, Any]) -> Any:
    """Four panels: who wins, how long games last, how many moves there are, and whether more search wins."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 7), layout="constrained")
    panels = figure.subplots(2, 2).flat
    plays = [(name, color, each) for (name, color), each in zip(PLAYS, (found, found["good"]), strict=True) if each]
    _draw_results(panels[0], plays)
    _draw_lengths(panels[1], plays)
    _draw_branching(panels[2], plays)
    _draw_ladder(panels[3], found["ladder"])
    for axes in panels:
        axes.grid(color="#ddd", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def _draw_results(axes: Any, plays: list[tuple[str, str, dict[str, Any]]]) -> None:
    """Shares of the games with their intervals."""
    kinds = ("first", "second", "draw")
    for place, (name, color, found) in enumerate(plays):
        values = [100 * found[kind]["value"] for kind in kinds]
        bars = [
            [100 * (found[kind]["value"] - found[kind]["low"]) for kind in kinds],
            [100 * (found[kind]["high"] - found[kind]["value"]) for kind in kinds],
        ]
        at = [x + 0.36 * (place - (len(plays) - 1) / 2) for x in range(3)]
        axes.bar(at, values, 0.34, color=f"{color}b0", label=name, yerr=bars, ecolor="#222", capsize=3)
    axes.set_xticks(range(3), ["First wins", "Second wins", "drawn"])
    axes.set_ylabel("% of the games, with 95 % intervals")
    axes.legend(frameon=False, fontsize=8.5)


def _draw_lengths(axes: Any, plays: list[tuple[str, str, dict[str, Any]]]) -> None:
    """The share of the games by the number of their moves."""
    longest = max(row["moves"] for _, _, found in plays for row in found["lengths"])
    width = max(longest // 60, 1)
    for name, color, found in plays:
        moves = [row["moves"] for row in found["lengths"]]
        weights = [100 * row["games"] / found["games"] for row in found["lengths"]]
        edges = [x - 0.5 for x in range(0, longest + width + 1, width)]
        axes.hist(moves, edges, weights=weights, color=f"{color}80", edgecolor=color, label=name, histtype="stepfilled")
    axes.set_xlabel("moves in a game")
    axes.set_ylabel("% of the games")
    axes.legend(frameon=False, fontsize=8.5)


def _draw_branching(axes: Any, plays: list[tuple[str, str, dict[str, Any]]]) -> None:
    """The mean number of legal moves at each move, from the fewest to the most, while a game in a hundred lasts."""
    for name, color, found in plays:
        rows = [row for row in found["by_move"] if row["games"] >= found["games"] / 100]
        at = [row["move"] for row in rows]
        axes.fill_between(at, [row["least"] for row in rows], [row["most"] for row in rows], color=f"{color}30", lw=0)
        axes.plot(at, [row["branching"] for row in rows], color=color, label=f"{name}: mean, fewest to most")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("move of the game")
    axes.set_ylabel("legal moves")
    axes.legend(frameon=False, fontsize=8.5)


def _draw_ladder(axes: Any, ladder: list[dict[str, Any]]) -> None:
    """The score of each rung against the rung below."""
    axes.axhline(50, color="#999", linewidth=0.8)
    if not ladder:
        axes.text(0.5, 0.5, "no game of good play", ha="center", color=OTHER, transform=axes.transAxes)
        axes.set_axis_off()
        return
    values = [100 * rung["score"]["value"] for rung in ladder]
    low = [100 * (rung["score"]["value"] - rung["score"]["low"]) for rung in ladder]
    high = [100 * (rung["score"]["high"] - rung["score"]["value"]) for rung in ladder]
    axes.errorbar(range(len(ladder)), values, [low, high], fmt="o-", color=BEST, capsize=3)
    names = [f"{rung['nodes']:,}\nv {_below(ladder, place)}" for place, rung in enumerate(ladder)]
    axes.set_xticks(range(len(ladder)), names, fontsize=8.5)
    axes.set_xlim(-0.5, len(ladder) - 0.5)
    axes.set_ylim(0, 100)
    axes.set_xlabel("nodes a move")
    axes.set_ylabel("% of the points, with 95 % intervals")


def _below(ladder: list[dict[str, Any]], place: int) -> str:
    if place and ladder[place]["against"] == ladder[place - 1]["player"]:
        return f"{ladder[place - 1]['nodes']:,}"
    return ladder[place]["against"].split("(")[0]
