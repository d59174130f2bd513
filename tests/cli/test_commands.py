"""Every command, in words and as JSON."""

from __future__ import annotations

import re

import pytest

import ludus
import ludus.__main__
from ludus.cli import cli
from ludus.model import registry
from tests.support import SUPPORT
from tests.support.commands import PATIENCE, run, run_process
from tests.support.pages import PAGES

GAMES = SUPPORT / "user_games.py"
PROTOCOLS = {"uci"}
"""Commands whose output is for another program already."""


@pytest.mark.parametrize(
    ("command", "known"),
    [("games", registry.games()), ("searches", registry.searches()), ("evaluators", registry.evaluators())],
)
class TestListings:
    @pytest.fixture(autouse=True)
    def nothing_learnt(self, monkeypatch, tmp_path):
        monkeypatch.setenv("LUDUS_DATA", str(tmp_path))

    def test_words(self, command, known):
        ran = run(command)
        assert ran.status == 0
        assert ran.err == ""
        heading, *rows = ran.out.splitlines()
        assert heading.split()[0] == known.kind
        assert [row.split()[0] for row in rows] == sorted(known.classes)  # one line each

    def test_json(self, command, known):
        rows = run(command, "--json").json[command]
        assert [row["name"] for row in rows] == sorted(known.classes)
        for row in rows:
            assert set(row) - {"games"} == {"name", "parameters", "summary"}
            assert known.make(row["name"], **row["parameters"]).name == row["name"]


def test_evaluators_say_which_games_they_are_for():
    rows = {row["name"]: row["games"] for row in run("evaluators", "--json").json["evaluators"]}
    assert rows["open-lines"] == ["tictactoe", "connect4", "qubic"]
    assert rows["discs"] == ["othello"]
    assert rows["zero"] == []
    assert re.search(r"^zero .*  for any game$", run("evaluators").out, re.MULTILINE)


class TestSearch:
    KEYS = {"game", "player", "move", "value", "proven", "scale", "line", "stopped", "meter", "children"}
    KEYS |= {"statistics", "seed"}
    METER = {"generated", "evaluated", "expanded", "traversed", "seconds"}

    def test_json(self):
        found = run("search", "tictactoe", "minimax(depth=3)", "--state", "XX-OO---- X", "--no-compile", "--json").json
        assert set(found) == self.KEYS
        assert set(found["meter"]) == self.METER
        assert found["game"] == "tictactoe"
        assert found["player"] == "minimax(eval=open-lines, depth=3)"
        assert found["move"] == "c1"
        assert found["line"] == ["c1"]
        assert found["value"] == 2.0**20
        assert found["stopped"] == "depth"
        assert found["seed"] == 0
        assert [child["move"] for child in found["children"]] == ["c1", "c2", "a3", "b3", "c3"]
        assert max(child["value"] for child in found["children"]) == found["value"]

    def test_words(self):
        ran = run("search", "tictactoe", "minimax(depth=3)", "--state", "XX-OO---- X", "--no-compile")
        assert ran.status == 0
        assert ran.err == ""
        lines = ran.out.splitlines()
        assert lines[:5] == ["1 X X .", "2 O O .", "3 . . .", "  a b c", ""], "the board is drawn"
        assert lines[5] == "minimax(eval=open-lines, depth=3) plays c1, value win (seed 0)"
        assert lines[6].split() == ["line", "c1"]
        assert lines[7].startswith("stopped  depth: ")
        assert lines[8] == "search   depth 3"
        assert [line.split()[0] for line in lines[9:]] == ["move", "c1", "c2", "a3", "b3", "c3"]

    def test_what_a_full_width_search_tells_of_itself(self):
        spec = "alphabeta(depth=5, table=true, aspiration=1.0)"
        ran = run("search", "tictactoe", spec, "--no-compile")
        said = next(line for line in ran.out.splitlines() if line.startswith("search "))
        assert re.fullmatch(
            r"search   depth 5, cut-offs \d+, by the first move \d+%, table hits \d+(, researches \d+)?", said
        )
        statistics = run("search", "tictactoe", spec, "--no-compile", "--json").json["statistics"]
        assert statistics["cut-offs"] > statistics["table hits"] > 0

    @pytest.mark.parametrize("search", ["minimax", "alphabeta", "sss", "mtdf"])
    def test_the_depth_reached_is_that_of_what_counts(self, search):
        """Depth 3 of Connect Four takes minimax 399 nodes; of depth 4, once begun, nothing is known for a while."""
        for nodes in (10, 40, 90, 400, 420):
            found = run("search", "connect4", f"{search}(nodes={nodes})", "--no-compile", "--json").json
            assert found["statistics"]["depth"] == max(child["depth"] for child in found["children"])
        assert search != "minimax" or found["statistics"]["depth"] == 3

    def test_player_is_a_spec_that_gives_the_same_player(self):
        first = run("search", "nim", "bfmm(eval=random(seed=3))", "--no-compile", "--json").json
        assert first["player"] == "bfmm(eval=random(seed=3), nodes=2000)"
        second = run("search", "nim", first["player"], "--no-compile", "--json").json
        first["meter"].pop("seconds"), second["meter"].pop("seconds")
        assert first == second

    def test_own_budget_beats_the_option(self):
        def meter(spec, *options):
            return run("search", "nim(stones=60)", spec, *options, "--no-compile", "--json").json["meter"]["generated"]

        assert 40 <= meter("bfmm(eval=random, nodes=40)", "--budget", "nodes=400") <= 43
        assert 400 <= meter("bfmm(eval=random)", "--budget", "nodes=400") <= 403
        assert 2000 <= meter("bfmm(eval=random)") <= 2003

    def test_unknown_values_are_null(self):
        found = run("search", "nim", "random", "--no-compile", "--json").json
        assert found["value"] is None
        assert [child["value"] for child in found["children"]] == [None, None, None]
        assert " value ? " in run("search", "nim", "random", "--no-compile").out

    def test_seed(self):
        moves = set()
        for seed in range(12):
            first, again = (run("search", "nim", "random", "--no-compile", "--seed", seed, "--json") for _ in range(2))
            assert first.json["move"] == again.json["move"]
            assert first.json["seed"] == seed
            moves.add(first.json["move"])
        assert moves == {"1", "2", "3"}

    @pytest.mark.slow
    def test_compiled_and_interpreted_agree(self):
        fast, slow = (
            run("search", "nim", "minimax(nodes=500)", how, "--json").json for how in ("--compile", "--no-compile")
        )
        fast["meter"].pop("seconds"), slow["meter"].pop("seconds")
        assert fast == slow

    def test_game_in_a_file(self):
        ran = run("search", f"{GAMES}:Stones", "minimax", "--no-compile", "--json")
        assert ran.json["game"].endswith("user_games.py:Stones")
        assert ran.json["move"] == "2"  # leaves three
        assert ran.json["stopped"] == "solved"

    @pytest.mark.parametrize("command", ["search nim greedy", "check nim", "perft nim 2", "solve nim", "quality nim"])
    def test_one_process_is_all_the_workers_that_it_has(self, command):
        assert run(*command.split(), "--workers", 1, "--no-compile").status == 0
        ran = run(*command.split(), "--workers", 2, "--no-compile")
        assert ran.status == 2
        words = f"ludus {command.split()[0]} runs in one process, so --workers must be 1, not 2."
        assert words in " ".join(ran.err.split())


