"""Every part of every study, at a tiny scale and interpreted; and broken searches and evaluators, which rows tell."""

from __future__ import annotations

import json

import pytest

import ludus
from ludus.arena.reproduction import reproduce, studies
from ludus.core import registry
from ludus.evaluators.synthetic import *  # noqa: F403  (loaded before they are replaced)
from ludus.searches.best_first.lcf import LeastCertaintyFirst
from ludus.searches.best_first.mgss import MetaGreedySingleStep
from ludus.searches.full_width.minimax import Minimax

PARTS = [(study.name, part) for study in studies().values() for part in study.parts]


def run(study: str, *parts: str):
    return reproduce(studies()[study], scale="tiny", only=parts, workers=1, compiled=False)


@pytest.mark.parametrize(("study", "part"), PARTS)
def test_a_part_runs_and_hands_in_rows(study, part):
    found = run(study, part)
    assert found.found[0].complete
    rows = json.loads(json.dumps(found.to_dict(), allow_nan=False))["rows"]
    assert rows
    for row in rows:
        assert row["what"]
        assert row["paper"] is not None or row["agrees"] is None
        if None not in (row["low"], row["measured"], row["high"]):
            assert row["low"] <= row["measured"] <= row["high"]
    for figure in found.found[0].figures:
        assert figure.draw().axes


def test_every_study_of_the_papers_that_needs_no_learning_is_there():
    assert {"utgoff-cochran-2001", "russell-wefald-1989", "abramson-1989"} <= studies().keys()


def broken(monkeypatch, kind, **methods):
    """In the place of a registered class, one with other methods."""
    cls = type(f"Broken{kind.__name__}", (kind,), methods)
    table = registry.searches() if issubclass(kind, ludus.Search) else registry.evaluators()
    monkeypatch.setitem(table.classes, kind.name, cls)


def worst(self, tree):
    """The move that is best for the opponent."""
    children = range(int(tree.first[0]), int(tree.first[0] + tree.count[0]))
    return max(children, key=lambda child: tree.value[child])
