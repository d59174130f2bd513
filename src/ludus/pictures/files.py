"""Files that pictures are written to: their names are checked before the work starts, and their bytes do not vary."""

from __future__ import annotations

import math
import os
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

from ludus.common.errors import LudusError
from ludus.common.files import path_of, whole_file

PICTURES = ("png", "pdf", "svg", "jpg", "jpeg")
"""The endings of the picture formats that matplotlib writes."""
TABLES = ("csv", "md", "tex")
"""The endings of tables."""
REPORTS = ("html", *PICTURES, *TABLES)


def check_file(path: str | Path, endings: tuple[str, ...], what: str) -> None:
    """Raise an error unless the path has one of these endings and its folder exists; `what` is in the sentence."""
    path = str(path)
    if ending(path) not in endings or "." not in path:
        raise LudusError(f"{path!r} is no {what}'s name: it must end in .{', .'.join(endings)}.")
    if not os.path.isdir(path_of(path).parent):
        raise LudusError(f"there is no folder {str(Path(path).parent)!r} to write {path!r} into.")


def ending(path: str | Path) -> str:
    """How a file's name ends, in small letters and without the dot."""
    return str(path).rsplit(".", 1)[-1].lower()


def write_text(text: str, path: str | Path) -> None:
    """Write a page or a table, whole or not at all; one sentence if that cannot be done."""
    with whole_file(path, encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)


def write_figure(figure: Any, target: str | Path | IO[str], *, format: str | None = None, dpi: int = 150) -> None:
    """Draw a figure into a file, with the same bytes each time: without dates and random names.

    Letters are drawn as shapes, because another font might not fit.
    """
    import matplotlib
    from matplotlib.text import Text

    kind = format or ending(str(target))
    dates = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None, "Creator": None, "Producer": None}}
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            _write_powers_plainly(axis)
    for text in figure.findobj(Text):
        text.set_parse_math(False)  # a dollar sign in a name is a dollar sign
    settings: Any = {"svg.fonttype": "path", "svg.hashsalt": "ludus", "text.parse_math": False}
    opened: Any = whole_file(target, "wb") if isinstance(target, (str, Path)) else nullcontext(target)
    with matplotlib.rc_context(settings), opened as file:
        figure.savefig(file, format=kind, dpi=dpi, metadata=dates.get(kind))


def _write_powers_plainly(axis: Any) -> None:
    """Let a logarithmic axis write 10³ in plain letters; matplotlib's own labels are formulas, which are not read."""
    from matplotlib.ticker import LogFormatter, LogFormatterMathtext

    class Plain(LogFormatter):
        def __call__(self, x: float, pos: int | None = None) -> str:
            return power_of_ten(x) if super().__call__(x, pos) else ""

    if isinstance(axis.get_major_formatter(), LogFormatterMathtext):
        axis.set_major_formatter(Plain())
    if isinstance(axis.get_minor_formatter(), LogFormatterMathtext):
        axis.set_minor_formatter(Plain(labelOnlyBase=False))


def power_of_ten(value: float) -> str:
    """A number at an axis: 1, 10, 10², 10³; others as they are.

    >>> [power_of_ten(value) for value in (0.01, 1, 10, 1e4, 2e4)]
    ['10⁻²', '1', '10', '10⁴', '20,000']
    """
    exponent = math.log10(value) if value > 0 else 0.0
    if abs(exponent - round(exponent)) > 1e-9 or round(exponent) in (0, 1):
        return f"{value:,.12g}"
    return "10" + f"{round(exponent)}".translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
