"""A reproduction in words: on the terminal, as Markdown with its figures, and as one HTML file."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.common.errors import LudusError
from ludus.common.files import path_of
from ludus.common.tables import markdown
from ludus.common.texttable import WIDE, Column, lay_out, wrap
from ludus.pictures.files import write_figure, write_text
from ludus.pictures.page import Page, chart, html, note, prose, standings_table
from ludus.studies.engine.agreement import LEVEL, Row
from ludus.studies.engine.study import Found, Table
from ludus.studies.engine.study_summary import reproduced

if TYPE_CHECKING:
    from ludus.studies.engine.reproduction import Reproduction

SCALES = {
    "tiny": "at a tiny scale, which shows nothing but that it runs",
    "quick": "quickly, with fewer games",
    "full": "in full",
}


def text(result: Reproduction, width: int = WIDE) -> str:
    """What the terminal shows."""
    lines = [*wrap(heading(result), width), ""]
    for found in result.found:
        lines += [f"{found.part.name}: {found.part.title}", ""]
        lines += [f"  {line}" for line in lay_out(columns(found.rows), width - 2)] if found.rows else ["  no rows yet"]
        for table in found.tables:
            lines += [
                "",
                *wrap(f"{table.caption}:", width),
                "",
                *(f"  {line}" for line in lay_out(words(table), width)),
            ]
        lines += ["", *(line for sentence in _sentences(result, found) for line in wrap(sentence, width)), ""]
    lines += wrap(verdict(result), width)
    if result.interrupted:
        lines.append("Interrupted; the same command goes on.")
    return "\n".join(lines)


def heading(result: Reproduction) -> str:
    return f"{result.study.title}, reproduced {SCALES[result.scale]}, seed {result.seed}."


def verdict(result: Reproduction) -> str:
    """How many rows agree, and which parts have others."""
    rows = [row for found in result.found for row in found.rows]
    judged = [row for row in rows if row.agrees is not None and not row.ours]
    derived = [row for row in rows if row.agrees is not None and row.ours]
    agreeing = sum(bool(row.agrees) for row in judged)
    disagreeing = {id(row) for row in judged if not row.agrees}
    others = [found.part.name for found in result.found if any(id(row) in disagreeing for row in found.rows)]
    told = f"{agreeing} of {len(judged)} {_said(result)} agree with ours at the level of {100 * LEVEL:g} %"
    told += f"; others are in {', '.join(others)}." if others else "."
    told = told if judged else f"There are no {_said(result)} to compare with."
    if derived:
        told += f" Of {len(derived)} numbers that we derived, {sum(bool(row.agrees) for row in derived)} agree."
    unjudged = len(rows) - len(judged) - len(derived)
    more = f" {unjudged} further row{'s have' if unjudged != 1 else ' has'} no counterpart in it." if unjudged else ""
    return f"{told}{more}"


def _said(result: Reproduction) -> str:
    return "numbers of the paper" if result.study.of_paper else "expectations"


def _before(result: Reproduction) -> str:
    """What the words of a part are about."""
    return "In the paper." if result.study.of_paper else "What is done."


def _sentences(result: Reproduction, found: Found) -> list[str]:
    """What was reproduced and what was not, and what the part says of it."""
    told = reproduced([row.to_dict() for row in found.rows]) if result.study.of_paper else ""
    return [*filter(None, [told]), *found.sentences]


def words(table: Table) -> list[Column]:
    """A table of words."""
    cells = list(zip(*table.rows, strict=True)) or [() for _ in table.heads]
    return [Column(head, column, left=True) for head, column in zip(table.heads, cells, strict=True)]


def columns(rows: Sequence[Row]) -> list[Column]:
    """The table of a part; what no row has is left out."""
    table = [
        Column("what", [row.what for row in rows], left=True, elastic=True),
        Column("convention", [row.convention for row in rows], 1, left=True),
        Column("paper", [_paper(row) for row in rows]),
        Column("measured", [number(row.measured) for row in rows]),
        Column("95 %", [_interval(row) for row in rows], 3),
        Column("n", ["" if row.size is None else f"{row.size:,}" for row in rows], 2),
        Column("agrees", [{True: "yes", False: "NO", None: ""}[row.agrees] for row in rows], title="agrees"),
    ]
    return [column for column in table if column.head in ("what", "measured") or any(column.cells)]


def number(value: float | None) -> str:
    """A number with four digits, whole ones with all of them."""
    if value is None or math.isnan(value):
        return "?"
    return f"{value:,.0f}" if float(value).is_integer() and abs(value) < 1e15 else f"{value:.4g}"


def _paper(row: Row) -> str:
    if row.paper is None:
        return ""
    told = number(row.paper) if row.relation == "=" else f"{row.relation} {number(row.paper)}"
    return f"({told})" if row.ours else told


def _interval(row: Row) -> str:
    if row.low is None or row.high is None:
        return ""
    return "exact" if row.low == row.high == row.measured else f"{number(row.low)} … {number(row.high)}"


def save(result: Reproduction, folder: str | Path) -> list[Path]:
    """Write the report: the figures as SVG and the Markdown that names them, the HTML page that needs nothing, and the
    rows for programs."""
    where = make_folder(folder)
    name = result.study.name
    written = []
    for found in result.found:
        for place, figure in enumerate(found.figures):
            path = where / picture(result, found, place)
            write_figure(figure.draw(), path)
            written.append(path)
    data = json.dumps(result.to_dict(), ensure_ascii=False, allow_nan=False, indent=1)
    pages = {"md": page_markdown(result), "html": page_html(result), "json": f"{data}\n"}
    for ending, page in pages.items():
        write_text(page, where / f"{name}.{ending}")
        written.append(where / f"{name}.{ending}")
    return written


def make_folder(folder: str | Path) -> Path:
    """The folder, made if it is not there; one sentence if that cannot be done."""
    where = path_of(folder)
    try:
        where.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LudusError(f"{str(folder)!r} cannot be made a folder for the report ({error.strerror}).") from error
    return where


def picture(result: Reproduction, found: Found, place: int) -> str:
    """The name of a figure's file."""
    return f"{result.study.name}-{found.part.name}{'' if place == 0 else f'-{place + 1}'}.svg"


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def _agreement_words() -> str:
    return (
        f"A row agrees unless a test at the level of {100 * LEVEL:g} % finds a difference between the paper's number, "
        "with the paper's number of games where it is known, and ours. The interval is ours, at 95 %. A number in "
        "brackets is not the paper's, but what we derived for it."
    )


