"""What games say when they are counted: who wins, how long they last, how many moves there are at each of them.

A *move* is a decision of a player: what chance does, and passes that the library puts in where a player moves again,
are not counted, as in `ludus check`. A pass that is a move of the game's own is one, and forced.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from ludus.common.interval import Estimate, share
from ludus.diagnostics.analyse.walking import Walked

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


class Tally:
    """Counts of games; `add` as many as you like."""

    def __init__(self) -> None:
        self.wins = [0, 0]
        self.games = self.last_mover = self.unfinished = 0
        self.lengths: Counter[int] = Counter()
        """How many games had each number of moves."""
        self.first_moves: dict[int, list[int]] = {}
        """For each first move of a player: games that First won, that were drawn, that First lost."""
        self.legal = np.zeros(0, np.int64)
        """For each move of a game, the first, the second and so on: the sum of the numbers of legal ones,"""
        self.made = np.zeros(0, np.int64)
        """how many games had it,"""
        self.forced = np.zeros(0, np.int64)
        """how often there was only one legal move,"""
        self.least = np.zeros(0, np.int64)
        """and the fewest and"""
        self.most = np.zeros(0, np.int64)
        """the most legal moves that were seen."""

    def add(self, game: Walked) -> None:
        """Another game."""
        decisions = game.decisions
        counts, length = game.counts[decisions], len(decisions)
        self._make_room(length)
        self.legal[:length] += counts
        self.made[:length] += 1
        self.forced[:length] += counts == 1
        self.least[:length] = np.minimum(self.least[:length], counts)
        self.most[:length] = np.maximum(self.most[:length], counts)
        self.lengths[length] += 1
        self.unfinished += not game.finished
        winner = None if game.score == 0 else int(game.score < 0)
        if winner is not None:
            self.wins[winner] += 1
            self.last_mover += game.last_mover == winner
        if length:
            results = self.first_moves.setdefault(int(game.moves[decisions[0]]), [0, 0, 0])
            results[1 if winner is None else 2 * winner] += 1
        self.games += 1

    def _make_room(self, length: int) -> None:
        more = length - len(self.made)
        if more > 0:
            for name in ("legal", "made", "forced", "most"):
                setattr(self, name, np.append(getattr(self, name), np.zeros(more, np.int64)))
            self.least = np.append(self.least, np.full(more, np.iinfo(np.int64).max))

    @property
    def decided(self) -> int:
        """Games that somebody won."""
        return sum(self.wins)

    @property
    def results(self) -> dict[str, Estimate]:
        """The shares of games that First wins, Second wins and nobody wins, with 95 % intervals."""
        counts = {"first": self.wins[0], "second": self.wins[1], "draw": self.games - self.decided}
        return {name: share(count, self.games) for name, count in counts.items()}

    @property
    def length(self) -> float:
        """The mean number of moves of a game."""
        return sum(length * games for length, games in self.lengths.items()) / self.games

    def lengths_at(self, *shares: float) -> list[int]:
        """The numbers of moves that these shares of the games do not exceed."""
        sizes = np.array(sorted(self.lengths))
        reached = np.cumsum([self.lengths[int(size)] for size in sizes]) / self.games
        return [int(sizes[np.searchsorted(reached, part - 1e-12)]) for part in shares]

    @property
    def branching(self) -> float | None:
        """The mean number of legal moves, over all moves that were made."""
        made = int(self.made.sum())
        return float(self.legal.sum() / made) if made else None

    def to_dict(self) -> dict[str, Any]:
        """For JSON; nothing if there is no game."""
        if not self.games:
            return {}
        made = max(int(self.made.sum()), 1)
        found: dict[str, Any] = {"games": self.games}
        found |= {name: vars(estimate) for name, estimate in self.results.items()}
        found |= {"length": self.length, "branching": self.branching, "forced": float(self.forced.sum() / made)}
        found["last_mover_wins"] = self.last_mover / self.decided if self.decided else None
        found["unfinished"] = self.unfinished
        found["lengths"] = [{"moves": size, "games": self.lengths[size]} for size in sorted(self.lengths)]
        found["length_quantiles"] = dict(zip(map(str, QUANTILES), self.lengths_at(*QUANTILES), strict=True))
        found["by_move"] = [
            {
                "move": place + 1,
                "games": int(self.made[place]),
                "branching": float(self.legal[place] / self.made[place]),
                "least": int(self.least[place]),
                "most": int(self.most[place]),
                "forced": float(self.forced[place] / self.made[place]),
            }
            for place in range(len(self.made))
        ]
        return found
