"""Numba's inside is touched in one file and while a kernel is compiled; what it remembers is what it would answer anew.

With a Numba that is another inside, plain Numba compiles.
"""

import ast
import operator
import subprocess
import sys
import threading

import pytest
from numba import float64, int64, types, uint64
from numba.core.compiler import Flags
from numba.core.registry import cpu_target
from numba.core.targetconfig import TargetConfig
from numba.np import arrayobj

from ludus.compile import fit, numba_internals
from ludus.compile.numba_internals import patch_numba
from tests.support import REPOSITORY

PUBLIC = ("numba", "numba.core.cgutils", "numba.core.errors", "numba.extending", "llvmlite.ir")


def imported(source):
    """The modules that a source imports, or the names in them, as `module.name` where that is a public one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{name.name}" for name in node.names]
            yield from (name if name in PUBLIC else node.module for name in names)


def test_what_is_not_public_of_numba_is_imported_in_one_file():
    found = {
        path.name
        for path in (REPOSITORY / "src").rglob("*.py")
        for name in imported(path.read_text(encoding="utf-8"))
        if name.split(".")[0] in ("numba", "llvmlite") and name not in PUBLIC
    }
    assert found == {"numba_internals.py"}


def state():
    function = types.functions.BaseFunction
    return TargetConfig.__eq__, TargetConfig.__hash__, function.get_call_type, arrayobj.make_array


def test_numba_is_patched_only_within_and_also_after_an_error():
    usual = state()

    def fail():
        with patch_numba():
            assert not any(a is b for a, b in zip(usual, state(), strict=True))
            with patch_numba():
                pass
            assert state() != usual
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert state() == usual


def test_numba_stays_patched_until_the_last_thread_is_done():
    usual, inside, leave = state(), threading.Event(), threading.Event()

    def compile_slowly():
        with patch_numba():
            inside.set()
            leave.wait(60)

    thread = threading.Thread(target=compile_slowly)
    thread.start()
    inside.wait(60)
    patched = state()
    with patch_numba():
        assert state() == patched
    assert state() == patched != usual
    leave.set()
    thread.join()
    assert state() == usual


def test_numba_as_installed_fits(private, recwarn):
    assert numba_internals.unfamiliar() == ""
    assert fit._misfit.__wrapped__() == ""
    [note] = private.glob("numba-*.note")
    assert not recwarn.list
    assert fit.FITS in note.read_text(encoding="utf-8")


def test_a_function_with_other_parameters_does_not_fit(private, monkeypatch):
    monkeypatch.setattr(numba_internals.codegen.JITCodeLibrary, "finalize", lambda self, how: None)
    with pytest.warns(fit.PlainNumbaWarning, match="missing a required argument: 'how'"):
        assert fit._misfit.__wrapped__()


@pytest.mark.slow
def test_a_kernel_that_gives_a_wrong_number_does_not_fit(private, monkeypatch):
    monkeypatch.setattr(fit, "_twice", lambda numbers, i: 3 * numbers.cells[i])
    with pytest.warns(fit.PlainNumbaWarning, match="a kernel gives 23 and not 17"):
        assert fit._misfit.__wrapped__()
    assert not list(private.glob("numba-*.note"))


CHOOSE = """
import warnings
import numba, numba.core.untyped_passes
{change}
import ludus
from ludus import Budget, Player
from tests.compile import own_methods

def choose(game, search, nodes):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for compiled in (True, False):
            result = Player(search, "random", Budget(nodes=nodes), compiled=compiled).choose(game, seed=3)
            print(result.move, result.value, result.meter.generated, sep=" ")
    for each in caught:
        print(type(each.message).__name__, each.message)

choose({game}, {search!r}, {nodes})
"""
MISSING = "del numba.core.untyped_passes.InlineClosureLikes\nnumba.__version__ = '0.71.2'"


def chosen(change, game, search, nodes=300):
    """What a search does compiled, what it does interpreted, and the warnings."""
    program = CHOOSE.format(change=change, game=game, search=search, nodes=nodes)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, cwd=REPOSITORY)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "search"), [("ludus.game('nim')", "greedy"), ("own_methods.Lines()", "bfmm")])
def test_a_numba_that_is_another_inside_compiles_all_the_same_with_one_warning(private, game, search):
    for _ in range(2):  # the second time from the cache
        compiled, interpreted, *warned = chosen(MISSING, game, search)
        assert compiled == interpreted
        [message] = warned
        assert message.startswith(
            "PlainNumbaWarning Numba 0.71.2 is not inside as this version of ludus knows it, which"
        )
        assert "InlineClosureLikes" in message
    assert list(private.glob("*/*.nbc"))


def flags(**options):
    made = Flags()
    for name, value in options.items():
        setattr(made, name, value)
    return made


def test_sets_of_options_are_equal_if_every_option_is():
    with patch_numba():
        assert flags(nrt=False) == flags() == flags(release_gil=False, nrt=False)
        assert hash(flags(nrt=False)) == hash(flags())
        assert flags(nrt=True) != flags()
        assert flags(nrt=True, release_gil=True) != flags(nrt=True)
        assert flags(nrt=True) != flags(release_gil=True)
        assert flags() != {}


def test_an_operator_means_the_same_when_it_is_asked_again():
    context = cpu_target.typing_context
    context.refresh()
    row = types.Array(int64, 1, "C")
    asked = {
        (operator.add, int64, int64): int64,
        (operator.add, int64, float64): float64,
        (operator.truediv, int64, int64): float64,
        (operator.lt, uint64, uint64): types.boolean,
        (operator.getitem, row, int64): int64,
        (operator.getitem, types.Array(float64, 2, "C"), int64): types.Array(float64, 1, "C"),
    }
    with patch_numba():
        for _ in range(2):
            for (what, *arguments), result in asked.items():
                function = context.resolve_value_type(what)
                found = function.get_call_type(context, tuple(arguments), {})
                assert found.return_type == result
                assert function.get_impl_key(found) is what
