"""Players are prepared on all workers and play as soon as two are ready, and none of that changes what a run gives."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

import pytest

import ludus
from ludus.arena.play import preparation
from ludus.arena.play.pairs import Pair
from ludus.arena.play.preparation import Preparation, PreparationSchedule, Readiness
from ludus.arena.ranking import Ranking
from ludus.arena.stats.matchups import first_pairs
from ludus.common.errors import LudusError
from ludus.model import registry
from tests.support import SUPPORT

WAITING = SUPPORT / "waiting.py"
GAME = ludus.game("nim")
PLAYER = ludus.player("random").on(GAME)


@pytest.mark.parametrize("count", range(2, 41))
def test_every_first_round_begins_alike(count):
    assert first_pairs(count)[: count // 2] == [(i, i + 1) for i in range(0, count - 1, 2)]


# The order of what counts, in simulated crews.


@dataclass
class WorkerPool:
    """So many workers, of whom any may be the next to be done; `outcome` says what a task gives."""

    workers: int
    seed: int
    able: list[bool]
    failing: int | None = None

    def outcome(self, task):
        if isinstance(task, Pair):
            return f"records of {task.number}"
        if task.number == self.failing:
            return LudusError("a rule fails")
        return Readiness("" if self.able[task.number] else "too weak")

    def stream(self, next_task):
        dice, at_work = random.Random(self.seed), []
        while True:
            while len(at_work) < self.workers and (task := next_task()) is not None:
                at_work.append(task)
            if not at_work:
                return
            task = at_work.pop(dice.randrange(len(at_work)))
            yield task, self.outcome(task)


def settled(pool: WorkerPool, most: int = 99, known=()) -> tuple[list, str]:
    """The numbers of all tasks that counted, in order, and the error that came after them, if one did."""
    tasks = [Preparation(GAME, PLAYER, number) for number in range(len(pool.able))]
    records = {number: f"records of {number}" for number in known}
    schedule = PreparationSchedule(
        tasks, lambda one, other: Pair((one, other, 0), None, (PLAYER, PLAYER), 0), most, records
    )
    found = []
    try:
        for task, outcome in pool.stream(schedule.next_task):
            assert task.number not in records
            schedule.outcomes[task.number] = outcome
            for done, result in schedule.settle():
                assert result == pool.outcome(done)
                found.append(done.number)
    except LudusError as error:
        return found, str(error)
    return found, ""


def expected(able: list[bool], most: int = 99) -> list:
    """What one worker does, from the definition."""
    found, ready = [], []
    for number, can_play in enumerate(able):
        found.append(number)
        if can_play:
            ready.append(number)
            if len(ready) % 2 == 0 and number + 1 < len(able) and len(ready) // 2 <= most:
                found.append((ready[-2], ready[-1], 0))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_what_counts_does_not_depend_on_the_workers(seed):
    dice = random.Random(seed)
    able = [dice.random() < 0.7 for _ in range(dice.randrange(2, 13))]
    most = dice.choice((0, 1, 3, 99))
    whole = expected(able, most)
    assert settled(WorkerPool(1, 0, able), most) == (whole, "")
    for workers in (2, 3, 20):
        assert settled(WorkerPool(workers, seed, able), most) == (whole, "")
    pairs = [number for number in whole if isinstance(number, tuple)]
    stored = dice.sample(pairs, len(pairs) // 2)
    assert settled(WorkerPool(2, seed, able), most, stored) == (whole, "")
    failing = dice.randrange(len(able))
    for workers in (1, 2, 3, 20):
        pool = WorkerPool(workers, seed, able, failing)
        assert settled(pool, most) == (whole[: whole.index(failing)], "a rule fails")


def test_the_pairs_are_those_of_the_first_round():
    able = [True, False, True, True, True, False, True, True, True]
    players = [number for number, can_play in enumerate(able) if can_play]
    first = [(players[i], players[j], 0) for i, j in first_pairs(len(players))]
    pairs = [number for number in expected(able) if isinstance(number, tuple)]
    assert len(pairs) == 3
    assert pairs == first[:3]


# In a ranking.


def played(ranking: Ranking) -> list:
    return [(number, *((r.moves, r.score, r.fault) for r in records)) for number, records in ranking.pairs.items()]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_the_first_table_stands_before_the_last_player_is_ready(workers, tmp_path):
    file, told = tmp_path / "go", []

    def progress(ranking: Ranking) -> None:
        told.append((ranking.games, len(ranking.players), ranking.text().count("\n")))
        if not file.exists():
            file.write_text("first table")

    last = f'{WAITING}:Waits(file="{file}")'
    names = ("random", "greedy(eval=zero)", "minimax(depth=2)", last)
    options = {"games": 20, "workers": workers, "compiled": False}
    ranking = ludus.rank("tictactoe", *names, progress=progress, **options)
    assert file.read_text() == "first table"
    assert told[0][:2] == (2, 4)
    assert [games for games, *_ in told] == list(range(2, 22, 2))
    assert played(ranking) == played(ludus.rank("tictactoe", *names, **options))
    file.unlink()
    brief = f'{WAITING}:Waits(file="{file}", patience=0.5)'
    ludus.rank("tictactoe", *names[:3], brief, minutes=9.0, progress=progress, **options | {"games": 2})
    assert file.read_text() == "nobody came"  # the minutes begin when all are ready


def test_who_plays_with_somebody_that_joins_later_waits():
    """With 2 joining later, 0 and 1 play, then 4 and 5; 3 waits for 2."""
    order = []
    schedule = PreparationSchedule(
        [Preparation(GAME, PLAYER, number) for number in (0, 1, 3, 4, 5)],
        lambda one, other: Pair((one, other, 0), None, (PLAYER, PLAYER), 0),
        9,
        later=[2],
    )
    while (task := schedule.next_task()) is not None:
        schedule.outcomes[task.number] = () if isinstance(task, Pair) else Readiness()
        order.append(task.number)
    assert order == [0, 1, (0, 1, 0), 3, 4, 5, (4, 5, 0)]


@pytest.mark.slow
def test_a_calibration_keeps_nobody_waiting_and_a_run_that_is_then_found_goes_on(tmp_path, monkeypatch):
    """The first games are played before it; a second call, which finds it saved, sees the same run."""
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path / "data"))
    some = {name: registry.searches().classes[name] for name in ("alphabeta", "bfmm", "greedy", "mgss", "pvs")}
    monkeypatch.setattr(registry.searches(), "classes", some)
    options = {"compiled": False, "budget": "nodes=60", "games": 20, "workers": 1, "db": tmp_path / "x.db"}
    events = []
    first = ludus.rank(
        "tictactoe",
        progress=lambda ranking: events.append("games"),
        calibrating=lambda done, words: events.append("calibrating"),
        **options,
    )
    assert "calibrating" in events
    assert events[0] == "games"
    assert (first.run, first.games) == (1, 20)
    told = []
    again = ludus.rank("tictactoe", calibrating=lambda *what: told.append(what), **options)
    assert told == []
    assert again.played == 0
    assert again.to_dict() == first.to_dict()


ROSTER = {"all": True, "budget": "nodes=60", "compiled": False, "games": 64}
"""All can play tic-tac-toe; few can play pig, where chance has a part."""


@pytest.mark.slow
@pytest.mark.parametrize("game", ["pig(target=10)", "tictactoe"])
def test_a_run_is_the_same_for_any_workers_though_some_are_left_out(game, tmp_path):
    whole = ludus.rank(game, "greedy", workers=1, **ROSTER)
    count = len(whole.players)
    assert bool(whole.excluded) == (game != "tictactoe")
    first = [(i, j, 0) for i, j in first_pairs(count)]
    assert set(whole.pairs) <= set(first)
    several = ludus.rank(game, "greedy", workers=2, db=tmp_path / "x.db", **ROSTER)
    assert (several.names, several.excluded) == (whole.names, whole.excluded)
    assert played(several) == played(whole)
    again = ludus.rank(game, "greedy", workers=1, db=tmp_path / "x.db", **ROSTER)
    assert again.played == 0
    assert again.to_dict() == several.to_dict()


@pytest.mark.slow
@pytest.mark.parametrize(("after", "games"), [(1, 2), (2, 4), (3, 4)])
def test_interrupted_while_players_are_prepared(after, games, tmp_path, monkeypatch):
    """What was played before counts; the same call prepares again, plays the rest, and gives the same.

    One of the first six, who needs a calibration, joins later, so that its opponent waits.
    """
    whole = ludus.rank("tictactoe", "greedy", workers=1, **ROSTER)
    original, done = preparation.Preparation.perform, []

    def perform(task):
        if len(done) >= 2 * after:
            raise KeyboardInterrupt
        readiness = original(task)
        done.extend([] if readiness.left_out else [task])
        return readiness

    monkeypatch.setattr(time, "monotonic", lambda: 100.0 * len(done))  # only preparing takes time
    monkeypatch.setattr(preparation.Preparation, "perform", perform)
    part = ludus.rank("tictactoe", "greedy", workers=1, db=tmp_path / "x.db", **ROSTER)
    assert part.stopped == "interrupted"
    assert part.games == part.played == games
    assert all(pair in played(whole) for pair in played(part))
    assert part.seconds == 0  # the time until all are prepared does not count
    monkeypatch.undo()
    told = []
    resumed = ludus.rank(
        "tictactoe",
        "greedy",
        workers=2,
        db=tmp_path / "x.db",
        continuing=lambda *what: told.append(what),
        **ROSTER,
    )
    assert told == [(1, part.games)]
    assert resumed.played == resumed.games - part.games
    assert (resumed.names, resumed.excluded, played(resumed)) == (whole.names, whole.excluded, played(whole))


@pytest.mark.slow
@pytest.mark.parametrize("games", [1, 2, 3, 6])
def test_few_games_are_kept_to(games):
    ranking = ludus.rank("tictactoe", workers=2, **ROSTER | {"games": games})
    assert ranking.games == games + games % 2
    assert list(ranking.pairs) == [(i, i + 1, 0) for i in range(0, ranking.games, 2)]


@pytest.mark.slow
def test_fewer_than_two_can_play():
    with pytest.raises(LudusError, match=r"fewer than two searches can play chance-tree at this budget: bfmm"):
        ludus.rank("chance-tree", family="best-first", budget="nodes=1", workers=2, compiled=False)


@pytest.mark.slow
def test_the_progress_of_the_preparation_is_told():
    told = []
    ludus.rank(
        "nim", "random", "greedy", "minimax", games=2, workers=2, compiled=False, preparing=lambda *n: told.append(n)
    )
    assert told[-1] == (3, 3)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_who_is_left_out_says_from_which_budget_on_it_would_take_part():
    """At that budget it does, and with one node less it does not."""
    game = ludus.game("tictactoe")

    def why(nodes):
        player = ludus.player(f"bfmm(eval=sampler(most=3), nodes={nodes})", compiled=False).on(game)
        return preparation.Preparation(game, player).perform().left_out

    reason = why(5)
    assert reason.startswith("its first move costs ")
    least = int(reason.rpartition("nodes=")[2])
    assert why(least) == ""
    assert why(least - 1) != ""
