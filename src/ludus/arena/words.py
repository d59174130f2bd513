"""Results in words: the tables and sentences of a ranking for a given width, and sentences that a match shares."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ludus.arena.standings import columns, signed
from ludus.arena.verdict import beats
from ludus.core.game import LONGEST_GAME
from ludus.core.texttable import GAP, Column, fit, lay_out, shorten, wrap

if TYPE_CHECKING:
    from ludus.arena.ranking import Ranking

CERTAIN = 600
"""The width in Elo from which on the interval of the first move's worth is too wide to be told."""
FEW = 3
"""How many players a sentence names; the others are counted."""
LIMITS = {"nodes", "seconds", "units", "depth", "memory"}
"""The arguments of a player that say what a move may cost it."""
NAMED = 10
"""The least room, in letters, for names in the rows of the matrix; where there is less, rows have only numbers."""


def header(ranking: Ranking) -> str:
    """One line that says what was played: the game, how many games, what all players have in common, the seed."""
    about = [f"{ranking.games:,} games in pairs", *ranking.terms, f"seed {ranking.seed}"]
    return f"{ranking.game}: {', '.join(about)}"


def standings(ranking: Ranking, width: int) -> list[str]:
    """The table, best first, under its headings; then, if names were shortened, the whole spec of each player."""
    rows = ranking.standings
    table = columns(rows)
    kept, room = fit(table, width)
    lines = lay_out(table, width)
    if any(column.elastic and column.width > room for column in kept):
        lines.append("")
        for place, row in enumerate(rows):
            lines += wrap(f"{place + 1:>{len(str(len(rows)))}}  {row.player}", width, "      ")
    return lines


def matrix(ranking: Ranking, width: int) -> list[str]:
    """Each against each, the row's share of the points; side by side as far as there is room, the rest below."""
    names, numbers = ranking.short_names, [str(place + 1) for place in range(len(ranking.players))]
    scores = zip(*ranking.matrix, strict=True)
    against = [
        Column(number, [f"{100 * score.share:.0f}" if score and score.games else "·" for score in column])
        for number, column in zip(numbers, scores, strict=True)
    ]
    named = [f"{number} {names[i]}" for number, i in zip(numbers, ranking.order, strict=True)]
    room = width - sum(column.width + len(GAP) for column in against)
    first = [shorten(name, room) for name in named] if room >= min(max(map(len, named)), NAMED) else numbers
    head = Column("score, %" if room >= 8 else "%", first, left=True)
    lines: list[str] = []
    while against:
        here = [head]
        while against and (len(here) == 1 or sum(c.width + len(GAP) for c in here) + against[0].width <= width):
            here.append(against.pop(0))
        lines += ([""] if lines else []) + lay_out(here)
    return lines


def verdict(ranking: Ranking) -> str:
    """One sentence: who is best, and how sure that is."""
    evidence, names = ranking.evidence, ranking.names
    if not ranking.pairs:
        return "no game was played."
    left = [i for i in ranking.order if i in evidence.unbeaten]
    if evidence.decision == "best":
        sure = math.floor(1000 * ranking.sureness) / 10
        return f"{names[left[0]]} is the best of these, with a confidence of {sure:g} %."
    if evidence.decision == "equal":
        one, *others = [names[i] for i in evidence.equals]
        rest = "; all others are beaten" if evidence.beaten else ""
        each = "is" if len(others) == 1 else "are each"
        return f"{listed(others)} {each} equal to {one} to within {ranking.equal:g} Elo{rest}."
    if evidence.decision == "circle":
        return f"Nobody is the best: {listed([f'{names[i]} beats {names[j]}' for i, j in beats(evidence.circle)])}."
    leader, *rivals = left or ranking.order
    rivals = rivals or evidence.unconfirmed(leader)
    some = [names[i] for i in rivals[:FEW]] + [f"{len(rivals) - FEW} others"] * (len(rivals) > FEW)
    return f"{names[leader]} leads, but is not known to be the best of these: it has yet to beat {listed(some)}."


def turning(ranking: Ranking) -> str:
    """A sentence on how few pairs would turn the verdict; empty if there is none."""
    found, best = ranking.evidence.turning, ranking.evidence.best
    if found is None or best is None:
        return ""
    other, few = found
    met, name = int(ranking.evidence.pairs[best, other].sum()), ranking.names[other]
    return f"Had {few} of its {met} pairs with {name} gone the other way round, it would not be ahead of that player."


def scope(ranking: Ranking) -> str:
    """A sentence on what the verdict is about: these openings, this evaluator, this budget."""
    plies = ranking.openings.plies if ranking.openings is not None else 0
    begun = f"openings of {plies} random plies" if plies else "games from the beginning"
    if type(ranking.game).seeded:
        begun = "games of this kind with other seeds"
    own = [] if "eval" in ranking.shared else ["the evaluators"]
    own += [] if LIMITS & ranking.shared.keys() else ["the budgets"]
    named = [f"{listed(own)} that the players name"] if own else []
    return f"This is about {listed([begun, *ranking.terms, *named])}; others may give another verdict."


def listed(words: Sequence[str]) -> str:
    """Words with commas between them, and the last two with `and`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def remarks(ranking: Ranking) -> list[str]:
    """Who forfeited games, how many were endless, and who was left out; a sentence each."""
    left_out = [f"Left out: {who}: {why}" for who, why in ranking.excluded.items()]
    return [*faults(ranking.faults), *endless(ranking.endless), *left_out]


def first_move(ranking: Ranking) -> str:
    """A sentence on what moving first is worth in Elo; empty if the games do not tell it well enough."""
    first = ranking.ratings.first_move
    if not ranking.games or first.high - first.low >= CERTAIN:
        return ""
    return f"Moving first is worth {signed(first.value)} Elo ({signed(first.low)} … {signed(first.high)})."


def text(ranking: Ranking, width: int, best: Callable[[str], str] = str) -> str:
    """Header, tables and sentences in lines of at most this width; `best` may highlight the first row of the table."""
    lines = wrap(header(ranking), width)
    if ranking.games:
        heads, first, *others = standings(ranking, width)
        lines += ["", heads, best(first), *others, "", *matrix(ranking, width)]
    return "\n".join([*lines, "", *(line for words in sentences(ranking) for line in wrap(words, width))])


def sentences(ranking: Ranking) -> list[str]:
    """What there is to say beside the tables: the verdict and what it is about, why the run ended, remarks."""
    stopped = f"Stopped: {ranking.why_stopped}." if ranking.stopped else ""
    verdicts = [ranking.verdict(), turning(ranking), scope(ranking) if ranking.games else ""]
    found = [*verdicts, stopped, ranking.advice, first_move(ranking), *remarks(ranking)]
    return [words for words in found if words]


def faults(counted: Mapping[tuple[str, str], int]) -> list[str]:
    """A sentence for each player and reason for which it forfeited games, from how many these were."""
    return [
        f"{count} game{'s' if count > 1 else ''} forfeited by {who}: {why}" for (who, why), count in counted.items()
    ]


def endless(count: int) -> list[str]:
    """A sentence, if the count is not 0, about games that were ended as draws because they lasted too long."""
    if not count:
        return []
    games = "1 game was ended as a draw" if count == 1 else f"{count:,} games were ended as draws"
    return [f"{games} after {LONGEST_GAME:,} plies: the game may need `repetition` or an end."]
