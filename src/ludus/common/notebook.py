"""How things show themselves in a notebook: text and tables as HTML, tables for pandas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from ludus.common.errors import LudusError
from ludus.common.texttable import Column


def pre(text: str) -> str:
    """Text as it stands, in letters of one width."""
    return f"<pre>{escape(text)}</pre>"


def paragraphs(lines: Iterable[str]) -> str:
    """A paragraph for each sentence; those that are empty are left out."""
    return "".join(f"<p>{escape(line)}</p>" for line in lines if line)


def table(columns: Sequence[Column], marked: int | None = None) -> str:
    """A table with headings; the marked row is bold."""
    rows = zip(*([column.title or column.head, *column.cells] for column in columns), strict=True)
    found = []
    for number, row in enumerate(rows, -1):
        tag = "th" if number < 0 else "td"
        bold = ' style="font-weight: bold"' if number == marked else ""
        cells = zip(row, columns, strict=True)
        inner = "".join(f'<{tag} style="{_aligned(column)}">{escape(cell)}</{tag}>' for cell, column in cells)
        found.append(f"<tr{bold}>{inner}</tr>")
    return f"<table>{''.join(found)}</table>"


def _aligned(column: Column) -> str:
    return f"text-align: {'left' if column.left else 'right'}; white-space: nowrap"


def frame(rows: list[dict[str, Any]]) -> Any:
    """Rows as a pandas table. Pandas is imported only here, where somebody asks for it."""
    try:
        import pandas
    except ImportError:
        raise LudusError("a table for pandas needs pandas: pip install pandas.") from None
    return pandas.DataFrame(rows)
