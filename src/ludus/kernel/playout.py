"""Random play to the end of a game, and what is learnt from it: the *expected outcome* (Abramson 1987, section 4).

The expected outcome of a position is the mean result over all random completions of the game. A sampler estimates it
as appendix B of the thesis does: samples accumulate, their number doubles from `first` to `most`, and the estimate is
settled when two successive ones agree within a tolerance. (The appendix compares the first estimate with -1, a slip:
here it is compared with nothing.) Every completed game counts towards a sample's size. Draws count as half a win or,
in the published settings, are left out of the mean: the share of games won is wins / (wins + losses).

Estimates are on the scale from -1, all lost, to 1, all won, to the player to move; tolerances, as in the thesis, on
that of the share of games won, where the same difference is half as large.

The searches that play games out and the evaluators of their names share all this. Each has the fields that `sampling`
or `counting` makes, and keeps its tallies in rows of cells: a search one for each move, an evaluator a single one. In
an exact expected outcome every way to play the game counts once, with its probability as its weight.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from ludus.kernel.chance import drawn_choice
from ludus.kernel.rules import chance, moves, play, score

LONGEST_PLAYOUT = 1000
"""Plies after which a playout counts as a draw, if the game does not say how long it can last."""


def longest_playout(game: Any) -> int:
    """The most plies of a playout. A game's `length` leaves out forced passes and chance, which come in between."""
    return (2 * game.length + 2) * (2 if game.has_chance else 1) if game.length else LONGEST_PLAYOUT


def playout_nodes(game: Any) -> int:
    """The most nodes that a playout generates: at each ply one, and those that listing the moves costs."""
    return longest_playout(game) * (1 + game.preview)


def playout(game, state, n, out, random, longest):
    """Play at random from `state`, whose `n` moves are in `out`; the score to the player to move in `state`.

    A game that goes on for more than `longest` plies is a draw.
    """
    plies, sense = 0, 1.0
    while n > 0:
        if plies == longest:
            return 0.0
        chosen, by_chance = drawn_move(game, state, n, random)
        if not by_chance:
            sense = -sense
        state = play(game, state, out[chosen])
        n = moves(game, state, out)
        plies += 1
    return sense * score(game, state)


def drawn_move(game, state, n, random):
    """Which of the `n` moves in `state` is made at random, and whether chance makes it."""
    outcomes = chance(game, state, game.probabilities)
    return drawn_choice(random, game.probabilities, outcomes, n), outcomes > 0


def sign(result):
    """Won, drawn or lost: 1, 0 or -1."""
    return 1.0 if result > 0.0 else -1.0 if result < 0.0 else 0.0


# Settings.


class Setting(NamedTuple):
    """How many samples, and how well two successive estimates must agree."""

    first: int
    most: int
    tolerances: tuple[float, ...]
    """Between the first and the second estimate, the second and the third, and so on; the last for all that follow."""
    draws: str


SETTINGS = {
    "quick": Setting(4, 4, (0.0,), "half"),
    "weak": Setting(8, 256, (0.05,), "ignored"),
    "strong": Setting(16, 1024, tuple(games / 1024 for games in (0, 16, 24, 20, 18, 9)), "ignored"),
}
"""By name: `weak` and `strong` are those of section 5.2.2, the second in its note 11; `quick` is for evaluators."""

SettingName = Literal["quick", "weak", "strong"]
Draws = Literal["auto", "half", "ignored"]
Payoff = Literal["result", "score"]


MOST_SAMPLES = 10_000_000


def counting(draws: str, payoff: Payoff) -> dict[str, Any]:
    """The fields that say what the result of a game counts for: draws are `ignored`, or count as half a win."""
    by_score = payoff == "score"
    return {"by_score": by_score, "counts_draws": by_score or draws == "half"}


def sampling(
    setting: SettingName, first: int, most: int, tolerance: float, draws: Draws, payoff: Payoff
) -> dict[str, Any]:
    """The fields of a sampler: those of the setting, or what is given instead."""
    named = SETTINGS[setting]
    if not 0 <= first <= MOST_SAMPLES or not 0 <= most <= MOST_SAMPLES:
        raise ValueError(f"first and most must be at least 1 and at most {MOST_SAMPLES}, or 0 for those of the setting")
    if not tolerance < np.inf:
        raise ValueError("tolerance must be a number, below 0 for that of the setting")
    most = most or max(named.most, first)
    first = first or min(named.first, most)
    if first > most:
        raise ValueError("first must not be above most")
    tolerances = named.tolerances if tolerance < 0 else (tolerance,)
    return {
        "first": first,
        "most": most,
        "tolerances": np.array(tolerances) * (1.0 if payoff == "score" else 2.0),
        **counting(named.draws if draws == "auto" else draws, payoff),
    }


# Tallies: rows of these cells.

PLAYED, COUNTED, TOTAL = 0, 1, 2  # games; the weight of those that count (all, or all but draws); of their payoffs
SIZE, STAGE = 3, 4  # how many playouts the next estimate takes; how many estimates there are
EARLIER_COUNTED, EARLIER_TOTAL = 5, 6  # at the last estimate
TALLY = 7


def begin_tally(tallies, row):
    """No games yet."""
    for cell in range(TALLY):
        tallies[row, cell] = 0.0


def count_game(sampling, tallies, row, result, weight):
    """Count the result of a game, with so much weight."""
    payoff = result if sampling.by_score else sign(result)
    tallies[row, PLAYED] += 1.0
    if payoff != 0.0 or sampling.counts_draws:
        tallies[row, COUNTED] += weight
        tallies[row, TOTAL] += weight * payoff


def note(sampling, tallies, row, result):
    """Count the result of a playout; whether the estimate is settled."""
    count_game(sampling, tallies, row, result, 1.0)
    tallies[row, SIZE] = max(tallies[row, SIZE], np.float64(sampling.first))
    if tallies[row, PLAYED] < tallies[row, SIZE]:
        return False
    stage = np.int64(tallies[row, STAGE])
    settled = tallies[row, PLAYED] >= sampling.most
    if stage > 0 and not settled:
        settled = agree(tallies, row, sampling.tolerances[min(stage, sampling.tolerances.size) - 1])
    tallies[row, EARLIER_COUNTED] = tallies[row, COUNTED]
    tallies[row, EARLIER_TOTAL] = tallies[row, TOTAL]
    tallies[row, SIZE] = min(2.0 * tallies[row, SIZE], np.float64(sampling.most))
    tallies[row, STAGE] += 1.0
    return settled


def agree(tallies, row, tolerance):
    """Whether this estimate and the last differ by at most `tolerance`; multiplied out, so that nothing is rounded."""
    now, before = max(tallies[row, COUNTED], 1.0), max(tallies[row, EARLIER_COUNTED], 1.0)
    difference = tallies[row, TOTAL] * before - tallies[row, EARLIER_TOTAL] * now
    return abs(difference) <= tolerance * now * before


def estimate(tallies, row):
    """The mean payoff of the games that count; 0, as even, if none does."""
    return tallies[row, TOTAL] / tallies[row, COUNTED] if tallies[row, COUNTED] > 0.0 else 0.0
