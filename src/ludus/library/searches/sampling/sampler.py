"""The random sampler (Abramson 1987, section 5.2.2 and appendix B): the move with the best expected outcome.

After each move the game is completed at random, again and again, until the estimate of the move's expected outcome is
settled; `core/playout.py` says when. There is no lookahead beyond that. The thesis settles one move after the other.
Here they take turns, one playout each, so that a budget that runs out leaves all moves about equally well known; with
enough of it the estimates are the same.
"""

from __future__ import annotations

from ludus.kernel.columns import integer
from ludus.kernel.limits import EXPANDED, NEEDS_NODES, RUNNING, STOP_SURE, TRAVERSED, spent
from ludus.kernel.playout import Draws, Payoff, SettingName, estimate, longest_playout, note, playout, sampling
from ludus.kernel.rules import load
from ludus.kernel.tree import UNOPENED, children
from ludus.library.searches.sampling.flat import Flat, begin_move, open_root


class Sampler(Flat):
    """The move with the best expected outcome under random play, estimated by playouts (Abramson 1987, appendix B)."""

    name = "sampler"
    contender = True
    plays_out = True
    variants = ("setting=weak", "setting=quick, draws=half", "first=3, most=9, tolerance=0.1", "payoff=score")
    registers = {
        "next": "i8",  # whose turn it is, counted from the first child
        "unsettled": "i8",  # how many moves are not settled yet
        "longest": "i8",  # plies of a playout
    }
    columns = {"settled": integer()}

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
        self._set(sampling(setting, first, most, tolerance, draws, payoff))

    def step(self, game, evaluator, tree, limits):
        if tree.count[0] == UNOPENED:
            if not open_root(game, tree):
                return NEEDS_NODES
            for child in children(tree, 0):
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
    n = begin_move(search, game, evaluator, tree, child)
    if n == 0:
        return True
    game.meter[EXPANDED] += 1
    result = playout(game, load(tree.state, child), n, tree.reply, tree.random, tree.register[0].longest)
    settled = note(search, tree.tally, child, result)
    tree.value[child] = estimate(tree.tally, child)
    return settled
