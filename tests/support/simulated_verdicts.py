"""Simulated runs of `rank`: how often its verdict is wrong, how many games it takes, how many intervals hold the truth.

`python -m tests.support.simulated_verdicts --runs 200` makes the first table of docs/how-to/ranking.md, and
with `--regret` the second. Tests run a few of the settings.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ludus.arena.stats.matchups import first_pairs, next_pairs
from ludus.arena.stats.ratings import ELO, POINTS, Ratings, fit
from ludus.arena.stats.verdict import EQUAL, Verdict
from tests.support.simulated_tournaments import Tables, World

PAIRS = 1000
"""The most pairs of a run: half of what `rank` allows by default."""
USUAL = World(first=0.2, draws=0.3)


@dataclass(frozen=True)
class Setting:
    """Players and how their games go."""

    elo: np.ndarray
    world: World = USUAL
    odds: np.ndarray | None = None
    """The log-odds of each player against each, where Elo does not tell them."""
    openings: int | None = None
    """How many there are, if not any number. Then a pair is decided by its opening, and equals win as many as they
    lose in all of them together."""
    unequal: float = 0.0
    """How unequally likely the openings are: the standard deviation of the logarithm."""

    @property
    def margin(self) -> np.ndarray:
        return np.subtract.outer(self.elo, self.elo) / ELO if self.odds is None else self.odds

    @property
    def best(self) -> int | None:
        """Who beats all others, if anybody does."""
        beats_all = (self.margin > 1e-9).sum(1) == len(self.margin) - 1
        return int(beats_all.argmax()) if beats_all.any() else None

    @cached_property
    def truth(self) -> np.ndarray:
        """The ratings, as endless round robins would show them."""
        return self.world.ratings(self.elo)

    @cached_property
    def regrets(self) -> np.ndarray:
        """By how many Elo each player is behind the one that is ahead of it by most, as a match would show it."""
        score = self.world.score(self.margin)
        return np.maximum(ELO * np.log(score / (1 - score)).max(0), 0.0)


class Play:
    """The pairs of one simulated run."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self.setting, self.random = setting, np.random.default_rng(seed)
        self.tables: Tables = {}
        self.closed: set[tuple[int, int]] = set()
        self._waiting: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def __call__(self, pairings: list[tuple[int, int]]) -> list[tuple[int, int, float]]:
        """Each pairing with the score of its first player, as far as there are openings; `tables` counts them too."""
        found = []
        if self.setting.openings is not None:
            for pairing in pairings:
                results = self._waiting.setdefault(pairing, self._openings(pairing))
                found += [(*pairing, *results.pop())] if results else []
                if not results:
                    self.closed.add(pairing)
        elif pairings:
            numbers = np.array(pairings)
            results = zip(*self._results(self.setting.margin[numbers[:, 0], numbers[:, 1]]), strict=True)
            found = [(*pairing, *result) for pairing, result in zip(pairings, results, strict=True)]
        for i, j, first, second in found:
            self.tables.setdefault((i, j), np.zeros((3, 3), int))[first, second] += 1
        return [(i, j, float(POINTS[first] + POINTS[second]) / 2) for i, j, first, second in found]

    def _results(self, margin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What two games give their first player each: 0 won, 1 drawn, 2 lost."""
        world, count = self.setting.world, len(margin)
        shift, favour = (size * self.random.standard_normal(count) for size in (world.shift, world.favour))
        first = world._results(self.random, margin + favour + world.first + shift)
        return first, world._results(self.random, margin + favour - world.first - shift)

    def _openings(self, pairing: tuple[int, int]) -> list[tuple[int, int]]:
        """What every opening gives, in random order: for half of them as it comes, for the others turned round.

        Then the expected score is the mean over all openings, as nearly as may be.
        """
        assert self.setting.openings is not None
        half = list(zip(*self._results(np.zeros(self.setting.openings // 2)), strict=True))
        found = half + [(2 - second, 2 - first) for first, second in half]
        better = self.setting.margin[pairing]
        lost = [k for k, (first, second) in enumerate(found) if first + second > 2]
        turned = round(abs(np.tanh(better / 2)) * len(lost))
        for k in lost[:turned] if better > 0 else [k for k, r in enumerate(found) if sum(r) < 2][:turned]:
            found[k] = (2 - found[k][1], 2 - found[k][0])
        likely = np.exp(self.setting.unequal * self.random.standard_normal(len(found)))
        return [
            found[k] for k in np.argsort(-self.random.standard_exponential(len(found)) / likely)
        ]  # the last is next


@dataclass
class Outcome:
    """How a run has ended."""

    decision: str
    verdict: Verdict
    ratings: Ratings
    pairs: int


def rounds(setting: Setting, seed: int, most: int = PAIRS, equal: float = EQUAL) -> Iterator[Outcome]:
    """What is known after each round of a tournament, of at most this many pairs, as `tournament` plays it."""
    count, played = len(setting.margin), 0
    play, verdict = Play(setting, seed), Verdict(count, equal)
    chosen = first_pairs(count)
    while True:
        for i, j, score in play(chosen[: most - played]):
            verdict.add(i, j, score)
            played += 1
        ratings = fit(count, play.tables)
        chosen = next_pairs(verdict, ratings, max(8, played // 10), play.closed)
        decision = verdict.decision or ("games" if played >= most else "" if chosen else "openings")
        yield Outcome(decision, verdict, ratings, played)
        if decision:
            return


def run(setting: Setting, seed: int, most: int = PAIRS, equal: float = EQUAL) -> Outcome:
    """How such a tournament ends."""
    return list(rounds(setting, seed, most, equal))[-1]


LOOKS = (250, 1000, 4000)
"""After how many pairs the bounds on the leader's regret are noted."""


@dataclass
class Regrets:
    """The bounds on the leaders' regrets in many runs of a setting, in Elo."""

    bounds: list[list[float]] = field(default_factory=list)
    """Of each run, after each of `LOOKS`, or at its end if that comes before."""
    actual: list[list[float]] = field(default_factory=list)
    """What they are about."""
    wrong: list[bool] = field(default_factory=list)
    """Whether, after any round, the bound of any player was too low."""

    @classmethod
    def of(cls, setting: Setting, runs: int, seed: int = 0, looks: Sequence[int] = LOOKS) -> Regrets:
        """Nobody is called equal, so that runs go on until the best is known."""
        found, truth = cls(), setting.regrets
        for k in range(runs):
            bounds, actual, wrong = [0.0] * len(looks), [0.0] * len(looks), False
            for each in rounds(setting, seed + k, looks[-1], equal=0):
                every = np.array([each.verdict.regret(i) for i in range(len(truth))])
                wrong |= bool((every < truth - 1e-9).any())
                leader = int(each.ratings.elo.argmax()) if each.verdict.best is None else each.verdict.best
                for place, pairs in enumerate(looks):
                    if each.pairs <= pairs:
                        bounds[place], actual[place] = float(every[leader]), float(truth[leader])
            found.bounds.append(bounds)
            found.actual.append(actual)
            found.wrong.append(wrong)
        return found

    def row(self, name: str) -> str:
        """A line of the table."""
        medians = [f"{bound:.0f}" for bound in np.median(self.bounds, axis=0)]
        actual = [f"{each:.1f}" for each in np.mean(self.actual, axis=0)]
        return f"| {' | '.join([name, *medians, *actual, f'{100 * np.mean(self.wrong):.1f} %'])} |"


@dataclass
class Tally:
    """What many runs of a setting have given."""

    setting: Setting
    outcomes: list[Outcome] = field(default_factory=list)

    @classmethod
    def of(cls, setting: Setting, runs: int, seed: int = 0, **options: float) -> Tally:
        return cls(setting, [run(setting, seed + k, **options) for k in range(runs)])

    def share(self, decision: str) -> float:
        return sum(outcome.decision == decision for outcome in self.outcomes) / len(self.outcomes)

    @property
    def wrong(self) -> float:
        """The share of runs in which somebody is named who does not beat all others."""
        names = [outcome.verdict.best for outcome in self.outcomes]
        return sum(name is not None and name != self.setting.best for name in names) / len(names)

    @property
    def unequal(self) -> float:
        """The share of runs in which players are called equal that are farther apart."""
        found = [outcome.verdict.equals for outcome in self.outcomes if outcome.decision == "equal"]
        elo = self.setting.elo
        return sum(abs(elo[equals] - elo[equals[0]]).max() > EQUAL for equals in found) / len(self.outcomes)

    @property
    def coverage(self) -> tuple[float, float]:
        """How many intervals hold the truth: of all, and of those of the leaders."""
        truth = self.setting.truth
        held = [(o.ratings.low <= truth) & (truth <= o.ratings.high) for o in self.outcomes]
        leaders = [int(o.ratings.elo.argmax()) for o in self.outcomes]
        return float(np.mean(held)), float(np.mean([each[i] for each, i in zip(held, leaders, strict=True)]))

    @property
    def games(self) -> float:
        return 2 * float(np.mean([outcome.pairs for outcome in self.outcomes]))

    @property
    def unbeaten(self) -> float:
        """How many players are not beaten at the end, on average."""
        return float(np.mean([len(outcome.verdict.unbeaten) for outcome in self.outcomes]))


def lead(count: int, by: float) -> np.ndarray:
    """One player, not the first, is ahead of all others, who are equal."""
    elo = np.zeros(count)
    elo[count // 3] = by
    return elo


def roster(*top: float) -> np.ndarray:
    """Players as in a ranking of searches: these, some that are worse and worse, and one that plays at random."""
    return -np.array([*top, 60.0, 80, 120, 150, 200, 260, 350, 550, 800])


def ladder(count: int, step: float) -> np.ndarray:
    return -step * np.arange(count)


CIRCLE = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0.0]])
LARGE_CIRCLE = np.block([[10 / ELO * CIRCLE, np.ones((3, 5))], [-np.ones((5, 3)), np.zeros((5, 5))]])

