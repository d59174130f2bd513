"""`ludus sweep`: one table, one object, one file; and bad input."""

from __future__ import annotations

import pytest

from tests.support.commands import assert_refused, run

COMMAND = ("sweep", "nim(stones=9)", "--player", "random", "--player", "greedy", "--games", 8, "--openings", 2)
FAST = ("--no-compile", "--workers", 1)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_json_and_words(folder):
    budgets = ("--budget", "nodes=5", "--budget", "nodes=50")
    found = run(*COMMAND, *budgets, *FAST, "--json").json
    assert [(cell["game"], cell["budget"]) for cell in found["cells"]] == [
        ("nim(stones=9)", "nodes=5"),
        ("nim(stones=9)", "nodes=50"),
    ]
    for cell in found["cells"]:
        assert cell["games"] == 8
        for row in cell["players"]:
            assert {"player", "rating", "low", "high", "games", "wins", "draws", "losses"} <= set(row)
    ran = run(*COMMAND, *budgets, *FAST, "-o", "curves.svg")
    assert (ran.status, ran.err) == (0, "wrote curves.svg\n")
    assert "Runs 1, 2 in ludus.db." in ran.out
    assert "nodes=5 " in ran.out
    assert (folder / "curves.svg").stat().st_size > 2000
    assert len(run("runs", "--json").json["runs"]) == 2  # the second sweep played nothing


def test_bad_input():
    assert_refused(run(*COMMAND, *FAST), "--budget")
    assert_refused(run(*COMMAND, *FAST, "--budget", "nods=5"), "did you mean nodes")
    assert_refused(run(*COMMAND, *FAST, "--budget", "nodes=5", "-o", "a.doc"), ".html")
    assert_refused(run("sweep", "nimm", *FAST, "--budget", "nodes=5"), "did you mean nim")
    assert_refused(run("sweep", *FAST, "--budget", "nodes=5"), "GAME")
