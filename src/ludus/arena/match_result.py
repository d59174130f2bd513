"""`MatchResult`: the score of a match, what it says about the players, and how it is shown."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ludus.arena.play.records import Records, faults_of
from ludus.arena.reports.standings import Effort, Score, Standing, row_data
from ludus.arena.stats.sprt import Sprt
from ludus.arena.stats.statistics import Estimate, elo_estimate, likelihood_of_superiority
from ludus.common.notebook import frame, pre
from ludus.model.budget import BUDGET_KEYS, Budget, Meter
from ludus.model.spec import Spec


@dataclass(repr=False)
class MatchResult:
    """The score of a match, from the first player's side."""

    game: str
    players: tuple[str, str]
    seed: int
    wins: list[int] = field(default_factory=lambda: [0, 0])
    draws: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    effort: list[Meter] = field(default_factory=lambda: [Meter(), Meter()])
    decisions: list[int] = field(default_factory=lambda: [0, 0])
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many games each player forfeited, by player and reason."""
    endless: int = 0
    """How many games were ended as draws because they lasted too long."""
    note: str = ""
    interrupted: bool = False
    sprt: Sprt | None = None
    run: int | None = None
    """The number of the run in the database; None if the games are not kept."""

    def add(self, records: Records) -> None:
        """Count a pair; if Ctrl-C comes in between, nothing of it is counted."""
        wins, pairs, effort, decisions = self.wins[:], self.pairs[:], self.effort[:], self.decisions[:]
        draws, points, endless = self.draws, 0.0, self.endless
        for index, record in enumerate(records):
            # In the second game of a pair the players have changed sides.
            mine = record.score if index == 0 else -record.score
            points += 1 if mine > 0 else 0.5 if mine == 0 else 0
            if mine == 0:
                draws += 1
            else:
                wins[0 if mine > 0 else 1] += 1
            endless += record.endless
            for seat in (0, 1):
                effort[seat ^ index] += record.effort[seat]
                decisions[seat ^ index] += record.decisions[seat]
        pairs[int(2 * points)] += 1
        faults = self.faults + Counter(faults_of(self.players, records))
        counted = {"wins": wins, "draws": draws, "pairs": pairs, "effort": effort, "decisions": decisions}
        self.__dict__.update(counted, faults=faults, endless=endless)

    @property
    def games(self) -> int:
        return sum(self.wins) + self.draws

    @property
    def points(self) -> tuple[float, float]:
        return self.wins[0] + self.draws / 2, self.wins[1] + self.draws / 2

    @property
    def score(self) -> float:
        """The first player's share of the points, from 0 to 1; NaN before the first game."""
        return self.points[0] / self.games if self.games else math.nan

    @property
    def losses(self) -> int:
        """How many games the first player lost."""
        return self.wins[1]

    def to_frame(self) -> Any:
        """A row for each player as a pandas table, who has more points first; needs pandas."""
        return frame([row_data(row) for row in self.standings])

    @property
    def elo(self) -> Estimate:
        return elo_estimate(self.pairs)

    @property
    def decided(self) -> bool:
        """Whether the sequential test, if there is one, has accepted a hypothesis."""
        return self.sprt is not None and self.sprt.decision(self.pairs) is not None

    @property
    def los(self) -> float:
        return likelihood_of_superiority(self.pairs)

    def __repr__(self) -> str:
        points, others = self.points
        return f"<match at {self.game}: {self.players[0]} {points:g} - {others:g} {self.players[1]}>"

    def __str__(self) -> str:
        from ludus.arena.reports.scores import text

        return text(self)

    def _repr_html_(self) -> str:
        """In a notebook."""
        return pre(str(self))

    @property
    def standings(self) -> list[Standing]:
        """The table, who has more points first; Elo is the difference to the other."""
        first, los = self.elo, self.los
        ratings = first, Estimate(-first.value, -first.high, -first.low)
        rows = [
            Standing(
                number=i,
                player=name,
                name=name,
                rating=ratings[i],
                result=Score(self.wins[i], self.draws, self.wins[1 - i]),
                superiority=los if i == 0 else 1 - los,
                effort=Effort(self.effort[i], self.decisions[i]),
                spent=self._spent(i),
                faults=sum(count for (who, _), count in self.faults.items() if who == name),
            )
            for i, name in enumerate(self.players)
        ]
        return sorted(rows, key=lambda row: -row.score)

    def _spent(self, i: int) -> dict[str, float]:
        given = Spec.parse(self.players[i]).arguments
        budget = Budget.of({key: given[key] for key in BUDGET_KEYS if key in given})
        return budget.spent(self.effort[i], self.games if budget.per == "game" else self.decisions[i])

    def save(self, path: str | Path) -> None:
        """Write the result as one page, `.html`; the pairs as a picture, `.svg`, `.png`, `.pdf`; or the table, `.csv`,
        `.md`, `.tex`."""
        from ludus.arena.reports.match_report import save

        save(self, path)

    def to_dict(self) -> dict[str, Any]:
        """The public contract's JSON keys, and fastchess's numbers."""
        return {
            "game": self.game,
            "players": list(self.players),
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "points": list(self.points),
            "seed": self.seed,
            "elo": asdict(self.elo),
            "los": self.los,
            "draw_ratio": self.draws / self.games if self.games else 0.0,
            "pentanomial": self.pairs,
            "effort": [asdict(meter) for meter in self.effort],
            "decisions": self.decisions,
            "faults": [{"player": who, "reason": why, "games": n} for (who, why), n in self.faults.items()],
            "endless": self.endless,
            "note": self.note,
            "sprt": self.sprt.to_dict(self.pairs) if self.sprt is not None else None,
            "run": self.run,
        }
