"""The reports of several studies in one table: paper, part, reproduced or not. It is read from what the reports say."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ludus.common.errors import LudusError
from ludus.common.files import parse_json, path_of, read_text
from ludus.common.tables import markdown
from ludus.common.texttable import Column
from ludus.pictures.files import write_text


def statements(rows: Iterable[Mapping[str, Any]]) -> list[tuple[str, bool]]:
    """What a paper says, and whether it agrees with ours.

    Rows of one `what` with one number of the paper's are about one statement, a row for each convention that was tried;
    it agrees if it does under any of them. What we derived ourselves is no statement of the paper.
    """
    found: dict[tuple[Any, ...], bool] = {}
    for row in rows:
        if row["agrees"] is not None and not row.get("ours"):
            key = row["what"], row.get("paper"), row.get("relation")
            found[key] = found.get(key, False) or row["agrees"]
    return [(what, agrees) for (what, *_), agrees in found.items()]


def outcome(rows: Iterable[Mapping[str, Any]]) -> str:
    """Whether a part was reproduced, in a word, and how many of its statements."""
    found = statements(rows)
    agreeing, of = sum(agrees for _, agrees in found), len(found)
    if not of:
        return "nothing to compare"
    word = "yes" if agreeing == of else "no" if not agreeing else "partly"
    return f"{word}: {agreeing} of {of}"


NAMED = 4
"""At most this many statements are named that were not reproduced."""


def reproduced(rows: Sequence[Mapping[str, Any]]) -> str:
    """In a sentence or two what was reproduced, and what was not; empty if there is nothing to compare."""
    found = statements(rows)
    if not found:
        return ""
    failed = [what for what, agrees in found if not agrees]
    tried = len({row.get("convention", "") for row in rows}) > 1
    under = ", under at least one of the conventions that were tried" if tried else ""
    told = f"Reproduced: {len(found) - len(failed)} of {len(found)} statements{under}."
    if failed:
        more = f"; and {len(failed) - NAMED} more" if len(failed) > NAMED else ""
        told += f" Not reproduced: {'; '.join(failed[:NAMED])}{more}."
    return told


def summary(folder: str | Path, link: str = "") -> str:
    """A Markdown table with a line for each part of each paper's report in a folder, to which `link` leads."""
    where = path_of(folder)
    lines = []
    for path in sorted(where.glob("*.json")):
        try:
            lines += _lines_of(parse_json(read_text(path)), link)
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise LudusError(f"{str(path)!r} is not a report of ludus reproduce, or is damaged.") from error
    if not lines:
        raise LudusError(f"there is no report in {str(folder)!r}: `ludus reproduce STUDY -o {folder}` writes one.")
    heads = ("paper", "part", "what it is", "reproduced")
    cells = zip(*lines, strict=True)
    return markdown([Column(head, column, left=True) for head, column in zip(heads, cells, strict=True)], "").strip()


def _lines_of(report: dict[str, Any], link: str) -> list[tuple[str, str, str, str]]:
    """A line for each part of a paper's report; none for what is not of a paper."""
    found = []
    for part in report["parts"] if report["of_paper"] else []:
        rows = [row for row in report["rows"] if row["part"] == part["part"]]
        told = outcome(rows) + ("" if part["complete"] else " (interrupted)")
        name = f"[{part['part']}]({link}{report['study']}.md#{anchor(part)})"
        found.append((str(report["study"]), name, str(part["title"]), told))
    return found


BEGIN, END = "<!-- reproductions: made by ludus reproduce -->", "<!-- end of reproductions -->"
"""Between these lines of a file stands the table."""


def put_into(file: str | Path, folder: str | Path) -> None:
    """Put the summary of a folder into a file, in the place of what stands between the two lines for it."""
    path = path_of(file)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise LudusError(f"{str(file)!r} cannot be read ({error.strerror}).") from error
    before, mark, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise LudusError(f"{str(file)!r} must have a line {BEGIN!r} and, below it, a line {END!r}.")
    write_text(f"{before}{BEGIN}\n\n{summary(folder, link_to(folder, path))}\n\n{END}{after}", path)


def link_to(folder: str | Path, file: Path) -> str:
    """The way from a file to a folder, as a link has it."""
    way = os.path.relpath(path_of(folder), file.parent).replace(os.sep, "/")
    return "" if way == "." else f"{way}/"


def anchor(part: Mapping[str, Any]) -> str:
    """The heading of a part in its report, as GitHub names it."""
    text = f"{part['part']}: {part['title']}".lower()
    return "".join(letter for letter in text if letter.isalnum() or letter in " -_").replace(" ", "-")
