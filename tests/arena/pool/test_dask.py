"""The same tasks on a Dask cluster, one worker of which is killed while it works."""

from __future__ import annotations

import gc
import logging
import os
import re
import signal
import subprocess
import sys

import pytest

import ludus
from ludus.arena.match_result import MatchResult
from ludus.arena.pool import cluster as dask_crew
from ludus.arena.pool.workers import NoWorkersLeft
from ludus.arena.store.store import Store
from ludus.common.errors import LudusError, RuleError
from tests.support import SUPPORT
from tests.support.game_sources import count

distributed = pytest.importorskip("distributed")

PLAYERS = [ludus.player(spec, compiled=False) for spec in ("greedy(eval=zero)", "random")]
EQUALS = [ludus.player(spec, compiled=False) for spec in ("greedy(eval=random)", "random")]
"""Neither will be known to be the best."""
FRAGILE = SUPPORT / "fragile.py"

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # what a dying worker makes Dask say is not our concern
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="POSIX only"),
]


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes of this machine."""
    options = {"n_workers": 2, "threads_per_worker": 2, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as made:
        yield made


def numbers(result: MatchResult) -> tuple:
    return result.wins, result.draws, result.pairs, result.decisions, [m.generated for m in result.effort]


@pytest.mark.slow
def test_a_cluster_gives_the_same_match_though_a_worker_is_killed(cluster):
    game = "othello(size=6)"
    players = [ludus.player(spec, compiled=False) for spec in ("bfmm(nodes=100)", "alphabeta(nodes=100)")]
    with distributed.Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
    killed = []

    def kill_one(result: MatchResult) -> None:
        if result.games >= 6 and not killed:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    there = ludus.match(game, *players, games=60, seed=3, dask=cluster.scheduler_address, progress=kill_one)
    here = ludus.match(game, *players, games=60, seed=3)
    assert killed
    assert os.getpid() not in pids
    assert there.games == here.games == 60
    assert numbers(there) == numbers(here)


@pytest.mark.slow
def test_a_cluster_gives_the_same_ranking(cluster):
    options = {"games": 40, "budget": "nodes=60", "compiled": False}
    there = ludus.rank("tictactoe", dask=cluster.scheduler_address, **options)
    here = ludus.rank("tictactoe", workers=1, **options)
    assert [(n, *(r.moves for r in records)) for n, records in there.pairs.items()] == [
        (n, *(r.moves for r in records)) for n, records in here.pairs.items()
    ]
    assert there.names == here.names


@pytest.mark.slow
def test_a_failing_rule_comes_home_from_a_cluster(cluster):
    game, address = f"{FRAGILE}:Fragile", cluster.scheduler_address
    players = [ludus.player(spec, compiled=False) for spec in ("random", "greedy")]
    with pytest.raises(RuleError, match=r"how rare .*; try ludus check ") as there:
        ludus.match(game, *players, games=400, dask=address)
    with pytest.raises(RuleError) as here:
        ludus.match(game, *players, games=400)
    for part in ("rule", "position", "args"):
        assert getattr(there.value, part) == getattr(here.value, part)


def test_the_workers_of_a_cluster_play_by_the_rules_as_they_are_now(cluster, tmp_path):
    """They have loaded the file before it was edited."""
    file = tmp_path / "count.py"
    text, scores = count(12, '    evaluator = "zero"\n'), []
    players = [ludus.player(spec, compiled=False) for spec in ("random", "minimax(depth=12)")]
    for rules in (text, text.replace("return -1", "return 1")):
        file.write_text(rules)
        there = ludus.match(f"{file}:Count", *players, games=8, dask=cluster.scheduler_address)
        here = ludus.match(f"{file}:Count", *players, games=8)
        assert numbers(there) == numbers(here)
        scores.append(numbers(there))
    assert scores[0] != scores[1]


@pytest.mark.slow
def test_the_time_is_over_on_a_cluster_too(cluster):
    players = [ludus.player(f"bfmm(nodes={nodes})", compiled=False) for nodes in (200, 201)]
    ranking = ludus.rank(f"{FRAGILE}:Shuffle", *players, minutes=1 / 60, dask=cluster.scheduler_address)
    assert (ranking.stopped, ranking.games) == ("minutes", 0)
    assert ranking.seconds >= 1


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(dask_crew, "PATIENCE", 4.0)  # a busy machine needs a second to answer
    monkeypatch.setattr(dask_crew, "LOOK", 0.2)


@pytest.mark.slow
def test_a_cluster_without_workers_is_one_sentence(impatient):
    with distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None) as empty:
        for minutes in (None, 1.0):
            with pytest.raises(LudusError, match=r"the Dask cluster at .* has had no workers for 4 s \("):
                ludus.rank("nim", "greedy", "random", dask=empty.scheduler_address, compiled=False, minutes=minutes)
        with pytest.raises(LudusError, match="has had no workers"):
            ludus.match("nim", *PLAYERS, games=4, dask=empty.scheduler_address)


@pytest.mark.slow
@pytest.mark.parametrize("end", ["workers", "scheduler"])
def test_when_all_are_gone_a_run_ends_with_what_there_is(end, impatient, tmp_path):
    made = distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
    told = []

    def leave(result):
        told.append(result.games)
        if len(told) == 2:
            if end == "workers":
                made.scale(0)
            else:
                made.close(timeout=5)

    options = {"dask": made.scheduler_address, "progress": leave, "db": tmp_path / "x.db", "games": 2000}
    with made:
        ranking = ludus.rank("tictactoe", *EQUALS, openings=3, equal=0.0, **options)
    assert 4 <= ranking.games < 2000
    assert re.search("has had no workers for 4 s|does not answer any more", ranking.stopped)
    assert "The same command goes on" in ranking.why_stopped
    with Store(tmp_path / "x.db") as store:
        assert store.runs()[0]["status"] == "interrupted"


SCHEDULER = """
import asyncio, distributed, sys
async def main():
    port = int(sys.argv[1]) if sys.argv[1:] else 0
    async with distributed.Scheduler(host="127.0.0.1", port=port, dashboard=False) as made:
        print(made.address, flush=True)
        await made.finished()
