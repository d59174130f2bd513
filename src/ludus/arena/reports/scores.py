"""The result of a match in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.arena.reports.words import endless, faults, overtime
from ludus.arena.stats.sprt import Sprt

if TYPE_CHECKING:
    from ludus.arena.match_result import MatchResult


def text(result: MatchResult) -> str:
    """What `ludus match` prints: players, score, Elo, pairs, the test if there is one, effort, remarks."""
    estimate, (first, second) = result.elo, result.players
    (wins, losses), (points, others) = result.wins, result.points
    lines = [
        f"{result.game}: {result.games} games in pairs, seed {result.seed}",
        f"  {first}",
        f"  {second}",
        f"score       {points:g} - {others:g}  ({wins} won, {losses} lost, {result.draws} drawn by the first)",
        f"Elo         {estimate.value:+.1f}, 95 % interval {estimate.low:+.1f} to {estimate.high:+.1f}",
        f"LOS         {100 * result.los:.1f} %",
        f"pairs       {' '.join(map(str, result.pairs))}  (0, 1/2, 1, 3/2, 2 points of the first)",
    ]
    if result.sprt is not None:
        lines.append(f"SPRT        {verdict(result.sprt, result.pairs)}")
    for name, meter, count in zip(("first", "second"), result.effort, result.decisions, strict=True):
        if count:
            each = f"{meter.generated / count:,.0f} nodes, {1e6 * meter.seconds / count:,.0f} µs a move"
            lines.append(f"{name:<11} {each}")
    remarks = [overtime(result.standings), *faults(result.faults), *endless(result.endless), result.note]
    return "\n".join([*lines, *filter(None, remarks)])


def verdict(test: Sprt, pairs: list[int]) -> str:
    """The test's ratio, its bounds, and which hypothesis is accepted, if one is."""
    return f"LLR {test.llr(pairs):.2f} ({test.low:.2f}, {test.high:.2f}): {test.words(pairs)}"
