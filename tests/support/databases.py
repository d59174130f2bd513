"""Databases for tests: pairs of games that are a function of their number, and processes that store them.

As a program it takes the name of one of `JOBS` and its arguments, and prints what came of it as JSON. The processes
that are to be killed or to meet are forked from it: it has no threads, and has imported all they need.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import ludus
from ludus.arena.play.openings import Opening, openings
from ludus.arena.play.pairs import Pair
from ludus.arena.play.records import GameRecord
from ludus.arena.store.store import RunKey, Store, StoreError
from ludus.kernel.random import seed_for
from ludus.model.budget import Meter
from tests.support import REPOSITORY

NIM = ludus.game("nim")
PLAYERS = ludus.player("greedy", compiled=False), ludus.player("random", compiled=False)
Played = tuple[Pair, tuple[GameRecord, GameRecord]]


def key_of(seed: int = 0, **changes) -> RunKey:
    values = {"command": "rank", "game": "nim", "players": ("greedy", "random", "bfmm"), "seed": seed}
    values |= {"settings": {"plies": 4}, "fingerprint": "f", "version": "0.1.0"}
    return RunKey(**(values | changes))


def invented(number: int, salt: int = 0) -> Played:
    """A pair and its games, of any shape; nobody has played them."""
    chance = random.Random(1000 * number + salt)

    def record() -> GameRecord:
        if chance.random() < 0.1:
            fault = chance.choice(["took too long", "é\n'; DROP TABLE runs --", "0"])
            return GameRecord((), chance.choice((1.0, -1.0)), (Meter(), Meter()), (0, 0), fault)
        efforts = [Meter(*(chance.randrange(2**62) for _ in range(4)), chance.random()) for _ in range(2)]
        moves = tuple(chance.randrange(-(2**62), 2**62) for _ in range(chance.randrange(70)))
        score = chance.choice([0.0, 1.0, -1.0, 0.1, -1e300, chance.gauss(0, 1)])
        return GameRecord(moves, score, (efforts[0], efforts[1]), (chance.randrange(99), chance.randrange(99)))

    opening = Opening(NIM, tuple(chance.randrange(1, 4) for _ in range(chance.randrange(5))))
    seed = 2**64 - 1 - chance.randrange(2**63)
    one, other = sorted(chance.sample(range(3), 2))
    return Pair((one, other, number), opening, PLAYERS, seed), (record(), record())


def play_run(path: Path | str, spec: str, pairs: int, *, plies: int = 2, finish: str = "finished") -> RunKey:
    """A run of real games, interpreted, greedy against random."""
    game = ludus.game(spec)
    players = tuple(ludus.player(name, compiled=False).on(game) for name in ("greedy", "random"))
    key = key_of(game=str(game), players=tuple(map(str, players)), settings={"plies": plies})
    with Store(path) as store, store.run(key, line=f"ludus rank {spec}") as run:
        for index, opening in enumerate(islice(openings(game, plies, 0), pairs)):
            pair = Pair((0, 1, index), opening, players, seed_for(0, index))
            run.add(pair, pair.perform())
        if finish:
            run.finish(finish, {"games": 2 * pairs})
    return key


def content(path: Path | str) -> dict[str, list[tuple]]:
    """All rows of a sound file in the order of their keys, without what the clock and the command line say."""
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        found = {}
        for table, order in (
            ("runs", "number"),
            ("players", "run, number"),
            ("games", "run, one, other, opening, game"),
        ):
            names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            steady = [name for name in names if name not in ("created", "updated", "line") and "seconds" not in name]
            found[table] = db.execute(f"SELECT {', '.join(steady)} FROM {table} ORDER BY {order}").fetchall()
    db.close()
    return found


# Jobs in other processes.


def fork(work: Callable[[int], None]) -> tuple[int, int]:
    """A child that does `work(pipe)`; its number, and the end of the pipe to read from."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            work(writing)
        finally:
            os._exit(0)
    os.close(writing)
    return child, reading


def read_all(pipe: int) -> bytes:
    """What a child has written; it has ended."""
    with open(pipe, "rb") as file:
        return file.read()


def kill_while_adding(path: str, kills: int, seed: int, longest: float) -> list[dict]:
    """Kill a process that stores pairs as fast as it can, again and again; each goes on where the last one was.

    Every other one is killed at any moment since it began, the rest since they have opened the file.
    """
    chance, reports, complete = random.Random(seed), [], 0

    def add(pipe: int) -> None:
        run = Store(path).run(key_of())
        os.write(pipe, b"o")
        for number in range(len(run.pairs()), 10**6):
            run.add(*invented(number))
            os.write(pipe, b"a")

    for kill in range(kills):
        child, pipe = fork(add)
        said = os.read(pipe, 1) if kill % 2 else b""
        time.sleep(chance.uniform(0, longest))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        said += read_all(pipe)
        with Store(path) as store, store.run(key_of()) as run:
            pairs = run.pairs()
            numbers = sorted(number[2] for number in pairs)
            reports.append(
                {
                    "opened": said[:1] == b"o",
                    "acknowledged": complete + said.count(b"a"),
                    "complete": len(pairs),
                    "rows": store.query("SELECT COUNT(*) FROM games")[0][0],
                    "runs": store.query("SELECT COUNT(*) FROM runs")[0][0],
                    "sound": store.query("PRAGMA integrity_check") == [("ok",)],
                    "right": numbers == list(range(len(pairs)))
                    and all(pairs[invented(n)[0].number] == invented(n)[1] for n in numbers),
                }
            )
            complete = len(pairs)
    return reports