asyncio.run(main())
"""


class Served:
    """A scheduler and one worker, each a process that can be killed."""

    def __init__(self, port: int = 0) -> None:
        command = [sys.executable, "-c", SCHEDULER, str(port)]
        self.scheduler = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.scheduler.stdout is not None
        self.address = self.scheduler.stdout.readline().strip()
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
        command = [sys.executable, "-m", "distributed.cli.dask_worker", self.address, *options]
        self.worker = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (self.scheduler, self.worker):
            process.kill()
            process.wait()
        assert self.scheduler.stdout is not None
        self.scheduler.stdout.close()


@pytest.mark.slow
def test_a_run_goes_on_after_the_scheduler_was_restarted(tmp_path, capfd):
    options = {"games": 200, "openings": 3, "equal": 0.0}
    path, told = tmp_path / "x.db", []

    def kill(result):
        told.append(result.games)
        if len(told) == 2:
            served.scheduler.kill()

    with Served() as served:
        there = {"dask": served.address, "db": path, **options}
        stopped = ludus.rank("tictactoe", *EQUALS, progress=kill, **there)
    assert 4 <= stopped.games < 200
    assert "The same command goes on" in stopped.why_stopped
    assert "Traceback" not in capfd.readouterr().err
    with Served(int(served.address.rpartition(":")[2])) as again:
        assert again.address == served.address
        resumed = ludus.rank("tictactoe", *EQUALS, **there)
    with Store(path) as store:
        [run] = store.runs()
    here = ludus.rank("tictactoe", *EQUALS, workers=1, **options)
    assert (run["games"], run["status"]) == (here.games, here.stopped)
    assert [numbers_of(row) for row in resumed.standings] == [numbers_of(row) for row in here.standings]


def numbers_of(row) -> tuple:
    return str(row.player), row.games, row.wins, row.draws, row.rating


@pytest.mark.slow
def test_a_scheduler_that_is_killed_leaves_no_traceback(impatient, monkeypatch):
    said: list[logging.LogRecord] = []
    logs = [logging.getLogger(f"distributed.{name}") for name in ("client", "batched")]
    for log in logs:
        monkeypatch.setattr(log, "handle", said.append)
    with subprocess.Popen([sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, text=True) as scheduler:
        levels, pool = [log.level for log in logs], dask_crew.Dask(abs, scheduler.stdout.readline().strip())
        scheduler.kill()
        scheduler.wait()
        assert not any(log.isEnabledFor(logging.ERROR) for log in logs)
        with pytest.raises(NoWorkersLeft, match="does not answer any more"):
            next(pool.run([1]))
        pool.close()
    assert said == []
    assert [log.level for log in logs] == levels


@pytest.mark.slow
def test_no_scheduler_is_one_clear_sentence(impatient):
    with pytest.raises(LudusError, match=r"there is no Dask scheduler at 'tcp://127.0.0.1:9'"):
        ludus.match("nim", "greedy", "random", games=2, dask="tcp://127.0.0.1:9")
    with pytest.raises(LudusError, match=r"there is no Dask scheduler at 'nonsense://x'"):
        ludus.match("nim", "greedy", "random", games=2, dask="nonsense://x")
    for address in ("", "tcp://", "tcp://::::", "tcp://127.0.0.1:99999999", "127.0.0.1:x", "\0"):
        with pytest.raises(LudusError, match="there is no Dask scheduler at"):
            ludus.match("nim", *PLAYERS, games=2, dask=address)


@pytest.mark.slow
def test_nothing_more_is_said_when_the_program_ends(impatient, monkeypatch):
    said = []
    monkeypatch.setattr(sys, "unraisablehook", said.append)
    with pytest.raises(LudusError, match="missing port number"):
        ludus.match("nim", *PLAYERS, games=2, dask="nonsense")
    gc.collect()
    assert not said
