"""The examples of CONTRIBUTING.md work, compiled as well as interpreted; and authors' imports are in one place."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus import Budget, kernel
from ludus.model import registry
from tests.support.conformance import effort, exactness, playing, repeating
from tests.support.conformance.parts import check_left_out
from tests.support.conformance.running import searched

PAGE = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The files that the page shows, by name."""
    folder = tmp_path_factory.mktemp("worked")
    for name, source in re.findall(r"^```python\n# (\w+)\.py\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE):
        (folder / f"{name}.py").write_text(source)
    return folder


@pytest.mark.parametrize("name", ["thompson.py:Thompson", "nbest.py:NBest"])
def test_a_worked_search_keeps_what_every_search_promises(files, name):
    search = registry.searches().of(f"{files}/{name}")
    effort.check_meter(search, "tictactoe")
    effort.check_counted_budget(search, "tictactoe", False, "nodes")
    repeating.check_result(search, "tree", False)
    repeating.check_compiled(search, "tree")
    playing.check_proofs(search, "small-nim", how_many=10)
    exactness.check_solved(search, how_many=6)


@pytest.mark.parametrize("compiled", [False, True])
def test_thompson_sampling_is_not_uct(files, compiled):
    """Compiled it once was: its `pick` was dropped."""
    visits = []
    for name in (f"{files}/thompson.py:Thompson", "uct"):
        session = playing.session_of(registry.searches().of(name), "tree", compiled)
        result = searched(session, session.game.start, Budget(nodes=200))
        visits.append([child.known.more["visits"] for child in result.children])
    assert visits[0] != visits[1]


def test_the_n_best_moves_mark_what_they_leave_out_and_take_more_with_a_larger_n(files):
    kind = type(registry.searches().of(f"{files}/nbest.py:NBest"))
    assert check_left_out(kind(n=1), "tree") > 0
    session = playing.session_of(kind(n=1), "tictactoe")
    few, many = (
        ludus.Player(kind(n=n), budget=Budget(depth=4), compiled=False).choose(session.game).meter.generated
        for n in (1, 5)
    )
    assert few < many


def test_the_worked_evaluator_knows_nim(files):
    game = ludus.game("nim", stones=14)
    evaluator = ludus.evaluator(f"{files}/heaps.py:Heaps").on(game)
    for compiled in (False, True):
        player = ludus.Player(registry.searches().of("alphabeta"), evaluator, Budget(depth=1), compiled=compiled)
        assert player.choose(game).move == 1, "which leaves one more than a multiple of four"


def test_what_authors_import_from_the_kernel_are_its_functions_and_constants():
    for module in pkgutil.iter_modules(kernel.__path__):
        importlib.import_module(f"ludus.kernel.{module.name}")
    for name in kernel.__all__:
        assert not inspect.ismodule(getattr(kernel, name)), name
    assert kernel.chance is importlib.import_module("ludus.kernel.rules").chance
    assert np.isscalar(kernel.RUNNING)
