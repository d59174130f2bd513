"""Results in words: the tables and sentences of a ranking for a given width, and sentences that a match shares."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ludus.arena import equal_time
from ludus.arena.cheaper import cheaper_players, cheaper_words
from ludus.arena.play.faults import REPORT
from ludus.arena.reports.naming import LEARNT, has_learnt
from ludus.arena.reports.standings import Score, Standing, columns, percent, signed
from ludus.arena.stats.regret import LEVEL as RISK
from ludus.arena.stats.verdict import beats
from ludus.common.texttable import GAP, WIDE, Column, fit, lay_out, shorten, wrap
from ludus.model.playable import LONGEST_GAME

if TYPE_CHECKING:
    from ludus.arena.ranking import Ranking

CERTAIN = 600
"""The width in Elo from which on the interval of the first move's worth is too wide to be told."""
LEVEL = 0.05
"""Elo; ratings closer than that are equal in words."""
FEW = 3
"""How many players a sentence names; the others are counted."""
LIMITS = {"nodes", "seconds", "units", "depth", "memory"}
"""The arguments of a player that say what a move may cost it."""
FEW_GAMES = 10
"""A score that rests on fewer games is marked."""
OVERTIME = 1.1
"""Who used more of its time, as a share of what it was allowed, had an unfair advantage."""
COSTLY = re.compile(r"its first move costs ([\d,]+) nodes, the budget is [\d,]+(?:; it takes part from (nodes=\d+))?$")
"""Why a search that nobody named was left out, as `preparation` says it."""
TABLE = 100
"""The most letters in a line of a table, or of the legend below it, where there is no terminal."""
NAMED = 10
"""The least room, in letters, for names in the rows of the matrix; where there is less, rows have only numbers."""


def header(ranking: Ranking) -> str:
    """One line that says what was played: the game, how many games, what all players have in common, the seed."""
    how = "in pairs, everyone against everyone" if ranking.round_robin else "in pairs"
    about = [f"{ranking.games:,} games {how}", *ranking.terms, f"seed {ranking.seed}"]
    return f"{ranking.game}: {', '.join(about)}"


