"""`theory`: theorems about game trees, each beside a simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from ludus.common.errors import LudusError, unknown
from ludus.common.files import path_of
from ludus.common.notebook import pre
from ludus.common.numbers import whole_number
from ludus.common.texttable import WIDE, Column, lay_out, screen_width, wrap
from ludus.pictures.files import PICTURES, check_file, ending, write_figure, write_text
from ludus.theorems import convergence, errors, quantiles, traps
from ludus.theorems.rows import DERIVED, LEVEL, Panel, Part, Row

PARTS = {part.name: part for module in (convergence, quantiles, traps, errors) for part in module.PARTS}
"""All parts by name, in the order in which they are told."""

TRIALS, MOST_TRIALS = 20_000, 1_000_000
"""Random trees or boards: by default, and at most, so that they fit into memory."""


@dataclass(frozen=True)
class Checked:
    """A part, its rows, and what is drawn of it."""

    part: Part
    rows: list[Row]
    panels: list[Panel]


@dataclass(frozen=True, repr=False)
class Theory:
    """Formulas beside simulations. `print` shows the table, `save` draws."""

    parts: list[Checked]
    seed: int
    trials: int

    @property
    def rows(self) -> list[Row]:
        return [row for checked in self.parts for row in checked.rows]

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `ludus theory`."""
        rows = [{"part": each.part.name} | row.to_dict() for each in self.parts for row in each.rows]
        return {"seed": self.seed, "trials": self.trials, "level": LEVEL, "rows": rows}

    def __repr__(self) -> str:
        return f"<theory: {sum(row.agrees for row in self.rows)} of {len(self.rows)} rows agree>"

    def __str__(self) -> str:
        return self.text(screen_width())

    def text(self, width: int = WIDE) -> str:
        """What `ludus theory` prints, in lines of at most this width."""
        lines: list[str] = []
        for each in self.parts:
            lines += wrap(f"{each.part.name}: {each.part.about} ({each.part.paper})", width)
            lines += [*lay_out(table(each.rows), width), ""]
        for sentence in self.sentences():
            lines += wrap(sentence, width)
        return "\n".join(lines)

    def sentences(self) -> list[str]:
        """What the rows say in all."""
        derived = [row for row in self.rows if row.source == DERIVED]
        printed = [row for row in self.rows if row.source != DERIVED]
        right = sum(row.agrees for row in derived)
        found = [
            f"{right} of {len(derived)} derived formulas agree with the simulation or with another way to compute them "
            f"({100 * LEVEL:g} % intervals, {self.trials:,} trials, seed {self.seed})."
        ]
        if printed:
            wrong = sum(not row.agrees for row in printed)
            found.append(f"Of {len(printed)} statements as printed {wrong} {'is' if wrong == 1 else 'are'} wrong.")
        return found

    def _repr_html_(self) -> str:
        """In a notebook."""
        return pre(self.text(110))

    def save(self, path: str | Path) -> None:
        """Draw: a page of all parts, `.html`; one part as a picture, `.svg`, `.png`, `.pdf`; or all into a folder."""
        from ludus.pictures.theory import panels_figure

        if is_folder(path):
            folder = Path(path)
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise LudusError(f"{str(path)!r} cannot be made a folder: {error.strerror}.") from error
            for each in self.parts:
                write_figure(panels_figure(each.panels), folder / f"{each.part.name}.svg")
            return
        check_file(path, ("html", *PICTURES), "report")
        if ending(path) == "html":
            write_text(self._page(), path)
        elif len(self.parts) > 1:
            raise LudusError(f"{str(path)!r} is one picture: name one part, or give a folder or a page, .html.")
        else:
            write_figure(panels_figure(self.parts[0].panels), path)

    def _page(self) -> str:
        from ludus.pictures.page import Page, chart, html, note, standings_table
        from ludus.pictures.theory import panels_figure

        sections = []
        for each in self.parts:
            sections += [
                f"<h2>{each.part.name}</h2>",
                note(f"{each.part.about} ({each.part.paper})"),
                chart(panels_figure(each.panels), each.part.about),
                standings_table(table(each.rows), best=False),
            ]
        first, *rest = self.sentences()
        sure = all(row.agrees for row in self.rows if row.source == DERIVED)
        return html(Page("Theorems beside simulation", first, sure, " ".join(rest), sections))


def table(rows: list[Row]) -> list[Column]:
    """A line for each row."""
    return [
        Column("what", [row.what for row in rows], left=True, elastic=True),
        Column("source", [row.source for row in rows], 3, left=True),
        Column("formula", [_number(row.formula) for row in rows]),
        Column("simulated", [_number(row.simulated) for row in rows]),
        Column("interval", [_interval(row) for row in rows], 2),
        Column("agrees", ["yes" if row.agrees else "NO" for row in rows], left=True),
        Column("note", [row.note for row in rows], 1, left=True),
    ]


def _number(value: float) -> str:
    return f"{value:.4g}"


def _interval(row: Row) -> str:
    return "exact" if row.low == row.high else f"{_number(row.low)} … {_number(row.high)}"


def is_folder(path: str | Path) -> bool:
    """Whether it names a folder: one that is there, or a name without an ending."""
    return path_of(path).is_dir() or not Path(path).suffix


def theory(
    part: str | None = None,
    *,
    trials: int = TRIALS,
    seed: int = 0,
    progress: Callable[[float, str], None] = lambda done, words: None,
) -> Theory:
    """Theorems about game trees, each formula beside a simulation: `print` shows rows, `.save("theory.html")` draws.

    part: `"convergence"`, `"last-player"`, `"quantiles"`, `"traps"` or `"errors"`, by default all; trials: how many
    random trees or boards, more or less; seed: the random seed; progress: called with the part that is done, and words.
    Each of `.rows` has `what`, `source` (printed or derived), `formula`, `simulated`, `low`, `high` and `agrees`.

    >>> [row.agrees for row in ludus.theory("last-player", trials=400).rows[:2]]
    [False, True]
    """
    trials, seed = whole_number("`trials`", trials, 100, MOST_TRIALS), whole_number("`seed`", seed, 0)
    if part is not None and part not in PARTS:
        raise unknown("part", part, PARTS)
    chosen = list(PARTS.values()) if part is None else [PARTS[part]]
    found: list[Checked] = []
    for number, each in enumerate(chosen):
        progress(number / len(chosen), each.name)
        random = np.random.default_rng([seed, crc32(each.name.encode())])
        found.append(Checked(each, *each.check(trials, random)))
    return Theory(found, seed, trials)
