"""Dependencies point one way: common <- kernel <- features, compile <- model <- runtime <- pictures <- library <-
learning <- arena <- diagnostics, studies.engine <- cli.

Imports inside functions and those for type checkers alone count too.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

import ludus
from ludus.cli.common import with_flags

SOURCE = Path(ludus.__file__).parent
MODULES = {
    ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(SOURCE.rglob("*.py"))
}


def _rooms() -> dict[str, set[str]]:
    found = {}
    for module, path in MODULES.items():
        doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        allowed = re.search(r"^May import: (.+)\.$", doc, re.M | re.S)
        if path.name == "__init__.py" and allowed:
            names = allowed[1].replace("\n", " ").split(", ")
            found[module.partition(".")[2]] = set() if " " in names[0] else set(names)
    return found


LAYERS = _rooms()
"""What each room may import besides itself, as its docstring says."""


def imported(path: Path) -> set[str]:
    """The modules of ludus that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return found & MODULES.keys()


def folder(module: str) -> str:
    """The folder of LAYERS that a module is in."""
    inside = module.partition(".")[2]
    return max((layer for layer in LAYERS if f"{inside}.".startswith(f"{layer}.")), key=len, default="")


@pytest.mark.parametrize("layer", LAYERS)
def test_a_folder_imports_what_is_below_it(layer):
    seen = 0
    for module, path in MODULES.items():
        if folder(module) == layer and path.parent != SOURCE:
            seen += 1
            above = {other for other in imported(path) if folder(other) not in (layer, "", *LAYERS[layer])}
            assert above == set(), module
    assert seen


def test_every_folder_has_its_layer():
    folders = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    assert folders == {layer.partition(".")[0] for layer in LAYERS}


def test_no_folder_is_crowded():
    """A room that holds more is several."""
    crowded = {path.parent for path in MODULES.values() if len(list(path.parent.glob("*.py"))) > 26}
    assert crowded == set()


def test_every_folder_says_what_lives_there():
    for path in SOURCE.rglob("__init__.py"):
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


def test_a_study_stands_on_the_public_api_alone():
    """On what `import ludus` gives; beside it, on numpy and the standard library."""
    seen = 0
    for path in sorted((SOURCE / "studies").glob("*.py")):
        seen += 1
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = {alias.name.split(".")[0] for alias in node.names if alias.name != "ludus"}
                assert names <= sys.stdlib_module_names | {"numpy"}, path
            elif isinstance(node, ast.ImportFrom):
                if node.module == "ludus":
                    assert {alias.name for alias in node.names} <= set(ludus.__all__), path
                else:
                    assert str(node.module).split(".")[0] in sys.stdlib_module_names | {"numpy"}, path
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ludus":
                assert node.attr in ludus.__all__, path
    assert seen


def test_no_two_folders_import_each_other():
    for layer, below in LAYERS.items():
        reached, waiting = set(), list(below)
        while waiting:
            other = waiting.pop()
            if other not in reached:
                reached.add(other)
                waiting += LAYERS[other]
        assert layer not in reached


def test_only_the_command_line_names_flags():
    """A sentence of the library says `db`, which Python users can use; `cli.common.with_flags` makes --db of it."""
    found = []
    for module, path in MODULES.items():
        if folder(module) != "cli":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
            prose = [text for text in texts if ":root {" not in text]  # a style sheet has its own dashes
            found += [(module, text) for text in prose if re.search(r"(?<![\w!-])--[a-z]", text)]
    assert found == []


def test_the_command_line_names_them():
    assert with_flags("give `openings=1` or a larger `move_limit`") == "give --openings 1 or a larger --move-limit"
    assert with_flags("give `all` or `family`; `repetition` and `if x:` stay") == (
        "give --all or --family; `repetition` and `if x:` stay"
    )
