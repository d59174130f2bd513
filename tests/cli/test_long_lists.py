"""Where there are hundreds of moves, people see the first; JSON has all."""

import re

import pytest

import ludus
from ludus.common.errors import MANY, listed
from ludus.model.result import SHOWN
from tests.support.commands import run


def test_show():
    shown = run("show", "amazons(size=5)").out
    first = " ".join(list(ludus.game("amazons", size=5).position().moves)[:MANY])
    assert re.search(rf"^260 moves +{re.escape(first)} \.\.\. \(260 in all\)$", shown, re.M)
    assert len(run("show", "amazons(size=5)", "--json").json["moves"]) == 260


def test_search():
    ran = run("search", "amazons(size=5)", "greedy", "--no-compile")
    assert ran.out.endswith("\n... and 250 moves more; --json has them all\n")
    values = [float(line.split()[1]) for line in ran.out.splitlines()[-SHOWN - 1 : -1]]
    assert values == sorted(values, reverse=True)
    everything = run("search", "amazons(size=5)", "greedy", "--no-compile", "--json").json
    assert len(everything["children"]) == 260
    assert sorted((child["value"] for child in everything["children"]), reverse=True)[:SHOWN] == values


@pytest.mark.parametrize(
    ("count", "end"), [(1, "0"), (40, "39"), (41, "39 ... (41 in all)"), (900, "39 ... (900 in all)")]
)
def test_listed(count, end):
    text = listed(map(str, range(count)))
    assert text.split(", ")[-1] == end
    assert len(text.split(", ")) == min(count, MANY)
    assert listed([]) == ""
