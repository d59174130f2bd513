"""`ludus trace`: a picture, what is said about it, and bad input."""

from __future__ import annotations

import os

import pytest

import ludus
from ludus.model import registry
from ludus.runtime.trace import trace
from tests.support.commands import assert_refused, run

PNG, PDF = b"\x89PNG\r\n\x1a\n", b"%PDF"


@pytest.mark.slow
def test_words(tmp_path):
    file = tmp_path / "grown.png"
    ran = run("trace", "random-tree", "lcf(nodes=300)", "-o", file, "--seed", 3, "--no-compile")
    assert ran.status == 0
    assert ran.err == ""
    assert ran.out == f"lcf(eval=sum, nodes=300): 60 expansions drawn in {file} (seed 3)\n"
    assert file.read_bytes().startswith(PNG)
    assert file.stat().st_size > 20_000


def test_a_full_width_search(tmp_path):
    file = tmp_path / "walked.svg"
    command = ("trace", "nim(stones=5)", "alphabeta(depth=5, eval=zero, order=false)", "-o", file, "--no-compile")
    ran = run(*command)
    words = f"25 nodes of the last pass, 5 plies deep, drawn in {file} (seed 0)\n"
    assert ran.out == f"alphabeta(order=false, eval=zero, depth=5): {words}"
    assert file.read_text().startswith("<?xml")
    found = run(*command, "--json").json
    assert (found["nodes"], found["depth"]) == (25, 5)
    assert [child["cut"] for child in found["root"]["children"]] == [[], ["3"], ["2"]]


FULL_WIDTH = [name for name, cls in registry.searches().classes.items() if cls.family == "full-width"]


@pytest.mark.parametrize("spec", [*FULL_WIDTH, "sss(dual=true)"])
def test_every_full_width_search_is_drawn_and_told_in_the_same_words(tmp_path, spec):
    file = tmp_path / "walked.svg"
    told = run("trace", "tictactoe", spec, "-o", file, "--budget", "depth=2", "--no-compile", "--json").json
    assert told.keys() == {"game", "player", "nodes", "depth", "stopped", "root", "file", "seed"}
    assert told["root"].keys() == {"move", "value", "cut", "alpha", "beta", "searches", "children"}
    assert (told["depth"], len(told["root"]["children"])) == (2, 9)
    value = run("search", "tictactoe", spec, "--budget", "depth=2", "--no-compile", "--json").json["value"]
    assert told["root"]["value"] == pytest.approx(value)
    title = "Each move with its value to whoever makes it"
    more = ", or a bound of it (≤, ≥) where no more was needed" if "sss" in spec else " and, in brackets, the values"
    assert f"{title}{more}" in file.read_text(encoding="utf-8")


def test_json(tmp_path):
    file = tmp_path / "grown.png"
    found = run("trace", "othello(size=4)", "bfmm", "-o", file, "--budget", "nodes=60", "--no-compile", "--json").json
    rows = found.pop("rows")
    assert found == {
        "game": "othello(size=4)",
        "player": "bfmm(eval=mobility, nodes=60)",
        "expansions": len(rows),
        "stopped": "nodes",
        "moves": ["b1", "a2", "d3", "c4"],
        "file": str(file),
        "seed": 0,
    }
    game = ludus.game("othello", size=4)
    expected = trace(game, ludus.player("bfmm(nodes=60)", compiled=False))
    names = [None if row.descended < 0 else expected.moves[row.descended] for row in expected.rows]
    assert [row["descended"] for row in rows] == names
    assert [row["values"] for row in rows] == [row.values for row in expected.rows]
    assert names[0] is None
    assert set(names[1:]) <= {"b1", "a2", "d3", "c4"}
    assert file.read_bytes().startswith(PNG)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "names", "title"),
    [
        ("lcf", {"swing"}, "swing"),
        ("bstar(bounds=game)", {"pessimistic", "optimistic"}, "value and interval (dotted) of each move"),
        ("conspiracy", {"to_fall", "to_rise"}, "to fall (line), to rise (dashed)"),
        ("proof-number", {"proof", "disproof"}, "proof (line), disproof (dashed)"),
    ],
)
def test_what_a_search_knows_of_each_move_is_there_after_every_expansion(tmp_path, spec, names, title):
    told = run("trace", "tictactoe", spec, "-o", tmp_path / "a.svg", "--budget", "nodes=40", "--no-compile", "--json")
    drawn = (tmp_path / "a.svg").read_text()
    for row in told.json["rows"]:
        assert row["known"].keys() == names
        assert all(len(numbers) == 9 for numbers in row["known"].values())
    assert f"<!-- {title} -->" in drawn


