"""Bandwidth search: never worse than the best by more than e + d, if the evaluator is never wrong by more."""

import random

import numpy as np
import pytest

import ludus
from ludus import Budget
from ludus.library.searches.full_width.bandwidth import Bandwidth
from ludus.model import registry
from tests.support import oracles
from tests.support.oracles import ROOT
from tests.support.tiny_games import OnTrees, TinyTree


def within_the_band(tree, source, e, d):
    """The same tree, its static values at most `e` above what the nodes are worth under best play, `d` below."""
    for node in np.flatnonzero(tree.count > 0):
        tree.worth[node] = oracles.minimax_value(tree, node, oracles.height(tree)) + source.choice((-d, e))
    return tree


def assert_within_the_band(result, true, depth, e, d):
    """What is said of each move that was searched is true but for the band, which is turned over at every ply."""
    below, above = (d, e) if depth % 2 == 1 else (e, d)
    for child, value in zip(result.children, true, strict=True):
        if child.known.more["depth"] == depth:
            assert child.known.low - below - 1e-9 <= value <= child.known.high + above + 1e-9


@pytest.mark.parametrize("accept", [True, False])
@pytest.mark.parametrize(("e", "d"), [(200.0, 200.0), (300.0, 0.0), (50.0, 200.0)])
def test_the_move_is_worse_than_the_best_by_no_more_than_the_band(e, d, accept):
    search, source, worst, saved = OnTrees(Bandwidth(e, d, accept)), random.Random(1), 0.0, 0
    plain = OnTrees(registry.searches().of("alphabeta"))
    for seed in range(30):
        tree = within_the_band(TinyTree(seed, depth=3 + seed % 3, values=1000), source, e, d)
        height = oracles.height(tree)
        true = oracles.move_values(tree, ROOT, height)
        for depth in range(1, height + 1):
            result = search(tree, Budget(depth=depth))
            loss = max(true) - true[result.move - tree.first[ROOT]]
            assert loss <= e + d + 1e-9
            assert depth < height or (loss == 0 and result.stopped == "solved")
            assert_within_the_band(result, true, depth, e, d)
            worst = max(worst, loss)
            saved += result.meter.generated < plain(tree, Budget(depth=depth)).meter.generated
    assert worst > 0.5 * (e + d), "the bound is of use"
    assert saved > (10 if accept else 0)


def test_without_a_band_it_is_measured_at_the_root():
    game, evaluator = ludus.game("connect4"), ludus.evaluator("weighted-lines")
    opinions = [evaluator.on(game).evaluate(game, game.after(game.start, move)) for move in game.legal(game.start)]
    spread = float(np.std(opinions))
    said = f"bandwidth(accept=false, e={spread}, d={spread}, depth=4)"
    measured, given = (
        ludus.player(spec, compiled=False).choose(game) for spec in ("bandwidth(accept=false, depth=4)", said)
    )
    assert spread > 0
    assert measured.to_dict()["children"] == given.to_dict()["children"]


def test_options_out_of_range():
    with pytest.raises(ludus.SpecError, match="must be 0 or above"):
        registry.searches().of("bandwidth", e=-1.0)
