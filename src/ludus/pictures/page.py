"""A report as one HTML file that needs nothing else: no script to load, no font, no picture."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from ludus.common.errors import LudusError
from ludus.common.texttable import Column
from ludus.pictures.files import REPORTS, TABLES, check_file, ending, write_figure, write_text

STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --soft: #666; --line: #ddd; --code: #f5f5f2;
  --sure: #2f8f5b; --sure-paper: #f2f7f4; --open: #c98a00; --open-paper: #fdf6e6; --shadow: #0003; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #16181a; --soft: #a0a4a8; --line: #3a3d40; --code: #202326;
    --sure: #4db980; --sure-paper: #14261c; --open: #e0a83a; --open-paper: #2b2210; --shadow: #fff4; }
  .chart svg { filter: invert(.91) hue-rotate(180deg); }
  figure svg { background: #fff; border-radius: 4px; }
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: var(--ink); background: var(--paper); }
h1 { font-size: 1.6rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin-top: 2.2rem; } h3 { font-size: 1rem; }
.verdict { font-size: 1.15rem; border-left: .3rem solid var(--open); padding: .4rem .8rem;
  background: var(--open-paper); }
.verdict.sure { border-color: var(--sure); background: var(--sure-paper); }
.wide { overflow-x: auto; scrollbar-width: thin; padding-bottom: .3rem;
  background: linear-gradient(to right, var(--paper) 40%, transparent) left / 2rem 100% no-repeat local,
    linear-gradient(to left, var(--paper) 40%, transparent) right / 2rem 100% no-repeat local,
    linear-gradient(to right, var(--shadow), transparent) left / .7rem 100% no-repeat,
    linear-gradient(to left, var(--shadow), transparent) right / .7rem 100% no-repeat; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding: .25rem .5rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { white-space: normal; vertical-align: bottom; } th.name, td.name { text-align: left; }
td.name { white-space: normal; min-width: 7rem; }
tr.best, td.best { font-weight: 600; } .matrix td { min-width: 2.4rem; } .matrix td.few { opacity: .55; }
table.sortable th { cursor: pointer; } th[aria-sort=ascending]::after { content: " \\25b2"; }
th[aria-sort=descending]::after { content: " \\25bc"; }
pre { background: var(--code); padding: .7rem; overflow-x: auto; font-size: .9rem; }
code { background: var(--code); padding: 0 .2em; } pre code { padding: 0; } mark { background: #ffd54a; color: #222; }
svg { max-width: 100%; height: auto; } .chart { overflow-x: auto; scrollbar-width: thin; }
.chart svg { min-width: 30rem; } svg.icon { vertical-align: -.35em; background: #dcdcdc; border-radius: 4px; }
figure { margin: .5rem 0; } figcaption { min-height: 1.6em; } .note { color: var(--soft); font-size: .9rem; }
input[type=range] { width: 22rem; max-width: 65%; vertical-align: middle; }
button { font: inherit; padding: .15rem .7rem; }
.tabs button[aria-pressed=true] { font-weight: 600; outline: 2px solid var(--sure); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem; color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
"""

SORT = """
document.querySelectorAll("table.sortable").forEach(table => {
  const key = cell => {
    const text = cell.textContent.replace(/,/g, ""), n = parseFloat(text);
    return isNaN(n) ? text : n;
  };
  table.querySelectorAll("th").forEach((head, column) => head.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") == "descending";
    table.querySelectorAll("th").forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const rows = [...table.querySelectorAll("tr")].slice(1);
    rows.sort((a, b) => {
      const x = key(a.cells[column]), y = key(b.cells[column]);
      const order = typeof x == typeof y ? (x < y ? -1 : x > y ? 1 : 0) : typeof x == "number" ? 1 : -1;
      return up ? order : -order;
    });
    rows.forEach(row => row.parentNode.appendChild(row));
  }));
});
"""


@dataclass(frozen=True)
class Page:
    """All that stands on a page, in sentences, and in sections that are HTML already."""

    title: str
    verdict: str
    sure: bool
    """Whether the verdict is known: it is green then, and amber otherwise."""
    about: str
    sections: Sequence[str] = ()
    remarks: Sequence[str] = ()
    made: Sequence[tuple[str, str]] = field(default=())
    """How it was made: command, date, version and so on."""


