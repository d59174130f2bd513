"""Several runs on one crew: each sees its own results in order, all workers have work, Ctrl-C and errors end all."""

from __future__ import annotations

import pytest

from ludus.arena.pool.sharing import Share, play_together
from ludus.arena.pool.workers import Here


class Task:
    """Does nothing but have a name, and fail if that is wanted."""

    def __init__(self, name: str, error: Exception | None = None) -> None:
        self.name, self.error = name, error

    def __repr__(self) -> str:
        return self.name


def do(task: Task) -> str:
    if task.error is not None:
        raise task.error
    return task.name.upper()


class Backwards(Here):
    """Takes as many tasks as it gets, and does the last one first: so results come out of order."""

    def __init__(self) -> None:
        super().__init__(do)
        self.most = 0

    def stream(self, next_task):
        given = []
        while True:
            while (task := next_task()) is not None:
                given.append(task)
            self.most = max(self.most, len(given))
            if not given:
                return
            task = given.pop()
            try:
                yield task, do(task)
            except Exception as error:
                yield task, error


def rounds(name: str, sizes: list[int], log: list[str]):
    """A run in rounds: none begins before all results of the one before are there."""

    def work(crew):
        found = []
        for number, size in enumerate(sizes):
            for result in crew.run([Task(f"{name}{number}{k}") for k in range(size)]):
                log.append(result)
                found.append(result)
        return found

    return work


def test_results_come_in_their_order_in_each_run():
    for crew in (Here(do), Backwards()):
        log: list[str] = []
        shares = [Share(rounds("a", [3, 1, 2], log)), Share(rounds("b", [2, 4], log)), Share(rounds("c", [0, 1], log))]
        play_together(crew, shares)
        assert shares[0].result == ["A00", "A01", "A02", "A10", "A20", "A21"]
        assert shares[1].result == ["B00", "B01", "B10", "B11", "B12", "B13"]
        assert shares[2].result == ["C10"]
        assert sorted(log) == sorted(result for share in shares for result in share.result)


def test_who_waits_leaves_the_workers_to_others():
    """One run has a single task at a time; the others are begun because workers would be idle."""
    crew = Backwards()
    play_together(crew, [Share(rounds(name, [1] * 5, [])) for name in "abcd"])
    assert crew.most == 4


def test_runs_of_a_group_prepare_one_after_the_other():
    preparing = 0

    def work(crew):
        nonlocal preparing
        tasks = [Task("p"), Task("q")]
        preparing += 1
        assert preparing == 1
        found = [outcome for _, outcome in crew.stream(lambda: tasks.pop() if tasks else None)]
        preparing -= 1
        return [*found, *crew.run([Task("r")])]

    shares = [Share(work, "same") for _ in range(3)]
    play_together(Backwards(), shares)
    assert [sorted(share.result) for share in shares] == [["P", "Q", "R"]] * 3


def test_an_error_of_a_task_is_raised_in_its_run_and_its_turn():
    def brave(crew):
        results = crew.run([Task("a"), Task("b", ValueError("no")), Task("c")])
        first = next(results)
        with pytest.raises(ValueError, match="no"):
            next(results)
        return [first, *crew.run([Task("d")])]

    share = Share(brave)
    play_together(Backwards(), [share])
    assert share.result == ["A", "D"]


def test_an_error_of_a_run_ends_all():
    ended = []

    def patient(crew):
        try:
            list(crew.run([Task(str(k)) for k in range(100)]))
        except KeyboardInterrupt:
            ended.append("interrupted")

    def failing(crew):
        list(crew.run([Task("x")]))
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        play_together(Backwards(), [Share(patient), Share(patient), Share(failing)])
    assert ended == ["interrupted"] * 2


def test_ctrl_c_reaches_every_run():
    class Interrupted(Here):
        def stream(self, next_task):
            for count, done in enumerate(super().stream(next_task)):
                if count == 3:
                    raise KeyboardInterrupt
                yield done

    def work(crew):
        found = []
        try:
            for result in crew.run([Task(str(k)) for k in range(9)]):
                found.append(result)
        except KeyboardInterrupt:
            return found
        raise AssertionError("nobody interrupted it")

    shares = [Share(work), Share(work)]
    play_together(Interrupted(do), shares)
    assert shares[0].result == ["0", "1", "2"]
    assert shares[1].result is None  # it was never begun
