"""Components found by name: built in, plugged in through entry points, in users' files."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from importlib.metadata import EntryPoint

import numpy as np
import pytest

import ludus
from ludus.model import registry
from ludus.model.registry import Registry

PLUGIN = """
import ludus

class Halves(ludus.Game):
    '''Halve a number, rounding down; whoever gets 0 loses.'''
    name = "halves"
    max_moves = 1
    def initial(self): return (100,)
    def moves(self, state, out):
        out[0] = 2
        return 1 if state[0] else 0
    def play(self, state, move): return (state[0] // move,)
    def score(self, state): return 1

class Timid(ludus.Evaluator):
    '''Never more than nothing.'''
    name = "timid"
    def evaluate(self, game, state): return -1.0

from ludus.library.searches.greedy import Greedy
class Meek(Greedy):
    '''Greedy by another name.'''
    name = "meek"
"""


@pytest.fixture
def plugged_in(tmp_path):
    """A package that is installed as far as Python's metadata can tell, with one component of each kind."""
    (tmp_path / "halves_plugin.py").write_text(PLUGIN)
    metadata = tmp_path / "halves_plugin-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: halves-plugin\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        textwrap.dedent(
            """
            [ludus.games]
            halves = halves_plugin:Halves
            [ludus.evaluators]
            timid = halves_plugin:Timid
            [ludus.searches]
            meek = halves_plugin:Meek
            """
        )
    )
    return tmp_path


def run(folder, *arguments):
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from ludus.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", code, str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=100)


@pytest.mark.slow
def test_plug_ins_are_listed_and_used_like_the_built_in_ones(plugged_in):
    for kind, name in (("games", "halves"), ("evaluators", "timid"), ("searches", "meek")):
        assert f"\n{name} " in run(plugged_in, kind).stdout
    found = run(plugged_in, "search", "halves", "meek(eval=timid)", "--no-compile")
    assert found.stdout.startswith("meek(eval=timid, nodes=2000) plays 2, value 1 ")


@pytest.mark.slow
def test_a_plug_in_that_does_not_load_is_one_sentence(plugged_in):
    (plugged_in / "halves_plugin.py").write_text("import nothing_of_that_name")
    found = run(plugged_in, "games")
    assert found.returncode == 2
    assert found.stderr.count("\n") == 1
    assert found.stderr.startswith("ludus: the plug-in halves (halves_plugin:Halves) does not load: No module named")


def test_a_plug_in_does_not_replace_what_is_built_in(monkeypatch):
    entry = EntryPoint("nim", "ludus.library.games.tictactoe:TicTacToe", "ludus.games")
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    assert Registry("game", ludus.Game, "ludus.library.games", "ludus.games").find("nim").name == "nim"


def test_an_argument_that_is_an_array_is_printed():
    class Weighted(ludus.Evaluator):
        name = "weighted"

        def __init__(self, weights=(1, 2)):
            self.weights = np.asarray(weights)

    assert repr(Weighted(np.array([3, 4]))) == "weighted(weights=[3 4])"
    assert repr(Weighted((1, 2))) == "weighted"
