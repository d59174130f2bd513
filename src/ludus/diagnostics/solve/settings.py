"""What is asked of `solve`: what counts as the result, and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.common.errors import SpecError
from ludus.common.numbers import positive_number, whole_number
from ludus.kernel.table import MOST_MEMORY
from ludus.model import registry
from ludus.model.budget import Budget


@dataclass(frozen=True)
class SolveSettings:
    """What decides how a position is solved. Wrong values are refused at once."""

    goal: str = "score"
    """The exact `score`, or only the `result`."""
    budget: Budget | str | None = None
    """Stop after so much; None: when it is solved."""
    minutes: float | None = None
    """The time limit, in place of a budget."""
    whole: int = 10_000
    """Tell more of a game of at most this many positions."""
    table: float = 128.0
    """Megabytes for positions."""
    threads: int = 1
    seed: int = 0
    compiled: bool | None = None
    """True to compile or fail, False to interpret."""

    def __post_init__(self) -> None:
        checked = {
            "whole": whole_number("`whole`", self.whole, 0),
            "table": positive_number("`table`", self.table, MOST_MEMORY),
            "budget": None if self.budget is None else Budget.of(self.budget),
            "minutes": None if self.minutes is None else positive_number("`minutes`", self.minutes),
        }
        if self.budget is not None and self.minutes is not None:
            raise SpecError("give either `budget` or `minutes`, not both.")
        registry.searches().of("solve", goal=self.goal, threads=self.threads)
        self.__dict__.update(checked)

    @property
    def limit(self) -> Budget:
        """What the search may spend; without `budget` and `minutes` it is unlimited."""
        if self.minutes is not None:
            return Budget(seconds=60 * self.minutes)
        return Budget() if self.budget is None else Budget.of(self.budget)
