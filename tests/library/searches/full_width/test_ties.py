"""Which of equally good moves of the root is played: `ties=first` or `ties=random`, in every full-width search."""

from __future__ import annotations

from collections import Counter

import pytest

import ludus
from ludus import Budget
from ludus.library.searches.full_width.driver import FullWidth
from ludus.model import registry
from tests.support.oracles import ROOT, best_moves, minimax_value
from tests.support.tiny_games import OnTrees, TinyTree, some_trees

NAMES = [name for name, kind in registry.searches().classes.items() if issubclass(kind, FullWidth) or name == "sss"]
SETTINGS = {"alphabeta": ("", "order=false"), "backup": ("rule=minimax", "rule=product"), "sss": ("", "dual=true")}
SPECS = [(name, settings) for name in NAMES for settings in SETTINGS.get(name, ("",))]
ALIKE = TinyTree.of([0.0, *([0.0, 1.0, 2.0] for _ in range(4))])
"""Four moves of the root that are worth the same, whatever is asked about them."""


def search(name: str, settings: str, ties: str) -> ludus.Search:
    return registry.searches().of(f"{name}({', '.join(filter(None, (settings, f'ties={ties}')))})")


@pytest.mark.parametrize(("name", "settings"), SPECS)
@pytest.mark.parametrize("budget", [Budget(depth=2), Budget(depth=2, nodes=1000)], ids=["at once", "deepened"])
def test_all_of_them_are_played_or_the_first_alone(name, settings, budget):
    first, shuffled = OnTrees(search(name, settings, "first")), OnTrees(search(name, settings, "random"))
    assert {first(ALIKE, budget, seed).move for seed in range(5)} == {1}
    played = Counter(shuffled(ALIKE, budget, seed).move for seed in range(100))
    assert set(played) == {1, 2, 3, 4}
    assert max(played.values()) < 50
    assert shuffled(ALIKE, budget, 7).move == shuffled(ALIKE, budget, 7).move


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "pvs", "scout", "mtdf", "sss"])
def test_the_value_is_the_same_and_the_move_one_of_the_best(name):
    shuffled, others = OnTrees(search(name, "", "random")), 0
    for tree in some_trees(40):
        best = best_moves(tree, ROOT, 3)
        for seed in range(3):
            result = shuffled(tree, Budget(depth=3), seed)
            assert result.value == minimax_value(tree, ROOT, 3)
            assert result.move in best
            others += result.move != min(best)
    assert others > 4
