"""What `check` has found: faults, how random games went, and how a few of them ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from ludus.common.notebook import paragraphs, pre
from ludus.learning.unchanging import unchanging_words

FIRST, SECOND = 0, 1


@dataclass(frozen=True)
class Fault:
    """Something wrong: with which rule, in which position, and what."""

    rule: str
    position: str
    message: str


@dataclass(frozen=True)
class Story:
    """A finished game in words, and its last position drawn."""

    words: str
    picture: str


@dataclass
class Statistics:
    """How random games went. Plies of chance, and passes that the library puts in, are not counted."""

    games: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0])
    """Games won by First and by Second."""
    last_mover: int = 0
    """Games won by whoever made the last move."""
    decisions: int = 0
    """Moves that a player made."""
    legal: int = 0
    """Moves that players could have made in their places."""
    forced: int = 0
    """Moves that were the only legal one."""
    points: bool = False
    """Whether a game was won by another score than 1."""

    def add(self, winner: int | None, decisions: list[tuple[int, int]], points: bool) -> None:
        """A finished game: who won it, and of each decision who made it and how many moves there were."""
        self.games += 1
        self.decisions += len(decisions)
        self.legal += sum(count for _, count in decisions)
        self.forced += sum(count == 1 for _, count in decisions)
        self.points = self.points or points
        if winner is not None:
            self.wins[winner] += 1
            self.last_mover += bool(decisions) and decisions[-1][0] == winner

    @property
    def decided(self) -> int:
        """Games that somebody won."""
        return sum(self.wins)

    def to_dict(self) -> dict[str, Any]:
        """The shares, and the means, for JSON; nothing if no game was finished."""
        if not self.games:
            return {}
        first, second = (wins / self.games for wins in self.wins)
        return {
            "first": first,
            "second": second,
            "draw": (self.games - self.decided) / self.games,
            "last_mover_wins": self.last_mover / self.decided if self.decided else None,
            "length": self.decisions / self.games,
            "branching": self.legal / self.decisions if self.decisions else None,
            "forced": self.forced / self.decisions if self.decisions else None,
        }

    def __str__(self) -> str:
        found = self.to_dict()
        if not found:
            return ""
        who = f"First wins {found['first']:.0%}, Second {found['second']:.0%}, nobody {found['draw']:.0%}"
        last = f"; the last mover wins {found['last_mover_wins']:.0%} of the games that are won" if self.decided else ""
        how = ""
        if self.decisions:
            many = f"A game lasts {found['length']:.3g} moves, chosen from {found['branching']:.3g} on average"
            how = f" {many}; {found['forced']:.0%} are forced."
        return f"In random play {who}{last}.{how}"

    def questions(self, verified: bool) -> Iterator[str]:
        """What to ask the author about figures that are seldom right; not about the winner, if that is `verified`."""
        if self.games < ENOUGH:
            return
        if not self.decided:
            yield "Nobody ever wins: does score give 0 only, and does play give the turn to the other player?"
            return
        share = self.last_mover / self.decided
        if verified:
            pass
        elif 0 in self.wins:
            name = "First" if self.wins[FIRST] else "Second"
            yield f"Only {name} ever wins: is the score to the player to move, and not always to the same player?"
        elif not self.points and MIXED <= share <= 1 - MIXED:
            yield f"The last mover wins in {share:.0%}: is the score to the player to move?"
        elif not self.points and share < SELDOM:
            yield f"The last mover loses in {1 - share:.0%}: is that meant, or should score be -1 where it is 1?"
        if self.forced > self.decisions / 2:
            yield f"There is only one move in {self.forced / self.decisions:.0%} of the positions: are some missing?"


ENOUGH = 100
"""Games below which nothing is asked about the figures."""

SELDOM = 0.05
"""A last mover who wins less often than this is worth a question, too: with the wrong sign every winner is a loser."""

MIXED = 0.2
"""A last mover who wins more often than this, and loses more often than this, is worth a question.