def kill_while_making(folder: str, kills: int) -> list[dict]:
    """Kill processes that make a file, each one of its own."""
    return [r for n in range(kills) for r in kill_while_adding(f"{folder}/{n}.db", 1, n, 0.015)]


def add_at_once(path: str, writers: int, count: int) -> dict:
    """Several processes make the file and store runs of their own in it, while this one reads."""

    def add(seed: int) -> Callable[[int], None]:
        def work(pipe: int) -> None:
            with Store(path) as store, store.run(key_of(seed)) as run:
                for number in range(count):
                    run.add(*invented(number, seed))
                run.finish("finished", {"seed": seed})
            os.write(pipe, b"done")

        return work

    children = [fork(add(seed)) for seed in range(writers)]
    looks, seen = 0, 0
    while any(os.waitpid(child, os.WNOHANG) == (0, 0) for child, _ in children[-1:]):
        try:
            with Store(path, write=False) as store:
                games = sum(run["games"] for run in store.runs())
        except StoreError as error:
            if "there is no database" in str(error):
                continue
            raise
        assert games >= seen, "what was there is gone"
        looks, seen = looks + 1, games
    for child, _ in children[:-1]:
        os.waitpid(child, 0)
    return {"said": [read_all(pipe).decode() for _, pipe in children], "looks": looks}


def meet(path: str, processes: int) -> list[str]:
    """Several processes want the same run at the same moment, and keep it if they get it: what each of them got."""
    start = time.time() + 0.2
    gate, recorder = os.pipe()

    def work(pipe: int) -> None:
        os.close(recorder)
        time.sleep(start - time.time())
        try:
            run = Store(path).run(key_of())
        except StoreError as error:
            os.write(pipe, str(error).encode())
        else:
            os.write(pipe, b"mine")
            os.read(gate, 1)  # until all have asked
            run.close()

    children = [fork(work) for _ in range(processes)]
    said = [os.read(pipe, 1000).decode() for _, pipe in children]
    os.close(recorder)
    for child, _ in children:
        os.waitpid(child, 0)
    return said


def take_turns(path: str, processes: int, turns: int) -> dict:
    """Processes that take the same run and leave it, again and again: no two of them may ever have it at once."""
    mark = f"{path}.mark"

    def work(pipe: int) -> None:
        store, mine = Store(path), 0
        while mine < turns:
            try:
                run = store.run(key_of())
            except StoreError:
                os.write(pipe, b"w")
                time.sleep(0.001)
                continue
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))  # fails if another process has the run too
            os.write(pipe, b"m")
            os.unlink(mark)
            run.close()
            mine += 1
            time.sleep(0.002)
        os.write(pipe, b"!")

    children = [fork(work) for _ in range(processes)]
    for child, _ in children:
        os.waitpid(child, 0)
    said = [read_all(pipe) for _, pipe in children]
    return {"all": all(s.endswith(b"!") for s in said), "turns": [s.count(b"m") for s in said]}


def upgrade_at_once(path: str, processes: int) -> list[str]:
    """Several processes open a file of an older format at the same moment."""
    start = time.time() + 0.2

    class Newer(Store):
        migrations = (*Store.migrations, ("ALTER TABLE runs ADD COLUMN note TEXT NOT NULL DEFAULT ''",))

    def work(pipe: int) -> None:
        time.sleep(start - time.time())
        with Newer(path) as store:
            os.write(pipe, str(store.query("PRAGMA user_version")[0][0]).encode())

    children = [fork(work) for _ in range(processes)]
    for child, _ in children:
        os.waitpid(child, 0)
    return [read_all(pipe).decode() for _, pipe in children]


JOBS = {
    job.__name__: job for job in (kill_while_adding, kill_while_making, add_at_once, meet, take_turns, upgrade_at_once)
}


def job(work: Callable, *arguments: object) -> object:
    """Do one of these in a process of its own."""
    command = [sys.executable, "-m", __name__, work.__name__, json.dumps(arguments)]
    path = os.pathsep.join([str(REPOSITORY), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


if __name__ == "__main__":
    print(json.dumps(JOBS[sys.argv[1]](*json.loads(sys.argv[2]))))
