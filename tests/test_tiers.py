"""The tests' folders mirror the package's, and in each there are tests that are not slow."""

import ast
from pathlib import Path

import pytest

from tests.support import REPOSITORY

SOURCE, TESTS = REPOSITORY / "src" / "ludus", REPOSITORY / "tests"
WITHOUT_A_COUNTERPART = {"support", "fuzz"}  # what tests share, and odd input to the whole program
TESTED_ELSEWHERE = {"terminal"}  # by tests/cli
FOLDERS = sorted({path.parent.relative_to(SOURCE).parts[0] for path in SOURCE.rglob("*.py") if path.parent != SOURCE})


def is_slow(test: ast.AST) -> bool:
    return any("mark.slow" in ast.unparse(mark) for mark in getattr(test, "decorator_list", []))


def quick_tests(file: Path) -> list[str]:
    """The tests of a file that `-m "not slow"` leaves in, but for cases that are marked one by one."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    classes = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef) and not is_slow(node))]
    return [
        node.name
        for parent in classes
        for node in parent.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not is_slow(node)
    ]


@pytest.mark.parametrize("folder", sorted({*FOLDERS} - TESTED_ELSEWHERE))
def test_every_folder_of_the_package_has_quick_tests(folder):
    assert [test for file in (TESTS / folder).rglob("test_*.py") for test in quick_tests(file)]


def test_no_folder_of_tests_is_without_a_counterpart():
    tested = {path.name for path in TESTS.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert tested - WITHOUT_A_COUNTERPART == set(FOLDERS) - TESTED_ELSEWHERE


def test_helpers_are_imported_from_the_package_of_the_tests():
    """Not by a bare name from the global namespace."""
    helpers = {path.stem for path in (TESTS / "support").glob("*.py")} | {"support", "conformance"}
    bare = [
        (file.name, node.lineno)
        for file in TESTS.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if (isinstance(node, ast.ImportFrom) and not node.level and node.module.split(".")[0] in helpers)
        or (isinstance(node, ast.Import) and any(name.name.split(".")[0] in helpers for name in node.names))
    ]
    assert bare == []
