"""Methods of games and evaluators that do not return or end the process: every command says which one."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path

import pytest

from ludus.model import watchdog
from ludus.runtime.dry_run import _done
from tests.support.commands import assert_refused, run, run_process

FILE = Path(__file__).with_name("hanging.py")
WHICH = {
    "Judged": "evaluate of evaluator .*Evaluates",
    "Finished": "final of evaluator .*Finishes",
    "Prepared": "prepare of evaluator .*Prepares",
    "Features": "features",
    "Lowest": "lowest",
    "Highest": "highest",
    "Render": "render",
    "StateText": "state_text",
    "ParseState": "parse_state",
    "MoveName": "move_name",
    "ParseMove": "parse_move",
    "Cells": "cells",
    "Svg": "svg",
    "Turns": "move_name",
}


@pytest.fixture(autouse=True)
def impatient(tmp_path, monkeypatch):
    """Five hundredths of the usual time, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(watchdog, "TICK", 0.02)
    _done.clear()


def refused(game: str, *command: object) -> None:
    ran = run(*command)
    assert ran.status == 2, ran
    said = ran.err.splitlines()[-1]
    told = rf"ludus: rule {WHICH[game]} of \S*hanging\.py:{game} failed.*: the rule does not return: after 0\.\d+ s it "
    assert re.match(told + r"was still at work \(\S*hanging\.py, line \d+\)", said), ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("game", [game for game in WHICH if game != "Svg"])
def test_check_names_the_method(game):
    ran = run("check", f"{FILE}:{game}", "--no-compile", "--games", 5)
    assert ran.status == 1
    assert re.match(rf"FAULT in {WHICH[game]}.*: the rule does not return: after ", ran.out), ran


@pytest.mark.parametrize("game", ["Judged", "Finished", "Prepared", "MoveName", "Render", "StateText", "Turns"])
def test_search(game):
    refused(game, "search", f"{FILE}:{game}", "minimax", "--no-compile")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["Render", "MoveName", "StateText", "Prepared"])
def test_show(game):
    refused(game, "show", f"{FILE}:{game}")


@pytest.mark.slow
def test_show_does_without_an_opinion():
    ran = run("show", f"{FILE}:Judged", "--state", 7)
    assert ran.status == 0
    assert re.search(r"Evaluates +\?", ran.out)


def test_show_of_a_text():
    refused("ParseState", "show", f"{FILE}:ParseState", "--state", "7")


@pytest.mark.parametrize("game", ["Judged", "MoveName", "Render", "ParseMove"])
def test_play(game, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n1\n"))
    refused(game, "play", f"{FILE}:{game}", "--second", "minimax", "--no-compile")


def test_solve_of_a_game_whose_bounds_do_not_return():
    refused("Lowest", "solve", f"{FILE}:Lowest", "--no-compile")


@pytest.mark.parametrize("game", ["Judged", "Features"])
def test_learn_and_calibrate(game):
    words = ("learn",) if game == "Features" else ("calibrate", "--eval", f"{FILE}:Evaluates")
    refused(game, words[0], f"{FILE}:{game}", *words[1:], "--no-compile")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["Svg", "MoveName"])
def test_rank(game):
    refused(game, "rank", f"{FILE}:{game}", "greedy", "random", "--games", 4, "-o", "x.html", "--no-compile")


# The end of the process.


def test_a_rule_that_ends_the_process():
    before = os._exit
    ran = run("search", f"{FILE}:Exits", "minimax", "--no-compile")
    assert_refused(ran, "rule play", "Exits failed in position '9': SystemExit: os._exit(3)", "hanging.py, line ")
    ran = run("check", f"{FILE}:Exits", "--no-compile")
    assert ran.status == 1
    assert "FAULT in play in position '9'" in ran.out
    assert_refused(run("show", f"{FILE}:ExitsShown"), "render failed: SystemExit: os._exit(3)", "hanging.py, line ")
    Path("exits.py").write_text("import os\nos._exit(4)\n")
    assert_refused(run("show", "exits.py:Game"), "exits.py does not load: SystemExit: os._exit(4) (line 2)")
    assert os._exit is before


def test_a_rule_that_crashes_the_process():
    ran = run_process("search", f"{FILE}:Crashes", "minimax", "--no-compile")
    assert ran.status < 0
    assert re.search(r"ludus: crashed \(Segmentation fault in \w+, .*, line \d+\)", ran.err)
    assert ran.err.count("\n") == 1
    assert "report it, with the command that shows it: ludus" in ran.err
