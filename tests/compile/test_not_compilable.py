"""Rules that Numba cannot compile run interpreted, with a warning that names the rule and the line."""

import os
import sys
from pathlib import Path

import pytest

import ludus
from ludus import InterpretedWarning, NotCompilable
from ludus.runtime.runner import SLOWER
from tests.compile import processes
from tests.compile.piles import Base

BAD_HELPER = "TABLE = {1: 1}\n\n\ndef look(x):\n    y = x + 1\n    return TABLE[y]\n"

BAD = """
import numpy as np
from bad_helper import look
from tests.compile.piles import Base

WORDS = {1: 1}


def adder(k):
    def add(x):
        return x + k
    return add


add = adder(0)


class DictField(Base):
    def __init__(self):
        super().__init__()
        self.table = {1: 1}

    def score(self, state):
        return self.table[1]  # here


class UnderscoredField(Base):
    def __init__(self):
        super().__init__()
        self._prize = 1

    def score(self, state):
        return self._prize  # here


class FieldOfATreesName(Base):
    def __init__(self):
        super().__init__()
        self.value = {1: 1}

    def score(self, state):
        return WORDS[1]  # here


class ClassMethod(Base):
    @classmethod
    def prize(cls):
        return 1

    def score(self, state):
        return self.prize()  # here


class Match(Base):
    def score(self, state):
        match state:
            case (0,):  # here
                return 1
        return -1


class Closure(Base):
    def score(self, state):
        return add(1)


class Super(Base):
    def score(self, state):  # here
        return super().score(state)


class OtherFile(Base):
    def score(self, state):
        return look(0)
"""

REASONS = {
    "DictField": "rule score does not compile: field 'table' is a dict; compiled rules use numbers",
    "UnderscoredField": "rule score does not compile: field '_prize' cannot be used in compiled rules",
    "FieldOfATreesName": "rule score does not compile: the global WORDS is a dict; compiled rules use numbers",
    "ClassMethod": r"rule score does not compile: prize\(\) cannot be compiled: a rule calls rules, methods of its own",
    "Match": "rule score does not compile: there is no compiled code for this statement",
    "Closure": "adder.<locals>.add is a closure",
    "Super": r"rule score is not a plain method, or uses super\(\)",
    "OtherFile": "rule score does not compile: the global TABLE is a dict; compiled rules use numbers",
}


@pytest.fixture
def bad(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delitem(sys.modules, "bad_helper", raising=False)
    Path("bad.py").write_text(BAD)
    Path("bad_helper.py").write_text(BAD_HELPER)
    return tmp_path


def line_of(name):
    """The line of `BAD` to blame: the first marked one of the class, or that of the closure."""
    lines = BAD.splitlines()
    if name == "Closure":
        return lines.index("    def add(x):") + 1
    start = lines.index(f"class {name}(Base):")
    return next(i for i in range(start, len(lines)) if lines[i].endswith("# here")) + 1


@pytest.mark.parametrize("name", REASONS)
def test_a_rule_that_cannot_be_compiled_is_interpreted_with_a_warning_that_names_rule_and_line(name, bad):
    game = ludus.game(f"bad.py:{name}")
    place = "bad_helper.py, line 6" if name == "OtherFile" else f"bad.py, line {line_of(name)}"
    with pytest.warns(InterpretedWarning, match=REASONS[name]) as warned:
        result = ludus.player("greedy").choose(game)
    message = str(warned[0].message)
    assert message.startswith(f"greedy runs interpreted on bad.py:{name}, {SLOWER}: ")
    assert f"({bad}{os.sep}{place})." in message
    assert "\n" not in message
    assert len(result.children) == 3
    with pytest.raises(NotCompilable, match=REASONS[name]):
        ludus.player("greedy", compiled=True).choose(game)
    assert len(ludus.player("greedy", compiled=False).choose(game).children) == 3


@pytest.mark.slow
def test_that_a_rule_cannot_be_compiled_is_remembered_by_the_next_process(bad):
    options = {"cache": bad / "cache", "cwd": bad}
    for attempts in (True, False):
        [found] = processes.run(["greedy", "bad.py:FieldOfATreesName"], **options)
        assert found.result == found.interpreted
        assert found.kernel == ""
        assert len(found.warnings) == 1
        assert REASONS["FieldOfATreesName"] in found.warnings[0]
        assert (found.compilations > 0) == attempts


def test_what_is_remembered_names_the_file_and_line_of_now(bad):
    other = bad / "other"
    other.mkdir()
    (other / "bad.py").write_text(f"# The same rules two lines below.\n\n{BAD}")
    for file, line in (("bad.py", line_of("DictField")), ("other/bad.py", line_of("DictField") + 2)):
        with pytest.warns(InterpretedWarning) as warned:
            ludus.player("greedy").choose(ludus.game(f"{file}:DictField"))
        assert f"({bad}{os.sep}{file}, line {line})." in str(warned[0].message)


class Words(Base):
    """A state that is not a tuple of numbers."""

    def initial(self):
        return "stones"

    def moves(self, state, out):
        out[0] = 0
        return min(len(state), 1)

    def play(self, state, move):
        return state[1:]


def test_states_of_any_kind_are_interpreted():
    with pytest.warns(
        InterpretedWarning, match="the states of Words are not tuples of .* but str objects: for a text give"
    ):
        assert ludus.player("minimax(depth=9)").choose(Words()).stopped == "solved"


@pytest.mark.slow
def test_without_numba_everything_is_interpreted(tmp_path):
    [found] = processes.run(["greedy", "nim"], cache=tmp_path, cwd=tmp_path, NUMBA_DISABLE_JIT="1")
    assert found.result == found.interpreted
    assert found.kernel == ""
    assert "NUMBA_DISABLE_JIT is set" in found.warnings[0]
