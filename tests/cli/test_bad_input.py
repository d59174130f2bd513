"""Every kind of bad input gets one sentence that says what is allowed, and exit status 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import SUPPORT
from tests.support.commands import assert_refused, run, run_process

GAMES = SUPPORT / "user_games.py"
PLAYERS = Path(__file__).with_name("own_players.py")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        # Unknown names, with the nearest suggested or all listed.
        ("search nimm bfmm", ["unknown game 'nimm'", "did you mean nim?"]),
        ("search xyzzy bfmm", ["unknown game 'xyzzy'", "known: ", "nim", "tictactoe"]),
        ("show tictacto", ["unknown game 'tictacto'", "did you mean tictactoe?"]),
        ("perft nimm 3", ["unknown game 'nimm'"]),
        ("check nimm", ["unknown game 'nimm'"]),
        ("search nim bfm", ["unknown search 'bfm'", "did you mean bfmm?"]),
        ("search nim bfmm(eval=zeero)", ["unknown evaluator 'zeero'", "did you mean zero?"]),
        ("search nim bfmm(eval=open-lines)", ["open-lines is for tictactoe, connect4, qubic, not for nim"]),
        ("search nim bfmm(eval=3)", ["eval must name an evaluator"]),
        ("search nim bfmm(nods=3)", ["unknown parameter of bfmm 'nods'", "did you mean nodes"]),
        ("search nim bfmm(eval=random(sed=1))", ["unknown parameter of random 'sed'", "did you mean seed?"]),
        ("search nim(stoned=3) bfmm", ["unknown parameter of nim 'stoned'", "did you mean stones?"]),
        ("show nim(x=3)", ["unknown parameter of nim 'x'", "it takes: most, stones"]),
        # Parameters of the wrong type or out of range.
        ("show nim(stones=many)", ["stones of nim must be a whole number, not many"]),
        ("show nim(stones=2.5)", ["stones of nim must be a whole number, not 2.5"]),
        ("show nim(stones=true)", ["stones of nim must be a whole number, not true"]),
        ("show nim(stones=1e30)", ["stones of nim must be a whole number"]),
        ("show nim(stones=0)", ["nim(stones=0) cannot be made: stones and most must be at least 1"]),
        ("show tictactoe(size=9)", ["size must be from 1 to 8"]),
        ("search nim bfmm(eval=random(seed=x))", ["seed of random must be a whole number, not x"]),
        # Budgets.
        ("search nim bfmm(nodes=0)", ["nodes must be a whole number of at least 1, not 0"]),
        ("search nim bfmm(nodes=-5)", ["nodes must be a whole number of at least 1, not -5"]),
        ("search nim bfmm(nodes=1.5)", ["nodes must be a whole number of at least 1, not 1.5"]),
        ("search nim bfmm(nodes=many)", ["nodes must be a whole number of at least 1, not many"]),
        ("search nim bfmm(nodes=inf)", ["nodes must be a whole number of at least 1, not inf"]),
        ("search nim bfmm(units=0)", ["units must be a whole number of at least 1, not 0"]),
        ("search nim minimax(depth=0)", ["depth must be a whole number of at least 1 or auto, not 0"]),
        ("search nim bfmm(seconds=0)", ["seconds must be a number above 0, not 0"]),
        ("search nim bfmm(seconds=-1)", ["seconds must be a number above 0, not -1"]),
        ("search nim bfmm(seconds=inf)", ["seconds must be a number above 0, not inf"]),
        ("search nim bfmm(memory=0)", ["memory must be a number above 0, not 0"]),
        ("search nim bfmm(per=week)", ["per must be move or game, not week"]),
        ("search nim bfmm --budget nodes=0", ["nodes must be a whole number of at least 1, not 0"]),
        ("search nim bfmm --budget noodles=3", ["unknown budget 'noodles'", "did you mean nodes?"]),
        ("search nim bfmm --budget x=3", ["unknown budget 'x'", "it is one of: depth"]),
        ("search nim bfmm --budget 2000", ["cannot read '2000': expected key=value"]),
        ("search nim bfmm --budget nodes=1,nodes=2", ["'nodes' is given twice"]),
        # Specs that cannot be read.
        ("search nim bfmm(nodes=3", ["cannot read 'bfmm(nodes=3': expected ',' or ')' at the end"]),
        ("search nim bfmm)", ["expected the end before ')'"]),
        ("search nim bfmm(nodes=3)more", ["expected the end before 'more'"]),
        ("search nim bfmm(3)", ["expected key=value before '3)'"]),
        ("search nim bfmm(nodes=)", ["expected a name before ')'"]),
        ("search nim(stones=3 bfmm", ["cannot read 'nim(stones=3'"]),
        # States that do not parse.
        ("show nim --state x", ["'x' is not a state of nim", "one looks like '21'"]),
        ("show nim --state 1.5", ["'1.5' is not a state of nim"]),
        ("show nim --state 99999999999999999999", ["is not a state of nim"]),
        ("search nim bfmm --state 1,2", ["is not a state of nim"]),
        ("search tictactoe bfmm --state XX", ["a position of tictactoe is 9 of X, O and -"]),
        ("perft tictactoe 3 --state XXX------", ["cannot arise"]),
        ("search nim bfmm --state 0", ["the game is over in position '0'"]),
        # Options and arguments.
        ("search nim bfmm --workers 0", ["--workers must be a whole number of at least 1, not '0'."]),
        ("check nim --workers -1", ["--workers"]),
        ("check nim --seconds 0", ["--seconds"]),
        ("check nim --games 0", ["--games"]),
        ("search nim bfmm --seed -1", ["--seed must be a whole number from 0 to 18446744073709551615, not '-1'."]),
        ("search nim bfmm --seed x", ["--seed must be a whole number from 0 to 18446744073709551615, not 'x'."]),
        ("search nim bfmm --seed 99999999999999999999", ["--seed"]),
        ("check nim --seed 99999999999999999999", ["--seed"]),
        ("check nim --seconds 0", ["--seconds must be a number above 0, not '0'."]),
        ("rank nim --minutes nan", ["--minutes must be a number above 0, not 'nan'."]),
        ("rank nim --openings x", ["--openings must be a whole number of at least 0, not 'x'."]),
        ("perft nim x", ["DEPTH must be a whole number of at least 0, not 'x'."]),
        ("perft nim", ["Missing argument 'DEPTH'"]),
        ("perft nim x", ["DEPTH"]),
        ("perft nim -1", ["DEPTH"]),
        ("perft nim 1.5", ["DEPTH"]),
        (
            "search nim",
            ["Missing argument 'SPEC'; write ludus search [OPTIONS] GAME SPEC, or see ludus search --help."],
        ),
        ("search nim bfmm --sed 3", ["unknown option of ludus search '--sed'; did you mean --seed"]),
        ("solve nim --goal draw", ["'draw' is not one of 'score', 'result'.\n"]),
        ("search", ["Missing argument 'GAME'"]),
        ("show", ["Missing argument 'GAME'"]),
        ("check", ["Missing argument 'GAME'"]),
        ("games nim nim", ["unexpected extra argument"]),
        ("search nim bfmm greedy", ["unexpected extra argument"]),
        ("search nim bfmm --depth 3", ["unknown option of ludus search '--depth'; did you mean --budget?"]),
        ("perft nim 3 --what", ["--what"]),
        ("show nim --state", ["--state"]),
        ("--what", ["unknown option of ludus '--what'"]),
        ("serch nim bfmm", ["unknown command 'serch'", "search"]),
        ("xyzzy", ["unknown command 'xyzzy'", "known: analyse, calibrate, check"]),
        # Files.
        ("show nowhere.py:Game", ["there is no file nowhere.py", "path/to/file.py:Class"]),
        ("search nim nowhere.py:Search", ["there is no file nowhere.py"]),
        (f"show {GAMES}:Stoned", ["'Stoned'", "did you mean Stones?"]),
        (f"show {GAMES}", ["say which", f"{GAMES}:Stones"]),
        (f"search nim {GAMES}:Stones", ["has no search: that is a subclass of ludus.Search"]),
        (f"show {GAMES}:Needs", ["Needs needs stones"]),
        (f"show {GAMES}:Positive(stones=0)", ["cannot be made: stones must be at least 1"]),
        (f"show {GAMES}:NoBound", ["must set max_moves"]),
        # Rules that raise.
        (f"show {GAMES}:RaisesInInitial", ["rule initial of", "failed: RuntimeError: no board, please", "line"]),
        (f"show {GAMES}:RaisesInMoves", ["rule moves of", "failed in position '5': RuntimeError: no moves, please"]),
        (f"show {GAMES}:RaisesInScore --state 0", ["rule score of", "failed in position '0'", "no score, please"]),
        (f"show {GAMES}:RaisesInRender", ["render failed: KeyError: 'picture'", "user_games.py, line "]),
        (f"show {GAMES}:RaisesInName", ["move_name failed: KeyError: 1", "user_games.py, line "]),
        (f"show {GAMES}:RaisesInParse --state 5", ["'5' is not a state of", "one looks like '5'"]),
        (f"search {GAMES}:RaisesInName greedy --no-compile", ["move_name failed: KeyError: 1"]),
        (
            f"search {GAMES}:Raises bfmm(eval=zero) --no-compile",
            ["rule play (move 1) of", "failed in position '2'", "line "],
        ),
        (f"perft {GAMES}:Raises 4 --no-compile", ["rule play (move 1) of", "failed in position '2'", "line "]),
        (f"perft {GAMES}:Raises 4", ["failed in position '2': RuntimeError: no stones, please", "user_games.py"]),
        (f"search {GAMES}:RaisesInScore minimax", ["rule score of", "failed in position '0'", "no score, please"]),
        # Evaluators and searches of one's own.
        (f"search nim greedy(eval={PLAYERS}:Words) --no-compile", ["rule evaluate of", "evaluate must give a number"]),
        (
            f"search nim greedy(eval={PLAYERS}:Nothing) --no-compile",
            ["rule evaluate of", "evaluate must give a number"],
        ),
        (f"search nim greedy(eval={PLAYERS}:NotANumber) --no-compile", ["evaluate must give a number, not nan"]),
        (f"search nim greedy(eval={PLAYERS}:NotANumber)", ["evaluate must give a number, not nan"]),
        (f"search nim greedy(eval={PLAYERS}:NoGame) --no-compile", ["is written evaluate(self, game, state)"]),
        (
            f"search nim {PLAYERS}:OtherParameters(depth=2) --no-compile",
            ["window of OtherParameters must be written window(self, tree, node, child)"],
        ),
        (f"search nim {PLAYERS}:RaisesInWindow(depth=2) --no-compile", ["window failed: ValueError: not done yet"]),
    ],
    ids=lambda value: value.replace(str(GAMES.parent), "") if isinstance(value, str) else "",
)
def test_refused(arguments, words):
    assert_refused(run(*arguments.split()), *words)


@pytest.mark.parametrize(
    "arguments", [["search", "nim", ""], ["search", "", "bfmm"], ["search", "nim", "bfmm", "--budget", ""]]
)
def test_empty(arguments):
    assert_refused(run(*arguments), "cannot read ''")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("class Broken(", ["SyntaxError", "line 1"]),
        ("import ludus\n\nraise RuntimeError('boom')", ["RuntimeError: boom", "line 3"]),
        ("import no_such_module_anywhere", ["No module named 'no_such_module_anywhere'"]),
        ("import sys\nsys.exit('usage: none')", ["SystemExit", "line 2"]),
        ("x = 1", ["has no game: that is a subclass of ludus.Game"]),
        ("class Mine:\n    max_moves = 3", ["has no game"]),
    ],
)
def test_files_that_do_not_load(tmp_path, source, words):
    file = tmp_path / "broken.py"
    file.write_text(source)
    assert_refused(run("search", f"{file}:Mine", "bfmm"), "broken.py", *words)
    assert_refused(run("show", f"{file}:Mine", "--json"), "broken.py", *words)


def test_a_file_that_did_not_load_can_be_mended(tmp_path):
    file = tmp_path / "mended.py"
    file.write_text("class Mine(")
    assert_refused(run("show", f"{file}:Mine"), "SyntaxError")
    file.write_text(GAMES.read_text().replace("class Stones(", "class Mine(").replace("(Stones)", "(Mine)"))
    assert run("show", f"{file}:Mine").status == 0


def test_json_does_not_change_how_bad_input_is_refused():
    assert_refused(run("search", "nimm", "bfmm", "--json"), "did you mean nim?")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("search", "nimm", "bfmm"), ("perft", f"{GAMES}:Raises", "4", "--no-compile")])
def test_in_a_process_of_its_own(arguments):
    assert_refused(run_process(*arguments))


def test_an_error_of_ours_is_not_hidden(monkeypatch):
    monkeypatch.setattr("ludus.game", lambda spec: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run("show", "nim")


# Rules that cannot be compiled.


@pytest.mark.parametrize(
    ("command", "name", "words"),
    [
        ("perft", "Fractions", []),  # perft does not call score
        ("search", "Ends", ["rule moves", "Fraction"]),
        ("search", "Methods", []),
        ("perft", "Table", ["rule play", "field 'table' is a dict"]),
    ],
)
def test_what_does_not_compile_runs_with_a_warning_and_with_compile_is_refused(command, name, words):
    game = f"{GAMES}:{name}"
    last = "greedy(nodes=9)" if command == "search" else "4"
    ran = run(command, game, last)
    assert ran.status == 0
    assert ran.out != ""
    strict = run(command, game, last, "--compile")
    quiet = run(command, game, last, "--no-compile")
    assert quiet.status == 0
    assert quiet.err == ""
    if not words:
        assert ran.err == ""
        assert strict.status == 0
        return
    assert ran.err.startswith("ludus: warning: ")
    assert ran.err.count("\n") == 1
    for word in [*words, "user_games.py, line "]:
        assert word in ran.err
    assert_refused(strict, *words, "user_games.py, line ")


def test_the_line_that_does_not_compile_is_named():
    lines = GAMES.read_text().splitlines()
    number = next(i for i, line in enumerate(lines, 1) if "line of the fault" in line)
    assert f"line {number})" in run("search", f"{GAMES}:Ends", "greedy").err


def test_the_warning_leaves_json_alone():
    ran = run("search", f"{GAMES}:Ends", "greedy", "--json")
    assert ran.status == 0
    assert ran.json["value"] is not None
    assert "warning" in ran.err