SETTINGS = {
    "2 equal": Setting(np.zeros(2)),
    "2, 10 Elo apart": Setting(lead(2, 10)),
    "2, 60 Elo apart": Setting(lead(2, 60)),
    "2, 200 Elo apart": Setting(lead(2, 200)),
    "2 equal, no draws": Setting(np.zeros(2), World(0.0, 0.0)),
    "2 equal, 70 % drawn": Setting(np.zeros(2), World(0.2, 0.7)),
    "2 equal, first move +520": Setting(np.zeros(2), World(3.0, 0.0)),
    "2 equal, correlated": Setting(np.zeros(2), World(0.2, 0.3, shift=1.0, favour=1.0)),
    "2 equal, 60 openings": Setting(np.zeros(2), openings=60),
    "2 equal, 300 openings": Setting(np.zeros(2), openings=300),
    "2 equal, 60 openings, unequally likely": Setting(np.zeros(2), openings=60, unequal=1.5),
    "3 equal": Setting(np.zeros(3)),
    "3, 10 Elo apart": Setting(ladder(3, 10)),
    "3, two equal, one 50 behind": Setting(np.array([0.0, 0.0, -50.0])),
    "3 in a circle of 100 Elo": Setting(np.zeros(3), odds=100 / ELO * CIRCLE),
    "3 in a circle of 10 Elo": Setting(np.zeros(3), odds=10 / ELO * CIRCLE),
    "8, three of them in a circle of 10 Elo": Setting(np.zeros(8), odds=LARGE_CIRCLE),
    "4, two equal, 150 and 300 behind": Setting(np.array([0.0, 0.0, -150.0, -300.0])),
    "5, two equal, three 50 behind": Setting(np.array([0.0, 0.0, -50.0, -50.0, -50.0])),
    "8 equal": Setting(np.zeros(8)),
    "8, 10 Elo apart": Setting(ladder(8, 10)),
    "8, 40 Elo apart": Setting(ladder(8, 40)),
    "8, lead of 100": Setting(lead(8, 100)),
    "8, lead of 100, no draws": Setting(lead(8, 100), World(0.0, 0.0)),
    "8, lead of 100, 70 % drawn": Setting(lead(8, 100), World(0.2, 0.7)),
    "8, lead of 100, first move +350": Setting(lead(8, 100), World(2.0, 0.2)),
    "8, lead of 100, correlated": Setting(lead(8, 100), World(0.3, 0.3, favour=0.7)),
    "12, up to 800 Elo apart": Setting(roster(0, 20, 30)),
    "12, up to 800 Elo apart, no draws": Setting(roster(0, 20, 30), World(0.0, 0.0)),
    "12, up to 800 Elo apart, correlated": Setting(roster(0, 20, 30), World(0.3, 0.3, shift=1.0, favour=0.5)),
    "12, up to 800 Elo apart, lead of 60": Setting(roster(-60, 0, 0)),
    "12, up to 800 Elo apart, three equal": Setting(roster(0, 0, 0)),
    "5, one 800 behind": Setting(-np.array([0.0, 10, 30, 60, 800])),
    "20 equal": Setting(np.zeros(20)),
    "20, 30 Elo apart": Setting(ladder(20, 30)),
    "20, lead of 100": Setting(lead(20, 100)),
    "20, lead of 100, no draws": Setting(lead(20, 100), World(0.0, 0.0)),
}

