"""The runs in a database: nothing is lost, nothing counted twice, and no two processes play the same run."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import filelock
import pytest

from ludus.arena.play.reasons import TooSlow
from ludus.arena.store import store as store_module
from ludus.arena.store.store import INTERRUPTED, PLAYING, UNFINISHED, Store, StoreError
from tests.support import databases
from tests.support.databases import content, invented, job, key_of, play_run

NEEDS_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ludus.db"


class TestRuns:
    def test_the_same_key_is_the_same_run(self, path):
        with Store(path) as store:
            numbers = []
            for key in (key_of(0), key_of(1), key_of(0)):
                with store.run(key) as run:
                    numbers.append(run.number)
        with Store(path) as store, store.run(key_of(1)) as run:
            assert [*numbers, run.number] == [1, 2, 1, 2]

    @pytest.mark.parametrize(
        "change",
        [
            {"command": "other"},
            {"game": "nim(stones=5)"},
            {"players": ("random", "greedy", "bfmm")},
            {"players": ("greedy", "random")},
            {"seed": 2**64 - 1},
            {"settings": {"plies": 5}},
            {"settings": {"plies": 4, "more": None}},
            {"fingerprint": "g"},
            {"version": "0.1.1"},
        ],
        ids=str,
    )
    def test_whatever_differs_is_another_run(self, path, change):
        with Store(path) as store, store.run(key_of()) as one, store.run(key_of(**change)) as other:
            assert other.number != one.number
            [stored] = [run for run in store.runs() if run["number"] == other.number]
            for name, value in change.items():
                assert stored[name] == (list(value) if isinstance(value, tuple) else value)

    def test_settings_in_any_order(self, path):
        with Store(path) as store:
            with store.run(key_of(settings={"a": 1, "b": [2]})) as run:
                pass
            with store.run(key_of(settings={"b": [2], "a": 1})) as again:
                assert again.number == run.number

    def test_fresh_starts_over_and_is_then_the_one_that_goes_on(self, path):
        with Store(path) as store:
            with store.run(key_of()) as old:
                old.add(*invented(0))
            with store.run(key_of(), fresh=True) as new:
                assert new.number == 2
                assert new.pairs() == {}
            with store.run(key_of()) as again:
                assert again.number == 2
            assert [run["games"] for run in store.runs()] == [2, 0]

    def test_what_is_kept_of_a_run(self, path):
        with Store(path) as store, store.run(key_of(2**64 - 1), line="ludus rank nim 'a b'") as run:
            run.add(*invented(0))
            run.finish("openings", {"players": [{"rating": 1.5}], "none": None})
            [found] = store.runs()
        assert found["line"] == "ludus rank nim 'a b'"
        assert list(found["result"].items()) == [("players", [{"rating": 1.5}]), ("none", None)]  # in that order
        assert found["seed"] == 2**64 - 1
        assert found["players"] == ["greedy", "random", "bfmm"]
        assert found["created"] <= found["updated"]
        assert found["numba"].count(".") >= 1
        assert "key" not in found

    def test_the_command_line_by_default(self, path, monkeypatch):
        monkeypatch.setattr("sys.argv", ["/somewhere/bin/ludus", "rank", "nim(stones=5)"])
        with Store(path) as store, store.run(key_of()):
            assert store.runs()[0]["line"] == "ludus rank 'nim(stones=5)'"

    def test_finished_or_not(self, path):
        def opened():
            with Store(path) as store, store.run(key_of()) as run:
                return run.status, run.finished, run.result

        assert opened() == (PLAYING, False, None)
        for word, finished in ((INTERRUPTED, False), ("finished", True), ("openings", True)):
            with Store(path) as store, store.run(key_of()) as run:
                run.finish(word, {"word": word})
                assert (run.status, run.finished) == (word, finished)
                assert run.result == ({"word": word} if finished else None)
            assert opened() == (word, finished, {"word": word} if finished else None)

    def test_a_result_does_not_outlive_the_games_it_was_about(self, path):
        with Store(path) as store:
            with store.run(key_of()) as run:
                run.finish("finished", {"games": 0})
            with store.run(key_of()) as run:
                run.add(*invented(0))
                assert (run.status, run.result) == (PLAYING, None)
            with store.run(key_of()) as run:
                assert (run.status, run.result) == (PLAYING, None)

    def test_a_result_must_be_json_without_nan(self, path):
        with Store(path) as store, store.run(key_of()) as run:
            with pytest.raises(ValueError, match="JSON"):
                run.finish("finished", {"elo": float("nan")})
            assert run.status == store.runs()[0]["status"] == PLAYING

    def test_seconds_of_all_sessions(self, path, monkeypatch):
        clock = SimpleNamespace(monotonic=lambda: clock.now, now=100.0)
        monkeypatch.setattr(store_module, "time", clock)
        with Store(path) as store:
            with store.run(key_of()) as run:
                assert run.seconds == 0
                clock.now += 3
                run.add(*invented(0))
                assert store.runs()[0]["seconds"] == run.seconds == 3
                clock.now += 2  # lost, if this process is killed
                assert run.seconds == 5
            clock.now += 1000
            with store.run(key_of()) as run:
                assert run.seconds == 3
                clock.now += 4
                run.add(*invented(1))
                clock.now += 1
                run.finish("finished", {})
                clock.now += 1000
                assert run.seconds == 8
            with store.run(key_of()) as run:
                clock.now += 1000
                assert run.seconds == store.runs()[0]["seconds"] == 8


class TestGames:
    def test_random_histories_against_a_dictionary(self, tmp_path):
        """Pairs one by one and by the dozen, stored twice, runs left and taken up: always what was added, once."""
        for seed in range(25):
            chance = random.Random(seed)
            path, expected = tmp_path / f"{seed}.db", {key: {} for key in range(2)}
            for _ in range(chance.randrange(1, 5)):
                with Store(path) as store:
                    for key in chance.sample(range(2), chance.randrange(1, 3)):
                        with store.run(key_of(key)) as run:
                            assert run.pairs() == expected[key]
                            for _ in range(chance.randrange(4)):
                                played = [invented(chance.randrange(12), key) for _ in range(chance.randrange(1, 4))]
                                if len(played) == 1:
                                    run.add(*played[0])
                                else:
                                    run.add_many(played)
                                expected[key] |= {pair.number: records for pair, records in played}
                                assert run.pairs() == expected[key]
            rows = content(path)["games"]
            assert len(rows) == 2 * sum(map(len, expected.values()))

    def test_real_games(self, path):
        key = play_run(path, "tictactoe", 5)
        with Store(path) as store, store.run(key) as run:
            assert list(run.pairs()) == [(0, 1, index) for index in range(5)]
            kinds = {
                name: {kind for (kind,) in store.query(f"SELECT DISTINCT typeof({name}) FROM games")}
                for (name,) in store.query("SELECT name FROM pragma_table_xinfo('games')")
            }
        real = {"score", "first_seconds", "second_seconds"}
        text = {"spec", "opening_moves", "seed", "moves", "fault", "result"}
        for name, found in kinds.items():
            assert found == {"real" if name in real else "text" if name in text else "integer"}, name

    def test_the_game_of_each_pair(self, path):
        play_run(path, "random-tree(depth=4)", 3)
        with Store(path, write=False) as store:
            specs = [row["spec"] for row in store.games(1)]
        assert len(set(specs)) == 3
        assert all(spec.startswith("random-tree(depth=4, seed=") for spec in specs)
        assert specs[::2] == specs[1::2]

    def test_results(self, path):
        pair, (record, _) = invented(0)
        with Store(path) as store, store.run(key_of()) as run:
            for opening, score in enumerate((-0.5, 0.0, 7.0)):
                numbered = replace(pair, number=(0, 1, opening))
                run.add(numbered, (replace(record, score=score), replace(record, score=-score)))
            assert [row["result"] for row in store.games(1)] == ["0-1", "1-0", "1/2-1/2", "1/2-1/2", "1-0", "0-1"]

    def test_a_pair_that_is_stored_already(self, path):
        pair, records = invented(3)
        slower = replace(records[0], effort=(replace(records[0].effort[0], seconds=9.0), records[0].effort[1]))
        with Store(path) as store, store.run(key_of()) as run:
            run.add(pair, records)
            before = content(path)
            run.add(pair, records)
            run.add(pair, (slower, records[1]))  # the same games at another time
            assert content(path) == before
            assert run.pairs() == {pair.number: records}

    @pytest.mark.parametrize("index", [0, 1])
    @pytest.mark.parametrize("change", [{"moves": (5,)}, {"score": 0.25}, {"fault": TooSlow(1)}], ids=str)
    def test_another_game_in_its_place_is_refused_with_all_that_came_along(self, path, index, change):
        pair, records = invented(3)
        others = list(records)
        others[index] = replace(records[index], **change)
        with Store(path) as store, store.run(key_of()) as run:
            run.add(pair, records)
            before = content(path)
            with pytest.raises(StoreError, match=rf"game \(.*, 3, {index}\) of run 1 .* start over with `new`"):
                run.add_many([invented(4), (pair, (others[0], others[1])), invented(5)])
            assert content(path) == before
            run.add(*invented(4))
            assert len(run.pairs()) == 2

    def test_the_same_pair_with_another_seed_or_opening_is_refused(self, path):
        pair, records = invented(3)
        with Store(path) as store, store.run(key_of()) as run:
            run.add(pair, records)
            for other in (
                replace(pair, seed=1),
                replace(pair, opening=replace(pair.opening, moves=(1, 1, 1, 1, 1, 1))),
            ):
                with pytest.raises(StoreError, match="stored already, but as another game"):
                    run.add(other, records)

    def test_half_a_pair_is_never_counted(self, path):
        with Store(path) as store, store.run(key_of()) as run:
            run.add_many([invented(0), invented(1)])
            store.db.execute("DELETE FROM games WHERE opening = 0 AND game = 1")
            assert list(run.pairs()) == [invented(1)[0].number]
            run.add(*invented(0))
            assert run.pairs() == {pair.number: records for pair, records in map(invented, (0, 1))}

    def test_ctrl_c_in_the_middle_stores_nothing(self, path):
        def played():
            yield invented(0)
            raise KeyboardInterrupt

        with Store(path) as store, store.run(key_of()) as run:
            with pytest.raises(KeyboardInterrupt):
                run.add_many(played())
            assert run.pairs() == {}
            run.add(*invented(1))
            assert len(run.pairs()) == 1


@NEEDS_FORK
class TestProcesses:
    @pytest.mark.slow
    def test_killed_at_random_moments(self, path):
        """Twenty times while it stores pairs as fast as it can, or is still opening the file."""
        reports = job(databases.kill_while_adding, str(path), 20, 1, 0.1)
        assert len(reports) == 20
        for report in reports:
            assert report["sound"]
            assert report["right"]
            assert report["runs"] == 1
            assert report["rows"] == 2 * report["complete"]
            assert report["complete"] - report["acknowledged"] in (0, 1)
        assert sum(report["opened"] for report in reports) >= 10
        assert reports[-1]["complete"] >= 10

    @pytest.mark.slow
    def test_killed_while_the_file_is_made(self, tmp_path):
        reports = job(databases.kill_while_making, str(tmp_path), 12)
        assert len(reports) == 12
        for report in reports:
            assert report["sound"]
            assert report["right"]
            assert report["complete"] - report["acknowledged"] in (0, 1)

    @pytest.mark.slow
    def test_the_lock_of_a_killed_process_is_free_and_its_file_goes_with_the_next(self, path, tmp_path):
        """And all that was stored is what an uninterrupted run stores, row by row."""
        reports = job(databases.kill_while_adding, str(path), 4, 5, 0.1)
        count = reports[-1]["complete"]
        assert count >= 1
        with Store(tmp_path / "whole.db") as store, store.run(key_of()) as run:
            for number in range(count):
                run.add(*invented(number))
            run.finish("finished", {})
        with Store(path) as store, store.run(key_of()) as run:
            run.finish("finished", {})
        assert content(path) == content(tmp_path / "whole.db")
        assert sorted(p.name for p in tmp_path.iterdir()) == ["ludus.db", "whole.db"]

    @pytest.mark.slow
    def test_runs_of_several_processes_in_one_file(self, path):
        """From the making of the file on; a reader sees more and more, and never waits."""
        found = job(databases.add_at_once, str(path), 3, 150)
        assert found["said"] == ["done"] * 3
        assert found["looks"] > 0
        with Store(path, write=False) as store:
            runs = {run["seed"]: run for run in store.runs()}
            assert [runs[seed]["games"] for seed in range(3)] == [300] * 3
            assert [runs[seed]["result"] for seed in range(3)] == [{"seed": seed} for seed in range(3)]
        with Store(path) as store:
            for seed in range(3):
                with store.run(key_of(seed)) as run:
                    assert run.pairs() == {p.number: r for p, r in (invented(n, seed) for n in range(150))}
        content(path)

    @pytest.mark.slow
    def test_one_process_gets_a_run_and_the_others_are_told(self, path):
        said = job(databases.meet, str(path), 6)
        assert said.count("mine") == 1
        for words in said:
            assert words == "mine" or words.startswith(f"run 1 of {path} is being played by another process: wait")
        with Store(path, write=False) as store:
            assert len(store.runs()) == 1

    @pytest.mark.slow
    def test_never_two_at_once(self, path):
        assert job(databases.take_turns, str(path), 3, 25) == {"all": True, "turns": [25, 25, 25]}

    def test_several_processes_upgrade_one_file(self, path):
        with Store(path) as store, store.run(key_of()):
            pass
        assert job(databases.upgrade_at_once, str(path), 4) == [str(len(Store.migrations) + 1)] * 4


class TestLock:
    def test_of_a_run_that_is_being_played(self, path):
        with Store(path) as store, Store(path) as other:
            with store.run(key_of()):
                with pytest.raises(StoreError, match=r"run 1 of .* is being played by another process.*`new`"):
                    other.run(key_of())
                with other.run(key_of(), fresh=True) as fresh, other.run(key_of(1)) as another:
                    assert (fresh.number, another.number) == (2, 3)
            with other.run(key_of(), fresh=False) as run:
                assert run.number == 2

    def test_through_another_name_of_the_file(self, path, tmp_path):
        (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
        linked = tmp_path / "link" / "ludus.db"
        with (
            Store(path) as store,
            Store(linked) as other,
            store.run(key_of()),
            pytest.raises(StoreError, match="being"),
        ):
            other.run(key_of())

    def test_its_file_goes_when_the_run_is_closed(self, path, tmp_path):
        with Store(path) as store:
            with store.run(key_of()):
                assert (tmp_path / "ludus.db-run1.lock").exists()
            assert not (tmp_path / "ludus.db-run1.lock").exists()
        assert [file.name for file in tmp_path.iterdir()] == ["ludus.db"]

    def test_falls_even_if_the_database_was_closed_first(self, path):
        store = Store(path)
        run = store.run(key_of())
        store.close()
        run.close()
        with Store(path) as store, store.run(key_of()) as run:
            assert run.number == 1

    def test_a_finished_run_is_open_to_all_until_somebody_adds_to_it(self, path):
        with Store(path) as store, Store(path) as other:
            with store.run(key_of()) as run:
                run.finish("finished", {"games": 0})
            with store.run(key_of()) as run, other.run(key_of()) as same:
                assert run.result == same.result == {"games": 0}
                run.add(*invented(0))
                with pytest.raises(StoreError, match="is being played"):
                    same.add(*invented(1))
                assert list(same.pairs()) == [invented(0)[0].number]

    def test_is_taken_tried_and_removed_in_transactions_only(self, path, monkeypatch):
        """Then nobody can hold a file that another process removes, whatever the file lock itself does about that."""
        seen = []
        with Store(path) as store, Store(path, write=False) as reader:

            def watch(name, holder):
                real = getattr(holder, name)

                def watched(lock, *rest, **options):
                    if ".lock" in str(getattr(lock, "lock_file", lock)):
                        seen.append((name, store.db.in_transaction or reader.db.in_transaction))
                    return real(lock, *rest, **options)

                monkeypatch.setattr(holder, name, watched)

            watch("acquire", filelock.FileLock)
            watch("unlink", Path)
            with store.run(key_of()) as run:
                run.add(*invented(0))
                assert reader.is_played(1) is True
            (path.parent / "ludus.db-run1.lock").touch()
            assert reader.is_played(1) is False
        names = ["acquire", "acquire", "unlink", "acquire", "unlink"]
        assert seen == [(name, True) for name in names]

    def test_status(self, path):
        with Store(path) as store, Store(path, write=False) as reader:

            def status():
                return reader.runs()[0]["status"]

            with store.run(key_of()) as run:
                assert status() == PLAYING
                run.finish(INTERRUPTED)
                assert status() == PLAYING  # it still could
            assert status() == INTERRUPTED
            with store.run(key_of()) as run:
                run.add(*invented(0))
            assert status() == UNFINISHED
            (path.parent / "ludus.db-run1.lock").touch()  # as a killed process leaves it
            assert status() == UNFINISHED
            assert not list(path.parent.glob("*.lock"))
            with store.run(key_of()) as run:
                run.finish("finished", {})
            assert status() == "finished"
            assert not list(path.parent.glob("*.lock"))
