"""Sequential halving over the root's moves (Karnin, Koren & Somekh 2013): playouts where the decision is close.

The sampler gives every move the same playouts, the hopeless ones too. Here the budget is divided into as many equal
parts as it takes to halve the moves down to one. In each part the moves that are left take turns, a playout each; then
the worse half of them is dropped. So the best moves get most playouts: with 16 moves, the last two eight times as many
a round as all had in the first. Estimates are of all playouts of a move, not of the last round's alone as in the paper.
"""

from __future__ import annotations

from typing import Literal

from ludus.kernel.columns import integer
from ludus.kernel.limits import DEEPEN, EXPANDED, NEEDS_NODES, RUNNING, STOP_SURE, TRAVERSED, part_spent, spent
from ludus.kernel.playout import (
    MOST_SAMPLES,
    Payoff,
    count_game,
    counting,
    estimate,
    longest_playout,
    playout,
)
from ludus.kernel.rules import load
from ludus.kernel.tree import UNOPENED, children
from ludus.library.searches.sampling.flat import Flat, begin_move, open_root

PLAYOUTS = 10_000
"""Where nothing else limits the search."""


class Halving(Flat):
    """Playouts after each move; in equal parts of the budget the worse half is dropped (Karnin et al. 2013)."""

    name = "halving"
    plays_out = True
    variants = ("playouts=24, draws=ignored", "payoff=score")
    registers = {
        "child": "i8",  # whose turn it is
        "left": "i8",  # how many moves are left
        "round": "i8",  # how often the worse half has been dropped
        "rounds": "i8",  # how many rounds there are
        "turns": "i8",  # how many turns there were in this round
        "busy": "i8",  # whether there was a playout in this turn: else all moves that are left end the game
        "playouts": "i8",  # how many there are in all; 0: as many as the budget allows
        "longest": "i8",  # plies of a playout
    }
    columns = {"dropped": integer()}

    def __init__(
        self, playouts: int = 0, draws: Literal["half", "ignored"] = "half", payoff: Payoff = "result"
    ) -> None:
        """
        playouts: how many in all, the same number in each round; 0: as many as the budget allows
        draws: count as `half` a win or are `ignored`
        payoff: the `result` of a game, won, drawn or lost; or its `score`
        """
        if not 0 <= playouts <= MOST_SAMPLES:
            raise ValueError(f"playouts must be at least 1 and at most {MOST_SAMPLES}, or 0 for what the budget allows")
        self._set(counting(draws, payoff))
        self.playouts = playouts

    def step(self, game, evaluator, tree, limits):
        at = tree.register[0]
        if tree.count[0] == UNOPENED:
            if not open_root(game, tree):
                return NEEDS_NODES
            begin_rounds(tree)
        while True:
            if at.child == tree.first[0] + tree.count[0]:
                at.turns += 1
                at.child = tree.first[0]
                if at.busy == 0 or (is_round_over(game, tree, limits) and not drop_half(game, tree)):
                    return STOP_SURE
                at.busy = 0
            if tree.dropped[at.child] == 0 and tree.count[at.child] != 0:
                status = spent(game.meter, limits, False)
                if status != RUNNING:
                    return status
                if sample(self, game, evaluator, tree, at.child):
                    at.busy = 1
            game.meter[TRAVERSED] += 1
            at.child += 1

    def prepare(self, tree, game, state, limits):
        tree.register[0].longest = longest_playout(game)
        tree.register[0].playouts = self.playouts or (0 if limits[DEEPEN] else PLAYOUTS)

    def choice(self, tree):
        first, count = int(tree.first[0]), int(tree.count[0])
        return self._best(tree, tree.dropped[first : first + count] == 0)


def begin_rounds(tree):
    """The root has been opened: all moves are in, and there are as many rounds as it takes to halve them to one."""
    at = tree.register[0]
    for child in children(tree, 0):
        tree.dropped[child] = 0
    at.child, at.left = tree.first[0], tree.count[0]
    at.rounds, left = 1, tree.count[0]
    while left > 2:
        left = (left + 1) // 2
        at.rounds += 1


def is_round_over(game, tree, limits):
    """After each turn: have the moves that are left had their playouts, or has this round's share been spent?"""
    at = tree.register[0]
    if at.playouts > 0:
        return at.turns >= at.playouts // (at.left * at.rounds)
    return at.round + 1 < at.rounds and part_spent(game.meter, limits) >= (at.round + 1) / at.rounds


def drop_half(game, tree):
    """Drop the worse half of the moves, the last of equals; False if this was the last round."""
    at = tree.register[0]
    if at.round + 1 == at.rounds:
        return False
    game.meter[TRAVERSED] += at.left
    for _ in range(at.left // 2):
        worst = tree.first[0]
        while tree.dropped[worst] != 0:
            worst += 1
        for child in range(worst + 1, tree.first[0] + tree.count[0]):
            if tree.dropped[child] == 0 and tree.value[child] >= tree.value[worst]:
                worst = child
        tree.dropped[worst] = 1
    at.left -= at.left // 2
    at.round += 1
    at.turns = 0
    return True


def sample(search, game, evaluator, tree, child):
    """One playout after this move; False if it ends the game, and needs none."""
    n = begin_move(search, game, evaluator, tree, child)
    if n == 0:
        return False
    game.meter[EXPANDED] += 1
    result = playout(game, load(tree.state, child), n, tree.reply, tree.random, tree.register[0].longest)
    count_game(search, tree.tally, child, result, 1.0)
    tree.value[child] = estimate(tree.tally, child)
    return True