HEAD = (
    "| players | best named | wrong | equal | wrong | circle | games | unbeaten | intervals hold | the leader's |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)
REGRET_HEAD = (
    "| players | bound after 500 games | 2000 | 8000 | true after 500 | 2000 | 8000 | a bound too low |\n"
    "|---|---|---|---|---|---|---|---|"
)


def row(name: str, tally: Tally) -> str:
    """A line of the table."""
    figures = (tally.share("best"), tally.wrong, tally.share("equal"), tally.unequal, tally.share("circle"))
    shares, held_shares = ([f"{100 * each:.1f} %" for each in some] for some in (figures, tally.coverage))
    if tally.setting.odds is not None:  # then there are no true ratings
        held_shares = ["", ""]
    return f"| {' | '.join([name, *shares, f'{tally.games:.0f}', f'{tally.unbeaten:.1f}', *held_shares])} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=PAIRS, help="the most pairs of a run")
    parser.add_argument("--equal", type=float, default=EQUAL, help="Elo; 0 to call nobody equal")
    parser.add_argument("--only", default="", help="settings whose name begins so")
    parser.add_argument("--regret", action="store_true", help="the other table: bounds on the leader's regret")
    given = parser.parse_args()
    print(REGRET_HEAD if given.regret else HEAD)
    for name, setting in SETTINGS.items():
        if not name.startswith(given.only):
            continue
        if given.regret:
            print(Regrets.of(setting, given.runs, given.seed).row(name), flush=True)
        else:
            print(row(name, Tally.of(setting, given.runs, given.seed, most=given.most, equal=given.equal)), flush=True)


if __name__ == "__main__":
    main()
