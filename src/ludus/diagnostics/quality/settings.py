"""What is asked of `quality`: over which trees decisions are judged, and what counts as one."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.common.errors import SpecError
from ludus.common.numbers import whole_number
from ludus.diagnostics.quality.decisions import Convention

DEEPEST = 20
"""The most plies of lookahead."""


@dataclass(frozen=True)
class QualitySettings:
    """What decides which decisions are judged; None: as the game suggests. Wrong values are refused at once."""

    trees: int | None = None
    """Judge this many trees below random positions, or of other seeds of a synthetic game."""
    after: int | None = None
    """Random plies before each of these trees."""
    lookahead: int = 0
    """Choose by minimax this many plies beyond the next position."""
    nodes: int | None = None
    """The most in a tree."""
    ties: str = "first"
    leaves: str = "first"
    draws: str = "half"
    passes: str = "skipped"
    """The convention: see `Convention`."""
    seed: int = 0
    compiled: bool | None = None
    """True to compile or fail, False to interpret."""

    def __post_init__(self) -> None:
        checked = {
            "seed": whole_number("`seed`", self.seed),
            "trees": None if self.trees is None else whole_number("`trees`", self.trees, 1),
            "after": None if self.after is None else whole_number("`after`", self.after, 0),
            "nodes": None if self.nodes is None else whole_number("`nodes`", self.nodes, 1),
            "lookahead": whole_number("`lookahead`", self.lookahead),
        }
        if not 0 <= self.lookahead <= DEEPEST:
            raise SpecError(f"`lookahead` must be from 0 to {DEEPEST} plies, not {self.lookahead}.")
        self.__dict__.update(checked)
        _ = self.convention  # which refuses wrong words

    @property
    def convention(self) -> Convention:
        """What counts as a decision and as an error."""
        return Convention(self.ties, self.leaves, self.draws, self.passes)
