"""The database of runs: nothing is lost, nothing counted twice, and whatever is wrong is said in a sentence."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import tempfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import databases
import filelock  # before we are somebody who may not read it
import pytest
from databases import content, invented, job, key_of, play_run

from ludus.arena import store as store_module
from ludus.arena.database import APPLICATION
from ludus.arena.store import INTERRUPTED, PLAYING, UNFINISHED, Store, StoreError
from ludus.core.errors import LudusError

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
    @pytest.mark.parametrize("change", [{"moves": (5,)}, {"score": 0.25}, {"fault": "took too long"}], ids=str)
    def test_another_game_in_its_place_is_refused_with_all_that_came_along(self, path, index, change):
        pair, records = invented(3)
        others = list(records)
        others[index] = replace(records[index], **change)
        with Store(path) as store, store.run(key_of()) as run:
            run.add(pair, records)
            before = content(path)
            with pytest.raises(StoreError, match=rf"game \(.*, 3, {index}\) of run 1 .* start over with --new"):
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

    def test_killed_while_the_file_is_made(self, tmp_path):
        reports = job(databases.kill_while_making, str(tmp_path), 12)
        assert len(reports) == 12
        for report in reports:
            assert report["sound"]
            assert report["right"]
            assert report["complete"] - report["acknowledged"] in (0, 1)

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

    def test_one_process_gets_a_run_and_the_others_are_told(self, path):
        said = job(databases.meet, str(path), 6)
        assert said.count("mine") == 1
        for words in said:
            assert words == "mine" or words.startswith(f"run 1 of {path} is being played by another process: wait")
        with Store(path, write=False) as store:
            assert len(store.runs()) == 1

    def test_never_two_at_once(self, path):
        assert job(databases.take_turns, str(path), 3, 25) == {"all": True, "turns": [25, 25, 25]}

    def test_several_processes_upgrade_one_file(self, path):
        with Store(path) as store, store.run(key_of()):
            pass
        assert job(databases.upgrade_at_once, str(path), 4) == ["2"] * 4


class TestLock:
    def test_of_a_run_that_is_being_played(self, path):
        with Store(path) as store, Store(path) as other:
            with store.run(key_of()):
                with pytest.raises(StoreError, match=r"run 1 of .* is being played by another process.*--new"):
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


# What can be wrong with a file or its folder.


class Newer(Store):
    """The store of a later version."""

    migrations = (
        *Store.migrations,
        ("ALTER TABLE games ADD COLUMN note TEXT NOT NULL DEFAULT 'old'", "CREATE TABLE notes (note TEXT)"),
    )


class TestVersions:
    def test_upgraded_in_place(self, path):
        with Store(path) as store, store.run(key_of()) as run:
            run.add(*invented(0))
        before = content(path)
        with Newer(path) as store, store.run(key_of()) as run:
            assert run.number == 1
            assert list(run.pairs().values()) == [invented(0)[1]]
            run.add(*invented(1))
            assert store.query("SELECT DISTINCT note FROM games") == [("old",)]
            assert store.query("PRAGMA user_version") == [(2,)]
        after = content(path)
        assert [row[:-1] for row in after["games"] if row[3] == 0] == before["games"]
        assert len(after["games"]) == 4
        with Newer(path) as store:  # and not again
            assert store.query("PRAGMA user_version") == [(2,)]

    def test_upgraded_to_be_read(self, path):
        with Store(path) as store, store.run(key_of()) as run:
            run.add(*invented(0))
        with Newer(path, write=False) as store:
            assert store.query("SELECT note FROM games") == [("old",)] * 2
            assert store.runs()[0]["games"] == 2

    def test_made_at_once_in_the_newest(self, path):
        with Newer(path) as store:
            assert store.query("PRAGMA user_version") == [(2,)]

    def test_all_or_nothing(self, path):
        class Broken(Store):
            migrations = (*Store.migrations, ("CREATE TABLE notes (note TEXT)", "ALTER TABLE nothing ADD COLUMN x"))

        with Store(path) as store, store.run(key_of()) as run:
            run.add(*invented(0))
        before = content(path)
        with pytest.raises(sqlite3.OperationalError, match="nothing"):
            Broken(path)
        assert content(path) == before
        with Store(path) as store:
            assert store.query("PRAGMA user_version") == [(1,)]
            assert store.query("SELECT name FROM sqlite_master WHERE name = 'notes'") == []

    @pytest.mark.parametrize("write", [True, False])
    def test_of_a_newer_ludus(self, path, write):
        with Newer(path) as store, store.run(key_of()) as run:
            run.add(*invented(0))
        before = path.read_bytes()
        with pytest.raises(StoreError, match=r"written by a newer version of ludus .*format is 2, .* knows 1.*--db"):
            Store(path, write=write)
        assert path.read_bytes() == before

    def test_the_first_format_stays_as_it_is(self, path):
        """What was released can be read for ever: this text may not change, only the list of migrations may grow."""
        with Store(path) as store:
            assert store.query("PRAGMA application_id") == [(APPLICATION,)] == [(int.from_bytes(b"LUDU"),)]
            assert store.query("PRAGMA journal_mode") == [("wal",)]
            assert store.query("PRAGMA synchronous") == [(1,)]
            assert store.query("PRAGMA foreign_keys") == [(1,)]
            columns = {
                table: [row[1] for row in store.query(f"PRAGMA table_xinfo({table})")]
                for table in ("runs", "players", "games")
            }
        seats = ["decisions", "generated", "evaluated", "expanded", "traversed", "seconds"]
        run = "number key command game seed settings fingerprint version python numba numpy line created updated status"
        game = "run one other opening game spec opening_moves seed moves score fault"
        assert columns["runs"] == [*run.split(), "seconds", "result"]
        assert columns["players"] == ["run", "number", "spec", "left_out"]
        efforts = [f"{seat}_{what}" for seat in ("first", "second") for what in seats]
        assert columns["games"] == [*game.split(), *efforts, "result"]


def another_program(path: Path, application: int = 0) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE customers (name TEXT)")
        db.execute(f"PRAGMA application_id = {application}")
    db.close()


class TestOtherFiles:
    @pytest.mark.parametrize("write", [True, False])
    @pytest.mark.parametrize(
        "data",
        [
            b"x",
            b"SQLite",
            b"x" * 511,
            b"import ludus\n" * 40,
            bytes(range(256)) * 40,
            b"SQLite format 3\0" + b"?" * 5000,
        ],
    )
    def test_no_database(self, path, data, write):
        path.write_bytes(data)
        with pytest.raises(StoreError, match=r"is not a database of ludus|is damaged"):
            Store(path, write=write)
        assert path.read_bytes() == data
        assert [file.name for file in path.parent.iterdir()] == ["ludus.db"]

    @pytest.mark.parametrize("write", [True, False])
    @pytest.mark.parametrize("application", [0, 1, 0x47504B47])
    def test_of_another_program(self, path, application, write):
        another_program(path, application)
        before = path.read_bytes()
        with pytest.raises(StoreError, match=r"is a database of another program; choose another with --db\.$"):
            Store(path, write=write)
        assert path.read_bytes() == before

    def test_an_empty_file(self, path):
        path.touch()
        with pytest.raises(StoreError, match="there is no database"):
            Store(path, write=False)
        with Store(path) as store:
            assert store.runs() == []

    def test_no_file_is_not_made_by_reading(self, path):
        with pytest.raises(StoreError, match=rf"there is no database {path}; choose another with --db"):
            Store(path, write=False)
        assert not path.exists()

    @pytest.mark.parametrize("write", [True, False])
    def test_no_folder(self, tmp_path, write):
        with pytest.raises(StoreError, match=r"there is no folder '.*missing' for the database 'x\.db'"):
            Store(tmp_path / "missing" / "x.db", write=write)
        (tmp_path / "file").touch()
        with pytest.raises(StoreError, match="there is no folder"):
            Store(tmp_path / "file" / "x.db", write=write)

    @pytest.mark.parametrize("write", [True, False])
    def test_a_folder(self, tmp_path, write):
        with pytest.raises(StoreError, match="is a folder, not a database"):
            Store(tmp_path, write=write)

    @pytest.mark.parametrize("name", ["with space.db", "50%.db", "what?.db", "#1.db", "é'\".db", ":memory:"])
    def test_names(self, tmp_path, name):
        with Store(tmp_path / name) as store, store.run(key_of()) as run:
            run.add(*invented(0))
        assert [file.name for file in tmp_path.iterdir()] == [name]
        with Store(tmp_path / name, write=False) as store:
            assert store.runs()[0]["games"] == 2

    def test_damage_is_said(self, path):
        play_run(path, "tictactoe", 10)
        size = path.stat().st_size
        with open(path, "r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * (size - 4096))
        with pytest.raises(StoreError, match=r"is damaged \(.*\); choose another with --db"), Store(path) as store:
            store.runs()

    def test_every_error_is_one_that_the_command_line_prints(self):
        assert issubclass(StoreError, LudusError)


class TestBusy:
    def test_waits_and_then_says_so(self, path):
        with Store(path) as store, Store(path, patience=0.05) as other, store.run(key_of()) as run:
            with store.transaction():
                with pytest.raises(StoreError, match=r"is kept busy by another process; try again"):
                    other.run(key_of(1))
                with pytest.raises(StoreError, match=r"is kept busy"):
                    Store(path, patience=0.05)
                assert Store(path, write=False, patience=0.05).query("SELECT COUNT(*) FROM runs") == [(1,)]
            other.run(key_of(1)).close()
            run.add(*invented(0))

    @pytest.mark.parametrize(("times", "patience"), [(3, 30.0), (10**9, 0.1)])
    def test_while_the_file_is_made(self, path, times, patience):
        """SQLite does not always wait when several processes turn to WAL at once."""

        class Busy:
            def __init__(self, db):
                self.db, self.refused = db, 0

            def __getattr__(self, name):
                return getattr(self.db, name)

            def execute(self, sql, *values):
                if "journal_mode" in sql and self.refused < times:
                    self.refused += 1
                    error = sqlite3.OperationalError("database is locked")
                    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
                    raise error
                return self.db.execute(sql, *values)

        class Crowded(Store):
            def _connect(self, *arguments):
                return Busy(super()._connect(*arguments))

        if patience < 1:
            with pytest.raises(StoreError, match="is kept busy by another process"):
                Crowded(path, patience=patience)
        else:
            with Crowded(path, patience=patience) as store:
                assert store.query("PRAGMA user_version") == [(1,)]
                assert store.db.refused == 3


class TestFullDisk:
    def test_all_games_up_to_then_are_safe_and_it_goes_on(self, path, tmp_path):
        """`max_page_count` makes SQLite report what a full disk makes it report."""
        with Store(path) as store, store.run(key_of()) as run:
            pages = store.query("PRAGMA page_count")[0][0] + 40
            store.query(f"PRAGMA max_page_count = {pages}")
            number = 0
            with contextlib.suppress(StoreError):
                while number < 10_000:
                    run.add(*invented(number))
                    number += 1
            with pytest.raises(
                StoreError, match=r"the disk is full\. All games up to now are safe; make room, and the"
            ):
                run.add(*invented(number))
            assert number > 20
            expected = {pair.number: records for pair, records in map(invented, range(number))}
            assert run.pairs() == expected
            for _ in range(3):  # and again, without harm
                with pytest.raises(StoreError, match="the disk is full"):
                    run.add_many([invented(number), *map(invented, range(number + 1, number + 60))])
            assert run.pairs() == expected
            before = content(path)
            assert len(before["games"]) == 2 * number
            store.query(f"PRAGMA max_page_count = {10 * pages}")
            run.add_many(map(invented, range(number, number + 60)))
        with Store(path) as store, store.run(key_of()) as run:
            assert run.number == 1
            run.finish("finished", {})
        with Store(tmp_path / "roomy.db") as store, store.run(key_of()) as run:
            for index in range(number + 60):
                run.add(*invented(index))
            run.finish("finished", {})
        assert content(path) == content(tmp_path / "roomy.db")

    def test_when_the_run_begins(self, path):
        with Store(path) as store:
            store.query(f"PRAGMA max_page_count = {store.query('PRAGMA page_count')[0][0]}")
            with pytest.raises(StoreError, match="the disk is full"):
                store.run(key_of(players=("x" * 10_000,)))
            assert store.runs() == []
            store.query("PRAGMA max_page_count = 1000")
            store.run(key_of(players=("x" * 10_000,))).close()


@contextlib.contextmanager
def nobody():
    """As root we may write anywhere: be somebody else for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of POSIX")
