"""The identity of a run: every rule, every part, and nothing that a game does not have."""

import pytest

import ludus
from ludus.core import identity
from ludus.core.rules import rules_of
from ludus.games.nim import Nim
from ludus.searches.full_width.alphabeta import AlphaBeta

OTHERS = {
    "moves": lambda self, state, out: 0,
    "play": lambda self, state, move: (state[0] - move, 7),
    "score": lambda self, state: 17,
    "over": lambda self, state: state[0] == 0,
    "chance": lambda self, state, probabilities: 0,
    "null": lambda self, state: state,
    "noisy": lambda self, state, move: True,
    "phase": lambda self, state: 0.5,
    "lowest": lambda self, state: -1.0,
    "highest": lambda self, state: 1.0,
    "features": lambda self, state, numbers: 0,
}


@pytest.mark.parametrize("rule", [rule.name for rule in rules_of("game")])
def test_every_rule_counts(rule):
    edited = type("Nim", (Nim,), {rule: OTHERS[rule]})
    assert identity.of_game(edited()) != identity.of_game(ludus.game("nim"))


def test_the_same_rules_are_the_same_game():
    assert identity.of_game(type("Nim", (Nim,), {})()) == identity.of_game(ludus.game("nim"))


def test_a_replaced_part_makes_another_search():
    class Wide(AlphaBeta):
        def window(self, tree, node, child):
            return -float("inf"), float("inf")

    assert identity.of_search(Wide()) != identity.of_search(AlphaBeta())
