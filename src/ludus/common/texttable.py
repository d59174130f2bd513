"""Tables in plain text that fit a width: numbers never wrap, minor columns are dropped, names shortened."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from ludus.common.files import escape_control_characters

WIDE = 1000
"""The width where there is no terminal: room for everything."""
GAP = "  "
NAME = 24
"""Columns are dropped until names have so much room, or all that they need."""
LEAST = 4
"""No name is shortened to less."""
ALWAYS = 100
"""The importance of a column that is never dropped."""


@dataclass(frozen=True)
class Column:
    """A heading and a cell for each row. Of the other columns those of least importance are dropped first, together."""

    head: str
    cells: Sequence[str]
    importance: int = ALWAYS
    left: bool = False
    """Flush left, as words are; numbers are flush right."""
    elastic: bool = False
    """Cells may be shortened. At most one column of a table."""
    title: str = ""
    """Another heading for where there is more room, as on a page."""

    @property
    def width(self) -> int:
        return max(map(len, (self.head, *self.cells)))


def shorten(text: str, width: int) -> str:
    """At most so wide, with a mark where something is missing: what tells specs apart often stands at their end."""
    if len(text) <= width:
        return text
    end = (width - 1) // 3
    return f"{text[: width - 1 - end]}…{text[len(text) - end :]}"


def fit(columns: Sequence[Column], width: int) -> tuple[list[Column], int]:
    """The columns that have room, and how wide the elastic one may be."""
    kept = list(columns)
    while True:
        taken = sum(column.width for column in kept if not column.elastic) + len(GAP) * (len(kept) - 1)
        wanted = max((column.width for column in kept if column.elastic), default=0)
        least = min(column.importance for column in kept)
        if taken + min(wanted, NAME) <= width or least >= ALWAYS:
            return kept, min(wanted, max(width - taken, LEAST))
        kept = [column for column in kept if column.importance > least]


def lay_out(columns: Sequence[Column], width: int = WIDE) -> list[str]:
    """The lines of a table, the headings first."""
    kept, room = fit(columns, width)
    blocks = []
    for column in kept:
        cells = [escape_control_characters(cell) for cell in (column.head, *column.cells)]
        cells = [shorten(cell, room) if column.elastic else cell for cell in cells]
        size = max(map(len, cells))
        blocks.append([cell.ljust(size) if column.left else cell.rjust(size) for cell in cells])
    return [GAP.join(row).rstrip() for row in zip(*blocks, strict=True)]


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """A sentence, broken at spaces but not before a per cent sign; what follows the first line is indented."""
    if len(text) <= width:
        return [text]
    wrapper = textwrap.TextWrapper(max(width, 20), subsequent_indent=indent, break_long_words=False)
    wrapper.break_on_hyphens = False
    return [line.replace("\xa0", " ") for line in wrapper.wrap(text.replace(" %", "\xa0%"))]


def wrap_lines(text: str, width: int) -> str:
    """Every line that is too wide is broken at spaces; what follows `a label  ` stays to the right of that label."""
    lines = []
    for line in text.split("\n"):
        label = re.match(r" *(?:\S+ )*?\S* {2,}(?=\S)", line)
        lines += wrap(line, width, " " * len(label[0]) if label and len(label[0]) < width // 2 else "")
    return "\n".join(lines)


def screen_width() -> int:
    """How wide standard output is: the terminal, or what the variable COLUMNS says; else as wide as one likes."""
    if "COLUMNS" in os.environ or sys.stdout.isatty():
        return shutil.get_terminal_size((WIDE, 24)).columns
    return WIDE


def number(value: float | None, digits: int = 6) -> str:
    """A value for a table, with this number of digits; a question mark if it is not known."""
    return "?" if value is None else f"{value:.{digits}g}"
