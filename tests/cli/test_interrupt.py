"""Ctrl-C prints what there is and exits with status 130, soon."""

from __future__ import annotations

import json
import os
import re
import signal
import time

import pytest

from tests.support.commands import PATIENCE, run, start, without_progress

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")


def interrupt(*arguments: object) -> tuple[int, str, str]:
    """Start a command that would last for hours and press Ctrl-C when it is at work.

    A command that has nothing to print yet was still loading or compiling: it is given more time, twice.
    """
    for busy in (1.5, 5.0, 15.0):
        status, out, err = press(busy, *arguments)
        if out:
            break
    return status, out, err


def press(busy: float, *arguments: object, times: int = 1) -> tuple[int, str, str]:
    """Press Ctrl-C after so many seconds of processor time."""
    process = start(*arguments, start_new_session=True)
    try:
        wait_until_busy(process.pid, busy)
        assert process.poll() is None, process.communicate()
        for _ in range(times):
            os.kill(process.pid, signal.SIGINT)
            time.sleep(0.2 if times > 1 else 0)
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, without_progress(err)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def wait_until_busy(pid: int, enough: float) -> None:
    """Until the process has used so many seconds of processor time."""
    deadline = time.monotonic() + PATIENCE
    ticks = os.sysconf("SC_CLK_TCK")
    while time.monotonic() < deadline:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        if (int(fields[11]) + int(fields[12])) / ticks >= enough:
            return
        time.sleep(0.05)


needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """In the cache already, so that Ctrl-C meets a search and not a compilation."""
    run("search", "nim(stones=3)", "minimax(eval=zero, depth=2)")
    run("perft", "nim(stones=3)", 1)


@pytest.mark.slow
@needs_proc
def test_search():
    status, out, err = interrupt("search", "nim(stones=200)", "minimax(eval=zero, depth=120)")
    assert status == 130
    assert out.startswith("minimax(eval=zero, depth=120) plays ")
    assert "stopped  interrupted: " in out
    assert "Traceback" not in err


@pytest.mark.slow
@needs_proc
def test_search_as_json_has_a_finished_iteration():
    status, out, _ = interrupt("search", "nim(stones=200)", "minimax(eval=zero, nodes=1000000000000)", "--json")
    found = json.loads(out)
    assert status == 130
    assert found["stopped"] == "interrupted"
    assert found["move"] in ("1", "2", "3")
    assert found["value"] == 0
    assert found["meter"]["generated"] > 1000


@pytest.mark.slow
@needs_proc
def test_search_interpreted():
    status, out, _ = interrupt("search", "nim(stones=200)", "minimax(eval=zero, depth=120)", "--no-compile", "--json")
    assert status == 130
    assert json.loads(out)["stopped"] == "interrupted"


@pytest.mark.slow
@needs_proc
def test_perft():
    status, out, err = interrupt("perft", "nim(stones=200)", 120)
    assert status == 130
    assert "so far (interrupted)" in out
    assert "Traceback" not in err


@pytest.mark.slow
@needs_proc
def test_perft_as_json():
    status, out, _ = interrupt("perft", "nim(stones=200)", 120, "--json")
    assert status == 130
    assert json.loads(out)["complete"] is False
    assert json.loads(out)["leaves"] > 0


@pytest.mark.slow
@needs_proc
def test_check():
    status, out, err = interrupt("check", "nim(stones=2000)", "--seconds", 600, "--no-compile")
    assert status == 130
    assert "no fault so far (interrupted)" in out
    assert "Traceback" not in err


@pytest.mark.slow
@needs_proc
def test_analyse():
    status, out, err = interrupt("analyse", "nim(stones=30)", "--games", 10**9, "--no-compile")
    assert status == 130
    assert "Not all was done: stopped by Ctrl-C." in out
    assert "Traceback" not in err


@pytest.mark.slow
@needs_proc
def test_a_rule_that_is_stuck_ends_at_the_second_time(tmp_path):
    (tmp_path / "stuck.py").write_text(
        "from ludus import Game\n\n\n"
        "class Stuck(Game):\n    max_moves = 1\n\n"
        "    def initial(self):\n        return (0,)\n\n"
        "    def moves(self, state, out):\n        return 1\n\n"
        "    def play(self, state, move):\n        while True:\n            pass\n\n"
        "    def score(self, state):\n        return 0\n"
    )
    status, _, err = press(1.0, "search", f"{tmp_path}/stuck.py:Stuck", "greedy", "--no-compile", times=2)
    assert status == 130
    place = r"rule play of \S*stuck.py:Stuck in position '0' \(\S*stuck.py, line 1[45]\)"
    assert re.search(rf"^ludus: interrupted in {place}\.\n\Z", err, re.MULTILINE)
    assert "Traceback" not in err
