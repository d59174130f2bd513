"""Crews: results in the order of the tasks, whatever happens to the workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from ludus.arena.pool import workers
from ludus.arena.pool.serving import end_heartbeat, heartbeat
from ludus.arena.pool.workers import DEATHS, InProcessPool, Processes
from ludus.common.errors import LudusError
from tests.support.commands import PATIENCE

NEEDS_SIGKILL = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="POSIX only")


@dataclass(frozen=True)
class Job:
    number: int
    seconds: float = 0.0
    deadly: Path | None = None
    """A file with a letter for each worker that this task has killed; it kills so many as its name says."""
    hangs: bool = False
    rescued: str = ""
    wanted: Path | None = None
    """A file without which it does not end, for 20 seconds."""


def work(job: Job) -> tuple[int, int, str]:
    if job.hangs and not job.rescued:
        heartbeat(7, job.number)
        time.sleep(60)
    if job.deadly is not None and not job.rescued:
        heartbeat(5, job.number)
        with job.deadly.open("a") as deaths:
            deaths.write("x")
        if len(job.deadly.read_text()) <= int(job.deadly.name):
            os.kill(os.getpid(), signal.SIGKILL)
    deadline = time.monotonic() + PATIENCE
    while job.wanted is not None and not job.wanted.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(job.seconds)
    end_heartbeat()
    return job.number, os.getpid(), job.rescued


def rescue(job: Job, what: tuple[int, ...], why: str) -> Job:
    return Job(job.number, rescued=f"{what} {why}")


class Unpicklable(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail(job: Job) -> int:
    if job.number == 3:
        raise LudusError("three is too many.") if job.seconds == 0 else Unpicklable(1, 2)
    return job.number


@pytest.mark.slow
def test_results_come_in_the_order_of_the_tasks():
    jobs = [Job(n, 0.05 if n % 5 == 0 else 0.0) for n in range(40)]
    with closing(Processes(work, 3)) as pool:
        done = list(pool.run(jobs))
    assert [number for number, _, _ in done] == list(range(40))
    assert len({pid for _, pid, _ in done}) == 3
    assert os.getpid() not in {pid for _, pid, _ in done}
    assert [number for number, pid, _ in InProcessPool(work).run(jobs[:3]) if pid == os.getpid()] == [0, 1, 2]


@pytest.mark.slow
def test_a_slow_task_does_not_let_the_others_run_away():
    asked = []

    def tasks():
        for n in range(200):
            asked.append(n)
            yield Job(n, 0.5 if n == 0 else 0.0)

    with closing(Processes(work, 2)) as pool:
        next(iter(pool.run(tasks())))
    assert len(asked) < 30


@pytest.mark.slow
def test_a_crew_stays_for_the_next_round():
    with closing(Processes(work, 2)) as pool:
        pids = [{pid for _, pid, _ in pool.run([Job(n, 0.01) for n in range(12)])} for _ in range(3)]
        assert list(pool.run([])) == []
    assert pids[0] == pids[1] == pids[2]


@pytest.mark.slow
def test_an_abandoned_round_leaves_nothing_behind():
    with closing(Processes(work, 2)) as pool:
        for _ in range(2):
            results = pool.run([Job(n, 0.01) for n in range(50)])
            assert next(results)[0] == 0
            results.close()
            assert pool.workers == []
        assert [number for number, _, _ in pool.run([Job(8), Job(9)])] == [8, 9]


@pytest.mark.slow
@NEEDS_SIGKILL
@pytest.mark.parametrize("deaths", range(DEATHS))
def test_a_task_whose_worker_dies_is_given_to_another(tmp_path, deaths):
    deadly = tmp_path / str(deaths)
    jobs = [Job(n, deadly=deadly if n == 4 else None) for n in range(12)]
    with closing(Processes(work, 2, rescue)) as pool:
        done = list(pool.run(jobs))
    assert [number for number, _, _ in done] == list(range(12))
    assert [words for _, _, words in done] == [""] * 12
    assert deadly.read_text() == "x" * (deaths + 1)


@pytest.mark.slow
@NEEDS_SIGKILL
def test_a_task_that_kills_every_worker_is_rescued(tmp_path):
    deadly = tmp_path / "99"
    jobs = [Job(n, deadly=deadly if n in (0, 4) else None) for n in range(8)]
    with closing(Processes(work, 2, rescue)) as pool:
        done = list(pool.run(jobs))
    assert [number for number, _, _ in done] == list(range(8))
    assert done[4][2] == f"(5, 4) its process died {DEATHS} times (exit status -9)"
    assert [bool(words) for _, _, words in done] == [n in (0, 4) for n in range(8)]
    assert deadly.read_text() == "x" * (2 * DEATHS)


@pytest.mark.slow
def test_a_task_that_hangs_is_rescued(monkeypatch):
    monkeypatch.setattr(workers, "GRACE", 0.2)
    jobs = [Job(n, 0.05, hangs=n in (1, 5)) for n in range(8)]
    with closing(Processes(work, 2, rescue, limit=0.3)) as pool:
        done = list(pool.run(jobs))
    assert [number for number, _, _ in done] == list(range(8))
    told = {number: words for number, _, words in done if words}
    assert told == {n: f"(7, {n}) took longer than 0.3 s for a move" for n in (1, 5)}


def beat_and_leave(number: int) -> int:
    heartbeat(0, number)
    if number == 0:
        raise LudusError("no more.")
    return number


def test_a_worker_that_is_done_is_at_nothing(monkeypatch):
    """Whatever its last task was at, though that has not said that it rests."""
    monkeypatch.setattr(workers, "GRACE", 0.0)
    with closing(Processes(beat_and_leave, 1, limit=0.3)) as pool:
        assert list(pool.run([1, 2])) == [1, 2]
        assert pool.workers[0].pulse[0] == 0
        assert [str(error) for _, error in pool.stream(iter([0, None]).__next__)] == ["no more."]
        assert pool.workers[0].pulse[0] == 0


def test_without_a_rescue_the_run_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "GRACE", 0.2)
    with closing(Processes(work, 1, limit=0.3)) as pool, pytest.raises(LudusError, match=r"took longer than 0\.3 s"):
        list(pool.run([Job(0, hangs=True)]))


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "message"), [(0.0, "three is too many."), (1.0, "Unpicklable: 1 and 2")])
def test_an_error_comes_home(seconds, message):
    done = []
    with closing(Processes(fail, 2)) as pool, pytest.raises(LudusError, match=message):
        done.extend(pool.run([Job(n, seconds) for n in range(9)]))
    assert done == list(range(len(done)))
    assert len(done) <= 3


def slow_or_fail(job: Job) -> int:
    time.sleep(job.seconds)
    return fail(Job(job.number))


@pytest.mark.slow
def test_what_comes_before_an_error_counts_though_it_is_slower():
    done = []
    with closing(Processes(slow_or_fail, 2)) as pool, pytest.raises(LudusError, match="three is too many"):
        done.extend(pool.run([Job(n, 1.0 if n == 0 else 0.0) for n in range(9)]))
    assert done == [0, 1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2])
def test_a_round_ends_when_its_time_is_over(count):
    """What was done before is given; the pool serves the next round."""
    with closing(Processes(work, count)) as pool:
        next(iter(pool.run([Job(0)])))
        started = time.monotonic()
        done = [number for number, _, _ in pool.run([Job(0), Job(1), Job(2, 60.0), Job(3)], started + 2)]
        assert done == [0, 1]
        assert time.monotonic() >= started + 2
        assert [number for number, _, _ in pool.run([Job(5)])] == [5]


# Long tasks, each given as soon as it is done.


@pytest.mark.slow
def test_a_stream_does_not_wait_for_the_slowest(tmp_path):
    """The first task waits for a file that is made when all others are done."""
    file, source = tmp_path / "go", iter(range(6))

    def next_task():
        number = next(source, None)
        return None if number is None else Job(number, wanted=file if number == 0 else None)

    done = []
    with closing(Processes(work, 2)) as pool:
        for job, (number, pid, _) in pool.stream(next_task):
            assert job.number == number
            assert pid != os.getpid()
            done.append(number)
            if len(done) == 5:
                file.write_text("now")
        assert pool.workers  # for what comes next
    assert done == [1, 2, 3, 4, 5, 0]


@pytest.mark.parametrize("pool", [InProcessPool(work), Processes(work, 2)], ids=["here", "processes"])
def test_a_stream_asks_again_when_something_is_done(pool):
    """Each task but the first two comes into being when one before it is done."""
    waiting, done = [Job(0), Job(1)], []
    with closing(pool):
        for job, _ in pool.stream(lambda: waiting.pop(0) if waiting else None):
            done.append(job.number)
            if job.number < 6:
                waiting.append(Job(job.number + 2))
        assert list(pool.stream(lambda: None)) == []
    assert sorted(done) == list(range(8))


@pytest.mark.parametrize("pool", [InProcessPool(fail), Processes(fail, 2)], ids=["here", "processes"])
def test_a_stream_gives_errors_as_outcomes(pool):
    waiting = [Job(number) for number in range(6)]
    with closing(pool):
        outcomes = {job.number: outcome for job, outcome in pool.stream(lambda: waiting.pop(0) if waiting else None)}
    assert str(outcomes.pop(3)) == "three is too many."
    assert outcomes == {number: number for number in (0, 1, 2, 4, 5)}


@pytest.mark.slow
@pytest.mark.parametrize("way", ["run", "stream"])
def test_no_more_workers_than_tasks(way):
    jobs = [Job(0, 0.5), Job(1, 0.5)]
    with closing(Processes(work, 24)) as pool:
        if way == "run":
            assert len(list(pool.run(jobs))) == 2
        else:
            left = iter(jobs)
            assert len(list(pool.stream(lambda: next(left, None)))) == 2
        assert len(pool.workers) == 2


@pytest.mark.slow
@NEEDS_SIGKILL
def test_a_stream_survives_deaths_and_leaves_nothing_behind(tmp_path):
    waiting = [Job(n, deadly=tmp_path / "99" if n == 1 else None) for n in range(4)]
    with closing(Processes(work, 2, rescue)) as pool:
        done = {job.number: result[2] for job, result in pool.stream(lambda: waiting.pop(0) if waiting else None)}
        assert done == {0: "", 1: f"(5, 1) its process died {DEATHS} times (exit status -9)", 2: "", 3: ""}
        waiting = [Job(0), Job(1, seconds=60)]
        stream = pool.stream(lambda: waiting.pop(0) if waiting else None)
        assert next(stream)[0] == Job(0)
        stream.close()
        assert pool.workers == []


DYING = """
import os, signal
from multiprocessing import util
from ludus.arena.pool.workers import Processes

start = util.spawnv_passfds

def start_and_die(*arguments):
    start(*arguments)
    if "--multiprocessing-fork" in arguments[1]:
        os.kill(os.getpid(), signal.SIGKILL)

util.spawnv_passfds = start_and_die
list(Processes(abs, 2).run([-1, -2]))
"""


@NEEDS_SIGKILL
def test_a_worker_whose_main_process_dies_while_starting_it_says_nothing(tmp_path):
    script = tmp_path / "dying.py"
    script.write_text(DYING)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL
    assert done.stderr == ""  # of the worker too, which has it open until it ends
