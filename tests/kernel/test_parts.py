"""Parts of a driver that a search replaces, and methods that were meant to replace one."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import ludus
from ludus.common.errors import LudusError, RuleError
from ludus.kernel.limits import RUNNING
from ludus.kernel.parts import MisspeltWarning
from ludus.library.searches.best_first.driver import BestFirst
from ludus.library.searches.full_width.driver import FullWidth


def test_a_misspelt_part_is_told():
    with pytest.warns(MisspeltWarning, match="windw of Mine replaces no part of a search: did you mean window?"):

        class Mine(FullWidth):
            def windw(self, tree, node, child):
                return -tree.beta[node], -tree.alpha[node]


def test_other_methods_are_not_taken_for_parts():
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        class Mine(FullWidth):
            def window(self, tree, node, child):
                return -tree.beta[node], -tree.alpha[node]

            def windows(self, tree):
                return 1

            def largest(self, tree, node, child):
                return 1


class LastChild(BestFirst):
    """Expands the last child of the last child, and so on, though the game may be over there."""

    def select(self, game, tree):
        node = np.int64(0)
        while tree.count[node] > 0:
            node = tree.first[node] + tree.count[node] - 1
        return node

    def back_up(self, game, tree, limits, leaf):
        return RUNNING


class NoBackup(BestFirst):
    """Selects, but forgets to back up."""

    select = LastChild.select


class SaysNothing(LastChild):
    """Does not say whether it goes on."""

    def back_up(self, game, tree, limits, leaf):
        pass


@pytest.mark.parametrize("compiled", [None, False])
@pytest.mark.parametrize(
    ("search", "words"),
    [
        (LastChild, "LastChild expands a finished game; what it expands must have a count of -1."),
        (NoBackup, "NoBackup does not define back_up, which its driver needs."),
        (SaysNothing, "SaysNothing ends with None and not with why it stopped: STOP_NODES"),
    ],
)
def test_a_mistake_in_a_search_is_told_in_a_sentence_that_does_not_blame_the_game(search, words, compiled):
    with pytest.raises(LudusError) as caught:
        ludus.player(search(), nodes=200, compiled=compiled).choose("nim(stones=6)")
    assert not isinstance(caught.value, RuleError)
    assert words in str(caught.value)