class TestReadOnly:
    @pytest.fixture
    def folder(self):
        """A folder that everybody may look into, unlike `tmp_path`."""
        folder = Path(tempfile.mkdtemp())
        folder.chmod(0o777)
        yield folder.resolve()
        folder.chmod(0o700)
        shutil.rmtree(folder)

    def fill(self, folder: Path, killed: bool = False) -> Path:
        """A database with a run in it; `killed`: as a killed process leaves it, the games in the write-ahead log."""
        with Store(folder / "made.db") as store:
            with store.run(key_of()) as run:
                run.add(*invented(0))
                run.finish("finished", {"games": 2})
            if killed:
                shutil.copyfile(folder / "made.db", folder / "ludus.db")
                shutil.copyfile(folder / "made.db-wal", folder / "ludus.db-wal")
        if not killed:
            shutil.copyfile(folder / "made.db", folder / "ludus.db")
        (folder / "made.db").unlink()
        return folder / "ludus.db"

    def lock_up(self, folder: Path, files: int, inside: int) -> None:
        for file in folder.iterdir():
            file.chmod(files)
        folder.chmod(inside)

    @pytest.mark.parametrize("killed", [False, True])
    @pytest.mark.parametrize(("files", "inside"), [(0o444, 0o555), (0o444, 0o777), (0o666, 0o555)])
    def test_reading_works_and_writing_says_why_not(self, folder, killed, files, inside):
        path = self.fill(folder, killed)
        self.lock_up(folder, files, inside)
        with nobody():
            with Store(path, write=False) as store:
                [found] = store.runs()
                assert (found["games"], found["status"], found["result"]) == (2, "finished", {"games": 2})
                assert [row["moves"] for row in store.games(1)] == [
                    " ".join(map(str, record.moves)) for record in invented(0)[1]
                ]
            with pytest.raises(StoreError, match=r"cannot be written: .* is read-only; choose another with --db\.$"):
                Store(path)

    def test_no_copy_is_left_behind(self, folder, tmp_path, monkeypatch):
        path = self.fill(folder, killed=True)
        self.lock_up(folder, 0o444, 0o555)
        monkeypatch.setattr(tempfile, "tempdir", str(folder.parent / f"{folder.name}-copies"))
        os.mkdir(tempfile.tempdir)
        os.chmod(tempfile.tempdir, 0o777)
        with nobody():
            with Store(path, write=False) as store:
                assert store.runs()[0]["games"] == 2
                assert len(os.listdir(tempfile.tempdir)) == 1
            assert os.listdir(tempfile.tempdir) == []
        os.rmdir(tempfile.tempdir)

    def test_reading_while_somebody_else_plays(self, folder):
        path = folder / "ludus.db"
        with Store(path) as store, store.run(key_of()) as run:
            run.add(*invented(0))
            self.lock_up(folder, 0o644, 0o755)
            with nobody(), Store(path, write=False) as reader:
                [found] = reader.runs()
                assert (found["games"], found["status"]) == (2, PLAYING)
            run.add(*invented(1))

    def test_a_new_file_in_a_read_only_folder(self, folder):
        folder.chmod(0o555)
        with nobody(), pytest.raises(StoreError, match=r"cannot be written: .* is read-only; choose another with --db"):
            Store(folder / "ludus.db")

    def test_a_file_that_may_not_be_read(self, folder):
        path = self.fill(folder)
        self.lock_up(folder, 0o000, 0o555)
        with nobody(), pytest.raises(StoreError, match=r"cannot be read \(.*\); choose another with --db"):
            Store(path, write=False)

    @pytest.mark.parametrize("write", [True, False])
    def test_a_folder_that_may_not_be_entered(self, folder, write):
        path = self.fill(folder)
        self.lock_up(folder, 0o666, 0o000)
        with nobody(), pytest.raises(StoreError, match=r"cannot be reached \(Permission denied\)"):
            Store(path, write=write)

    def test_the_file_becomes_read_only_in_the_middle(self, path):
        with Store(path) as store, store.run(key_of()) as run:
            run.add(*invented(0))
            store.query("PRAGMA query_only = ON")
            with pytest.raises(StoreError, match="cannot be written"):
                run.add(*invented(1))
            store.query("PRAGMA query_only = OFF")
            run.add(*invented(1))
            assert len(run.pairs()) == 2