In most games that somebody wins he completes something with the last move, or makes a mistake with it. In games where
points are counted, which have other scores than 1, the figure means nothing.
"""


@dataclass(repr=False)
class Report:
    """What `check` found."""

    game: str
    seed: int = 0
    faults: list[Fault] = field(default_factory=list)
    games: int = 0
    positions: int = 0
    compiled: bool = False
    interrupted: bool = False
    note: str = ""
    statistics: Statistics = field(default_factory=Statistics)
    questions: list[str] = field(default_factory=list)
    """About figures that are seldom right."""
    out_of_time: bool = False
    """Whether more games were asked for than could be played in the time."""
    unchanging: list[str] = field(default_factory=list)
    """Features that never changed in random games."""
    stories: list[Story] = field(default_factory=list)
    """One short game won by First and one by Second, as far as there are such; else a drawn one."""

    @property
    def passed(self) -> bool:
        return not self.faults

    @property
    def remarks(self) -> list[str]:
        """What is no fault, and good to know."""
        found = []
        if self.out_of_time and self.games < ENOUGH:
            few = f"only {self.games} random game{'s' * (self.games != 1)} could be played in the time"
            found.append(f"{few}, too few to ask about the figures: a larger `seconds` allows more.")
        if self.unchanging:
            found.append(f"{unchanging_words(self.unchanging)} in random games: is that meant?")
        return found

    @property
    def story(self) -> str:
        """The first of the stories, in words."""
        return self.stories[0].words if self.stories else ""

    def __str__(self) -> str:
        """Faults, figures, questions and stories, as `ludus check` prints them."""
        return "\n".join(self._sentences() + [f"\n{story.words}\n{story.picture.rstrip()}" for story in self.stories])

    def _sentences(self) -> list[str]:
        """All but the stories."""
        lines = []
        for fault in self.faults:
            where = f" in position {fault.position}" if fault.position else ""
            lines.append(f"FAULT in {fault.rule}{where}: {fault.message}")
        if self.passed:
            how = "compiled and interpreted alike" if self.compiled else "interpreted"
            how += ": no fault so far (interrupted)" if self.interrupted else ": no fault"
            lines.append(f"{self.game}: {self.games} random games, {self.positions} positions, {how}.")
        lines += [self.note] * bool(self.note)
        if self.passed and self.statistics.games:
            lines.append(str(self.statistics))
        lines += [f"REMARK: {remark}" for remark in self.remarks if self.passed]
        lines += [f"QUESTION: {question}" for question in self.questions]
        if self.stories:
            lines.append(f"Is this how your game ends? (seed {self.seed})")
        return lines

    def __repr__(self) -> str:
        found = "passed" if self.passed else f"{len(self.faults)} fault{'s' if len(self.faults) > 1 else ''}"
        return f"<check of {self.game}: {found}>"

    def _repr_html_(self) -> str:
        """In a notebook, where long sentences are wrapped."""
        stories = (paragraphs([story.words]) + pre(story.picture.rstrip()) for story in self.stories)
        return paragraphs(self._sentences()) + "".join(stories)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        found = {"game": self.game, "passed": self.passed, "faults": [asdict(fault) for fault in self.faults]}
        found |= {"positions": self.positions, "games": self.games, "compiled": self.compiled}
        found |= {"complete": not self.interrupted, "note": self.note, "story": self.story}
        found |= {"statistics": self.statistics.to_dict(), "questions": self.questions}
        found |= {"remarks": self.remarks, "unchanging": self.unchanging}
        return found | {"stories": [asdict(story) for story in self.stories], "seed": self.seed}

    def add(self, rule: str, position: str, message: str) -> None:
        """One fault of a kind for a rule is enough."""
        if not any(f.rule == rule and f.message.split(":")[0] == message.split(":")[0] for f in self.faults):
            self.faults.append(Fault(rule, position, message))