class TestPerft:
    def test_json(self):
        found = run("perft", "tictactoe", 4, "--no-compile", "--json").json
        seconds = found.pop("seconds")
        assert found == {"game": "tictactoe", "depth": 4, "leaves": 3024, "complete": True}
        assert seconds > 0

    def test_words(self):
        first, second = run("perft", "tictactoe", 4, "--no-compile").out.splitlines()
        assert first == "tictactoe: 3,024 positions at depth 4"
        assert re.fullmatch(r"\d+\.\d{3} s, [\d,]+ positions/s", second)

    @pytest.mark.parametrize(("depth", "leaves"), [(0, 1), (1, 2), (2, 2), (3, 0), (9, 0)])
    def test_state(self, depth, leaves):
        assert (
            run("perft", "nim", depth, "--state", 2, "--no-compile", "--json").json["leaves"]
            == [1, 2, 1, 0][min(depth, 3)]
        )

    def test_compiled(self):
        # All sequences of twelve numbers from 1 to 3, but for the 5096 with a sum above 30.
        found = run("perft", "nim(stones=30)", 12, "--compile", "--json").json
        assert found["leaves"] == 3**12 - 5096


class TestShow:
    def test_words(self):
        ran = run("show", "tictactoe", "--state", "X---O---X O")
        assert ran.status == 0
        assert ran.out.startswith(
            "1 X . .\n2 . O .\n3 . . X\n  a b c\n\nstate           X---O---X O\n6 moves         b1 c1 a2 c2 a3 b3\n"
        )
        assert re.search(r"^open-lines      -1$", ran.out, re.MULTILINE)

    def test_json(self):
        found = run("show", "tictactoe", "--state", "X---O---X O", "--json").json
        assert set(found) == {"game", "state", "moves", "over", "score", "evaluators"}
        assert found["moves"] == ["b1", "c1", "a2", "c2", "a3", "b3"]
        assert found["over"] is False
        assert found["score"] is None
        assert found["evaluators"]["open-lines"] == -1

    def test_finished_game(self):
        assert "the game is over: +1 to the player to move" in run("show", "nim", "--state", 0).out
        found = run("show", "nim", "--state", 0, "--json").json
        assert found["over"] is True
        assert found["score"] == 1
        assert found["moves"] == []


