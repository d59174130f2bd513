"""Decision quality by definition, position by position: whatever can be reached in several ways counts each time."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from ludus.kernel.boards import same_state, state_key


class SlowDecisions:
    """A game of which every position is listed with the exact value of each move, and whether it ends the game."""

    def __init__(self, game, draws="half"):
        self.game, self.draws = game, draws
        self.moves, self.paths, self.expected, self.values, self.states = {}, {}, {}, {}, {}
        self._solve(game.start, 0)
        self._walk(game.start)

    def _result(self, state, ply):
        score = self.game.result(state)
        if self.draws == "score":
            return score
        sign = (score > 0) - (score < 0)
        if sign == 0 and self.draws != "half":
            sign = 1 if (ply % 2 == 0) == (self.draws == "first") else -1
        return sign

    def _solve(self, state, ply):
        """The exact value of a position to the player to move."""
        key = state_key(state), ply % 2
        if key not in self.values:
            self.states[key] = state
            below = [self.game.after(state, move) for move in self.game.legal(state)]
            self.moves[key] = [(state_key(child), 1 - ply % 2) for child in below]
            values = [-self._solve(child, ply + 1) for child in below]
            self.values[key] = max(values) if below else self._result(state, ply)
            expected = [-self.expected[child] for child in self.moves[key]]
            self.expected[key] = sum(expected) / len(below) if below else Fraction(self.values[key])
        return self.values[key]

    def _walk(self, start):
        """How many ways lead to each position, at each ply."""
        level, ply = {(state_key(start), 0): 1}, 0
        while level:
            below = {}
            for key, many in level.items():
                self.paths[key, ply] = many
                for child in self.moves[key]:
                    below[child] = below.get(child, 0) + many
            level, ply = below, ply + 1

    @property
    def leaves(self):
        return sum(many for (key, _), many in self.paths.items() if not self.moves[key])

    def counts(self, value, leaves="first", passes="skipped"):
        """Decisions, possible errors, and errors for each way to settle ties: lists with an entry for each ply.

        `value` gives the evaluator's opinion of a position, by its key, to the player to move.
        """
        rules = ("first", "last", "random", "best", "worst")
        plies = 1 + max(ply for _, ply in self.paths)
        found = {name: [0.0] * plies for name in ("decisions", "possible", *rules)}
        for (key, ply), many in self.paths.items():
            exact = [-self.values[child] for child in self.moves[key]]
            if not exact or not self._counts(key, exact, leaves, passes):
                continue
            best = max(exact)
            found["decisions"][ply] += many
            found["possible"][ply] += many * (min(exact) < best)
            opinions = [-value(child) for child in self.moves[key]]
            equal = [x for x, opinion in zip(exact, opinions, strict=True) if opinion == max(opinions)]
            wrong = [x < best for x in equal]
            shares = wrong[0], wrong[-1], sum(wrong) / len(wrong), min(wrong), max(wrong)
            for rule, share in zip(rules, shares, strict=True):
                found[rule][ply] += many * share
        return found

    def _counts(self, key, exact, leaves, passes):
        if len(exact) == 1 and (passes == "forced" or (passes == "skipped" and self._is_pass(key))):
            return False
        ends = [not self.moves[child] for child in self.moves[key]]
        best = [end for x, end in zip(exact, ends, strict=True) if x == max(exact)]
        checks = {
            "first": not best[0],
            "last": not best[-1],
            "some": not all(best),
            "every": not any(best),
            "none": not any(ends),
            "counted": True,
        }
        return checks[leaves]

    def _is_pass(self, key):
        state = self.states[key]
        with np.errstate(over="ignore"):
            passed = self.game.layout.settle(self.game.null(state))
        [move] = self.game.legal(state)
        return same_state(passed, self.game.after(state, move))

    def static(self, evaluator):
        """An evaluator's opinion of a position by its key."""
        prepared, metered, known = evaluator.on(self.game), self.game.metered(np.zeros(4, np.int64)), {}

        def value(key):
            if key not in known:
                rule = prepared.evaluate if self.moves[key] else prepared.final
                with np.errstate(over="ignore"):
                    known[key] = float(rule(metered, self.states[key]))
            return known[key]

        return value

    def ahead(self, value, plies):
        """The same opinion after minimax over so many plies."""
        known = {}

        def deeper(key, left):
            if left == 0 or not self.moves[key]:
                return value(key)
            if (key, left) not in known:
                known[key, left] = max(-deeper(child, left - 1) for child in self.moves[key])
            return known[key, left]

        return lambda key: deeper(key, plies)


CONVENTIONS = list(product(("first", "last", "some", "every", "none", "counted"), ("skipped", "counted", "forced")))
