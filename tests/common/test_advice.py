"""The mistakes that people make most: each gets a sentence that says what to do."""

import numpy as np
import pytest

import ludus
from benchmarks.boards import ArrayBoard, TupleBoard
from ludus import NotCompilable, RuleError
from ludus.common.advice import after_compiling, after_raising

FULL = (1 << 100) - 1


class TupleOfList(TupleBoard):
    def play(self, state, move):
        board = list(state[0])
        board[move] = state[1]
        return (tuple(board), 3 - state[1])


class Generator(TupleBoard):
    def play(self, state, move):
        return (tuple(state[1] if i == move else cell for i, cell in enumerate(state[0])), 3 - state[1])


class Slice(TupleBoard):
    def play(self, state, move):
        board, player = state
        return (board[:move] + (player,) + board[move + 1 :], 3 - player)  # noqa: RUF005 (as people write it)


class Constant(TupleBoard):
    def score(self, state):
        return -1 if state[1] & FULL == 5 else 0


class Except(TupleBoard):
    def score(self, state):
        try:
            return 1 // state[0][0]
        except ZeroDivisionError:
            return 0


class Count(TupleBoard):
    def score(self, state):
        return state[0].count(1)


class Length(TupleBoard):
    """Never asked in the rehearsal."""

    def score(self, state):
        return 0 if state[1] < 3 else len(state[1])


class InPlace(ArrayBoard):
    """Never written to in the rehearsal, which is short."""

    def score(self, state):
        if state[1] > 2:
            state[0][0] = 1
        return 0


NOT_COMPILED = {
    TupleOfList: r"rule play .* tuple\(\) of a list or an array cannot be compiled: change one .* ludus.replace",
    Generator: "rule play .* a generator cannot be compiled: write a for loop",
    Slice: "rule play .* a slice of a tuple cannot be compiled unless .*: change one element with ludus.replace",
    Constant: f"rule score .* {FULL} is beyond 64 bits: keep a large board in a NumPy array",
    Except: "rule score .* an except clause for one kind of error cannot be compiled: test beforehand",
    Count: r"rule score .* a tuple has no count\(\) in compiled code: write a for loop",
    Length: r"rule score .* there is no compiled code for len\(int64\)",
    InPlace: r"rule score .* must not write to the board that it is given: copy it first, board = state\[0\].copy\(\)",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", NOT_COMPILED, ids=lambda kind: kind.__name__)
def test_what_cannot_be_compiled_has_a_remedy(kind):
    with pytest.raises(NotCompilable, match=NOT_COMPILED[kind]) as raised:
        ludus.player("greedy(eval=zero)", compiled=True).choose(kind())
    assert "test_advice.py, line " in str(raised.value)
    assert "\n" not in str(raised.value)


class TupleMoves(ArrayBoard):
    def moves(self, state, out):
        out[0] = (1, 2)
        return 1


class WordMoves(ArrayBoard):
    def moves(self, state, out):
        out[0] = "a1"
        return 1


class Append(ArrayBoard):
    def moves(self, state, out):
        out.append(1)
        return 1


class OneArgument(ArrayBoard):
    def moves(self, state):
        return [0]


class WritesAtOnce(ArrayBoard):
    def play(self, state, move):
        state[0][move] = state[1]
        return (state[0], 3 - state[1])


class AddsAtOnce(ArrayBoard):
    def play(self, state, move):
        np.add(state[0], 1, out=state[0])
        return (state[0], 3 - state[1])


class Large(ArrayBoard):
    """Two players on a hundred squares, each in one number."""

    max_moves = 100

    def initial(self):
        return (0, 0)

    def moves(self, state, out):
        out[:100] = np.arange(100)
        return 100

    def play(self, state, move):
        return (state[1], state[0] | 1 << move)


RAISED = {
    TupleMoves: "rule moves .* a move is a whole number, such as that of a square; move_name gives it a name",
    WordMoves: "rule moves .* a move is a whole number, such as that of a square; move_name gives it a name",
    Append: r"rule moves .* write the moves as out\[n\] = move, n from 0 on",
    OneArgument: r"rule moves .*: the rule is written moves\(self, state, out\)$",
    WritesAtOnce: r"rule play .* must not write to the board that it is given: .* board = state\[0\].copy\(\)",
    AddsAtOnce: r"rule play .* must not write to the board that it is given: .* board = state\[0\].copy\(\)",
    Large: r"rule play .* \d+ does not fit .* int64: keep a large board in a NumPy array, or in several numbers",
}


@pytest.mark.parametrize("kind", RAISED, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("compiled", [True, False])
def test_what_a_rule_does_wrong_has_a_remedy(kind, compiled):
    """Even where it would be compiled: a few positions are interpreted first."""
    with pytest.raises(RuleError, match=RAISED[kind]) as raised:
        ludus.player("greedy(eval=zero)", compiled=compiled).choose(kind())
    ours = kind in (Large, OneArgument)
    assert ("test_advice.py, line " in str(raised.value)) != ours


def test_numba_s_names_are_made_readable():
    said = "No implementation of function Function(<built-in>) found for signature:\n >>> np_all("
    assert after_compiling(f"{said}array(bool, 2d, C), axis=Literal[int](0))\n") == (
        "there is no compiled code for np.all(array of bool, axis=0)"
    )


def test_functions_of_python_that_have_no_compiled_form():
    said = "Untyped global name 'all': Cannot determine Numba type of <class 'builtin_function_or_method'>"
    assert after_compiling(said) == "all() cannot be compiled: write a for loop"


def test_a_list_that_is_no_board():
    said = "The use of a reflected list(unicode_type)<iv=None> type, assigned to variable 'NAMES' in globals, is not"
    assert after_compiling(said).startswith("the global NAMES is a list that is no board of numbers: make it a NumPy")


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
NEAR = [[1, 3], [0, 2, 4], [1, 5], [0, 4, 6], [1, 3, 5, 7], [2, 4, 8], [3, 7], [4, 6, 8], [5, 7]]
CORNERS = [0, 2, 6, 8]


class Lists(TupleBoard):
    """Lists in the module, which are read only: they are compiled as arrays."""

    def score(self, state):
        board, value = state[0], 0
        for a, b, c in LINES:
            value += board[a] == board[b] == board[c]
        for square in range(9):
            for near in NEAR[square]:
                value += (board[near] == board[square]) * (2 if square in CORNERS else len(NEAR[near]))
        return value


@pytest.mark.slow
def test_lists_in_a_module_are_compiled():
    report = ludus.check(Lists, seconds=0.2, compiled=True)
    assert report.passed, report
    assert report.compiled


def test_other_errors_are_left_as_they_are():
    assert after_raising("play (move 3)", ValueError("three stones are sacred")) == ""
    assert after_raising("play (move 3)", ValueError("invalid literal for int() with base 10: 'a1'")) == ""
    assert after_raising("", IndexError()) == ""
    assert after_compiling("something else") == ""
