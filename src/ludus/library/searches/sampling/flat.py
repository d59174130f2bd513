"""What the searches share that look one move ahead and leave the rest to finished games: a tally of each move."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ludus.kernel.columns import row
from ludus.kernel.playout import PLAYED, TALLY, begin_tally, sign
from ludus.kernel.rules import final, load, moves, score
from ludus.kernel.tree import children, generate, open_node
from ludus.model.search import RESULT, SCORE, Search


class Flat(Search):
    """A search whose tree is the root and its moves. `by_score` says whether values are scores or results."""

    family = "sampling"
    handles_chance = True
    looks_ahead = False
    by_score: bool
    counts_draws: bool
    columns = {"tally": row(TALLY)}

    def _set(self, fields: dict[str, Any]) -> None:
        """Take the fields that `sampling` or `counting` made, and the scale of the values that follows from them."""
        vars(self).update(fields)
        self.value_scale = SCORE if self.by_score else RESULT

    def choice(self, tree):
        return self._best(tree, np.ones(int(tree.count[0]), np.bool_))

    def _best(self, tree: Any, among: np.ndarray) -> int:
        """The best estimate among some of the moves, the first of equals; a move that was not tried counts as even.

        Of equals, a game that is won or drawn at once beats an estimate, and an estimate a game that is lost at once.
        """
        first, count = int(tree.first[0]), int(tree.count[0])
        values = np.where(among, np.nan_to_num(tree.value[first : first + count]), np.inf)
        certain = tree.count[first : first + count] == 0
        best = values == values.min()
        preferred = best & (certain == (values.min() <= 0))
        return first + int((preferred if preferred.any() else best).argmax())

    def line(self, tree):
        return [int(tree.move[self.choice(tree)])]

    def knowledge(self, tree, node):
        return replace(super().knowledge(tree, node), more={"playouts": int(tree.tally[node, PLAYED])})


def open_root(game, tree):
    """List the root's moves, none of them tried; False if there is no room."""
    if not open_node(game, tree, 0):
        return False
    for child in children(tree, 0):
        begin_tally(tree.tally, child)
    return True


def begin_move(search, game, evaluator, tree, child):
    """Make a move of the root if that has not been done; list the replies in `tree.reply`, and say how many there are.

    If there are none the game is over, and the value of the move known.
    """
    if np.isnan(tree.value[child]):
        generate(game, tree, load(tree.state, 0), child)
    state = load(tree.state, child)
    n = moves(game, state, tree.reply)
    if n == 0:
        tree.count[child] = 0
        tree.value[child] = score(game, state) if search.by_score else sign(final(evaluator, game, state))
    return n
