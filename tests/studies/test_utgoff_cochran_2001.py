"""Alpha-beta that moves at random once it has spent the total of a game."""

from __future__ import annotations

import pytest

import ludus
from ludus.studies import utgoff_cochran_2001 as study

PLAYER = "lcf(ties=literal, reuse=true, units=600)"


def points(monkeypatch, spent: bool) -> list[float]:
    """Of LCF in four pairs against alpha-beta to depth 3, which has spent its total from the beginning, or never."""
    monkeypatch.setattr(study, "overspending", lambda branching, units: lambda who, meter: spent)
    return [study.random_when_spent(PLAYER, 2, 600, seed, False) for seed in range(4)]


def test_who_has_spent_all_moves_at_random(monkeypatch):
    assert points(monkeypatch, spent=True) == [2.0] * 4
    assert sum(points(monkeypatch, spent=False)) < 8


@pytest.mark.parametrize(("generated", "spent"), [(64, False), (65, True)])
def test_the_total_is_that_of_thirty_two_moves(generated, spent):
    too_dear = study.overspending(2, 204)
    assert too_dear(1, ludus.Meter(generated=generated, traversed=128)) is spent
    assert not too_dear(0, ludus.Meter(generated=10_000))
