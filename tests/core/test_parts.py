"""Parts of a driver that a search replaces, and methods that were meant to replace one."""

from __future__ import annotations

import warnings

import pytest

from ludus.core.parts import MisspeltWarning
from ludus.searches.full_width.driver import FullWidth


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