@dataclass(frozen=True)
class Cell:
    """One player's games against another: its share of the points, from 0 to 1, how many games, and the results."""

    share: float
    games: int
    words: str
    few: bool = False
    """Whether it rests on few games."""


def write_report(
    path: str | Path, page: Callable[[], Page], table: Callable[[str], str], figure: Callable[[], Any]
) -> None:
    """Write the page, the table in this format or the picture, as the file's ending says; a `figure` may be None."""
    check_file(path, REPORTS, "report")
    kind = ending(path)
    if kind == "html":
        write_text(html(page()), path)
    elif kind in TABLES:
        write_text(table(kind), path)
    elif (drawn := figure()) is None:
        raise LudusError(f"{str(path)!r} is not written: there are no games to draw.")
    else:
        write_figure(drawn, path)


def html(page: Page) -> str:
    """The whole page."""
    title = escape(page.title)
    parts = [
        f"<h1>{title}</h1>",
        f'<p class="{"verdict sure" if page.sure else "verdict"}">{prose(page.verdict)}</p>',
        f"<p>{prose(page.about)}</p>",
        *page.sections,
        *_remarks(page.remarks),
        *_made(page.made),
        f"<script>{SORT}</script>",
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    body = f"<head>{head}<style>{STYLE}</style></head>\n<body>{''.join(parts)}</body>"
    return f'<!doctype html>\n<html lang="en">{body}</html>\n'


def prose(words: str) -> str:
    """Words as HTML; what stands between `backquotes` is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(words))


def note(words: str) -> str:
    """A remark in small grey letters."""
    return f'<p class="note">{prose(words)}</p>'


def standings_table(table: Sequence[Column], best: bool = True) -> str:
    """The columns as an HTML table, the first row in bold if it is the `best`; a click on a heading sorts it."""
    left = [column.left for column in table]
    rows = list(zip(*(column.cells for column in table), strict=True))
    heads = _row([column.title or column.head for column in table], left, "th")
    body = "".join(_row(row, left, "td", best and i == 0) for i, row in enumerate(rows))
    return f'<div class="wide"><table class="sortable">{heads}{body}</table></div>'


def _row(cells: Iterable[str], left: Iterable[bool], tag: str, best: bool = False) -> str:
    kinds = ("", ' class="name"')
    inner = "".join(f"<{tag}{kinds[name]}>{escape(cell)}</{tag}>" for cell, name in zip(cells, left, strict=True))
    return f'<tr class="best">{inner}</tr>' if best else f"<tr>{inner}</tr>"


def matrix_table(names: Sequence[str], matrix: Sequence[Sequence[Cell | None]]) -> str:
    """Each against each, from red for no points to green for all; pale where there are few games."""
    numbers = [str(place + 1) for place in range(len(names))]
    rows = [_row(["", "", *numbers], [False] * (2 + len(names)), "th")]
    for number, name, cells in zip(numbers, names, matrix, strict=True):
        inner = "".join(map(_shaded, cells))
        rows.append(f'<tr><td>{number}</td><td class="name">{escape(name)}</td>{inner}</tr>')
    return f'<div class="wide"><table class="matrix">{"".join(rows)}</table></div>'


def _shaded(cell: Cell | None) -> str:
    if cell is None:
        return "<td></td>"
    few = ' class="few"' if cell.few else ""
    color = f"hsl({120 * cell.share:.0f} 60% 50% / .25)"
    below = f'<br><small class="note">{cell.games}</small>'
    return f'<td{few} style="background:{color}" title="{escape(cell.words)}">{100 * cell.share:.0f}{below}</td>'


def chart(figure: Any, words: str) -> str:
    """A figure as an SVG element, with words for those who do not see it, because its letters are shapes."""
    buffer = io.StringIO()
    write_figure(figure, buffer, format="svg")
    text = buffer.getvalue()
    return f'<div class="chart"><svg role="img" aria-label="{escape(words)}" {text[text.index("<svg") + 5 :]}</div>'


def _remarks(remarks: Sequence[str]) -> list[str]:
    return ["<h2>Remarks</h2><ul>", *(f"<li>{prose(words)}</li>" for words in remarks), "</ul>"] if remarks else []


def _made(facts: Sequence[tuple[str, str]]) -> list[str]:
    told = "".join(f"<dt>{escape(what)}</dt><dd>{escape(words)}</dd>" for what, words in facts)
    return ["<h2>How this was made</h2>", f"<dl>{told}</dl>"] if facts else []
