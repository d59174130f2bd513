"""Tables as files: CSV for programs, with all digits; Markdown and LaTeX for people, as the terminal shows them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from ludus.common.texttable import Column

TEX = {
    **{"\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}"},
    **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "…": r"\dots{}", "±": r"$\pm$", "µ": r"$\mu$"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "·": r"$\cdot$"},
}
"""What LaTeX reads in another way than people do."""


def table_text(ending: str, columns: Sequence[Column], data: Sequence[Mapping[str, Any]], caption: str) -> str:
    """A table in the format of this ending: csv (of `data`), md or tex (of `columns`, under the caption)."""
    if ending == "csv":
        return csv_text(data)
    return markdown(columns, caption) if ending == "md" else latex(columns, caption)


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """One line for each row under the names of its keys; what is not known is empty."""
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def markdown(columns: Sequence[Column], caption: str) -> str:
    """A table in GitHub's Markdown."""
    rows = [[cell.replace("|", "\\|") for cell in row] for row in _rows(columns)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"|{'|'.join(' --- ' if column.left else ' ---: ' for column in columns)}|")
    return "\n".join([caption, "", *lines, ""])


def latex(columns: Sequence[Column], caption: str) -> str:
    """A table with rules of the package booktabs."""
    heads, *rows = ([_tex(cell) for cell in row] for row in _rows(columns))
    lines = [rf"  {' & '.join(row)} \\" for row in rows]
    return "\n".join(
        [
            r"% \usepackage{booktabs}",
            r"\begin{table}",
            rf"\caption{{{_tex(caption)}}}",
            rf"\begin{{tabular}}{{{''.join('l' if column.left else 'r' for column in columns)}}}",
            r"  \toprule",
            rf"  {' & '.join(heads)} \\",
            r"  \midrule",
            *lines,
            r"  \bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _rows(columns: Sequence[Column]) -> list[tuple[str, ...]]:
    heads = tuple(column.title or column.head for column in columns)
    cells = ([cell.strip() for cell in column.cells] for column in columns)
    return [heads, *zip(*cells, strict=True)]


def _tex(text: str) -> str:
    """Text for LaTeX; a hyphen before a number is a minus."""
    found = "".join(TEX.get(letter, letter) for letter in text)
    words = [f"$-${word[1:]}" if word[0] == "-" and word[1:2].isdecimal() else word for word in found.split()]
    return " ".join(words)
