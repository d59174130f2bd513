"""What a tournament says: ratings with their intervals, the score of each against each, effort, faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, MutableMapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ludus.arena.cheaper import cheaper_players
from ludus.arena.choice import Choice, choice
from ludus.arena.equal_time import equal_time
from ludus.arena.play.openings import Opening, Openings
from ludus.arena.play.packing import PackedPairs
from ludus.arena.play.pairs import PairNumber
from ludus.arena.play.records import Records, faults_of
from ludus.arena.reports.naming import labels, shared_arguments, uncalibrated, without
from ludus.arena.reports.standings import Effort, Score, Standing, columns, row_data
from ludus.arena.small_game import Solved
from ludus.arena.stats.ratings import POINTS, Ratings, fit
from ludus.arena.stats.statistics import Estimate
from ludus.arena.stats.verdict import EQUAL, LEVEL, Verdict
from ludus.common.notebook import frame, paragraphs, table
from ludus.common.texttable import WIDE, screen_width
from ludus.model.playable import PlayableGame
from ludus.model.spec import Spec, format_arguments
from ludus.runtime.player import Player

MANY = 20
"""The least number of pairs, those of `random` not counted, from which advice is drawn."""

STOPPED = {
    "separated": f"the best is known at {100 * (1 - LEVEL):g} %",
    "equal": "who may be the best is known, and they are equal",
    "circle": "players beat each other in a circle",
    "games": "all games that were allowed have been played",
    "minutes": "the time is over",
    "openings": "the contenders have played all distinct openings of that length against each other",
    "interrupted": "interrupted; the same command goes on",
}


@dataclass(repr=False)
class Ranking:
    """Grows as pairs are added; everything else is worked out from them. `print` shows the table."""

    game: PlayableGame
    players: list[Player]
    seed: int
    excluded: dict[str, str] = field(default_factory=dict)
    """Why each player that nobody named was left out, by player."""
    pairs: MutableMapping[PairNumber, Records] = field(default_factory=PackedPairs)
    tables: dict[tuple[int, int], np.ndarray] = field(default_factory=dict)
    efforts: list[Effort] = field(default_factory=list)
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    endless: int = 0
    """How many games were ended as draws because they lasted too long."""
    openings: Openings | None = None
    """The openings of every two players."""
    stopped: str = ""
    """Why there are no more games: one of `STOPPED`."""
    seconds: float = 0.0
    run: int | None = None
    """The number of the run in the database; None if the games are not kept."""
    played: int = 0
    """How many of the games were played now, and not in an earlier sitting."""
    equal: float = EQUAL
    """Players that are no farther apart than this, in Elo, need not be told apart."""
    round_robin: bool = False
    """Whether everyone meets everyone equally often."""
    numbers: list[int] = field(default_factory=list)
    """The players' numbers among all who might have taken part: by these the database knows them."""
    made: list[tuple[str, str]] = field(default_factory=list)
    """How it came about: see `provenance`."""
    solved: Solved | None = None
    """The result under best play, if the game is small enough to be solved."""

    def __post_init__(self) -> None:
        self.evidence = Verdict(len(self.players), self.equal)
        self.names = [str(player) for player in self.players]
        self.efforts = self.efforts or [Effort() for _ in self.players]
        self.numbers = self.numbers or list(range(len(self.players)))
        self._fitted: tuple[int, Ratings] | None = None

    def again(self) -> Ranking:
        """The same ranking from its pairs alone: for other players, or if Ctrl-C came while a pair was counted."""
        fresh = Ranking(self.game, self.players, self.seed, self.excluded, openings=self.openings, equal=self.equal)
        fresh.run, fresh.played, fresh.round_robin = self.run, self.played, self.round_robin
        fresh.numbers, fresh.made, fresh.solved = self.numbers, self.made, self.solved
        for number, records in self.pairs.items():
            fresh.add(number, records)
        return fresh

    def add(self, number: PairNumber, records: Records) -> None:
        """Count a pair; an error if it was counted before."""
        if number in self.pairs:
            raise ValueError(f"pair {number} was counted before")
        one, other, _ = number
        table = self.tables.setdefault((one, other), np.zeros((3, 3), int))
        # Win, draw or loss of `one`: in the first game, where it moved first, and in the second, where it did not.
        results = 1 - _sign(records[0].score), 1 + _sign(records[1].score)
        table[results] += 1
        self.evidence.add(one, other, float(POINTS[list(results)].mean()))
        for index, record in enumerate(records):
            for seat, player in enumerate((one, other) if index == 0 else (other, one)):
                self.efforts[player].meter += record.effort[seat]
                self.efforts[player].decisions += record.decisions[seat]
        self.faults.update(faults_of((self.names[one], self.names[other]), records))
        self.endless += sum(record.endless for record in records)
        self.pairs[number] = records

    def opening(self, number: PairNumber) -> Opening | None:
        """The opening of a pair; None if nobody knows it."""
        one, other, opening = number
        return None if self.openings is None else self.openings.get(self.names[one], self.names[other], opening)

    @property
    def games(self) -> int:
        return 2 * len(self.pairs)

    @property
    def best(self) -> Player | None:
        """The player who leads; None before the first game. `choice` says what it can cost to take it."""
        return self.players[self.order[0]] if self.pairs else None

    def __len__(self) -> int:
        return len(self.players)

    def __iter__(self) -> Iterator[Standing]:
        """The rows of the table, the best first."""
        return iter(self.standings)

    def __getitem__(self, place: int) -> Standing:
        return self.standings[place]

    def to_frame(self) -> Any:
        """The table as pandas has it, the best first; needs pandas."""
        return frame([row_data(row) for row in self.standings])

    @property
    def ratings(self) -> Ratings:
        """The ratings after all pairs so far; fitted once for each number of games."""
        if self._fitted is None or self._fitted[0] != self.games:
            self._fitted = self.games, fit(len(self.players), self.tables)
        return self._fitted[1]

    @property
    def order(self) -> list[int]:
        """The players' numbers, the best first; last those who have not played yet, of whom nothing is known."""
        played = {i for number in self.tables for i in number}
        elo, best = self.ratings.elo, self.evidence.best
        places = [(i not in played, i != best, -elo[i] if i in played else 0, i) for i in range(len(self.players))]
        return [i for *_, i in sorted(places)]

    @property
    def sureness(self) -> float:
        """The level of confidence at which the leader could be named the best; 0.95 or more if it is."""
        return self.evidence.confidence(self.order[0])

    @property
    def choice(self) -> Choice | None:
        """Whom to take, and what that can cost; None if no game was played."""
        return choice(self.standings, self.evidence)

    def record_against(self, one: int, other: int) -> Score:
        """The games of `one` with `other`."""
        table = self.tables.get((min(one, other), max(one, other)))
        if table is None:
            return Score(0, 0, 0)
        wins, draws, losses = (int(n) for n in table.sum(0) + table.sum(1))
        return Score(wins, draws, losses) if one < other else Score(losses, draws, wins)

    @property
    def matrix(self) -> list[list[Score | None]]:
        """Each against each, the best first; None against oneself."""
        order = self.order
        return [[None if i == j else self.record_against(i, j) for j in order] for i in order]

    @property
    def standings(self) -> list[Standing]:
        """The table, the best first."""
        order, ratings, names = self.order, self.ratings, self.labels
        played = {i for number in self.tables for i in number}
        faults = Counter(dict.fromkeys(self.names, 0))
        for (who, _), count in self.faults.items():
            faults[who] += count
        rows = []
        for place, i in enumerate(order):
            results = [self.record_against(i, j) for j in range(len(self.players)) if j != i]
            following = order[place + 1] if place + 1 < len(order) and order[place + 1] in played else None
            rows.append(
                Standing(
                    number=i,
                    player=self.players[i],
                    name=names[i],
                    rating=Estimate(float(ratings.elo[i]), float(ratings.low[i]), float(ratings.high[i])),
                    result=Score(*map(sum, zip(*results, strict=True))),
                    superiority=None if following is None else ratings.superiority(i, following),
                    effort=self.efforts[i],
                    spent=self._spent(i),
                    faults=faults[self.names[i]],
                )
            )
        return rows

    def _spent(self, i: int) -> dict[str, float]:
        """What share of its budget a player has spent, by the budget's key."""
        budget, effort = self.players[i].budget, self.efforts[i]
        count = effort.decisions
        if budget.per == "game":  # all its games had such a budget
            count = sum(1 for number in self.pairs for _ in range(2) if i in number[:2])
        return budget.spent(effort.meter, count)

    @property
    def shared(self) -> dict[str, Any]:
        """The arguments that all players have in common: usually the evaluator and the budget."""
        return shared_arguments(self._specs)

    @property
    def terms(self) -> list[str]:
        """What all players have in common, in words. Not every search asks its evaluator."""
        rest, found = dict(self.shared), []
        evaluator = rest.pop("eval", None)
        if rest:
            found.append(f"{format_arguments(rest)} each")
        if evaluator is not None:
            found.append(f"{format_arguments({'eval': evaluator})} where a search evaluates")
        return found

    @property
    def short_names(self) -> list[str]:
        """The players' specs without what all have in common."""
        return [str(without(spec, self.shared)) for spec in self._specs]

    @property
    def labels(self) -> list[str]:
        """What the players are called in tables and sentences: see `naming`."""
        return labels([without(spec, self.shared) for spec in self._specs])

    @property
    def legend(self) -> dict[str, str]:
        """The whole specs of the players whose label does not say all, by label, the best first."""
        found = {self.labels[i]: (without(self.players[i].spec, self.shared), self.names[i]) for i in self.order}
        return {label: name for label, (spec, name) in found.items() if label != str(spec)}

    @property
    def _specs(self) -> list[Spec]:
        """The players' specs without the calibrations of evaluators, unless that makes two of them the same."""
        specs = [player.spec for player in self.players]
        plain = [uncalibrated(spec) for spec in specs]
        return plain if len(set(plain)) == len(plain) else specs

    @property
    def why_stopped(self) -> str:
        """Why there are no more games, in words."""
        more = "; a longer `openings` may give more" if self.stopped == "openings" and not self.advice else ""
        if self.round_robin and len({int(table.sum()) for table in self.tables.values()}) > 1:
            more += "; the last cycle is not complete, so some have met once more than others"
        return STOPPED.get(self.stopped, self.stopped) + more

    def verdict(self) -> str:
        """One sentence: who is best, and how sure that is."""
        from ludus.arena.reports.words import verdict

        return verdict(self)

    @property
    def advice(self) -> str:
        """Why nobody is separated, if most pairs end one win each or drawn twice: they compare openings, not players.

        Pairs against `random` are not counted: anybody wins those twice.
        """
        able = {i for i, player in enumerate(self.players) if player.search.name != "random"}
        pairs = sum((table for number, table in self.tables.items() if able.issuperset(number)), np.zeros((3, 3), int))
        by_side, drawn = pairs[0, 2] + pairs[2, 0], pairs[1, 1]
        if self.evidence.decision or pairs.sum() < MANY or by_side + drawn <= pairs.sum() / 2:
            return ""
        other = self.openings is not None and self.openings.plies > 1 and self.stopped != "openings"
        if drawn > by_side:
            return "Most pairs are drawn twice: a smaller `budget` or a larger board tells players apart."
        what = "try `openings=1`" if other else "a smaller `budget` or a larger board tells players apart"
        return f"Most pairs are decided by their opening: {what}."

    def __repr__(self) -> str:
        best = f", best {self.names[self.order[0]]}" if self.pairs else ""
        return f"<ranking of {self.game}: {len(self.players)} players, {self.games} games{best}>"

    def __str__(self) -> str:
        return self.text(screen_width())

    def text(self, width: int = WIDE, matrix: bool = False) -> str:
        """What `ludus rank` prints, in lines of at most this width; each against each if it fits, or if asked for."""
        from ludus.arena.reports import words

        return words.text(self, width, matrix)

    def _repr_html_(self) -> str:
        """The table and the verdict in a notebook."""
        from ludus.arena.reports.words import header, sentences

        shown = table(columns(self.standings), 0) if self.games else ""
        return paragraphs([header(self)]) + shown + paragraphs(sentences(self))

    def save(self, path: str | Path) -> None:
        """Write the report as a page, `.html`, the ratings as a picture, `.svg`, `.png`, `.pdf`, or the table, `.csv`,
        `.md`, `.tex`."""
        from ludus.arena.reports.report import save

        save(self, path)

    def to_dict(self) -> dict[str, Any]:
        """The public contract's JSON keys, and more."""
        from ludus.arena.reports.words import needs, scope

        order, turning, chosen = self.order, self.evidence.turning, self.choice
        first = self.ratings.first_move
        return {
            "game": str(self.game),
            "seed": self.seed,
            "games": self.games,
            "players": [row_data(row) for row in self.standings],
            "best": self.names[order[0]] if self.pairs else None,
            "regret": None if chosen is None else chosen.data(),
            "probability": self.sureness,
            "separated": self.evidence.decision == "best",
            "unbeaten": self._named(self.evidence.unbeaten),
            "equal": self._named(self.evidence.equals),
            "circle": self._named(self.evidence.circle if self.evidence.decision == "circle" else []),
            "turned": None if turning is None else {"player": self.names[turning[0]], "pairs": turning[1]},
            "about": scope(self),
            "stopped": self.stopped,
            "round_robin": self.round_robin,
            "matrix": [[None if score is None else list(score) for score in row] for row in self.matrix],
            "first_move": asdict(first),
            "faults": [{"player": who, "reason": why, "games": n} for (who, why), n in self.faults.items()],
            "endless": self.endless,
            "equal_time": [each.data() for each in equal_time(self.standings)],
            "savings": [saving.data() for saving in cheaper_players(self.standings)],
            "excluded": [{"player": who, "reason": why, "needs": needs(why)} for who, why in self.excluded.items()],
            "seconds": self.seconds,
            "run": self.run,
            "solved": None if self.solved is None else self.solved.to_dict(),
        }

    def _named(self, players: list[int]) -> list[str]:
        return [self.names[i] for i in players]


def _sign(score: float) -> int:
    return (score > 0) - (score < 0)
