"""What is told of a calibration: in words, as a table, in a notebook, as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.common.notebook import paragraphs
from ludus.common.notebook import table as html_table
from ludus.common.texttable import WIDE, Column, lay_out, screen_width
from ludus.model.calibration import CLASSES, Calibration
from ludus.model.evaluator import Evaluator


@dataclass(frozen=True, repr=False)
class Calibrated:
    """A calibrated evaluator, and how well it is calibrated. `print` shows the table, `save` draws the picture."""

    evaluator: Evaluator
    """Use it as any: `ludus.player("mgss", eval=calibrated.evaluator)`."""
    facts: dict[str, Any]
    """The JSON of `ludus calibrate`."""
    was_saved: bool
    """Whether it was there already."""

    @property
    def calibration(self) -> Calibration:
        return self.evaluator.calibration

    def to_dict(self) -> dict[str, Any]:
        return dict(self.facts)

    def __repr__(self) -> str:
        return f"<{self.facts['calibrated']} on {self.facts['game']}: {self.facts['positions']:,} positions>"

    def __str__(self) -> str:
        return self.text(screen_width())

    def text(self, width: int = WIDE) -> str:
        """What `ludus calibrate` prints, in lines of at most this width."""
        first, *rest = self._sentences()
        return "\n".join([first, "", *lay_out(self.table, width), "", *rest])

    def _repr_html_(self) -> str:
        """In a notebook."""
        first, *rest = self._sentences()
        return paragraphs([first]) + html_table(self.table) + paragraphs(rest)

    def save(self, path: str | Path) -> None:
        """Draw the errors by phase and the reliability of the win curve, `.svg`, `.png` or `.pdf`."""
        from ludus.pictures.calibration import draw

        draw(self.facts, path)

    @property
    def table(self) -> list[Column]:
        """A row for each class of phase."""
        rows, depth = self.facts["phases"], self.facts["depth"]
        return [
            Column("phase", [f"{row['from']:.2f} - {row['to']:.2f}" for row in rows], left=True),
            Column("positions", [f"{row['positions']:,}" for row in rows]),
            Column("error", [_number(row["mean"]) for row in rows]),
            Column("sd", [_number(row["sd"]) for row in rows]),
            Column("searched", [f"{row['searched']:,}" for row in rows], 2),
            Column(f"depth {depth}", [_number(row["deep_mean"]) for row in rows], 3),
            Column("sd", [_number(row["deep_sd"]) for row in rows], 3),
            Column("interval", [f"{_number(row['low'])} … {_number(row['high'])}" for row in rows], 4),
            Column("inside", [_percent(row["held"]) for row in rows], 4),
            Column("win slope", [_number(row["slope"]) for row in rows], 1),
        ]

    def _sentences(self) -> list[str]:
        facts = self.facts
        error, win, coverage, buckets = (facts[key] for key in ("error", "win", "coverage", "buckets"))
        return [
            f"{facts['eval']} on {facts['game']}: {facts['positions']:,} positions of {facts['games']:,} games, "
            f"{facts['held_out']:,} held out (seed {facts['seed']})",
            f"error    one ply deeper minus static: mean {_number(error['mean'])}, sd {_number(error['sd'])}; "
            f"{buckets['number']} of {CLASSES**4} buckets filled; {_of_normality(buckets)}",
            f"win      logit {_number(win['intercept'])} {_term(win['slope'])} value; standard errors clustered by "
            f"{win['games']:,} games {_number(win['intercept_se'])} and {_number(win['slope_se'])}; "
            f"held-out Brier score {_number(win['brier'])}, with a curve for each phase "
            f"{_number(win['brier_by_phase'])}, base rate {_number(win['base'])}",
            f"interval {100 * coverage['level']:.0f} % of values {facts['depth']} plies deeper; held out "
            f"{_percent(coverage['held'])} of {coverage['positions']:,} lie inside",
            *(self._line_words(line) for line in facts["probcut"]),
            f"use it   eval={facts['calibrated']}",
        ]

    def _line_words(self, line: dict[str, Any]) -> str:
        deviations, level = [_number(phase["sd"]) for phase in line["phases"]], self.facts["coverage"]["level"]
        by_phase = f"; by phase sd {', '.join(deviations)}" if len(deviations) > 1 else ""
        return (
            f"ProbCut  depth {line['depth']} = {_number(line['intercept'])} {_term(line['slope'])} depth "
            f"{line['shallow']}, sd {_number(line['sd'])}{by_phase}; held out {_percent(line['held_by_phase'])} within "
            f"{100 * level:.0f} %"
        )


def _of_normality(buckets: dict[str, int]) -> str:
    """In how many of the buckets that have enough held-out errors to tell these pass for normal."""
    if buckets["tested"] == 0:
        return "too few held out to say whether they are normal"
    return f"in {buckets['normal']} of {buckets['tested']} held-out errors pass for normal"


def _number(value: float | None) -> str:
    return "?" if value is None else f"{value + 0.0:.3g}"


def _term(factor: float) -> str:
    """A factor in a sum, with its sign before it."""
    return f"{'-' if factor < 0 else '+'} {_number(abs(factor))} *"


def _percent(share: float | None) -> str:
    return "?" if share is None else f"{100 * share:.1f} %"
