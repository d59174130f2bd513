"""Facts are handed on, and words are made of them once: nothing is read back out of a sentence, with few exceptions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import ludus

SOURCE = Path(ludus.__file__).parent

SENTENCES = {"message", "words", "why", "reason", "said", "told", "fault", "sentence", "note", "cause", "what"}
"""What variables are called that hold a sentence."""
CUTTING = {"split", "partition", "rpartition", "startswith", "endswith", "removeprefix", "removesuffix", "strip"}
CUTTING |= {"rstrip", "lstrip", "find", "index", "splitlines"}
"""Methods that take a text apart."""

ALLOWED = {
    "arena/pool/workers.py": (2, "the command line of a process"),
    "cli/common.py": (3, "options that are marked in a sentence are flags on the command line; lines become one line"),
    "cli/next_steps.py": (1, "a command line that must not be broken within quotation marks"),
    "cli/uci.py": (3, "the commands of a chess program"),
    "common/advice.py": (2, "the errors of Python, NumPy and Numba, of which there is nothing but their words"),
    "common/files.py": (1, "the errors of the operating system may end with a full stop"),
    "compile/fit.py": (2, "Numba's errors, which are shortened for a warning"),
    "compile/explain.py": (4, "Numba's errors, of which there is nothing but their words"),
    "library/evaluators/learned/learned.py": (1, "the errors of the operating system may end with a full stop"),
    "library/games/chess/text.py": (1, "moves as people write them"),
    "library/games/openspiel.py": (1, "OpenSpiel's errors may end with a full stop"),
    "library/games/synthetic.py": (1, "a parameter that has a word for each place"),
    "terminal/playing.py": (1, "what a person has typed"),
}
"""In which files a text is taken apart that may be a sentence, in how many lines, and why."""


def is_sentence(node: ast.expr) -> bool:
    """Whether an expression may be a sentence: `str` of anything, or something with such a name."""
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Name) and called.id == "str" and node.args:
            return not isinstance(node.args[0], (ast.Attribute, ast.Subscript)) or is_sentence(node.args[0])
        return isinstance(called, ast.Attribute) and called.attr in CUTTING and is_sentence(called.value)
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name in SENTENCES


def taken_apart(source: str) -> Iterator[int]:
    """The lines on which a sentence is taken apart, or something is looked for in it."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re")), args=[*_, text]) if is_sentence(text):
                yield node.lineno
            case ast.Call(func=ast.Attribute(value=text, attr=method)) if method in CUTTING and is_sentence(text):
                yield node.lineno
            case ast.Call(func=ast.Attribute(attr="match" | "search" | "fullmatch"), args=[text]) if is_sentence(text):
                yield node.lineno
            case ast.Compare(ops=[ast.In() | ast.NotIn()], left=ast.Constant(), comparators=[text]) if is_sentence(
                text
            ):
                yield node.lineno


def test_no_sentence_is_taken_apart():
    found = {}
    for path in SOURCE.rglob("*.py"):
        if lines := set(taken_apart(path.read_text())):
            found[path.relative_to(SOURCE).as_posix()] = lines
    assert {file: len(lines) for file, lines in found.items()} == {file: n for file, (n, _) in ALLOWED.items()}, found


def test_what_would_be_found():
    for line in (
        'why.partition(": ")',
        're.match("a", str(error))',
        "COSTLY.match(why)",
        '"max_moves" in str(error)',
        'message.split(":")[0]',
        'self.fault.startswith("its first")',
        're.sub("a", "b", words)',
        'str(error).strip().rstrip(".")',
    ):
        assert set(taken_apart(line)) == {1}, line
    assert list(taken_apart('re.match("a", text)\nnames in known\nstr(self.path).strip()')) == []
