"""`ludus match`: words, JSON, bad input, and Ctrl-C with workers."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import time
from pathlib import Path

import pytest

from tests.support import SUPPORT
from tests.support.commands import PATIENCE, assert_refused, run, run_process, start, without_progress

GAMES = SUPPORT / "user_games.py"
NEEDS_PROC = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where the database is made


def play(*arguments: object, **options: object):
    """A quick match: one worker, interpreted."""
    return run("match", *arguments, "--no-compile", "--workers", options.get("workers", 1))


class TestWords:
    @pytest.mark.slow
    def test_all_that_is_said(self):
        ran = play("tictactoe", "minimax(depth=3)", "random", "--games", 20, "--openings", 1, "--seed", 4)
        found = play("tictactoe", "minimax(depth=3)", "random", "--games", 20, "--openings", 1, "--seed", 4, "--json")
        data = found.json
        assert ran.status == 0
        assert ran.err == ""
        lines = ran.out.splitlines()
        (won, lost), drawn, (points, others) = data["wins"], data["draws"], data["points"]
        estimate = data["elo"]
        assert lines[0] == "tictactoe: 18 games in pairs, seed 4"  # there are nine first moves
        assert lines[1] == "  minimax(eval=open-lines, depth=3)"
        assert lines[2] == "  random(eval=open-lines, nodes=2000)"
        assert lines[3] == f"score       {points:g} - {others:g}  ({won} won, {lost} lost, {drawn} drawn by the first)"
        interval = f"95 % interval {estimate['low']:+.1f} to {estimate['high']:+.1f}"
        assert lines[4] == f"Elo         {estimate['value']:+.1f}, {interval}"
        assert lines[5] == f"LOS         {100 * data['los']:.1f} %"
        assert lines[6].startswith(f"pairs       {' '.join(map(str, data['pentanomial']))}  (")
        assert re.fullmatch(r"first       \d+ nodes, [\d,]+ µs a move", lines[7])
        assert re.fullmatch(r"second      0 nodes, [\d,]+ µs a move", lines[8])
        assert lines[9:] == [
            "stopped after 18 games: there are no more distinct openings of 1 plies.",
            "Run 1 in ludus.db: ludus export 1 writes its games.",
        ]
        assert won > lost

    def test_openings_run_out(self):
        ran = play("nim", "greedy", "random", "--openings", 0)
        assert ran.status == 0
        assert ran.out.startswith("nim: 2 games in pairs, seed 0\n")
        assert "\nstopped after 2 games: there are no more distinct openings of 0 plies.\n" in ran.out

    @pytest.mark.slow
    def test_seed(self):
        def said(seed: int) -> str:
            ran = play("random-tree(depth=6)", "greedy", "random", "--games", 10, "--seed", seed)
            assert f", seed {seed}\n" in ran.out
            return re.sub(r"[\d,]+ µs|^Run.*", "", ran.out, flags=re.MULTILINE)

        assert said(1) == said(1)
        assert said(1).splitlines()[3:] != said(2).splitlines()[3:]


class TestJson:
    def test_keys_of_the_contract(self):
        found = play("nim", "minimax(depth=3)", "random", "--games", 5, "--json").json
        assert set(found) >= {"game", "players", "games", "wins", "draws", "points", "seed", "elo"}
        assert set(found["elo"]) == {"value", "low", "high"}
        assert found["game"] == "nim"
        assert found["players"] == ["minimax(eval=sampler, depth=3)", "random(eval=sampler, nodes=2000)"]
        assert found["games"] == 6  # rounded up to even
        assert len(found["wins"]) == len(found["points"]) == 2
        assert sum(found["points"]) == 6 == sum(found["wins"]) + found["draws"]
        assert found["seed"] == 0
        assert found["elo"]["low"] < found["elo"]["value"] < found["elo"]["high"]

    @pytest.mark.slow
    def test_a_hundred_games_by_default_four_random_plies_before_them(self):
        found = play("random-tree(depth=2)", "greedy", "greedy", "--json").json
        assert found["games"] == 100
        found = play("nim", "random", "random", "--json").json
        assert found["games"] == 18  # 4 to 12 stones are gone after four plies
        assert "4 plies" in found["note"]

    def test_budget(self):
        found = play("nim", "bfmm", "bfmm(nodes=7)", "--budget", "nodes=9", "--games", 2, "--json").json
        assert found["players"] == ["bfmm(eval=sampler, nodes=9)", "bfmm(eval=sampler, nodes=7)"]

    @pytest.mark.slow
    def test_all_won(self):
        found = play("tictactoe(size=2)", "greedy", "greedy", "--openings", 0, "--json").json
        assert found["pentanomial"] == [0, 0, 1, 0, 0]
        found = play("nim(stones=5, most=1)", "random", "random", "--openings", 0, "--games", 2, "--json").json
        assert found["wins"] == [1, 1]  # who moves first takes the last of five

    @pytest.mark.slow
    def test_workers_make_no_difference(self):
        one, two = (
            play("random-tree(depth=8)", "bfmm(nodes=30)", "random", "--games", 12, "--json", workers=workers).json
            for workers in (1, 2)
        )
        for found in (one, two):
            for effort in found["effort"]:
                del effort["seconds"]
        assert (one.pop("run"), two.pop("run")) == (1, 2)
        assert one == two


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("nimm greedy random", ["unknown game 'nimm'", "did you mean nim?"]),
        ("nim gredy random", ["unknown search 'gredy'", "did you mean greedy?"]),
        ("nim greedy rndom", ["unknown search 'rndom'", "did you mean random?"]),
        ("nim greedy(eval=discs) random", ["discs is for othello, not for nim"]),
        ("nim greedy random --games 0", ["--games must be a whole number of at least 1, not '0'."]),
        ("nim greedy random --games many", ["--games must be a whole number of at least 1, not 'many'."]),
        ("nim greedy random --openings -1", ["--openings must be a whole number of at least 0, not '-1'."]),
        ("nim greedy random --workers 0", ["--workers must be a whole number of at least 1, not '0'."]),
        ("nim greedy random --seed -1", ["--seed must be a whole number from 0 to", "not '-1'."]),
        ("nim greedy random --budget nodes=0", ["nodes must be a whole number of at least 1"]),
        ("nim greedy", ["Missing argument 'SECOND'"]),
    ],
)
def test_bad_input(arguments, words):
    assert_refused(run("match", *arguments.split()), *words)


class TestUsersGames:
    @pytest.mark.slow
    def test_with_workers(self, tmp_path):
        (tmp_path / "mine.py").write_text(GAMES.read_text())
        arguments = ["match", "mine.py:Stones", "minimax", "random", "--games", 4, "--openings", 1, "--workers", 2]
        ran = run_process(*arguments, "--no-compile", "--json", cwd=tmp_path)
        assert ran.status == 0, ran
        assert ran.err == ""
        assert ran.json["game"] == "mine.py:Stones"
        assert ran.json["games"] == 4

    @pytest.mark.slow
    def test_that_cannot_be_compiled(self):
        """One warning for each player who is slower for it, none from the workers."""
        arguments = ["match", f"{GAMES}:Fractions", "greedy", "random", "--games", 4, "--openings", 1, "--workers", 2]
        ran = run_process(*arguments)  # whose standard error is that of its workers too
        assert ran.status == 0
        assert ran.err.count("\n") == 1
        assert ran.err.startswith("ludus: warning: greedy runs interpreted on ")
        assert ": 4 games in pairs" in ran.out

    @pytest.mark.slow
    def test_that_fails(self):
        arguments = ["match", f"{GAMES}:Raises", "random", "random", "--openings", 0, "--no-compile"]
        for workers in (1, 2):
            ran = run(*arguments, "--workers", workers)
            assert_refused(ran, "rule play", "failed in position '2'", "no stones, please", "user_games.py, line 7")


# Ctrl-C, in a real process with real workers.


def processes_below(pid: int) -> dict[int, tuple[str, float]]:
    """All that `pid` has started, with their state and seconds of processor time."""
    found, parents = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # gone
                continue
            parents[int(entry.name)] = int(fields[1])
            found[int(entry.name)] = fields[0], (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    below, size = {pid}, 0
    while len(below) > size:
        size = len(below)
        below |= {child for child, parent in parents.items() if parent in below}
    return {child: found[child] for child in below - {pid} if child in found}


def alive(pids: set[int]) -> set[int]:
    """Those that still run; one that has ended but was not waited for does not."""
    found = set()
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            found.add(pid)
    return found


def wait_until_gone(pids: set[int]) -> set[int]:
    deadline = time.monotonic() + PATIENCE
    while alive(pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    return alive(pids)


ENDLESS = ["match", "random-tree(depth=20)", "bfmm(nodes=30)", "random", "--games", 10**9, "--no-compile"]


@pytest.fixture
def at_work():
    """Start a match that would last for ages with two workers; gives the process and its workers when they are busy."""
    started = []

    def begin(busy: float, *more: object, command: list = ENDLESS):
        process = start(*command, "--workers", 2, *more, start_new_session=True)
        started.append(process)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            below = processes_below(process.pid)
            if sum(seconds for _, seconds in below.values()) >= busy:
                break
            time.sleep(0.02)
        assert process.poll() is None, process.communicate()
        return process, set(below)

    yield begin
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # with all that it has left behind
        process.communicate()


def end(process) -> tuple[str, str]:
    """What a match that would last for ages has written, once it has ended."""
    out, err = process.communicate(timeout=PATIENCE)
    return out, without_progress(err)


@pytest.mark.slow
@NEEDS_PROC
@pytest.mark.parametrize("to_all", [True, False], ids=["from a terminal", "to one process"])
def test_ctrl_c_prints_what_there_is_and_leaves_nobody_behind(at_work, to_all):
    process, below = at_work(6.0, "--json")
    assert len(below) >= 2
    if to_all:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    else:
        os.kill(process.pid, signal.SIGINT)
    out, err = end(process)
    assert process.returncode == 130
    assert err == ""
    found = json.loads(out)
    assert found["games"] > 0
    assert found["games"] == sum(found["wins"]) + found["draws"] == sum(found["points"])
    assert 2 * sum(found["pentanomial"]) == found["games"]
    assert found["note"] == f"interrupted after {found['games']} games."
    assert wait_until_gone(below) == set()


@pytest.mark.slow
@NEEDS_PROC
def test_ctrl_c_does_not_wait_for_the_games_that_are_being_played(at_work):
    process, below = at_work(1.5, command=[*ENDLESS[:2], "minimax(depth=18)", *ENDLESS[3:]])
    os.killpg(process.pid, signal.SIGINT)
    out, err = end(process)
    assert process.returncode == 130
    assert err == ""
    assert "\ninterrupted after 0 games.\n" in out
    assert wait_until_gone(below) == set()


@pytest.mark.slow
@NEEDS_PROC
@pytest.mark.parametrize("busy", [0.05, 0.12, 0.2])
def test_ctrl_c_while_workers_are_starting(at_work, busy):
    process, below = at_work(busy)
    os.killpg(process.pid, signal.SIGINT)
    out, err = end(process)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "interrupted after" in out
    assert wait_until_gone(below) == set()


@pytest.mark.slow
@NEEDS_PROC
def test_workers_die_with_the_process_that_started_them(at_work):
    process, below = at_work(1.5)
    process.kill()
    process.wait(timeout=PATIENCE)
    assert wait_until_gone(below) == set()


@pytest.mark.slow
@NEEDS_PROC
def test_ctrl_c_with_one_worker(at_work):
    process, below = at_work(5.0, "--workers", 1)  # the last one counts
    os.kill(process.pid, signal.SIGINT)
    out, err = end(process)
    assert process.returncode == 130
    assert err == ""
    assert re.search(r"^interrupted after \d+ games\.$", out, re.MULTILINE)
    assert not out.startswith("random-tree(depth=20): 0 games")
    assert wait_until_gone(below) == set()
    [row] = run("runs", "--json").json["runs"]
    assert row["status"] == "interrupted"
    assert f": {row['games']} games in pairs" in out
