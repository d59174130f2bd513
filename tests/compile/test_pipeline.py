"""How a kernel is put together, and what happens when the compiler fails: the same source runs interpreted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib

import pytest

import ludus
from ludus import InterpretedWarning, NotCompilable
from ludus.compile import explain, pipeline, specialise
from ludus.compile.fit import fits
from ludus.runtime.runner import SLOWER
from tests.compile.piles import Base
from tests.support import REPOSITORY

LINKED = """
import numba
from ludus.compile.pipeline import Compiler

OPTIONS = {"nogil": True, "_nrt": True, "no_cfunc_wrapper": True, "pipeline_class": Compiler}


@numba.njit(**OPTIONS, no_cpython_wrapper=True)
def called(x):
    return x + 1


@numba.njit(**OPTIONS, no_cpython_wrapper=True)
def calls(x):
    return 2 * called(x)


@numba.njit(**OPTIONS)
def step(x):
    if x - x > 1:  # never, which only LLVM finds out
        return called(x)
    return calls(x)


print(step.compile((numba.int64,))(3))
"""


DROPPING = """
from types import SimpleNamespace
from ludus.compile import pipeline

lazy = pipeline.Linkage.linkonce_odr
pipeline.Linkage = SimpleNamespace(external=pipeline.Linkage.external, linkonce_odr=lazy, weak_odr=lazy)
"""


def run(program: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.slow
def test_a_function_is_linked_even_if_a_call_of_it_was_removed_before():
    """Why `mgss` crashed on boards in arrays: their kernels are optimised function by function before they are linked,
    which removes calls that are never made. `called` is then linked before `calls`, at a time when nobody calls it,
    and the linker dropped it: `calls` jumped to nowhere.
    """
    done = run(LINKED)
    assert (done.returncode, done.stdout) == (0, "8\n"), done.stderr


@pytest.mark.slow
def test_a_function_that_is_missing_is_an_error_and_no_crash():
    done = run(DROPPING + LINKED)
    assert done.returncode == 1
    assert re.search(r"NotLinked: the compiled code calls _ZN\S*called\S*, which was not linked", done.stderr)


class LLVMError(Exception):
    """Nothing that Numba is known to raise."""


ERRORS = (
    KeyError("$0.1"),
    AssertionError(),
    RuntimeError("LLVM IR parsing error\n<string>:3:5: error: expected type"),
    AttributeError("'Flags' object has no attribute 'nrt'"),
    LLVMError("Symbol not found: chance"),
    RecursionError("maximum recursion depth exceeded"),
    MemoryError(),
)


def assert_interpreted(words: str) -> str:
    """A search runs all the same, with one warning; or refuses, if it was to be compiled."""
    with pytest.warns(InterpretedWarning, match=words) as warned:
        result = ludus.player("greedy").choose(Base())
    assert result.move == ludus.player("greedy", compiled=False).choose(Base()).move
    assert len(warned) == 1
    message = str(warned[0].message)
    assert re.fullmatch(rf"greedy runs interpreted on Base, {re.escape(SLOWER)}: .*\.", message)
    with pytest.raises(NotCompilable, match=words):
        ludus.player("greedy", compiled=True).choose(Base())
    return message


@pytest.fixture
def cold(private, monkeypatch):
    """Nothing was compiled before, in this process or another; but Numba was found to be as we know it."""
    assert fits()
    monkeypatch.setattr(specialise, "_kernels", {})
    monkeypatch.setattr(specialise, "_parts", {})


PLACES = (
    *((pipeline.Lowering, "run_pass", error) for error in ERRORS),
    (pipeline.Compiler, "define_pipelines", KeyError("$0.1")),
    (pipeline.Library, "finalize", AssertionError("linked twice")),
    (explain, "explain", IndexError("list index out of range")),
)


@pytest.mark.slow
@pytest.mark.parametrize(("place", "name", "error"), PLACES)
def test_whatever_the_compiler_raises_the_search_runs_interpreted(place, name, error, cold, private, monkeypatch):
    def fail(*arguments, **options):
        raise type(error)(*error.args)

    monkeypatch.setattr(place, name, fail)
    if place is explain:
        monkeypatch.setattr(specialise, name, fail)
        monkeypatch.setattr(pipeline.Lowering, "run_pass", fail)
    said = error.args[0].splitlines()[0] if error.args else ""
    words = f"{type(error).__name__}{said and ': .*'}{re.escape(said)}.*"
    assert_interpreted(f"the compiler failed with {words}; please report it")
    notes = [note for note in private.glob("*.note") if not note.name.startswith("numba-")]
    assert not notes, "it is not remembered: it may not come again"


class Circle(Base):
    def score(self, state):
        return self.even(state[0])

    def even(self, n):
        return 1 if n == 0 else self.odd(n - 1)

    def odd(self, n):
        return -1 if n == 0 else self.even(n - 1)


@pytest.mark.slow
def test_a_function_that_was_not_linked_is_one_of_those_that_call_each_other(cold, monkeypatch):
    def fail(library):
        raise explain.NotLinked("the compiled code calls odd, which is not known in time")

    monkeypatch.setattr(pipeline.Library, "_verify_declare_only_symbols", fail)
    with pytest.raises(NotCompilable, match="even and odd call each other: write one function that calls itself, or a"):
        ludus.player("greedy", compiled=True).choose(Circle())


CHOOSE = """
import warnings
import ludus

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(ludus.player("greedy").choose("nim").move)
    print(*(each.message for each in caught), sep="\\n")
"""


def test_numba_that_cannot_be_imported(tmp_path, monkeypatch):
    """As when it does not fit the NumPy that is installed, which it says on import."""
    (tmp_path / "numba.py").write_text('raise ImportError("Numba needs NumPy 2.3 or less. Got NumPy 3.0.")\n')
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    move, *warned = run(CHOOSE).stdout.splitlines()
    why = "Numba cannot be imported: Numba needs NumPy 2.3 or less. Got NumPy 3.0."
    assert warned == [f"greedy runs interpreted on nim, {SLOWER}: {why}"]
    assert move == str(ludus.player("greedy", compiled=False).choose("nim").move)


def test_the_versions_that_fit_are_those_that_are_installed():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    first, last = (".".join(map(str, some)) for some in (explain.OLDEST, explain.TOO_NEW))
    assert f"numba>={first},<{last}" in project["dependencies"]