def page_markdown(result: Reproduction) -> str:
    """The report in GitHub's Markdown."""
    lines = [f"# {result.study.title}", "", result.study.about, "", f"{heading(result)} {verdict(result)}", ""]
    lines += [_agreement_words(), ""]
    for found in result.found:
        lines += [f"## {found.part.name}: {found.part.title}", "", f"*{_before(result)}* {found.part.paper}", ""]
        for place, figure in enumerate(found.figures):
            lines += [f"![{figure.words}]({picture(result, found, place)})", "", f"*{figure.words}*", ""]
        for table in found.tables:
            lines += [markdown(words(table), f"*{table.caption}.*").strip(), ""]
        lines += [" ".join(_sentences(result, found)), ""]
        if found.rows:
            lines += [markdown(columns(found.rows), "").strip(), ""]
        lines += ["" if found.complete else "This part was interrupted.", ""]
    lines += ["## How this was made", ""]
    lines += [f"- {what}: {words}" for what, words in made(result)]
    return "\n".join(_single_blank(lines)) + "\n"


def _single_blank(lines: Sequence[str]) -> list[str]:
    return [line for place, line in enumerate(lines) if line or place == 0 or lines[place - 1]]


def made(result: Reproduction) -> list[tuple[str, str]]:
    """How it was made: the command, the version, the seed, and how long each part took."""
    parts = ", ".join(f"{found.part.name} {_time(found.seconds)}" for found in result.found)
    spent = f"{_time(result.processor)}, all processes together, without sittings that were interrupted"
    times = [("time", f"{_time(result.seconds)}: {parts}"), ("processor time", spent)]
    return [*result.made, ("seed", str(result.seed)), *times]


def page_html(result: Reproduction) -> str:
    """The report as one file that needs nothing else."""
    sections = [note(_agreement_words())]
    for found in result.found:
        sections.append(f"<h2>{escape(found.part.name)}: {escape(found.part.title)}</h2>")
        sections.append(f"<p><em>{_before(result)}</em> {prose(found.part.paper)}</p>")
        for figure in found.figures:
            sections += [chart(figure.draw(), figure.words), note(figure.words)]
        for table in found.tables:
            sections += [standings_table(words(table), best=False), note(f"{table.caption}.")]
        sections.append(f"<p>{prose(' '.join(_sentences(result, found)))}</p>")
        if found.rows:
            sections.append(standings_table(columns(found.rows), best=False))
        if not found.complete:
            sections.append(note("This part was interrupted."))
    every = all(row.agrees is not False for found in result.found for row in found.rows)
    about = f"{result.study.about} {heading(result)}"
    return html(Page(result.study.title, verdict(result), every, about, sections, (), made(result)))
