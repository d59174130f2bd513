"""A worker that crashes is told as that, with the command that shows it again; the run goes on."""

from __future__ import annotations

import re
import shlex
import signal
from pathlib import Path

import pytest

import ludus
from ludus.arena.play.reasons import Decision, Died
from ludus.arena.reports.words import faults
from tests.arena.play import crashing
from tests.support.commands import assert_refused, run, run_process

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="POSIX only")
CRASHED = r"crashed \((SIG\w+)\); please report it, with the command that shows it: (ludus search .*)"
OPTIONS = ("--games", 2, "--openings", 1, "--no-compile", "--workers", 1)


def spec_of(kind: str) -> str:
    return f"{Path(crashing.__file__)}:{kind}"


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "by"), [("Segfault", "SIGSEGV"), ("Aborts", "SIGABRT")])
def test_a_crash_in_a_match_is_told_with_the_command_that_shows_it(kind, by, tmp_path):
    player = f"minimax(depth=1, eval={spec_of(kind)})"
    ran = run("match", spec_of("Sound"), player, "random", *OPTIONS, "--db", tmp_path / "games.db")
    assert ran.status == 0, ran.err
    found = re.search(rf"\d games? forfeited by minimax.*: {CRASHED} Run 1 in ", " ".join(ran.out.split()))
    assert found is not None, ran.out
    assert found[1] == by
    _, *command = shlex.split(found[2])
    assert command[0] == "search"
    assert command[-1] == "--no-compile"
    assert run_process(*command).status == -signal.Signals[by]


@pytest.mark.slow
def test_the_game_may_crash_its_workers_too(tmp_path):
    players = ("minimax(depth=1)", "random")
    options = (*OPTIONS, "--games", 4, "--json", "--db", tmp_path / "games.db")
    ran = run("match", spec_of("Crashes"), *players, *options).json
    assert ran["games"] == 4
    assert ran["faults"]
    for fault in ran["faults"]:
        assert re.fullmatch(CRASHED, fault["reason"])


@pytest.mark.slow
def test_a_player_that_crashes_at_its_first_move_is_named(tmp_path):
    player = f"minimax(depth=4, eval={spec_of('Segfault')})"
    ran = run("rank", spec_of("Sound"), player, "random", *OPTIONS, "--db", tmp_path / "games.db")
    assert_refused(ran, "minimax", "crashed (SIGSEGV); please report it, with the command that shows it: ludus search")


def test_a_rule_that_calls_os_exit_in_a_worker_is_named(tmp_path):
    ran = run("match", spec_of("Exits"), "minimax(depth=1)", "random", *OPTIONS, "--db", tmp_path / "games.db")
    assert_refused(ran, "rule play", "Exits failed in position '3': SystemExit: os._exit(3)", "crashing.py, line ")


def test_who_was_killed_by_others_has_not_crashed():
    at = Decision("nim", "random", "3", 7).command
    for status in (-signal.SIGKILL, -signal.SIGTERM, 0, 1):
        assert str(Died(status, 3, at)) == f"its process died 3 times (exit status {status})"
    assert str(Died(-signal.SIGBUS, 3)) == "crashed (SIGBUS); please report it"


def test_the_command_survives_a_shell():
    player = ludus.player("uct(nodes=100)")
    made = ludus.game("tictactoe")
    at = Decision.of(made, player.on(made), made.start, 2**63)
    assert at.command == (
        "ludus search tictactoe 'uct(eval=sampler, nodes=100)' `state='--------- X'` `seed=9223372036854775808`"
    ).replace("eval=sampler", f"eval={player.on(made).evaluator}")


def test_crashes_of_one_player_are_told_once_whatever_the_position():
    reasons = [Died(-signal.SIGSEGV, 3, Decision("nim", "a", state, 1).command) for state in ("xo", "ox", "oo")]
    assert faults({("a", why): 2 for why in reasons}) == [f"6 games forfeited by a: {reasons[0]}"]
