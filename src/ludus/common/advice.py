"""What to do about the mistakes that people make most, where Python's or Numba's own words do not say it."""

from __future__ import annotations

import re

OWN_COPY = "a rule must not write to the board that it is given: copy it first, board = state[0].copy()"
A_MOVE = "a move is a whole number, such as that of a square; move_name gives it a name"
WRITE = "write the moves as out[n] = move, n from 0 on, and return how many they are"
WRITTEN = (
    ("initial", "self"),
    ("moves", "self", "state", "out"),
    ("play", "self", "state", "move"),
    ("score", "self", "state"),
    ("evaluate", "self", "game", "state"),
)
LARGE = "keep a large board in a NumPy array, or in several numbers"
CHANGE = "change one element with ludus.replace(board, index, value), or keep the board in a NumPy array"

RAISED = (
    ("", r"(destination|output array) is read-only", OWN_COPY),
    ("moves", r"int\(\) argument must be|invalid literal for int|setting an array element with a sequence", A_MOVE),
    ("moves", r"'numpy.ndarray' object has no attribute '(append|add)'", WRITE),
    ("evaluate", r"could not convert string to float|float\(\) argument must be", "evaluate must give a number"),
    *(
        (rule, rf"\.{rule}\(\) (takes|missing) ", f"the rule is written {rule}({', '.join(given)})")
        for rule, *given in WRITTEN
    ),
)
"""What a rule (any, if none is named) says when it raises, and the sentence that people get."""

NOT_COMPILED = (
    (r"Cannot modify readonly array", OWN_COPY),
    (r"Function\(<class 'tuple'>\)", f"tuple() of a list or an array cannot be compiled: {CHANGE}"),
    (
        r"use of yield in a closure",
        "a generator cannot be compiled: write a for loop; ludus.replace(board, index, value) changes a tuple",
    ),
    (
        r">>> (static_)?getitem\((Uni)?Tuple\(.*slice",
        f"a slice of a tuple cannot be compiled unless its ends are constants: {CHANGE}",
    ),
    (r"Int value is too large: (-?\d+)", rf"\1 is beyond 64 bits: {LARGE}"),
    (
        r"Untyped global name '(\w+)':.* Cannot determine Numba type of <class 'builtin_function_or_method'>",
        r"\1() cannot be compiled: write a for loop",
    ),
    (
        r"Untyped global name '(\w+)':.* Cannot determine Numba type of <class '(?:\w+\.)*(\w+)'>",
        r"the global \1 is a \2; compiled rules use numbers, tuples and arrays of numbers",
    ),
    (
        r"intrinsic exception_match",
        "an except clause for one kind of error cannot be compiled: test beforehand instead",
    ),
    (
        r"Use of unsupported opcode \((\w+)\)",
        r"there is no compiled code for this statement (\1): write it with if, for and assignments",
    ),
    (r"Unknown attribute '(\w+)' of type (Uni)?Tuple", r"a tuple has no \1() in compiled code: write a for loop"),
    (
        r"reflected list.* assigned to variable '(\w+)' in globals",
        r"the global \1 is a list that is no board of numbers: make it a NumPy array, or a tuple of rows",
    ),
    (
        r"No implementation of function .*? found for signature:\s*>>> ([^\n]*\))",
        r"there is no compiled code for \1",
    ),
)
"""What Numba says of code that it cannot compile, and the sentence that people get."""


NAMES = (
    (r"Literal\[\w+\]\(([^()]*)\)", r"\1"),
    (r"\b(readonly )?array\((\w+), \d+d, \w+\)", r"array of \2"),
    (r"\bnp_(\w+)\(", r"np.\1("),
    (r"\bunicode_type\b", "str"),
    (r"\bUniTuple\((\w+) x \d+\)", r"tuple of \1"),
)


def after_raising(rule: str, error: BaseException) -> str:
    """What to do about an error that a rule raised; nothing if there is no more to say than the error does."""
    name = rule.split()[0] if rule else ""
    return next((said for of, words, said in RAISED if of in ("", name) and re.search(words, str(error))), "")


def after_compiling(text: str) -> str:
    """What to do about code that Numba cannot compile; nothing if it is not one of the common mistakes."""
    for words, said in NOT_COMPILED:
        found = re.search(words, text, re.DOTALL)
        if found:
            return _readable(found.expand(said))
    return ""


def _readable(said: str) -> str:
    """Numba's names of things as people know them: `np.all(array of bool, axis=0)`."""
    for words, known in NAMES:
        said = re.sub(words, known, said)
    return said