class TestCheck:
    def test_json(self):
        found = run("check", "nim(stones=6)", "--seconds", 0.1, "--seed", 5, "--no-compile", "--json").json
        assert set(found) >= {"game", "passed", "faults"}
        assert found["game"] == "nim(stones=6)"
        assert found["passed"] is True
        assert found["faults"] == []
        assert found["seed"] == 5
        assert "and the game is over: " in found["story"]
        assert found["compiled"] is False

    def test_as_many_games_as_asked_for(self):
        found = run("check", "nim(stones=6)", "--games", 17, "--seconds", 60, "--no-compile", "--json").json
        assert found["games"] == 17

    @pytest.mark.slow
    def test_compiled(self):
        ran = run("check", "nim", "--seconds", 0.1)
        assert ran.status == 0
        assert "compiled and interpreted alike: no fault" in ran.out


class TestHelp:
    def test_without_arguments_help(self):
        ran = run()
        assert ran.status == 0
        assert ran.out == run("--help").out
        assert ran.err == ""
        for command in cli.commands:
            assert f"  {command} " in ran.out

    @pytest.mark.parametrize("command", sorted(cli.commands))
    def test_help_of_each_command(self, command):
        ran = run(command, "--help")
        assert ran.status == 0
        assert ran.out.startswith(f"Usage: ludus {command}")

    def test_version(self):
        assert run("--version").out == f"ludus, version {ludus.__version__}\n"

    @pytest.mark.parametrize("command", sorted(cli.commands))
    def test_each_command_is_documented(self, command):
        assert any(re.search(rf"\bludus {command}\b", page.read_text()) for page in PAGES)

    @pytest.mark.parametrize("command", sorted(set(cli.commands) - PROTOCOLS))
    def test_each_command_has_json(self, command):
        assert any("--json" in parameter.opts for parameter in cli.commands[command].params)


class TestProcesses:
    def test_script_of_the_distribution(self):
        from importlib.metadata import entry_points

        [script] = entry_points(group="console_scripts", name="ludus")
        assert script.load() is ludus.__main__.main

    @pytest.mark.slow
    def test_json_in_a_real_process(self):
        ran = run_process("search", "nim", "greedy", "--json", "--no-compile")
        assert ran.status == 0
        assert ran.err == ""
        assert ran.json["game"] == "nim"

    @pytest.mark.slow
    def test_a_reader_that_has_seen_enough(self):
        import subprocess
        import sys

        command = f'"{sys.executable}" -m ludus searches | head -n 1'
        done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=PATIENCE)
        assert done.stdout.startswith("search")
        assert done.stderr == ""

    @pytest.mark.slow
    def test_from_a_cold_and_a_warm_cache_the_same(self, tmp_path, monkeypatch):
        monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "cache"))
        (tmp_path / "mine.py").write_text(GAMES.read_text())
        cold, warm = (
            run_process("search", "mine.py:Stones", "greedy", "--json", "--compile", cwd=tmp_path) for _ in range(2)
        )
        assert cold.status == warm.status == 0, cold
        first, second = cold.json, warm.json
        first["meter"].pop("seconds"), second["meter"].pop("seconds")
        assert first == second
        assert any((tmp_path / "cache").iterdir())


class TestOneOfThem:
    """`ludus searches NAME`: its parameters, each with its meaning."""

    def test_a_search(self):
        ran = run("searches", "uct")
        assert ran.status == 0
        assert re.search(r"^  c=1\.0 +how much UCB1 explores; results are from -1 to 1$", ran.out, re.MULTILINE)
        assert "one of auto, playout, eval, mix" in " ".join(ran.out.split())

    def test_two_parameters_that_share_a_line(self):
        told = run("searches", "bandwidth", "--json").json["meanings"]
        assert told["e"] == told["d"]
        assert told["e"].startswith("by how much a static value may lie above")

    def test_a_game_and_an_evaluator(self):
        assert "Tic-tac-toe on a `size` x `size` board" in run("games", "tictactoe").out
        assert "corner=" in run("evaluators", "mobility").out

    def test_a_name_that_nothing_has(self):
        ran = run("games", "othelo")
        assert ran.status == 2
        assert "did you mean othello" in ran.err

    @pytest.mark.parametrize("kind", ["games", "searches", "evaluators"])
    def test_all_can_be_explained(self, kind):
        for row in run(kind, "--json").json[kind]:
            ran = run(kind, row["name"], "--json")
            assert ran.json["parameters"] == row["parameters"]
            assert set(ran.json["meanings"]) <= set(row["parameters"])
