"""`ludus runs` and `ludus export`: what is listed, what is written, and what is refused."""

from __future__ import annotations

import csv
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import ludus
from ludus.arena.play.reasons import Told
from ludus.arena.store.store import Store
from tests.support import SUPPORT
from tests.support.commands import Ran, assert_refused, run
from tests.support.databases import content, invented, key_of, play_run

GAMES = SUPPORT / "user_games.py"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def succeeded(ran: Ran) -> Ran:
    assert ran.status == 0, ran
    assert ran.err == ""
    return ran


def blocks(file: str) -> list[dict[str, str]]:
    """The games of a text file, as the words at the beginning of each line say."""
    text = Path(file).read_text(encoding="utf-8")
    games = text.split("\n\n")
    assert games.pop() == ""
    return [{line[:8].strip(): line[9:] for line in game.splitlines()} for game in games]


def rows(file: str) -> list[dict[str, str]]:
    with open(file, encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


class TestRuns:
    def test_words(self):
        play_run("ludus.db", "tictactoe", 3)
        play_run("ludus.db", "nim", 2, finish="")
        ran = succeeded(run("runs"))
        heading, first, second = ran.out.splitlines()
        assert heading.split("  ")[0] == "run"
        assert re.split(r"\s{2,}", heading) == [
            "run",
            "command",
            "game",
            "players",
            "budget",
            "seed",
            "openings",
            "games",
            "status",
            "last played",
            "time",
        ]
        when = r"\d{4}-\d\d-\d\d \d\d:\d\d"
        assert re.fullmatch(
            rf" +1  rank +tictactoe  greedy, random  nodes=2000 +0 +6  finished +{when} +\d+\.\d s", first
        )
        assert re.fullmatch(rf" +2  rank +nim +greedy, random  nodes=2000 +0 +4  unfinished +{when} +\d+\.\d s", second)

    def test_json(self, folder):
        play_run("ludus.db", "tictactoe", 3)
        found = run("runs", "--json").json
        assert set(found) == {"database", "runs"}
        assert found["database"] == str(folder / "ludus.db")
        [row] = found["runs"]
        keys = "number command game players games seed settings fingerprint version python numba numpy line created"
        assert set(row) == {*keys.split(), "updated", "status", "seconds", "result"}
        assert row["players"] == ["greedy(eval=open-lines, nodes=2000)", "random(eval=open-lines, nodes=2000)"]
        assert (row["number"], row["games"], row["status"], row["seed"]) == (1, 6, "finished", 0)
        assert row["settings"] == {"plies": 2}
        assert row["line"] == "ludus rank tictactoe"
        assert row["result"] == {"games": 6}

    def test_many_players(self):
        names = tuple(f"p{i}(nodes={i})" for i in range(5))
        with Store() as store:
            store.run(key_of(players=names)).close()
            store.run(key_of(players=names[:4])).close()
        _, first, second = run("runs").out.splitlines()
        assert "  p0, p1, p2 and 2 more  " in first
        assert "  p0, p1, p2, p3  " in second

    def test_runs_are_told_apart(self):
        players = ("greedy(eval=zero, nodes=5, per=game)", "random(eval=zero, nodes=5, per=game)")
        with Store() as store:
            store.run(key_of(players=players, seed=7, settings={"openings": 3})).close()
            store.run(key_of(players=("a(nodes=1)", "b(nodes=2)"))).close()
            store.run(key_of(players=("a(oops", "b"))).close()
        _, first, second, third = run("runs").out.splitlines()
        assert re.search(r"  nodes=5, per=game +7 +3 +0  ", first)
        assert "  various  " in second
        assert "a, b  " in third

    @pytest.mark.parametrize("columns", [40, 60, 80, 100, 120])
    def test_narrow(self, columns, monkeypatch):
        names = tuple(f"player{i}(nodes={i})" for i in range(5))
        with Store() as store:
            store.run(key_of(game=f"/a/very/long/{'path/' * 20}game.py:Mine", players=names)).close()
        monkeypatch.setenv("COLUMNS", str(columns))
        heading, line = run("runs").out.splitlines()
        assert max(len(heading), len(line)) <= columns
        assert line.split()[0] == "1"
        assert "unfinished" in line
        assert ("seed" in heading) == (columns >= 100)

    def test_markup_is_left_alone(self):
        with Store() as store, store.run(key_of(game="[red]/game.py:Mine")) as entry:
            entry.finish("[b]stopped", {})
        assert "[red]/game.py:Mine" in run("runs").out
        assert "[b]stopped" in run("runs").out

    def test_db(self):
        play_run("other.db", "tictactoe", 1)
        assert len(run("runs", "--db", "other.db", "--json").json["runs"]) == 1
        assert_refused(run("runs"), "there is no database", "ludus.db; choose another with --db")
        assert not os.path.exists("ludus.db")

    def test_none_yet(self, folder):
        Store().close()
        assert succeeded(run("runs")).out == f"there are no runs in {folder / 'ludus.db'} yet.\n"
        assert run("runs", "--json").json["runs"] == []

    def test_while_it_is_played(self):
        with Store() as store, store.run(key_of()) as entry:
            entry.add(*invented(0))
            listed = run("runs", "--json").json["runs"]
            assert [(row["games"], row["status"]) for row in listed] == [(2, "playing")]
            entry.add(*invented(1))
            assert succeeded(run("export", 1, "--format", "csv")).out.startswith("run 1: 4 games of nim\n")


class TestFiles:
    def test_words_and_names(self):
        play_run("ludus.db", "tictactoe", 3)
        assert succeeded(run("export", 1)).out == "run 1: 6 games of tictactoe\n  run-1.csv\n  run-1.txt\n"
        assert sorted(os.listdir()) == ["ludus.db", "run-1.csv", "run-1.txt"]

    def test_json(self):
        play_run("ludus.db", "tictactoe", 3)
        found = run("export", 1, "--json").json
        assert found == {"run": 1, "games": 6, "files": ["run-1.csv", "run-1.txt"], "warning": ""}

    def test_last(self):
        play_run("ludus.db", "tictactoe", 1)
        play_run("ludus.db", "nim", 2)
        assert run("export", "last", "--json").json["run"] == 2

    @pytest.mark.parametrize("made", [True, False])
    def test_into_a_folder(self, folder, made):
        play_run("ludus.db", "tictactoe", 1)
        if made:
            (folder / "out").mkdir()
        assert run("export", 1, "-o", "out", "--json").json["files"] == ["out/run-1.csv", "out/run-1.txt"]
        assert sorted(os.listdir("out")) == ["run-1.csv", "run-1.txt"]

    @pytest.mark.parametrize(
        ("arguments", "file", "start"),
        [
            (["-o", "games.csv"], "games.csv", "run,one,"),
            (["-o", "games.txt"], "games.txt", "game "),
            (["-o", "games.ggf"], "games.ggf", "(;GM[Othello]"),
            (["-o", "games.dat", "--format", "csv"], "games.dat", "run,one,"),
            (["-o", "games.csv", "--format", "text"], "games.csv", "game "),
            (["--format", "ggf"], "run-1.ggf", "(;GM[Othello]"),
            (["--format", "csv", "-o", "."], "run-1.csv", "run,one,"),
        ],
    )
    def test_one_format(self, arguments, file, start):
        play_run("ludus.db", "othello(size=4)", 1)
        assert run("export", 1, *arguments, "--json").json["files"] == [file]
        assert Path(file).read_text().startswith(start)
        assert sorted(os.listdir()) == sorted(["ludus.db", file])

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["2"], ["there is no run '2' in", "RUN is last or a number up to 1"]),
            (["0"], ["there is no run '0'"]),
            (["first"], ["there is no run 'first'"]),
            ([], ["Missing argument 'RUN'"]),
            (["1", "--format", "ggf"], ["tictactoe cannot be written as 'ggf': --format is csv, text."]),
            (["1", "--format", ""], ["cannot be written as ''"]),
            (["1", "-o", "games.xml"], ["'games.xml' must end in .csv, .txt, or --format must say"]),
            (["1", "-o", "no/games.csv"], ["'no/games.csv' cannot be written: No such file or directory"]),
            (["1", "-o", "ludus.db/x.csv"], ["'ludus.db/x.csv' cannot be written: Not a directory"]),
            (["1", "-o", "no/no"], ["the folder 'no/no' cannot be made: No such file or directory"]),
            (["1", "-o", "ludus.db/x"], ["the folder 'ludus.db/x' cannot be made: Not a directory"]),
            (["1", "--db", "no.db"], ["there is no database"]),
        ],
    )
    def test_refused(self, arguments, words):
        play_run("ludus.db", "tictactoe", 1)
        assert_refused(run("export", *arguments), *words)
        assert os.listdir() == ["ludus.db"]

    def test_no_runs(self):
        Store().close()
        assert_refused(run("export", "last"), "there are no runs in", "yet.")

    def test_overwrites_only_by_force(self, folder):
        play_run("ludus.db", "tictactoe", 1)
        (folder / "run-1.txt").write_text("mine")
        assert_refused(run("export", 1), "'run-1.txt' is there already: --force overwrites it.")
        assert (folder / "run-1.txt").read_text() == "mine"
        assert not (folder / "run-1.csv").exists()
        succeeded(run("export", 1, "--force"))
        assert len(blocks("run-1.txt")) == len(rows("run-1.csv")) == 2

    def test_what_is_there_stays_if_writing_fails(self, folder, monkeypatch):
        play_run("ludus.db", "tictactoe", 1)
        (folder / "run-1.csv").write_text("before")

        def interrupted(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr("ludus.arena.store.export.Export._tell", interrupted)
        ran = run("export", 1, "--force")
        assert ran.status == 130
        assert (folder / "run-1.csv").read_text() == "before"
        assert sorted(os.listdir()) == ["ludus.db", "run-1.csv"]

    def test_a_run_without_games(self):
        with Store() as store:
            store.run(key_of()).close()
        assert succeeded(run("export", 1)).out.startswith("run 1: 0 games of nim\n")
        assert rows("run-1.csv") == []
        assert Path("run-1.csv").read_text().startswith("run,one,other,")
        assert Path("run-1.txt").read_text() == ""

    def test_the_database_is_not_changed(self):
        play_run("ludus.db", "tictactoe", 2)
        before = content("ludus.db")
        run("export", 1)
        run("runs")
        assert content("ludus.db") == before


class TestCsv:
    def test_every_column_of_every_game(self):
        with Store() as store:
            with store.run(key_of()) as entry:
                entry.add_many(map(invented, range(40)))
            stored = list(store.games(1))
        assert any(row["fault"] for row in stored)
        succeeded(run("export", 1, "--format", "csv"))
        found = rows("run-1.csv")
        assert len(found) == len(stored) == 80
        names = key_of().players
        for row, expected in zip(found, stored, strict=True):
            seats = [names[row_number] for row_number in (expected["one"], expected["other"])]
            first, second = seats if expected["game"] == 0 else seats[::-1]
            expected |= {"first": first, "second": second, "fault": expected["fault"] or ""}
            assert row == {name: str(value) for name, value in expected.items()}
            assert float(row["score"]) == expected["score"]


class TestText:
    def test_games_can_be_replayed(self):
        """The names of the moves lead to a finished game with the result that is told."""
        play_run("ludus.db", "tictactoe", 12, plies=3)
        succeeded(run("export", 1))
        games, table = blocks("run-1.txt"), rows("run-1.csv")
        assert len(games) == len(table) == 24
        for game, row in zip(games, table, strict=True):
            assert list(game) == ["game", "run", "round", "date", "first", "second", "opening", "moves", "result"]
            assert (game["game"], game["run"]) == ("tictactoe", "1")
            assert game["round"] == f"0-1.{row['opening']}.{row['game']}"
            assert (game["first"], game["second"]) == (row["first"], row["second"])
            position = ludus.game("tictactoe").position()
            for move in game["opening"].split() + game["moves"].split():
                position = position.play(move)
            assert len(game["opening"].split()) == 3
            score = position.score if len(game["moves"].split()) % 2 == 0 else -position.score
            assert score == float(row["score"])
            assert game["result"] == {1: "First wins", 0: "a draw", -1: "Second wins"}[score]
        assert len({game["result"] for game in games}) >= 2

    def test_seeded_games_and_large_results(self):
        play_run("ludus.db", "random-tree(depth=4)", 3)
        succeeded(run("export", 1))
        for game, row in zip(blocks("run-1.txt"), rows("run-1.csv"), strict=True):
            assert game["game"] == row["spec"] != "random-tree(depth=4)"
            score = float(row["score"])
            assert game["result"] == f"{'First' if score > 0 else 'Second'} wins by {abs(score):g}"

    def test_forfeits(self):
        with Store() as store, store.run(key_of()) as entry:
            pair, (record, _) = invented(0)
            pair = replace(pair, opening=replace(pair.opening, moves=(1,)))
            lost = replace(record, moves=(2, 3), score=-1.0, fault=Told("took\nlonger than 3 s"))
            entry.add(pair, (lost, replace(lost, score=1.0)))
        succeeded(run("export", 1))
        first, second = blocks("run-1.txt")
        assert first["moves"] == "2 3"
        assert first["result"] == "Second wins: First forfeits (took longer than 3 s)"
        assert second["result"] == "First wins: Second forfeits (took longer than 3 s)"


TAG = re.compile(r"([A-Z]+)\[([^\]]*)\]")


class TestGgf:
    @pytest.mark.parametrize(("spec", "plies"), [("othello(size=4)", 1), ("othello(size=6)", 2), ("othello", 3)])
    def test_against_a_reader_of_its_own(self, spec, plies):
        """Tags as the format's page has them; the moves from the board that it gives to the result that it gives."""
        play_run("ludus.db", spec, 2, plies=plies)
        succeeded(run("export", 1))
        lines, table, game = Path("run-1.ggf").read_text().splitlines(), rows("run-1.csv"), ludus.game(spec)
        assert len(lines) == len(table) == 4
        for line, row in zip(lines, table, strict=True):
            assert line.startswith("(;")
            assert line.endswith(";)")
            tags = TAG.findall(line)
            assert "".join(f"{tag}[{text}]" for tag, text in tags) == line[2:-2]
            head = dict(tags[:8])
            assert list(head) == ["GM", "PC", "DT", "PB", "PW", "RE", "TY", "BO"]
            assert (head["GM"], head["TY"]) == ("Othello", str(game.size))
            assert re.fullmatch(r"\d{4}\.\d\d\.\d\d_\d\d:\d\d:\d\d\.UTC", head["DT"])
            size, *board, side = head["BO"].split()
            assert [int(size)] * int(size) == [len(rank) for rank in board]
            position = game.position(f"{''.join(board)} {side}".replace("*", "X"))
            assert position.text == game.position().text
            for index, (colour, move) in enumerate(tags[8:]):
                assert colour == "BW"[index % 2]
                position = position.play(move.lower())
            assert position.is_over
            black = position.score if position.text.endswith("X") else -position.score
            assert head["RE"] == f"{black:+.2f}"
            starts = "PB" if plies % 2 == 0 else "PW"  # whoever moves first after the opening
            assert head[starts] == row["first"]
            assert black == float(row["score"]) * (1 if plies % 2 == 0 else -1)

    def test_an_odd_name_and_a_forfeit(self):
        game = ludus.game("othello")
        about = {"fault": "took too long"}
        text = game.game_text(("a[1].py:S", "b"), [], game.legal(game.start)[:1], -1.0, about)
        assert "PB[a[1).py:S]PW[b]RE[-1.00:r]TY[8]" in text
        assert "DT" not in text


def edit(file: Path, old: str, new: str) -> None:
    """Change a user's file, and forget what was loaded from it; the clock must tell that it is newer."""
    later = file.stat().st_mtime + 10
    source = file.read_text()
    assert old in source
    file.write_text(source.replace(old, new, 1))
    os.utime(file, (later, later))
    forget()


def forget() -> None:
    for name in [name for name in sys.modules if name.startswith("ludus_file_mine_")]:
        del sys.modules[name]


class TestUsersGames:
    @pytest.fixture
    def game(self, folder):
        (folder / "mine.py").write_text(GAMES.read_text())
        play_run("ludus.db", "mine.py:Stones", 1, plies=1)
        return folder / "mine.py"

    def test_its_own_way_of_writing(self, game):
        say = "return f\"{score:+} {about['run']}\""
        own = f"    max_moves = 2\n\n    def game_text(self, players, opening, moves, score, about):\n        {say}\n"
        edit(game, "    max_moves = 2\n", own)
        assert run("export", 1, "--json").json["files"] == ["run-1.csv", "run-1.txt"]
        scores = [f"{float(row['score']):+} 1" for row in rows("run-1.csv")]
        assert Path("run-1.txt").read_text() == "".join(f"{score}\n\n" for score in scores)

        edit(game, "    max_moves = 2\n", '    max_moves = 2\n    notation = "own"\n')
        assert run("export", 1, "--force", "--json").json["files"] == ["run-1.csv", "run-1.txt", "run-1.own"]
        assert blocks("run-1.txt")[0]["game"] == "mine.py:Stones"
        assert Path("run-1.own").read_text() == "".join(f"{score}\n" for score in scores)

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            (None, "there is no file mine.py"),
            (("class Stones", "class Pebbles"), "mine.py does not load: NameError"),
            (("class Stones(", "class Stones"), "mine.py does not load: SyntaxError"),
            (("return (5,)", "return (6,)"), "the rules of mine.py:Stones have changed"),
            (("return -1", "return 1"), "the rules of mine.py:Stones have changed"),
            (("        return (state[0] - move,)", "        raise KeyError(move)"), "rule play"),
            (
                ("    max_moves = 2", "    max_moves = 2\n    def move_name(self, state, move):\n        1 / 0"),
                "division",
            ),
        ],
        ids=lambda change: str(change)[:30],
    )
    def test_gone_or_changed(self, game, change, reason):
        if change is None:
            game.unlink()
            forget()
        else:
            edit(game, *change)
        ran = run("export", 1)
        assert ran.status == 0
        assert ran.out == "run 1: 2 games of mine.py:Stones\n  run-1.csv\n  run-1.txt\n"
        assert ran.err.startswith(
            "ludus: warning: the moves of all games are given as numbers, because they cannot be read"
        )
        assert reason in ran.err
        assert ran.err.count("\n") == 1
        for game_told, row in zip(blocks("run-1.txt"), rows("run-1.csv"), strict=True):
            assert game_told["moves"] == row["moves"]
            assert game_told["opening"] == row["opening_moves"]
            assert game_told["result"] in ("First wins", "Second wins")

    def test_gone_but_not_needed(self, game):
        game.unlink()
        forget()
        ran = run("export", 1, "--format", "csv", "--json")
        assert ran.err == ""
        assert ran.json["files"] == ["run-1.csv"]

    def test_some_games_only(self):
        """A warning says how many; they have no place in a notation."""
        play_run("ludus.db", "othello(size=4)", 2)
        with Store() as store:
            store.db.execute("UPDATE games SET score = -score WHERE opening = 1 AND game = 0 AND score != 0")
        ran = run("export", 1)
        assert ran.status == 0
        assert "the moves of 1 of the 4 games are given as numbers and left out of run-1.ggf, because" in ran.err
        assert len(Path("run-1.ggf").read_text().splitlines()) == 3
        assert len(blocks("run-1.txt")) == len(rows("run-1.csv")) == 4
