"""Several runs on one pool: each sees its own results in order, all workers have work, Ctrl-C and errors end all."""

from __future__ import annotations

import pytest

from ludus.arena.pool.shared_pool import PoolClient, run_clients
from ludus.arena.pool.workers import InProcessPool


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


class Backwards(InProcessPool):
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

    def work(pool):
        found = []
        for number, size in enumerate(sizes):
            for result in pool.run([Task(f"{name}{number}{k}") for k in range(size)]):
                log.append(result)
                found.append(result)
        return found

    return work


def test_results_come_in_their_order_in_each_run():
    for pool in (InProcessPool(do), Backwards()):
        log: list[str] = []
        clients = [
            PoolClient(rounds("a", [3, 1, 2], log)),
            PoolClient(rounds("b", [2, 4], log)),
            PoolClient(rounds("c", [0, 1], log)),
        ]
        run_clients(pool, clients)
        assert clients[0].result == ["A00", "A01", "A02", "A10", "A20", "A21"]
        assert clients[1].result == ["B00", "B01", "B10", "B11", "B12", "B13"]
        assert clients[2].result == ["C10"]
        assert sorted(log) == sorted(result for client in clients for result in client.result)


def test_who_waits_leaves_the_workers_to_others():
    """One run has a single task at a time; the others are begun because workers would be idle."""
    pool = Backwards()
    run_clients(pool, [PoolClient(rounds(name, [1] * 5, [])) for name in "abcd"])
    assert pool.most == 4


def test_runs_of_a_group_prepare_one_after_the_other():
    preparing = 0

    def work(pool):
        nonlocal preparing
        tasks = [Task("p"), Task("q")]
        preparing += 1
        assert preparing == 1
        found = [outcome for _, outcome in pool.stream(lambda: tasks.pop() if tasks else None)]
        preparing -= 1
        return [*found, *pool.run([Task("r")])]

    clients = [PoolClient(work, "same") for _ in range(3)]
    run_clients(Backwards(), clients)
    assert [sorted(client.result) for client in clients] == [["P", "Q", "R"]] * 3


def test_an_error_of_a_task_is_raised_in_its_run_and_its_turn():
    def brave(pool):
        results = pool.run([Task("a"), Task("b", ValueError("no")), Task("c")])
        first = next(results)
        with pytest.raises(ValueError, match="no"):
            next(results)
        return [first, *pool.run([Task("d")])]

    client = PoolClient(brave)
    run_clients(Backwards(), [client])
    assert client.result == ["A", "D"]


def test_an_error_of_a_run_ends_all():
    ended = []

    def patient(pool):
        try:
            list(pool.run([Task(str(k)) for k in range(100)]))
        except KeyboardInterrupt:
            ended.append("interrupted")

    def failing(pool):
        list(pool.run([Task("x")]))
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        run_clients(Backwards(), [PoolClient(patient), PoolClient(patient), PoolClient(failing)])
    assert ended == ["interrupted"] * 2


def test_ctrl_c_reaches_every_run():
    class Interrupted(InProcessPool):
        def stream(self, next_task):
            for count, done in enumerate(super().stream(next_task)):
                if count == 3:
                    raise KeyboardInterrupt
                yield done

    def work(pool):
        found = []
        try:
            for result in pool.run([Task(str(k)) for k in range(9)]):
                found.append(result)
        except KeyboardInterrupt:
            return found
        raise AssertionError("nobody interrupted it")

    clients = [PoolClient(work), PoolClient(work)]
    run_clients(Interrupted(do), clients)
    assert clients[0].result == ["0", "1", "2"]
    assert clients[1].result is None  # it was never begun
