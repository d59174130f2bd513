"""What is told of an evaluator that was learnt: in words, as a table, in a notebook, as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.common.notebook import paragraphs
from ludus.common.notebook import table as html_table
from ludus.common.texttable import WIDE, Column, lay_out, screen_width
from ludus.learning.unchanging import unchanging_words
from ludus.library.evaluators.learned.learned import Learned

MOST_ROWS = 60
"""How many weights are printed; with more, the largest."""

FITS = {
    "r2": "R²",
    "adjusted_r2": "adjusted R²",
    "held_out_r2": "R² on held-out positions",
    "rmse": "root mean squared error",
    "log_loss": "log loss",
    "held_out_log_loss": "log loss on held-out games",
    "base_log_loss": "log loss of saying one half",
    "shrinkage": "shrinkage",
    "chosen": "features chosen",
    "of": "of",
    "mse": "mean squared error",
    "score": "score in the last games of the learning curve",
}
"""What the numbers of `fit` are called."""


@dataclass(frozen=True, repr=False)
class LearningResult:
    """A learnt evaluator, and how it was learnt. `print` shows its weights, `save` draws the picture."""

    evaluator: Learned
    """Use it as any: `ludus.player("alphabeta", eval=learnt.evaluator)`."""
    was_saved: bool
    """Whether it was there already."""

    @property
    def about(self) -> dict[str, Any]:
        """All that its file holds."""
        return self.evaluator.about

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `ludus learn`."""
        about = self.about
        keys = ("game", "name", "method", "target", "positions", "games", "seed", "settings", "fit", "date", "version")
        found = {key: about[key] for key in keys} | {"eval": self.evaluator.title, "hash": self.evaluator.hash}
        more = {key: about[key] for key in ("fingerprint", "kind", "curve", "unchanging") if key in about}
        return found | more | {"weights": self.rows}

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The weights, one after the other."""
        about, found = self.about, []
        for stage, row in enumerate(about["weights"]):
            for place, weight in enumerate(row):
                known: dict[str, Any] = {"feature": about["names"][place], "weight": weight}
                known |= {"se": about["errors"][stage][place], "p": about["p_values"][stage][place]}
                found.append(known | ({"stage": stage} if len(about["weights"]) > 1 else {}))
        return found

    def __repr__(self) -> str:
        return f"<{self.evaluator.title} for {self.about['game']}: {self.evaluator.weights.size:,} weights>"

    def __str__(self) -> str:
        return self.text(screen_width())

    def text(self, width: int = WIDE) -> str:
        """What `ludus learn` prints, in lines of at most this width."""
        return "\n".join([self._headline(), "", *lay_out(self.table, width), "", *self._sentences()])

    def _repr_html_(self) -> str:
        """In a notebook."""
        return paragraphs([self._headline()]) + html_table(self.table) + paragraphs(self._sentences())

    def save(self, path: str | Path) -> None:
        """Draw what was foretold against what came, or how it learnt, `.svg`, `.png` or `.pdf`."""
        from ludus.pictures.learning import draw

        draw(self.about, path)

    @property
    def table(self) -> list[Column]:
        """The weights, the largest if there are too many."""
        rows = self.rows
        if len(rows) > MOST_ROWS:
            rows = sorted(rows, key=lambda row: -abs(row["weight"]))[:MOST_ROWS]
        columns = [Column("feature", [row["feature"] for row in rows], left=True)]
        if any("stage" in row for row in rows):
            columns.append(Column("stage", [str(row["stage"] + 1) for row in rows]))
        columns.append(Column("weight", [_number(row["weight"]) for row in rows]))
        if any(row["se"] is not None for row in rows):
            columns.append(Column("se", [_number(row["se"]) for row in rows], 1))
            columns.append(Column("p", [_p_value(row["p"]) for row in rows], 2))
        return columns

    def _headline(self) -> str:
        about = self.about
        games = f" of {about['games']:,} games" if about["games"] else ""
        what = f"{about['method']} on {about['positions']:,} positions{games}, target {about['target']}"
        return f"{self.evaluator.title} for {about['game']}: {what} (seed {about['seed']})"

    def _sentences(self) -> list[str]:
        about, fit = self.about, self.about["fit"]
        many = self.evaluator.weights.size
        told = ", ".join(f"{FITS.get(key, key)} {_number(value)}" for key, value in fit.items())
        shown = [f"the {MOST_ROWS} largest of {many:,} weights"] if many > MOST_ROWS else []
        made = [f"made     {about['date']} by ludus {about['version']}"] if self.was_saved else []
        never = about.get("unchanging", ())
        remark = [f"remark   {unchanging_words(never)} in random games: is that meant?"]
        return [*shown, f"fit      {told}", *(remark if never else []), *made, f"use it   eval={self.evaluator.title}"]


def _number(value: float | None) -> str:
    return "?" if value is None else f"{value + 0.0:.4g}"


def _p_value(value: float | None) -> str:
    return "?" if value is None else "<.0001" if value < 0.0001 else f"{value:.4f}"
