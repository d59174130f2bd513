"""The list of mutants is about the program as it is, and the table in the docs shows all of it."""

import ast

import pytest

from tests.support import REPOSITORY
from tests.support.mutant_list import MUTANTS
from tests.support.mutants import HEADING, PAGE


def functions(path):
    """The names of the functions in a file, those in classes as `Class::name`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    inside = {f"{cls.name}::{node.name}" for cls in classes for node in cls.body if isinstance(node, ast.FunctionDef)}
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)} | inside


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
def test_a_mutant_fits_the_program(mutant):
    """The text to replace is there once, what replaces it is Python, and the test exists."""
    source = (REPOSITORY / "src" / "ludus" / mutant.file).read_text(encoding="utf-8")
    assert source.count(mutant.old) == 1
    ast.parse(mutant.applied_to(source))
    file, test = mutant.test.split("::", 1)
    assert test.partition("[")[0] in functions(REPOSITORY / "tests" / file)


def test_the_page_shows_every_mutant():
    """`python -m tests.support.mutants --page` writes them."""
    rows = PAGE.read_text(encoding="utf-8").partition(HEADING)[2].split("\n")
    assert rows == ["", *(mutant.row for mutant in MUTANTS.values()), ""]