def standings(ranking: Ranking, width: int, legend: bool = True) -> list[str]:
    """The table, best first, under its headings; below it the legend, the whole specs of players with short names."""
    rows = ranking.standings
    table = columns(rows)
    _, room = fit(table, width)
    lines = lay_out(table, width)
    if not legend:
        return lines
    specs = ranking.legend | {row.name: str(row.player) for row in rows if len(row.name) > room}
    shown = [(shorten(row.name, room), specs[row.name]) for row in rows if row.name in specs]
    space = max((len(name) for name, _ in shown), default=0)
    indent = " " * (space + 4 if space < width // 3 else 4)
    below = [line for name, spec in shown for line in wrap(f"{name:<{space}}  {spec}", width, indent)]
    return [*lines, "", *below] if below else lines


def matrix(ranking: Ranking, width: int) -> list[str]:
    """Each against each, the row's share of the points; side by side as far as there is room, the rest below."""
    head, against, few = _matrix_columns(ranking, width)
    lines: list[str] = []
    while against:
        here = [head]
        while against and (len(here) == 1 or sum(c.width + len(GAP) for c in here) + against[0].width <= width):
            here.append(against.pop(0))
        lines += ([""] if lines else []) + lay_out(here)
    return lines + (wrap(f"? rests on fewer than {FEW_GAMES} games", width) if few else [])


def matrix_fits(ranking: Ranking, width: int) -> bool:
    """Whether each against each fits in one piece, with all names in full; only if everybody has played."""
    if not all(row.games for row in ranking.standings):
        return False
    head, against, _ = _matrix_columns(ranking, WIDE)
    return head.width + sum(column.width + len(GAP) for column in against) <= width


def _matrix_columns(ranking: Ranking, width: int) -> tuple[Column, list[Column], bool]:
    """Who stands in the rows; the scores against each; and whether some rest on few games."""
    names, numbers = ranking.labels, [str(place + 1) for place in range(len(ranking.players))]
    scores = list(zip(*ranking.matrix, strict=True))
    few = any(score and 0 < score.games < FEW_GAMES for column in scores for score in column)
    against = [
        Column(number + " " * few, [_share(score, few) for score in column])
        for number, column in zip(numbers, scores, strict=True)
    ]
    named = [f"{number} {names[i]}" for number, i in zip(numbers, ranking.order, strict=True)]
    room = width - sum(column.width + len(GAP) for column in against)
    first = [shorten(name, room) for name in named] if room >= min(max(map(len, named)), NAMED) else numbers
    return Column("score, %" if room >= 8 else "%", first, left=True), against, few


def _share(score: Score | None, few: bool) -> str:
    """A cell of the matrix, with room for a mark where there are `few` games in some."""
    if score is None or not score.games:
        return "·" + " " * few
    return f"{100 * score.share:.0f}" + ("?" if score.games < FEW_GAMES else " " * few)


def regret(ranking: Ranking) -> str:
    """Whom to take, and what that can cost; and who is cheaper and costs little more. Empty if no game was played."""
    found = ranking.choice
    if found is None:
        return ""
    name, sure = found.row.name, f"with {percent(1 - RISK, 0)} confidence none of the others beats it"
    if found.elo is None:
        missing = listed(_some([row.name for row in found.unmet or found.unknown]))
        why = f"it has not met {missing} yet" if found.unmet else f"there are too few games with {missing}"
        words = f"{name} leads; what it can cost to take it is not known: {why}."
    elif found.elo == 0:
        words = f"Take {name}: {sure}."
    else:
        words = f"Take {name}: {sure} by more than {found.elo:g} Elo in direct games."
    if found.simpler is not None:
        other = found.simpler
        behind = f"beats it by at most {other.elo:g} Elo" if other.elo else "does not beat it"
        words += f" {other.row.name} takes {percent(other.times, 0)} of its time, and {name} {behind}."
    return words


def _some(names: Sequence[str]) -> list[str]:
    """These names; if they are many, a few of them and how many others there are."""
    return list(names) if len(names) <= FEW + 1 else [*names[:FEW], f"{len(names) - FEW} others"]


def verdict(ranking: Ranking) -> str:
    """Who is best, and how sure that is; how many were left out; and to whom it was unfair, if it was."""
    if not ranking.pairs:
        return "no game was played."
    missing = len(ranking.excluded)
    left_out = f"; {missing} {'search was' if missing == 1 else 'searches were'} left out" if missing else ""
    return " ".join(filter(None, [f"{_who_is_best(ranking)}{left_out}.", overtime(ranking.standings)]))


def _who_is_best(ranking: Ranking) -> str:
    evidence, names = ranking.evidence, ranking.labels
    left = [i for i in ranking.order if i in evidence.unbeaten]
    if evidence.decision == "best":
        sure = math.floor(1000 * ranking.sureness) / 10
        return f"{names[left[0]]} is the best of these, with a confidence of {sure:g} %"
    if evidence.decision == "equal":
        one, *others = [names[i] for i in evidence.equals]
        rest = "; all others are beaten" if evidence.beaten else ""
        each = "is" if len(others) == 1 else "are each"
        return f"{listed(others)} {each} equal to {one} to within {ranking.equal:g} Elo{rest}"
    if evidence.decision == "circle":
        return f"Nobody is the best: {listed([f'{names[i]} beats {names[j]}' for i, j in beats(evidence.circle)])}"
    leader, *rivals = left or ranking.order
    rivals = rivals or evidence.unconfirmed(leader)
    level = [i for i in rivals if abs(ranking.ratings.elo[i] - ranking.ratings.elo[leader]) < LEVEL]
    if level:
        return f"{listed([names[i] for i in [leader, *level]])} lead with equal ratings: the best of these is not known"
    some = listed(_some([names[i] for i in rivals]))
    return f"{names[leader]} leads, but is not known to be the best of these: it has yet to beat {some}"


def overtime(rows: Iterable[Standing]) -> str:
    """A sentence, if some have used more than their time: who, and to whom that was unfair."""
    timed = [row for row in rows if "seconds" in row.spent and row.games]
    late = [row for row in timed if row.spent["seconds"] > OVERTIME]
    if not late:
        return ""
    used = listed([f"{row.name} {percent(row.spent['seconds'], 0)}" for row in late])
    kept = [row.name for row in timed if row not in late]
    if kept:
        return f"The comparison is unfair to {listed(kept)}: of their time a move others have used more, {used}."
    return f"All have used more than their time, and not equally: {used}; fewer `workers` may help on a busy machine."


def perfect(ranking: Ranking) -> str:
    """A sentence, if a game is small and those at the top cannot be told apart: all their pairs are level."""
    if ranking.solved is None:
        return ""
    group: list[int] = []
    pairs = 0
    for i in (i for i in ranking.order if i in ranking.evidence.unbeaten):
        tables = [ranking.tables.get((min(i, j), max(i, j)), np.zeros((3, 3), int)) for j in group]
        met = sum(int(table.sum()) for table in tables)
        level = sum(int(table[0, 2] + table[1, 1] + table[2, 0]) for table in tables)
        if not group or met == level >= FEW_GAMES:
            group.append(i)
            pairs += met
    if len(group) < 2:
        return ""
    who = listed([ranking.labels[i] for i in group])
    return (
        f"All {pairs} pairs between {who} are level: they cannot be told apart because they play perfectly, it seems."
    )


def turning(ranking: Ranking) -> str:
    """A sentence on how few pairs would turn the verdict; empty if there is none."""
    found, best = ranking.evidence.turning, ranking.evidence.best
    if found is None or best is None:
        return ""
    other, few = found
    met, name = int(ranking.evidence.pairs[best, other].sum()), ranking.labels[other]
    return f"Had {few} of its {met} pairs with {name} gone the other way round, it would not be ahead of that player."


def scope(ranking: Ranking) -> str:
    """A sentence on what the verdict is about: these openings, this evaluator, this budget."""
    plies = ranking.openings.plies if ranking.openings is not None else 0
    begun = f"openings of {plies} random {'ply' if plies == 1 else 'plies'}" if plies else "games from the beginning"
    if type(ranking.game).seeded:
        begun = "games of this kind with other seeds"
    own = [] if "eval" in ranking.shared else ["the evaluators"]
    own += [] if LIMITS & ranking.shared.keys() else ["the budgets"]
    named = [f"{listed(own)} that the players name"] if own else []
    learnt = next((str(p.spec.arguments["eval"]) for p in ranking.players if has_learnt(p.spec)), "")
    named += [f"{LEARNT}, eval={learnt}, which was learnt from games of self-play"] if learnt else []
    return f"This is about {listed([begun, *ranking.terms, *named])}; others may give another verdict."


def listed(words: Sequence[str]) -> str:
    """Words with commas between them, and the last two with `and`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def remarks(ranking: Ranking) -> list[str]:
    """Who forfeited games, how many were endless, and who was left out; a sentence each."""
    return [*faults(ranking.faults), *endless(ranking.endless), *left_out(ranking.excluded)]


def left_out(excluded: Mapping[str, str]) -> list[str]:
    """A sentence for each reason for which players were left out; the budget from which on each would take part."""
    costly, others = dict[tuple[str, str | None], list[str]](), dict[str, list[str]]()
    for who, why in excluded.items():
        name = who.partition("(")[0]
        found = COSTLY.match(why)
        if found is None:
            others.setdefault(why.removeprefix(f"{name} "), []).append(name)
        else:
            costly.setdefault((found[1], found[2]), []).append(name)
    told = "; ".join(_costly(names, *cost) for cost, names in costly.items())
    sentences = [f"Left out, because the first move costs too much at this budget: {told}."] if costly else []
    return sentences + [f"Left out: {listed(names)}: {why}" for why, names in others.items()]


def _costly(names: list[str], nodes: str, enough: str | None) -> str:
    """Players whose first move costs the same, and from which budget on they would take part."""
    each, verb = (" each", "take") if len(names) > 1 else ("", "takes")
    return f"{listed(names)} ({nodes} nodes{each}{f', {verb} part from {enough}' if enough else ''})"


def needs(why: str) -> str | None:
    """The budget from which on a player would take part that was left out for this reason; None if that is unknown."""
    found = COSTLY.match(why)
    return found[2] if found else None


def first_move(ranking: Ranking) -> str:
    """A sentence on what moving first is worth in Elo; empty if the games do not tell it well enough."""
    first = ranking.ratings.first_move
    if not ranking.games or first.high - first.low >= CERTAIN:
        return ""
    return f"Moving first is worth {signed(first.value)} Elo ({signed(first.low)} … {signed(first.high)})."


def text(ranking: Ranking, width: int, full: bool = False, best: Callable[[str], str] = str) -> str:
    """The answer, then header, tables and further sentences, in lines of at most this width.

    Each against each is shown if it fits, or if all is to be shown in `full`; `best` may highlight the first row.
    """
    lines = [line for words in answer(ranking) for line in wrap(words, width)]
    lines += ["", *wrap(header(ranking), width)] if lines else wrap(header(ranking), width)
    if ranking.games:
        room = width if width < WIDE else TABLE
        heads, first, *others = standings(ranking, room)
        lines += ["", heads, best(first), *others]
        lines += ["", *matrix(ranking, room)] if full or matrix_fits(ranking, room) else []
    return "\n".join([*lines, "", *(line for words in explanation(ranking) for line in wrap(words, width))])


def sentences(ranking: Ranking) -> list[str]:
    """All that there is to say beside the tables."""
    return [*answer(ranking), *explanation(ranking)]


def answer(ranking: Ranking) -> list[str]:
    """What most people want to know: what the game is worth, if it is solved, and whom to take."""
    return [words for words in (str(ranking.solved) if ranking.solved else "", regret(ranking)) if words]


def explanation(ranking: Ranking) -> list[str]:
    """The verdict and what it is about, why the run ended, remarks."""
    stopped = f"Stopped: {ranking.why_stopped}." if ranking.stopped else ""
    verdicts = [
        ranking.verdict(),
        perfect(ranking),
        turning(ranking),
        scope(ranking) if ranking.games else "",
    ]
    rows = ranking.standings
    effort = [equal_time.words(rows), *cheaper_words(cheaper_players(rows))]
    found = [*verdicts, stopped, ranking.advice, first_move(ranking), *effort, *remarks(ranking)]
    return [words for words in found if words]


def faults(counted: Mapping[tuple[str, str], int]) -> list[str]:
    """A sentence for each player and reason for which it forfeited games, from how many these were.

    Reasons that differ in their numbers only, as the cost of a move, are one; the first of them is told. Crashes are
    one, whatever the position.
    """
    groups: dict[tuple[str, str], tuple[str, int, bool]] = {}
    for (who, why), count in counted.items():
        what = why.partition(REPORT)[0]
        key = who, re.sub(r"\d[\d,.]*", "#", what)
        first, before, several = groups.get(key, (why, 0, False))
        groups[key] = first, before + count, several or first.partition(REPORT)[0] != what
    return [
        f"{count} game{'s' if count > 1 else ''} forfeited by {who}: {why}{' (and the like)' if several else ''}"
        for (who, _), (why, count, several) in groups.items()
    ]


def endless(count: int) -> list[str]:
    """A sentence, if the count is not 0, about games that were ended as draws because they lasted too long."""
    if not count:
        return []
    games = "1 game was ended as a draw" if count == 1 else f"{count:,} games were ended as draws"
    return [f"{games} after {LONGEST_GAME:,} plies: the game may need `repetition` or an end."]
