"""SCOUT against Pearl's two procedures; that it is exact is shown by the conformance suite."""

from ludus.library.searches.full_width.scout import Scout
from tests.library.searches.full_width.test_sss import leaves_of
from tests.support import oracles
from tests.support.tiny_games import some_trees


def test_it_looks_at_the_leaves_of_eval_and_test_in_their_order():
    again = 0
    for tree in some_trees(200):
        for depth in range(1, oracles.height(tree) + 1):
            leaves = leaves_of(Scout(order=False), tree, depth)
            assert leaves == oracles.slow_scout(tree, depth)
            again += len(leaves) - len(set(leaves))
    assert again > 100, "what was tested and found better is evaluated from nothing"
