"""Every part of every study, at a tiny scale and interpreted; and broken searches and evaluators, which rows tell."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ludus
from ludus.kernel.limits import STOP_EXHAUSTED
from ludus.kernel.tree import UNOPENED
from ludus.library.evaluators.synthetic import DbfTruth
from ludus.library.games.dbf_tree import true_value
from ludus.library.searches.best_first.bfmm import BestFirstMinimax
from ludus.library.searches.best_first.mgss import MetaGreedySingleStep
from ludus.model import registry
from ludus.studies.engine.reproduction import reproduce, studies

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


def test_every_study_of_the_papers_is_there():
    papers = {"utgoff-cochran-2001", "russell-wefald-1989", "abramson-1985", "abramson-1987", "abramson-1989"}
    assert papers <= studies().keys()


class BreadthFirst(BestFirstMinimax):
    """Expands the first leaf that there is, not the principal one."""

    name = "bfmm"

    def select(self, game, tree):
        for node in range(tree.size[0]):
            if tree.count[node] == UNOPENED:
                return np.int64(node)
        return np.int64(-STOP_EXHAUSTED)


class WorstMove(MetaGreedySingleStep):
    """Plays what is best for the opponent."""

    name = "mgss"

    def choice(self, tree):
        children = range(int(tree.first[0]), int(tree.first[0] + tree.count[0]))
        return max(children, key=lambda child: tree.value[child])


class WrongSign(DbfTruth):
    """Says of every tree what it is worth to the other player."""

    name = "dbf-truth"

    def evaluate(self, game, state):
        return -true_value(game, state)


@pytest.mark.parametrize(
    ("study", "part", "what", "kind"),
    [
        ("utgoff-cochran-2001", "figure-7", "b=5: BFMM's tree is deeper than LCF's, by", BreadthFirst),
        ("russell-wefald-1989", "table-1", "depth 2: MGSS*'s share of the points", WorstMove),
        ("abramson-1989", "convergence", "depth 4, MIN moves last: the root's value", WrongSign),
    ],
)
def test_a_row_disagrees_if_the_algorithm_is_broken(monkeypatch, study, part, what, kind):
    def verdict() -> bool | None:
        [row] = [row for row in run(study, part).rows if row["what"] == what]
        return row["agrees"]

    assert verdict() is True
    table = registry.searches() if issubclass(kind, ludus.Search) else registry.evaluators()
    monkeypatch.setitem(table.classes, kind.name, kind)
    assert verdict() is False


def test_exact_results_are_exact():
    parts = "figure-1", "figure-3", "figure-4", "convergence", "pathology", "alpha-beta"
    found = {(row["part"], row["what"]): row for row in run("abramson-1989", *parts).rows}
    exact = {
        key: row for key, row in found.items() if row["low"] == row["high"] == row["measured"] and row["p"] is None
    }
    assert exact["figure-1", "the root's value"]["measured"] == -1
    assert exact["figure-3", "moves left out"]["measured"] == 2
    assert exact["figure-4", "what P, above E, is worth at most"]["measured"] == 6
    assert exact["convergence", "the value for integers from 0 to 100, most often"]["measured"] == 38
    assert exact["convergence", "the value for integers from 0 to 100, most often"]["agrees"] is False
    assert exact["convergence", "the value for integers from 1 to 100, most often"]["measured"] == 39
    deeper = exact["alpha-beta", "how much deeper one searches with b^(3/4) in the place of b"]
    assert (deeper["measured"], deeper["agrees"]) == (pytest.approx(1 / 3), False)
    assert found["pathology", "q_c for B = 2"]["measured"] == pytest.approx(1 - 3**0.5 / 2)
