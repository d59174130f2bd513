"""What a sweep has found: a ranking in each cell, a game at a budget; and where one player overtakes another.

**Overtaking.** At some budget one beats the other, and at a larger one the other beats the one, each by evidence of 20
in their direct pairs (`stats/verdict.py`). If either is false, its evidence reaches 20 with a probability of at
most 5 %, so such a statement is wrong in at most 5 % of sweeps: each by itself, not all at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from ludus.arena.ranking import Ranking
from ludus.arena.reports.standings import Standing, row_data
from ludus.arena.stats.verdict import BEATEN
from ludus.common.notebook import frame, pre
from ludus.common.texttable import WIDE, screen_width
from ludus.model.budget import Budget
from ludus.model.playable import PlayableGame

EFFORT = ("nodes", "seconds", "units", "depth")
"""The limits by which budgets are ordered."""


@dataclass(frozen=True)
class Cell:
    """One game at one budget."""

    game: PlayableGame
    budget: Budget
    ranking: Ranking
    named: Sequence[str] = ()
    """The players whom somebody named, as they were named: so they are called in all cells."""

    @cached_property
    def rows(self) -> dict[str, Standing]:
        """The table, by what players are called; those whom nobody named, by their search."""
        found = {}
        for row in self.ranking.standings:
            number, search = self.ranking.numbers[row.number], self.ranking.players[row.number].search
            found[self.named[number] if number < len(self.named) else str(search)] = row
        return found

    @property
    def measure(self) -> tuple[str, float] | None:
        """The budget as one number, under its key; None if it limits more than one thing, or nothing."""
        given = [(key, value) for key in EFFORT if isinstance(value := getattr(self.budget, key), (int, float))]
        return given[0] if len(given) == 1 else None

    def evidence(self, one: str, other: str) -> float:
        """The evidence that one beats the other, as a logarithm."""
        rows = self.rows
        return float(self.ranking.evidence.evidence[rows[one].number, rows[other].number])

    def to_dict(self) -> dict[str, Any]:
        return self.ranking.to_dict() | {"game": str(self.game), "budget": str(self.budget)}


@dataclass(frozen=True)
class Overtaking:
    """Between two budgets, in units of `key`, `better` overtakes `worse`."""

    game: str
    better: str
    worse: str
    key: str
    low: float
    high: float

    def __str__(self) -> str:
        unit = {"units": "units of artificial time", "depth": "plies"}.get(self.key, self.key)
        return f"{self.better} overtakes {self.worse} between {self.low:,g} and {self.high:,g} {unit} on {self.game}"


@dataclass(repr=False)
class Sweep:
    """The cells, game by game, the budgets of each in the order given. `print` shows the table."""

    cells: list[Cell]
    seed: int = 0
    interrupted: bool = False
    made: list[tuple[str, str]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells)

    def __getitem__(self, place: int) -> Cell:
        return self.cells[place]

    def to_frame(self) -> Any:
        """A row for each player of each cell as a pandas table; needs pandas."""
        where = [({"game": str(cell.game), "budget": str(cell.budget)}, cell.ranking) for cell in self.cells]
        return frame([place | row_data(row) for place, ranking in where for row in ranking])

    @property
    def games(self) -> int:
        return sum(cell.ranking.games for cell in self.cells)

    @property
    def players(self) -> list[str]:
        """What players are called, the one with the highest mean rating first."""
        ratings: dict[str, list[float]] = {}
        for cell in self.cells:
            for name, row in cell.rows.items():
                ratings.setdefault(name, []).append(row.rating.value)
        return sorted(ratings, key=lambda name: -float(np.mean(ratings[name])))

    @property
    def by_game(self) -> dict[str, list[Cell]]:
        found: dict[str, list[Cell]] = {}
        for cell in self.cells:
            found.setdefault(str(cell.game), []).append(cell)
        return found

    @property
    def overtakings(self) -> list[Overtaking]:
        """Where one player overtakes another, as far as there is evidence: between which budgets of which game."""
        return [found for cells in self.by_game.values() for key in EFFORT for found in _overtakings(cells, key)]

    def __repr__(self) -> str:
        return f"<sweep of {len(self.cells)} cells, {self.games} games>"

    def __str__(self) -> str:
        return self.text(screen_width())

    def text(self, width: int = WIDE) -> str:
        """What `ludus sweep` prints, in lines of at most this width."""
        from ludus.arena.reports.sweep_report import text

        return text(self, width)

    def _repr_html_(self) -> str:
        """In a notebook."""
        return pre(str(self))

    def save(self, path: str | Path) -> None:
        """Write a page, `.html`, the curves, `.svg`, `.png`, `.pdf`, or the table, `.csv`, `.md`, `.tex`."""
        from ludus.arena.reports.sweep_report import save

        save(self, path)

    def to_dict(self) -> dict[str, Any]:
        """The public contract's JSON keys, and more."""
        return {
            "cells": [cell.to_dict() for cell in self.cells],
            "overtakings": [vars(each) for each in self.overtakings],
            "games": self.games,
            "seed": self.seed,
            "interrupted": self.interrupted,
        }


def _overtakings(cells: Sequence[Cell], key: str) -> Iterator[Overtaking]:
    """Those among the cells of one game whose budget is in units of `key`."""
    ordered = sorted(((cell.measure[1], cell) for cell in cells if cell.measure and cell.measure[0] == key), key=_first)
    names = [name for _, cell in ordered for name in cell.rows]
    for better, worse in permutations(dict.fromkeys(names), 2):
        behind: float | None = None
        for budget, cell in ordered:
            if better not in cell.rows or worse not in cell.rows:
                continue
            if cell.evidence(worse, better) >= BEATEN:
                behind = budget
            elif cell.evidence(better, worse) >= BEATEN and behind is not None:
                yield Overtaking(str(cell.game), better, worse, key, behind, budget)
                behind = None


def _first(pair: tuple[float, Cell]) -> float:
    return pair[0]
