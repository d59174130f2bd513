"""Evaluators and searches as people write them by mistake."""

from __future__ import annotations

from ludus import Evaluator
from ludus.library.searches.full_width.driver import FullWidth


class Words(Evaluator):
    def evaluate(self, game, state):
        return "good"


class Nothing(Evaluator):
    def evaluate(self, game, state):
        pass


class NotANumber(Evaluator):
    def evaluate(self, game, state):
        return float("nan")


class NoGame(Evaluator):
    def evaluate(self, state):
        return 0


class OtherParameters(FullWidth):
    def window(self, tree, node):
        return 0.0, 0.0


class RaisesInWindow(FullWidth):
    def window(self, tree, node, child):
        raise ValueError("not done yet")