@pytest.mark.parametrize(
    ("name", "begins"), [("a.pdf", PDF), ("a.svg", b"<?xml"), ("A.PNG", PNG), ("a.jpg", b"\xff\xd8")]
)
def test_formats(tmp_path, name, begins):
    file = tmp_path / name
    ran = run("trace", "nim", "bfmm(nodes=20)", "-o", file, "--no-compile")
    assert ran.status == 0, ran
    assert file.read_bytes().startswith(begins)


@pytest.mark.slow
def test_state_and_most(tmp_path):
    options = ["-o", tmp_path / "a.png", "--no-compile", "--json"]
    assert run("trace", "random-tree", "bfmm", "--most", 7, *options).json["expansions"] == 7
    assert run("trace", "random-tree", "bfmm", "--budget", "nodes=5000", *options).json["expansions"] == 300
    found = run("trace", "tictactoe", "bfmm(complete=false)", "--state", "XXOOOXX-- O", *options).json
    assert [row["descended"] for row in found["rows"]] == [None, "b3"]


def test_one_expansion(tmp_path):
    ran = run("trace", "nim(stones=1)", "bfmm", "-o", tmp_path / "a.png", "--no-compile")
    assert ran.out.startswith("bfmm(eval=sampler, nodes=2000): 1 expansion drawn in ")


def test_a_file_that_exists_is_replaced(tmp_path):
    file = tmp_path / "a.png"
    file.write_text("old")
    assert run("trace", "nim", "bfmm(nodes=9)", "-o", file, "--no-compile").status == 0
    assert file.read_bytes().startswith(PNG)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("nim sampler -o a.png", ["sampler does not grow a tree leaf by leaf, so there is nothing to trace"]),
        ("nim greedy -o a.png", ["greedy does not grow a tree leaf by leaf"]),
        ("nim bfmm -o a.txt", ["'a.txt' is no picture's name: it must end in .png, .pdf, .svg, .jpg, .jpeg"]),
        ("nim bfmm -o png", ["'png' is no picture's name"]),
        ("nim bfmm -o nowhere/a.png", ["there is no folder 'nowhere' to write 'nowhere/a.png' into"]),
        ("nim bfmm -o .", ["'.' is a directory"]),
        ("nim bfmm", ["Missing option '-o'"]),
        ("nim bfmm -o a.png --state 0", ["the game is over in position '0': there is nothing to trace"]),
        ("nim bfmm -o a.png --state x", ["'x' is not a state of nim"]),
        ("nim bfmm -o a.png --most 0", ["--most must be a whole number of at least 1"]),
        ("nimm bfmm -o a.png", ["unknown game 'nimm'"]),
        ("nim bfm -o a.png", ["unknown search 'bfm'"]),
        ("nim bfmm(eval=discs) -o a.png", ["discs is for othello, not for nim"]),
    ],
)
def test_bad_input(tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert_refused(run("trace", *arguments.split(), "--no-compile"), *words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs a folder in which nobody can write")
def test_a_folder_that_cannot_be_written_into():
    ran = run("trace", "nim", "bfmm(nodes=9)", "-o", "/proc/self/a.png", "--no-compile")
    assert_refused(ran, "'/proc/self/a.png' cannot be written: ")
