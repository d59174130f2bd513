"""Parts that a class replaces, and what a part owes its driver: asked of every driver."""

import pytest

from ludus.library.searches.full_width.alphabeta import AlphaBeta
from ludus.library.searches.full_width.minimax import Minimax
from ludus.library.searches.full_width.order import leave_child_out
from ludus.model import registry
from tests.support.conformance.parts import asked_parts, check_left_out, check_replaced_parts
from tests.support.conformance.subjects import SPECS, made

SELECTS = {"table": True, "null_move": 1, "quiescence": "noisy", "quiet_plies": 2}

PROBED = {
    "alphabeta": (({}, SELECTS), {"probes"}),
    "minimax": (({},), {"begin_trial", "end_trial", "probes", "refuted"}),
    "bfmm": (({},), set()),
    "mgss": (({},), set()),
    "bstar-probability": (({},), {"both"}),
    "lcf": (({},), set()),
    "selective-sampling": (({},), set()),
    "solve": (({},), set()),
    "sss": (({},), set()),
    "uct": (({}, {"leaf": "playout"}), set()),
}
"""Of each set of parts a search, the settings in which it is asked, and the parts that even then it has no use for: the
first two have them for others, `probes` is for games of chance, and `both` is not told the tree."""


@pytest.mark.parametrize("name", PROBED)
def test_a_part_that_a_class_replaces_is_called_compiled_too(name, tmp_path):
    settings, never = PROBED[name]
    assert check_replaced_parts(registry.searches().classes[name], "tree", tmp_path, settings) == never


def test_every_part_of_every_search_is_replaced_somewhere():
    probed = {part for name in PROBED for part in asked_parts(registry.searches().classes[name])}
    for name, kind in registry.searches().classes.items():
        assert set(asked_parts(kind)) <= probed, f"name {name} in PROBED"


FULL_WIDTH = [spec for spec in SPECS if made(spec).family == "full-width" and made(spec).walks and spec[:3] != "sss"]


@pytest.mark.parametrize("spec", FULL_WIDTH)
def test_who_leaves_a_child_out_marks_its_parent(spec):
    check_left_out(made(spec), "tree")


class BestOnly(AlphaBeta):
    """Below the root the first move alone, and the node is marked."""

    def skipped(self, game, evaluator, tree, node, child):
        if node != 0 and tree.best[node] >= 0:
            return leave_child_out(tree, node)
        return AlphaBeta.skipped(self, game, evaluator, tree, node, child)


class Forgetful(Minimax):
    """The same, but the node is not marked."""

    def skipped(self, game, evaluator, tree, node, child):
        return node != 0 and tree.best[node] >= 0


def test_the_check_of_children_left_out_can_fail():
    assert check_left_out(BestOnly(), "tree") > 0
    with pytest.raises(AssertionError, match="leave_child_out"):
        check_left_out(Forgetful(), "tree")
