"""What is told of a test of pathology: the score at each depth with its interval, a verdict in words, a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludus.arena.stats.monotone import LEVEL, Monotonicity, monotonicity
from ludus.arena.stats.statistics import PAIR_SCORES, posterior
from ludus.common.notebook import pre
from ludus.common.texttable import WIDE, Column, lay_out, screen_width


@dataclass(repr=False)
class Pathology:
    """Scores by depth, and whether they fall. `print` shows the table and the verdict, `save` draws the curve.

    `by="games"`: against depth 1; a subject is an opening, its results the points of two games with sides swapped.
    `by="decisions"`: a subject is a position, its results whether a right move was chosen.
    """

    game: str
    evaluator: str
    search: str
    by: str
    seed: int
    depths: list[int]
    """From 1 on."""
    results: list[Sequence[tuple[float, ...]]] = field(default_factory=list)
    """For each subject, at each depth that was judged: the deeper player's points when it moved first and when second,
    or whether the move was right."""
    run: int | None = None
    """The number of the run in the database; None if the games are not kept."""
    played: int = 0
    """How many games were played now, and not in an earlier sitting."""
    interrupted: bool = False
    note: str = ""

    def add(self, results: Sequence[tuple[float, ...]]) -> None:
        """The results of one more subject, at all depths."""
        self.results.append(tuple(results))
        self.__dict__.pop("_tested", None)

    @property
    def subjects(self) -> int:
        return len(self.results)

    @property
    def judged(self) -> list[int]:
        """The depths that have results: depth 1 does not play itself."""
        return self.depths[1:] if self.by == "games" else self.depths

    @property
    def test(self) -> Monotonicity | None:
        """The test of monotonicity; None while there is too little to test. Places are those of `depths`."""
        if self.subjects < 2:
            return None
        if "_tested" not in self.__dict__:
            rows = [[sum(each) / len(each) for each in row] for row in self.results]
            if self.by == "games":
                rows = [[0.5, *row] for row in rows]  # depth 1 against itself
            chains = [[i for i, depth in enumerate(self.depths) if depth % 2 == odd] for odd in (1, 0)]
            self.__dict__["_tested"] = monotonicity(rows, chains, self.seed)
        return self.__dict__["_tested"]

    @property
    def pathological(self) -> bool:
        return self.test is not None and self.test.falls

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each depth that was judged."""
        return [self._row(place, depth) for place, depth in enumerate(self.judged)]

    def _row(self, place: int, depth: int) -> dict[str, Any]:
        mine = [row[place] for row in self.results]
        games = sum(map(len, mine))
        means = [sum(each) / len(each) for each in mine]
        low, high = interval(means)
        found: dict[str, Any] = {"depth": depth, "games": games, "score": _mean(means), "low": low, "high": high}
        if self.by == "games":
            for seat, name in enumerate(("first", "second")):
                points = [each[seat] for each in mine]
                low, high = interval(points)
                found[name] = {"score": _mean(points), "low": low, "high": high}
        return found

    @property
    def verdict(self) -> str:
        """What the test says, in words."""
        found = self.test
        if found is None:
            return "There is too little to say whether looking deeper helps."
        fall, rise = found.fall, found.rise
        shown = self._means()
        here = {name: (self.depths[c.earlier], self.depths[c.later]) for name, c in (("fall", fall), ("rise", rise))}
        if found.falls:
            a, b = here["fall"]
            more = f" It helps elsewhere: {self._climb(rise)}." if found.rises else ""
            return (
                f"Pathological: looking deeper hurts. Depth {b} scores {shown[fall.later]}, depth {a} "
                f"{shown[fall.earlier]} (p = {_p(found.p)}).{more}"
            )
        if found.rises:
            return (
                f"Looking deeper helps: {self._climb(rise)} (p = {_p(found.p_rise)}), and no fall is more than noise "
                f"(p = {_p(found.p)}); one of {100 * found.detectable:.0f} points would have shown in 4 cases of 5."
            )
        return (
            f"Looking deeper neither helps nor hurts as far as this shows: no fall is more than noise "
            f"(p = {_p(found.p)}), and no rise (p = {_p(found.p_rise)}); a fall of {100 * found.detectable:.0f} points "
            "would have shown in 4 cases of 5."
        )

    def _climb(self, rise: Any) -> str:
        shown = self._means()
        return (
            f"depth {self.depths[rise.later]} scores {shown[rise.later]}, depth {self.depths[rise.earlier]} "
            f"{shown[rise.earlier]}"
        )

    def _means(self) -> list[str]:
        """The score at each depth, as people read it."""
        known = {row["depth"]: row["score"] for row in self.rows}
        return [f"{100 * known.get(depth, 0.5):.1f} %" for depth in self.depths]

    def to_dict(self) -> dict[str, Any]:
        """The public contract's JSON keys, and more."""
        found = self.test
        return {
            "game": self.game,
            "eval": self.evaluator,
            "search": self.search,
            "by": self.by,
            "seed": self.seed,
            "rows": self.rows,
            "pathological": self.pathological,
            "p": None if found is None else found.p,
            "helps": found is not None and found.rises and not found.falls,
            "p_rise": None if found is None else found.p_rise,
            "detectable": None if found is None else found.detectable,
            "level": LEVEL,
            "verdict": self.verdict,
            "note": self.note,
            "run": self.run,
            "interrupted": self.interrupted,
        }

    def __repr__(self) -> str:
        return f"<pathology of {self.game} with {self.evaluator}: {self.verdict}>"

    def __str__(self) -> str:
        return self.text(screen_width())

    def _repr_html_(self) -> str:
        """In a notebook."""
        return pre(str(self))

    def _title(self) -> str:
        what = "against depth 1" if self.by == "games" else "right decisions"
        return f"{self.game}: {self.search}(eval={self.evaluator}), {what}, seed {self.seed}"

    def text(self, width: int = WIDE) -> str:
        """What `ludus pathology` prints, in lines of at most this width."""
        import textwrap

        rows = self.rows
        columns = [
            Column("depth", [str(row["depth"]) for row in rows]),
            Column(self.by, [f"{row['games']:,}" for row in rows]),
            Column("score", [f"{100 * row['score']:.1f} %" for row in rows]),
            Column("95 %", [f"{100 * row['low']:.1f} … {100 * row['high']:.1f}" for row in rows]),
        ]
        if self.by == "games":
            for name in ("first", "second"):
                columns.append(Column(f"as {name}", [f"{100 * row[name]['score']:.1f} %" for row in rows], 2))
        more = [self.note] if self.note else []
        if self.interrupted and not self.note:
            more.append("interrupted: this is what there is.")
        lines = [self._title(), "", *lay_out(columns, width), "", self.verdict, *more]
        return "\n".join(line for each in lines for line in (textwrap.wrap(each, width) if each in more else [each]))

    def save(self, path: str | Path) -> None:
        """Draw the scores with 95 % bands, even and odd depths apart, `.svg`, `.png` or `.pdf`."""
        from ludus.pictures.bands import Curve, draw_curves

        points = {row["depth"]: (float(row["depth"]), row["score"], row["low"], row["high"]) for row in self.rows}
        if self.by == "games":
            points[1] = (1.0, 0.5, 0.5, 0.5)
        curves = [
            Curve(name, [points[depth] for depth in self.depths if depth % 2 == odd and depth in points])
            for name, odd in (("odd depths", 1), ("even depths", 0))
        ]
        y = "score against depth 1" if self.by == "games" else "right decisions"
        level = 0.5 if self.by == "games" else None
        draw_curves(
            curves, path, title=self._title(), x="depth", y=f"{y}, with 95 % bands", note=self.verdict, level=level
        )


def interval(results: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean of results from 0 to 1 in quarters, by `statistics.posterior`."""
    from scipy.special import betaincinv

    counts = [sum(result == score for result in results) for score in PAIR_SCORES]
    a, b = posterior(counts)
    low, high = (float(betaincinv(a, b, q)) for q in (0.025, 0.975))
    mean = _mean(results)
    return min(low, mean), max(high, mean)


def _mean(results: Sequence[float]) -> float:
    return math.fsum(results) / len(results) if results else 0.5


def _p(value: float) -> str:
    return f"{value:.2g}" if value >= 0.001 else "less than 0.001"
