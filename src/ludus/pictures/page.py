"""The report of a ranking as one HTML file that needs nothing else: no script to load, no font, no picture."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from ludus.core.texttable import Column
from ludus.pictures.charts import Rated, effort_figure, ratings_figure
from ludus.pictures.files import write_figure

FRAMES = 200
"""The most positions of the example game that are shown; of a longer one, the first and the last half of them."""

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.verdict { font-size: 1.15rem; border-left: .3rem solid #2f8f5b; padding: .4rem .8rem; background: #f2f7f4; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
th.name, td.name { text-align: left; } tr.best { font-weight: 600; } .matrix td { min-width: 2.4rem; }
pre { background: #f5f5f2; padding: .7rem; overflow-x: auto; font-size: .9rem; } svg { max-width: 100%; height: auto; }
input[type=range] { width: 24rem; max-width: 100%; } .note { color: #666; font-size: .9rem; }
"""

SCRIPT = """
const frames = document.querySelectorAll("#game figure"), slider = document.getElementById("ply");
const show = () => frames.forEach((frame, i) => { frame.hidden = i != slider.value; });
slider.max = frames.length - 1; slider.value = frames.length - 1; slider.addEventListener("input", show); show();
"""


@dataclass(frozen=True)
class Cell:
    """One player's games against another: its share of the points, from 0 to 1, how many games, and the results."""

    share: float
    games: int
    words: str


@dataclass(frozen=True)
class Frame:
    """A position of the example game: what led to it, and its picture, as HTML; none if the game draws none."""

    words: str
    picture: str


@dataclass(frozen=True)
class Findings:
    """What the games of a ranking say, the best player first."""

    rated: Sequence[Rated]
    chart_title: str
    table: Sequence[Column]
    first_move: str
    matrix: Sequence[Sequence[Cell | None]]
    names: Sequence[str]
    example: str
    """The heading of the example game."""
    frames: Sequence[Frame]
    usage: str
    """How to use the winner, in Python."""


@dataclass(frozen=True)
class Report:
    """All that stands on the page, in sentences and tables; findings only if there were games."""

    title: str
    verdict: str
    about: str
    remarks: Sequence[str]
    findings: Findings | None


def html(report: Report) -> str:
    """The whole page."""
    title, found = escape(report.title), report.findings
    parts = [
        f"<h1>{title}</h1>",
        f'<p class="verdict">{prose(report.verdict)}</p>',
        f"<p>{prose(report.about)}</p>",
        *(_results(found) if found is not None else []),
        *_remarks(report.remarks),
        *(_use(found) if found is not None else []),
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    page = f"<head>{head}<style>{STYLE}</style></head>\n<body>{''.join(parts)}</body>"
    return f'<!doctype html>\n<html lang="en">{page}</html>\n'


def prose(words: str) -> str:
    """Words as HTML; what stands between `backquotes` is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(words))


def _results(found: Findings) -> list[str]:
    return [
        "<h2>Ratings, with 95 % intervals</h2>",
        _svg(ratings_figure(found.rated, found.chart_title), "Ratings with their intervals, as in the table below"),
        f'<div class="wide">{standings_table(found.table)}</div>',
        '<p class="note">Elo, the mean of the roster at 0. LOS: likelihood of being stronger than the next one. '
        f"{prose(found.first_move)}</p>",
        "<h2>Each against each</h2>",
        f'<div class="wide">{matrix_table(found.names, found.matrix)}</div>',
        '<p class="note">Points of the row against the column, in per cent; below, the number of games.</p>',
        "<h2>Effort and strength</h2>",
        _svg(effort_figure(found.rated), "Elo against microseconds a move, as in the first table"),
    ]


def _use(found: Findings) -> list[str]:
    return [*_example(found), "<h2>Use the winner</h2>", f"<pre>{escape(found.usage)}</pre>"]


def standings_table(table: Sequence[Column]) -> str:
    """The columns as an HTML table, the first row in bold."""
    left = [column.left for column in table]
    rows = list(zip(*(column.cells for column in table), strict=True))
    heads = _row([column.title or column.head for column in table], left, "th")
    return f"<table>{heads}{''.join(_row(row, left, 'td', i == 0) for i, row in enumerate(rows))}</table>"


def _row(cells: Iterable[str], left: Iterable[bool], tag: str, best: bool = False) -> str:
    kinds = ("", ' class="name"')
    inner = "".join(f"<{tag}{kinds[name]}>{escape(cell)}</{tag}>" for cell, name in zip(cells, left, strict=True))
    return f'<tr class="best">{inner}</tr>' if best else f"<tr>{inner}</tr>"


def matrix_table(names: Sequence[str], matrix: Sequence[Sequence[Cell | None]]) -> str:
    """Each against each, from red for no points to green for all."""
    numbers = [str(place + 1) for place in range(len(names))]
    rows = [_row(["", "", *numbers], [False] * (2 + len(names)), "th")]
    for number, name, cells in zip(numbers, names, matrix, strict=True):
        inner = "".join(map(_shaded, cells))
        rows.append(f'<tr><td>{number}</td><td class="name">{escape(name)}</td>{inner}</tr>')
    return f'<table class="matrix">{"".join(rows)}</table>'


def _shaded(cell: Cell | None) -> str:
    if cell is None:
        return "<td></td>"
    color = f"hsl({120 * cell.share:.0f} 55% 85%)"
    below = f'<br><small class="note">{cell.games}</small>'
    return f'<td style="background:{color}" title="{escape(cell.words)}">{100 * cell.share:.0f}{below}</td>'


def _remarks(remarks: Sequence[str]) -> list[str]:
    return ["<h2>Remarks</h2><ul>", *(f"<li>{prose(words)}</li>" for words in remarks), "</ul>"] if remarks else []


def _example(found: Findings) -> list[str]:
    """One game: pictures with a slider, or the moves in words."""
    frames = found.frames
    if not frames:
        return []
    title = f"<h2>{escape(found.example)}</h2>"
    if not frames[0].picture:
        return [title, f"<ol>{''.join(f'<li>{escape(frame.words)}</li>' for frame in frames[1:])}</ol>"]
    shown = frames if len(frames) <= FRAMES else [*frames[: FRAMES // 2], *frames[-FRAMES // 2 :]]
    figures = [f"<figure><figcaption>{escape(frame.words)}</figcaption>{frame.picture}</figure>" for frame in shown]
    return [
        title,
        f'<p><input type="range" id="ply" min="0" aria-label="ply"></p><div id="game">{"".join(figures)}</div>',
        f"<script>{SCRIPT}</script>",
    ]


def _svg(figure: Any, words: str) -> str:
    """A figure as an SVG element, with words for those who do not see it, because its letters are shapes."""
    buffer = io.StringIO()
    write_figure(figure, buffer, format="svg")
    text = buffer.getvalue()
    return f'<svg role="img" aria-label="{escape(words)}" {text[text.index("<svg") + 5 :]}'
