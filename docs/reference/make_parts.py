"""Write `parts.md`: every part of a driver, and every column. Run this file again after editing one.

The words are those of the source: a docstring, whose first sentence is the promise and the rest the duty, and the
comment beside a column, which says before a colon of which nodes it speaks.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from ludus.kernel.parts import PARTS
from ludus.library.searches.best_first.driver import BestFirst
from ludus.library.searches.best_first.outcomes import WithChance
from ludus.library.searches.full_width.driver import FullWidth
from ludus.library.searches.sampling.uct import Uct
from ludus.model import registry

PAGE = Path(__file__).with_name("parts.md")
HEAD = """# Parts and columns

`python docs/reference/make_parts.py` has written this page from the source. How parts are used:
[searches](searches.md#how-to-add-a-search).
A search has a method with these parameters in place of the part; `search` is `self`.
"""
DRIVERS = (FullWidth, BestFirst, WithChance, Uct)
ANY = "any node that was entered, or listed"


def page() -> str:
    """The whole page."""
    registry.searches().classes.values()  # imports every module that has parts
    modules = sorted({part.__module__ for part in PARTS if ".library.searches." in part.__module__})
    return "\n".join([HEAD, *map(parts_of_module, modules), *map(columns_of, DRIVERS)])


def parts_of_module(module: str) -> str:
    """The table of the parts that a module defines."""
    path = module.removeprefix("ludus.library.searches.").replace(".", "/")
    rows = [row_of(part) for part in PARTS if part.__module__ == module]
    return table(f"Parts in `{path}.py`", ("part", "promise", "duty"), rows)


def row_of(part: Callable) -> tuple[str, str, str]:
    words = " ".join((inspect.getdoc(part) or "").split())
    promise, _, duty = re.sub(r"([.?]) (?=[A-Z0-9])", r"\1\n", words, count=1).partition("\n")
    return f"`{part.__name__}({', '.join(inspect.signature(part).parameters)})`", promise, duty


def columns_of(kind: type) -> str:
    """The table of the columns that a driver adds to those of every tree."""
    return table(f"Columns of `{kind.__name__}`", ("column", "meaning", "valid for"), list(commented(kind)))


def commented(kind: type) -> Iterator[tuple[str, str, str]]:
    """Each column of a class with the comment beside it, and of which nodes that speaks."""
    written = inspect.getsource(kind).partition("    columns = {")[2].partition("}")[0]
    where = ANY
    for name, words in re.findall(r'"(\w+)": \w+\([^)]*\),?(?:  # ([^\n]*))?', written):
        said, colon, rest = words.partition(": ")
        if colon and said.startswith(("at ", "of ", "where ")):
            where, words = said, rest
        elif words.startswith("... "):
            words = words.removeprefix("... and ")
        else:
            where = ANY
        yield f"`tree.{name}`", words, where


def table(title: str, head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [f"## {title}", "", f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    return "\n".join(
        [*lines, *(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows), ""]
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
