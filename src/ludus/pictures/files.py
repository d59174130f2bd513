"""Files that pictures are written to: their names are checked before the work starts, and their bytes do not vary."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

from ludus.core.errors import LudusError
from ludus.core.files import path_of, whole_file

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
    for text in figure.findobj(Text):
        text.set_parse_math(False)  # a dollar sign in a name is a dollar sign
    settings: Any = {"svg.fonttype": "path", "svg.hashsalt": "ludus", "text.parse_math": False}
    opened: Any = whole_file(target, "wb") if isinstance(target, (str, Path)) else nullcontext(target)
    with matplotlib.rc_context(settings), opened as file:
        figure.savefig(file, format=kind, dpi=dpi, metadata=dates.get(kind))
