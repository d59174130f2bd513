"""Quiescence against its definitions: what stands at the horizon, and what is searched further."""

import pytest

from ludus import Budget
from ludus.library.searches.full_width.alphabeta import AlphaBeta
from ludus.library.searches.full_width.pvs import PrincipalVariation
from tests.support import oracles
from tests.support.oracles import ROOT
from tests.support.tiny_games import OnTrees, TinyTree, some_trees

TOLERANCE = 1.0


def quiet_value(tree, node, left, rule, plies):
    """The value of `node`, `left` plies before the horizon, by definition and without a window."""
    children, static = oracles.children(tree, node), oracles.worth(tree, node)
    if not children or left <= -plies:
        return static
    if left <= 0:
        looks = sorted((-oracles.worth(tree, child) for child in children), reverse=True)
        if rule == "noisy":
            children = [child for child in children if child % 2 == 1]
        if rule == "consistency" and abs(looks[0] - static) <= TOLERANCE:
            return static
        if rule == "locked" and len(looks) > 1 and looks[0] - looks[1] <= TOLERANCE:
            return looks[0]
    values = [-quiet_value(tree, child, left - 1, rule, plies) for child in children]
    return max([*values, static] if rule == "noisy" and left <= 0 else values)


@pytest.mark.parametrize("rule", ["consistency", "locked", "noisy"])
@pytest.mark.parametrize("kind", [AlphaBeta, PrincipalVariation])
def test_the_value_is_that_of_the_definition(kind, rule):
    """With a cap of two plies, at once and deepened, whatever the sound options."""
    options = {"quiescence": rule, "quiet_plies": 2, "tolerance": TOLERANCE}
    plain = OnTrees(kind(**options, order=False))
    remembering = OnTrees(kind(**options, table=True, etc=True, killers=True, history=True, aspiration=1.5))
    changed = 0
    for tree in some_trees(40):
        for depth in (1, 2, 3):
            value = quiet_value(tree, ROOT, depth, rule, 2)
            changed += value != oracles.minimax_value(tree, ROOT, depth)
            assert plain(tree, Budget(depth=depth)).value == value
            assert remembering(tree, Budget(depth=depth, nodes=10**6)).value == value
    assert changed > 10


def test_a_trade_cut_in_half_by_the_horizon_is_seen_whole():
    """The example of the thesis, section 3.2: halfway through, one queen ahead, the position looks very strong."""
    trade = TinyTree.of([0, [0, [0.25, 0, 0], [0.25, 0, 0]], [-9, [-0.5, 0.5, 0.5], [9, -9, -9]]])
    quiet, capture = oracles.children(trade, ROOT)
    take_back, other = oracles.children(trade, capture)
    assert (quiet % 2, capture % 2, take_back % 2, other % 2) == (1, 0, 1, 0)
    assert OnTrees(AlphaBeta())(trade, Budget(depth=1)).move == capture
    for rule in ("consistency", "locked", "noisy"):
        search = OnTrees(AlphaBeta(quiescence=rule, tolerance=0.5))
        assert search(trade, Budget(depth=1)).move == quiet, rule
        assert search(trade, Budget(depth=1, nodes=1000)).move == quiet, rule
