"""Charts of rated players: ratings with their intervals, and the rating against the time of a move.

Who is far below all others, `random` as a rule, does not squeeze the axis: it is drawn at the edge, with its rating. An
interval that reaches far below all others is cut there.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from ludus.common.texttable import shorten

LETTERS = 40
"""The most letters in a line of a label; a longer name takes a second line, and is shortened to fit it."""
BEST, OTHER = "#2f8f5b", "#445566"
"""The colours of the best player and of all others."""
FIRST_RING, RINGS = 9, 30
"""The distance of a number from its point, in points of 1/72 inch, and how many distances are tried, each half of that
larger."""


FAR = 300
"""Elo. A player this far below the next, and farther than all others are apart, is drawn at the edge."""


@dataclass(frozen=True)
class Rated:
    """A player in a chart: its name, its rating with the ends of the interval, and the microseconds of a move.

    Players of the same `kind` differ in their budgets only; empty: there is no other such player.
    """

    name: str
    value: float
    low: float
    high: float
    microseconds: float
    kind: str = ""


def floor(players: Sequence[Rated]) -> float | None:
    """Where the axis of ratings is cut; None if nothing is far below all else. At least three players are not cut."""
    cut = _below_ratings(players)
    return cut if cut is not None else _below_intervals(players)


def _below_ratings(players: Sequence[Rated]) -> float | None:
    """Where to cut if there are ratings far below all others."""
    values = sorted((player.value for player in players), reverse=True)
    for count in range(len(values) - 1, 2, -1):
        gap, spread = values[count - 1] - values[count], values[0] - values[count - 1]
        if gap > max(FAR, spread):
            above = [player for player in players if player.value >= values[count - 1]]
            low, high = min(player.low for player in above), max(player.high for player in above)
            cut = _edge(low, high)
            return cut if values[count] < cut else None
    return None


def _below_intervals(players: Sequence[Rated]) -> float | None:
    """Where to cut if only intervals reach far below all others, and would take more than a third of the axis."""
    lows, high = sorted(player.low for player in players), max(player.high for player in players)
    lowest = min(player.value for player in players)
    for low in lows[1:-2]:
        cut = _edge(min(low, lowest), high)
        if cut - lows[0] > (high - cut) / 2:
            return cut
    return None


def _edge(low: float, high: float) -> float:
    """A little below what is shown whole, from `low` to `high`."""
    return low - 0.15 * (high - low)


def ratings_figure(players: Sequence[Rated], title: str) -> Any:
    """Ratings with error bars; the players are given the best first, and the best is drawn on top."""
    labels = [_label(place, player.name) for place, player in enumerate(players)]
    lines = max(label.count("\n") for label in labels) + 1
    figure, axes = _figure(8, 1.5 + (0.16 + 0.18 * lines) * len(players))
    cut = floor(players)
    for place, player in enumerate(players):
        bar = [[player.value - player.low], [player.high - player.value]]
        color = BEST if place == 0 else OTHER
        if cut is not None and player.value < cut:
            axes.plot([cut], [place], "<", color=color, clip_on=False)
            axes.annotate(f"{player.value:+.0f}", (cut, place), (9, 0), textcoords="offset points", va="center")
        else:
            axes.errorbar([player.value], [place], xerr=bar, fmt="o", color=color, capsize=3)
            if cut is not None and player.low < cut:
                axes.plot([cut], [place], "<", color=color, clip_on=False)
    axes.set_yticks(range(len(players)), labels)
    axes.set_ylim(len(players) - 0.5, -0.5)
    axes.axvline(0, color="#999", linewidth=0.8)
    axes.set_xlabel("Elo, with 95 % intervals" + ("" if cut is None else "; ◂ farther below, not to scale"))
    if cut is not None:
        axes.set_xlim(left=cut)
    axes.grid(axis="x", color="#ddd", linewidth=0.6)
    figure.suptitle(textwrap.fill(title, 90, break_on_hyphens=False), fontsize=10)
    return figure


def effort_figure(players: Sequence[Rated]) -> Any:
    """The rating of each player against the time that it takes for a move: numbers at the points, names at the side."""
    figure, axes = _figure(8, max(4.2, 0.9 + 0.22 * len(players)))
    cut = floor(players)
    edge = -np.inf if cut is None else cut
    points = [(max(player.microseconds, 0.1), max(player.value, edge)) for player in players]
    _join(axes, players, points)
    for place, ((x, y), player) in enumerate(zip(points, players, strict=True)):
        color = BEST if place == 0 else OTHER
        far = player.value < edge
        error = [[0], [0]] if far else [[y - max(player.low, edge)], [player.high - y]]
        label = f"{place + 1}  {shorten(player.name, 32)}" + (f"  ({player.value:+.0f})" if far else "")
        mark = "v" if far else "o"
        axes.errorbar([x], [y], yerr=error, fmt=mark, color=color, ecolor=f"{color}80", capsize=2, label=label)
        if player.low < edge and not far:
            axes.plot([x], [edge], "v", color=color, markersize=5)
    if cut is not None:
        axes.set_ylim(bottom=cut - 0.06 * (max(player.high for player in players) - cut))
    _scale_time(axes, [x for x, _ in points])
    axes.set_ylabel("Elo" if cut is None else "Elo; ▾ farther below, not to scale")
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


def _join(axes: Any, players: Sequence[Rated], points: Sequence[tuple[float, float]]) -> None:
    """Lines between the points of equal searches at different budgets."""
    kinds: dict[str, list[tuple[float, float]]] = {}
    for player, point in zip(players, points, strict=True):
        if player.kind:
            kinds.setdefault(player.kind, []).append(point)
    for joined in kinds.values():
        axes.plot(*zip(*sorted(joined), strict=True), color="#9ab", linewidth=1.2, zorder=0.5)


def _scale_time(axes: Any, times: list[float]) -> None:
    """Make the x-axis one of time: logarithmic, with some room on both sides and a few round numbers."""
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
    """For each point the place of its number, relative to it: as near as it can be, but not on a point, a number or the
    frame.

    Distances are in points of 1/72 inch. Numbers are placed one after the other, that of the best first.
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


def _label(place: int, name: str) -> str:
    """The number and the name of a player, in two lines if one is not enough."""
    first, *rest = textwrap.wrap(f"{place + 1}  {name}", LETTERS, break_on_hyphens=False)
    return "\n".join([first, shorten(" ".join(rest), LETTERS)]) if rest else first


def _figure(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def pairs_figure(counts: Sequence[int], title: str) -> Any:
    """How many pairs of a match gave the first player 0, 1/2, 1, 3/2 and 2 points."""
    figure, axes = _figure(6, 3)
    bars = axes.bar(range(5), counts, color=["#b5473c", "#cf9a93", "#8a949e", "#94c3a8", BEST], width=0.7)
    axes.bar_label(bars, labels=[f"{count:,}" for count in counts], padding=2)
    axes.set_xticks(range(5), ["0", "1/2", "1", "3/2", "2"])
    axes.set_xlabel("points of the first player in a pair")
    axes.set_ylabel("pairs")
    axes.margins(y=0.15)
    axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(textwrap.fill(title, 90, break_on_hyphens=False) if title else "", fontsize=10)
    return figure
