"""The two searches without lookahead."""

import numpy as np

import ludus
from ludus import Player
from ludus.model import registry
from tests.support.tiny_games import TinyTree, TreeValues


def test_greedy_takes_the_move_whose_successor_looks_best():
    tree = TinyTree.of([0, [3, 1], [-4, 9], 5, [-4, 1]])
    result = Player(registry.searches().of("greedy"), TreeValues(), compiled=False).choose(tree)
    assert [child.value for child in result.children] == [-3, 4, -5, 4]
    assert (result.move, result.value, result.line) == (2, 4, [2])
    assert (result.meter.generated, result.meter.evaluated, result.meter.expanded) == (4, 4, 1)


def test_random_takes_every_move_equally_often():
    player, game = ludus.player("random", compiled=False), ludus.game("tictactoe")
    counts = np.bincount([player.choose(game, seed=seed).move for seed in range(1800)], minlength=9)
    assert ((counts - 200) ** 2 / 200).sum() < 26.12  # chi-square, 8 degrees of freedom, 0.1 %
    assert player.choose(game, seed=3).meter.generated == 0
