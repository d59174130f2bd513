"""The identity of a run: every rule, every part, and nothing that a game does not have."""

import pytest

import ludus
from ludus.kernel.columns import number
from ludus.kernel.rules import rules_of
from ludus.library.evaluators.any_game import Zero
from ludus.library.games.nim import Nim
from ludus.library.searches.full_width.alphabeta import AlphaBeta
from ludus.model import identity

OTHERS = {
    "moves": lambda self, state, out: 0,
    "play": lambda self, state, move: (state[0] - move, 7),
    "score": lambda self, state: 17,
    "over": lambda self, state: state[0] == 0,
    "chance": lambda self, state, probabilities: 0,
    "null": lambda self, state: state,
    "noisy": lambda self, state, move: True,
    "urgency": lambda self, state, move: 0.0,
    "foreseen": lambda self, state: 0.0,
    "phase": lambda self, state: 0.5,
    "lowest": lambda self, state: -1.0,
    "highest": lambda self, state: 1.0,
    "features": lambda self, state, numbers: 0,
    "cells": lambda self, state, contents: 0,
}


@pytest.mark.parametrize("rule", [rule.name for rule in rules_of("game")])
def test_every_rule_counts(rule):
    edited = type("Nim", (Nim,), {rule: OTHERS[rule]})
    assert identity.of_game(edited()) != identity.of_game(ludus.game("nim"))


def test_the_same_rules_are_the_same_game():
    assert identity.of_game(type("Nim", (Nim,), {})()) == identity.of_game(ludus.game("nim"))


@pytest.mark.parametrize(
    "edit",
    [
        {"window": lambda self, tree, node, child: (-float("inf"), float("inf"))},
        {"prepare": lambda self, tree, game, state, limits: None},
        {"extras": lambda self, game, evaluator, compiled: {}},
        {"choice": lambda self, tree: 1},
        {"columns": {"more": number(1.0)}},
        {"spread": 2.0},
    ],
    ids=lambda edit: next(iter(edit)),
)
def test_an_edit_makes_another_search(edit):
    assert identity.of_search(type("AlphaBeta", (AlphaBeta,), edit)()) != identity.of_search(AlphaBeta())
    assert identity.of_search(type("AlphaBeta", (AlphaBeta,), {})()) == identity.of_search(AlphaBeta())


def test_what_a_column_begins_with_counts():
    one, other = (type("AlphaBeta", (AlphaBeta,), {"columns": {"more": number(n)}})() for n in (1.0, 2.0))
    assert identity.of_search(one) != identity.of_search(other)


@pytest.mark.parametrize("fact", ["judges", "sees_passes"])
def test_what_a_search_asks_an_evaluator_about_itself_counts(fact):
    edited = type("Zero", (Zero,), {fact: not getattr(Zero, fact)})
    assert identity.of_evaluator(edited()) != identity.of_evaluator(Zero())


def test_what_a_game_has_worked_out_meanwhile_does_not_count():
    """A cached property is told by its function: else a run would be another one once it has been asked for."""
    game, other = ludus.game("tictactoe"), ludus.game("tictactoe")
    assert len(game.cell_bits) == 9
    assert "cell_bits" not in vars(other)
    assert identity.of_game(game) == identity.of_game(other)
