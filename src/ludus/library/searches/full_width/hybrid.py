"""Minimax where one move is clearly best, else M & N (Abramson 1989, section 4).

The survey ends with a suggestion: "Use partial minimax when there is a clear choice (i.e., when the best available
minimax value is substantially better than the second best)", and otherwise a rule that makes use of several values. In
our reading the question is asked at every node, and *substantially* is a margin of probability.
"""

from __future__ import annotations

from ludus.library.searches.full_width.backup import Backup
from ludus.library.searches.full_width.driver import Ties


class Hybrid(Backup):
    """Minimax where one move is clearly best, else M & N (Abramson 1989)."""

    name = "hybrid"
    variants = ("margin=0.1, m=3, n=3, bonus=0.2, reach=0.3, scale=2.0, ties=random, free_forced=true",)

    def __init__(
        self,
        margin: float = 0.2,
        m: int = 2,
        n: int = 2,
        bonus: float = 0.1,
        reach: float = 0.4,
        scale: float = 0.0,
        ties: Ties = "first",
        free_forced: bool = False,
    ) -> None:
        """
        margin: the best move is clearly best if it leads the second by so much, in values from -1 to 1
        m, n, bonus, reach, scale, ties, free_forced: as for `backup(rule=m-and-n)`
        """
        super().__init__("m-and-n", m=m, n=n, bonus=bonus, reach=reach, scale=scale, ties=ties, free_forced=free_forced)
        if margin <= 0:
            raise ValueError("margin must be above 0")
        self.margin = margin
