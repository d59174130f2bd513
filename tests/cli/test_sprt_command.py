"""`ludus match --sprt`, and matches in the database: kept, never reused, played without it if it is not to be had."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import ludus
from ludus.arena.stats.sprt import Sprt
from ludus.arena.store.database import Database
from ludus.arena.store.store import Store, StoreError
from tests.support.commands import Ran, assert_refused, run

PLAYERS = ("random-tree(depth=8)", "bfmm(nodes=30)", "random")
TEST = "elo0=0,elo1=100"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def play(*arguments: object, workers: int = 1) -> Ran:
    return run("match", *PLAYERS, "--no-compile", "--workers", workers, *arguments)


def in_python(**options) -> ludus.MatchResult:
    return ludus.match(PLAYERS[0], *(ludus.player(name, compiled=False) for name in PLAYERS[1:]), **options)


def runs() -> list[dict]:
    return run("runs", "--json").json["runs"]


def without_seconds(found: dict) -> dict:
    for effort in found["effort"]:
        del effort["seconds"]
    return found


class TestSprt:
    @pytest.mark.slow
    def test_it_stops_at_the_decision_whatever_the_number_of_workers(self):
        """And the pairs up to there are those of a match without a test."""
        test, seen = Sprt.of(TEST), []
        in_python(games=200, progress=lambda result: seen.append(list(result.pairs)))
        end = next(i for i, pairs in enumerate(seen) if test.decision(pairs) is not None)
        assert 5 < end < 90
        one, two = (without_seconds(play("--sprt", TEST, "--json", workers=workers).json) for workers in (1, 2))
        assert (one.pop("run"), two.pop("run")) == (1, 2)
        assert one == two
        assert one["pentanomial"] == seen[end]
        assert one["games"] == 2 * end + 2
        assert one["note"] == ""
        assert [row["games"] for row in runs()] == [2 * end + 2] * 2  # what was played beyond it is not kept
        assert in_python(sprt=test).pairs == seen[end]

    @pytest.mark.slow
    def test_json(self):
        found = play("--sprt", TEST + ",alpha=0.1,beta=0.2", "--json").json
        assert list(found["sprt"]) == ["elo0", "elo1", "alpha", "beta", "llr", "low", "high", "decision"]
        test = Sprt(0, 100, 0.1, 0.2)
        assert found["sprt"] == test.to_dict(found["pentanomial"])
        assert found["sprt"]["decision"] == "H1"
        assert found["sprt"]["llr"] >= found["sprt"]["high"] == test.high
        assert play("--games", 2, "--json").json["sprt"] is None

    @pytest.mark.parametrize(
        ("players", "text", "words"),
        [
            (PLAYERS[1:], TEST, r"H1 accepted: evidence for \+100 rather than \+0; the estimate is \+\d+"),
            (PLAYERS[:0:-1], "elo0=-50.5,elo1=50", r"H0 accepted: no evidence for \+50; the estimate is -\d+"),
            (PLAYERS[1:], "elo0=0,elo1=1", r"not decided between \+0 and \+1; the estimate is [+-]\d+"),
        ],
    )
    def test_words(self, players, text, words):
        ran = run("match", PLAYERS[0], *players, "--no-compile", "--workers", 1, "--sprt", text, "--games", 80)
        assert ran.status == 0
        assert ran.err == ""
        [line] = [line for line in ran.out.splitlines() if line.startswith("SPRT")]
        assert re.fullmatch(rf"SPRT        LLR -?\d+\.\d\d \(-2\.94, 2\.94\): {words}", line)

    def test_twenty_thousand_games_at_most_unless_told(self, monkeypatch):
        asked = []

        def openings(game, plies, seed, board):
            for index in range(20_000):
                asked.append(index)
                yield None

        monkeypatch.setattr("ludus.arena.match.random_openings", openings)
        monkeypatch.setattr("ludus.arena.match._play", lambda result, pairs, *others: list(pairs))
        for options, pairs in (({"sprt": Sprt(0, 1)}, 10_000), ({"sprt": Sprt(0, 1), "games": 31}, 16), ({}, 50)):
            asked.clear()
            in_python(**options)
            assert len(asked) == pairs

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("elo0=0", ["an SPRT needs elo1, as in elo0=0,elo1=20"]),
            ("elo0=20,elo1=0", ["elo1 must be greater than elo0"]),
            ("elo0=0,elo1=20,alpha=0.7", ["alpha must be between 0 and 0.5, not 0.7"]),
            ("elo0=0,elo1=20,gamma=1", ["unknown key of an SPRT 'gamma'", "alpha, beta, elo0, elo1"]),
            ("yes", ["cannot read 'yes'"]),
        ],
    )
    def test_bad_input(self, text, words):
        assert_refused(play("--sprt", text), *words)
        assert os.listdir() == []


class TestDatabase:
    def test_it_is_kept(self):
        found = play("--games", 6, "--seed", 3, "--openings", 2, "--json").json
        assert found["run"] == 1
        [row] = runs()
        assert (row["command"], row["status"], row["games"], row["seed"]) == ("match", "finished", 6, 3)
        assert row["players"] == found["players"]
        assert row["settings"] == {"openings": 2, "sprt": None}
        assert row["result"] == found
        with Store() as store:
            games = list(store.games(1))
        mine = [game["score"] * (1 - 2 * game["game"]) for game in games]  # to the first player
        assert [sum(s > 0 for s in mine), sum(s < 0 for s in mine)] == found["wins"]
        assert run("export", 1, "--json").json["games"] == 6

    @pytest.mark.slow
    def test_it_is_never_reused(self):
        first, second = (play("--games", 4, "--sprt", TEST, "--json").json for _ in range(2))
        assert (first["run"], second["run"]) == (1, 2)
        assert [(row["games"], row["status"]) for row in runs()] == [(4, "finished")] * 2
        assert runs()[0]["settings"]["sprt"] == {"elo0": 0, "elo1": 100, "alpha": 0.05, "beta": 0.05}

    def test_another_file(self):
        ran = play("--games", 2, "--db", "my runs.db")
        assert ran.out.endswith("\nRun 1 in my runs.db: ludus export 1 --db 'my runs.db' writes its games.\n")
        assert os.listdir() == ["my runs.db"]

    def test_python_keeps_nothing_unless_asked(self):
        assert in_python(games=2).to_dict()["run"] is None
        assert os.listdir() == []
        assert in_python(games=2, db="kept.db").run == 1
        assert in_python(games=2, db="kept.db").run == 2

    def test_a_player_against_itself(self):
        found = run("match", "nim", "random", "random", "--games", 4, "--no-compile", "--workers", 1, "--json").json
        assert found["run"] == 1
        assert runs()[0]["players"] == found["players"]

    def test_interrupted(self):
        def press(result):
            if result.games == 6:
                raise KeyboardInterrupt

        result = in_python(games=20, progress=press, db="ludus.db")
        assert (result.games, result.run) == (6, 1)
        [row] = runs()
        assert (row["games"], row["status"], row["result"]["games"]) == (6, "interrupted", 6)


def read_only(monkeypatch) -> None:
    """SQLite may only read, as on a medium that is read-only: its own error, even if we are root."""
    connect = Database._connect
    monkeypatch.setattr(Database, "_connect", lambda self, how, path=None: connect(self, "mode=ro", path))


class TestNoDatabase:
    def refused(self, ran: Ran, *words: str) -> None:
        assert ran.status == 0, ran
        assert ran.json["games"] == 4
        assert ran.json["run"] is None
        assert ran.err.startswith("ludus: warning: the games of this match are not kept: ")
        assert ran.err.count("\n") == 1
        for word in words:
            assert word in ran.err

    def test_read_only(self, monkeypatch):
        Store().close()
        before = Path("ludus.db").read_bytes()
        with monkeypatch.context() as patch:
            read_only(patch)
            self.refused(play("--games", 4, "--json"), "cannot be written", "read-only")
            assert_refused(play("--games", 4, "--db", "ludus.db"), "cannot be written", "read-only")
        assert Path("ludus.db").read_bytes() == before
        assert runs() == []

    @pytest.mark.slow
    def test_a_folder_or_a_file_of_somebody_else(self, folder):
        (folder / "ludus.db").mkdir()
        self.refused(play("--games", 4, "--json"), "is a folder, not a database")
        (folder / "ludus.db").rmdir()
        (folder / "ludus.db").write_text("my letters " * 100)
        self.refused(play("--games", 4, "--json"), "is not a database of ludus")
        assert (folder / "ludus.db").read_text() == "my letters " * 100
        assert_refused(play("--games", 4, "--db", "ludus.db"), "is not a database of ludus")

    def test_it_says_nothing_of_a_run(self, folder):
        (folder / "ludus.db").mkdir()
        assert "Run " not in play("--games", 2).out

    @pytest.mark.slow
    def test_a_disk_that_is_full_on_the_way(self, monkeypatch):
        """Said once; the match goes on to its end, and what was stored before is there."""
        begin = Store.run

        def cramped(self, *arguments, **options):
            found = begin(self, *arguments, **options)
            pages = self.query("PRAGMA page_count")[0][0]
            self.query(f"PRAGMA max_page_count = {pages + 2}")
            return found

        monkeypatch.setattr(Store, "run", cramped)
        ran = play("--games", 200, "--json")
        assert ran.status == 0
        assert ran.err.count("\n") == 1
        assert "the disk is full" in ran.err
        assert (ran.json["games"], ran.json["run"]) == (200, None)
        [row] = runs()
        assert 0 < row["games"] < 200
        assert row["status"] == "unfinished"
        with pytest.raises(StoreError, match="the disk is full"):
            in_python(games=200, db="other.db")
