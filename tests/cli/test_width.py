"""What people see fits a terminal of 80 columns."""

from __future__ import annotations

import pytest

from tests.support.commands import run

LONG = "othello(size=4, empties=winner)"
COMMANDS = [
    ["games"],
    ["searches"],
    ["evaluators"],
    ["check", LONG, "--games", "20", "--no-compile"],
    ["analyse", "nim(stones=60)", "--games", "20", "--good", "2", "--workers", "1", "--no-compile"],
    ["show", "amazons(size=5)"],
    ["search", LONG, "alphabeta(table=true, killers=true, history=true, nodes=200)", "--no-compile"],
    ["solve", LONG, "--budget", "nodes=2000", "--no-compile"],
    ["solve", "nim", "--no-compile"],
    ["learn", "nim", "--positions", "100", "--name", "narrow", "--no-compile"],
    ["calibrate", LONG, "--eval", "mobility", "--positions", "100", "--no-compile"],
    ["quality", "tictactoe", "--eval", "open-lines", "--eval", "zero", "--after", "4", "--no-compile"],
    ["pathology", "nim(stones=9)", "--eval", "random", "--games", "8", "--workers", "1", "--no-compile"],
    [
        "match",
        LONG,
        "alphabeta(table=true, nodes=50)",
        "bfmm(nodes=50)",
        "--games",
        "2",
        "--no-compile",
        "--workers",
        "1",
    ],
    ["theory", "errors", "--trials", "100"],
    ["reproduce"],
]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_eighty_columns(command, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path))
    ran = run(*command)
    assert ran.status == 0, ran.err
    assert [line for line in ran.out.splitlines() if len(line) > 80] == []
