"""The random sampler (Abramson 1987, section 5.2.2 and appendix B): the move with the best expected outcome.

After each move the game is completed at random, again and again, until the estimate of the move's expected outcome is
settled; `core/playout.py` says when. There is no lookahead beyond that. The thesis settles one move after the other.
Here they take turns, one playout each, so that a budget that runs out leaves all moves about equally well known; with
enough of it the estimates are the same.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ludus.core.budget import EXPANDED, NEEDS_NODES, RUNNING, STOP_SURE, TRAVERSED, spent
from ludus.core.columns import row, whole
from ludus.core.playout import (
    PLAYED,
    TALLY,
    Draws,
    Payoff,
    SettingName,
    begin_tally,
    estimate,
    longest_playout,
    note,
    playout,
    sampling,
    sign,
)
from ludus.core.rules import final, load, moves, score
from ludus.core.search import RESULT, SCORE, Search
from ludus.core.tree import UNOPENED, generate, open_node


class Sampler(Search):
    """The move with the best expected outcome under random play, estimated by playouts (Abramson 1987, appendix B)."""

    name = "sampler"
    family = "sampling"
    contender = True
    handles_chance = True
    looks_ahead = False
    plays_out = True
    variants = ("setting=weak", "setting=quick, draws=half", "first=3, most=9, tolerance=0.1", "payoff=score")
    registers = {
        "next": "i8",  # whose turn it is, counted from the first child
        "unsettled": "i8",  # how many moves are not settled yet
        "longest": "i8",  # plies of a playout
    }
    columns = {"tally": row(TALLY), "settled": whole()}

    def __init__(
        self,
        setting: SettingName = "strong",
        first: int = 0,
        most: int = 0,
        tolerance: float = -1.0,
        draws: Draws = "auto",
        payoff: Payoff = "result",
    ) -> None:
        """
        setting: `weak` (8 to 256 samples a move) or `strong` (16 to 1024) as in the thesis, or `quick` (4)
        first, most: the first and the largest number of samples; 0: the setting's
        tolerance: of two successive estimates, as a share of games won; below 0: the setting's
        draws: count as `half` a win or are `ignored`; `auto`: as in the setting (`weak` and `strong` ignore them)
        payoff: the `result` of a game, won, drawn or lost; or its `score`, and the tolerance in the same points
        """
        vars(self).update(sampling(setting, first, most, tolerance, draws, payoff))
        self.value_scale = SCORE if payoff == "score" else RESULT

    def step(self, game, evaluator, tree, limits):
        if tree.count[0] == UNOPENED:
            if not open_node(game, tree, 0):
                return NEEDS_NODES
            for child in range(tree.first[0], tree.first[0] + tree.count[0]):
                begin_tally(self, tree.tally, child)
                tree.settled[child] = 0
            tree.register[0].unsettled = tree.count[0]
        while tree.register[0].unsettled > 0:
            status = spent(game.meter, limits, False)
            if status != RUNNING:
                return status
            child = next_move(game, tree)
            if sample(self, game, evaluator, tree, child):
                tree.settled[child] = 1
                tree.register[0].unsettled -= 1
        return STOP_SURE

    def prepare(self, tree, game, state, limits):
        tree.register[0].longest = longest_playout(game)

    def choice(self, tree):
        """The best estimate, the first of equals; a move that was not tried counts as even.

        Of equals, a game that is won or drawn at once beats an estimate, and an estimate a game that is lost at once.
        """
        first, count = int(tree.first[0]), int(tree.count[0])
        values = np.nan_to_num(tree.value[first : first + count])
        certain = tree.count[first : first + count] == 0
        best = values == values.min()
        preferred = best & (certain == (values.min() <= 0))
        return first + int((preferred if preferred.any() else best).argmax())

    def knowledge(self, tree, node):
        return replace(super().knowledge(tree, node), more={"playouts": int(tree.tally[node, PLAYED])})


def next_move(game, tree):
    """The child whose turn it is: the next one that is not settled."""
    while True:
        child = tree.first[0] + tree.register[0].next
        tree.register[0].next = (tree.register[0].next + 1) % tree.count[0]
        game.meter[TRAVERSED] += 1
        if tree.settled[child] == 0:
            return child


def sample(search, game, evaluator, tree, child):
    """One playout after this move; whether its value is settled. A move that ends the game needs none."""
    if tree.tally[child, PLAYED] == 0.0:
        generate(game, tree, load(tree.state, 0), child)
    state = load(tree.state, child)
    n = moves(game, state, tree.reply)
    if n == 0:
        tree.count[child] = 0
        tree.value[child] = score(game, state) if search.by_score else sign(final(evaluator, game, state))
        return True
    game.meter[EXPANDED] += 1
    result = playout(game, state, n, tree.reply, tree.random, tree.register[0].longest)
    settled = note(search, tree.tally, child, result)
    tree.value[child] = estimate(tree.tally, child)
    return settled
