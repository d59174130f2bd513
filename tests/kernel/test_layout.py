"""Layouts: how states with numbers and boards in them are stored, cast, checked, read and written."""

import pickle
import struct
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ludus
from ludus import Budget, Game, replace
from ludus.kernel.boards import same_state
from ludus.kernel.layout import Layout
from ludus.kernel.rules import digest
from ludus.model import registry
from ludus.runtime.session import Session


@pytest.mark.parametrize(
    ("state", "dtypes"),
    [
        ((1,), ["i8"]),
        ((1, 2.0, True), ["i8", "f8", "?"]),
        ((np.uint64(1), np.int8(-1), np.float32(0.5), np.bool_(True)), ["u8", "i1", "f4", "?"]),
    ],
)
def test_the_dtypes_are_those_of_the_first_state(state, dtypes):
    layout = Layout(state)
    assert layout.fixed
    assert [column.dtype for column in layout.columns(5)] == list(map(np.dtype, dtypes))
    assert {column.shape for column in layout.columns(5)} == {(5,)}


@pytest.mark.parametrize(
    ("state", "columns"),
    [
        ((np.zeros(9, np.int8), 1), [("i1", (9,)), ("i8", ())]),
        ((np.zeros((3, 4), bool), np.zeros(2)), [("?", (3, 4)), ("f8", (2,))]),
        (((0,) * 9, 1), [("i8", (9,)), ("i8", ())]),
        ((((0.5, 1.5),) * 3, True), [("f8", (3, 2)), ("?", ())]),
        (((np.int8(1), np.int8(2)),), [("i1", (2,))]),
        (((1, 2.5, (3, 4)), 5), [("i8", ()), ("f8", ()), ("i8", (2,)), ("i8", ())]),
        ((((1, 2), (3,)),), [("i8", (2,)), ("i8", (1,))]),
        (((np.zeros(2), np.ones(3)), 1), [("f8", (2,)), ("f8", (3,)), ("i8", ())]),
        ((np.zeros(2, ">i4"),), [("i4", (2,))]),
    ],
)
def test_a_board_has_a_column_of_rows_and_a_tuple_of_mixed_types_a_column_for_each(state, columns):
    layout = Layout(state)
    assert [(column.dtype, column.shape) for column in layout.columns(7)] == [
        (np.dtype(dtype), (7, *shape)) for dtype, shape in columns
    ]
    assert layout.bytes * 7 == sum(column.nbytes for column in layout.columns(7))
    assert layout.cells == sum(column[0].size for column in layout.columns(1))


Named = namedtuple("Named", "board player")


@dataclass
class Pair:
    board: list
    player: int


ADVICE = {
    "nothing": ((), "are not tuples of numbers and boards but (): give a tuple of numbers and boards"),
    "number": (5, "are not tuples of numbers and boards but whole numbers: give a tuple, (number,)"),
    "text": ("text", "str objects: for a text give a tuple of numbers, one for each character"),
    "list": ([1, 2], "list objects: for a list of numbers give a tuple, or a NumPy array: np.array(board, np.int8)"),
    "dict": (
        {"a": 1},
        "dict objects: for a dict give a tuple of its values, or a NumPy array with a place for each key",
    ),
    "dataclass": (Pair([0], 1), "Pair objects: for a dataclass give a tuple of its fields"),
    "namedtuple": (Named([0], 1), "Named objects: for a namedtuple give a plain tuple of its fields"),
    "array": (np.zeros(9), "arrays: give a tuple, (board, player)"),
    "object": (object(), "object objects: give a tuple of numbers and boards, a board being a NumPy array or a tuple"),
    "text inside": ((1, "a"), "have state[1], which is a str: for a text give a tuple of numbers"),
    "list inside": (
        ([0] * 9, 1),
        "have state[0], which is a list: for a list of numbers give a tuple, or a NumPy array",
    ),
    "lists inside": ((1, ((0,), [0])), "have state[1][1], which is a list: for a list of numbers give a tuple"),
    "set inside": (
        ({1, 2}, 1),
        "have state[0], which is a set: for a set give a whole number with a bit for each member",
    ),
    "nothing inside": ((1, None), "have state[1], which is None: give a tuple of numbers and boards"),
    "objects inside": ((np.array([None]), 1), "have state[0], which is an array of object: give a tuple of numbers"),
    "large": (
        (2**99, 1),
        f"have state[0], which is {2**99}, beyond 64 bits: keep a large board in a NumPy array, or in",
    ),
}


@pytest.mark.parametrize("name", ADVICE)
def test_any_other_state_is_held_as_it_is_and_advice_given(name):
    state, words = ADVICE[name]
    layout = Layout(state)
    assert not layout.fixed
    assert layout.settle(state) is state
    assert words in layout.reason


def test_settling_gives_each_element_its_column_type():
    layout = Layout((0, 0.0, False, np.uint64(0), np.int8(0), np.float32(0)))
    settled = layout.settle((np.int32(7), 1, np.bool_(True), 5, 3.0, 0.1))
    assert settled == (7, 1.0, True, 5, 3, np.float32(0.1))
    assert list(map(type, settled)) == [int, float, bool, np.uint64, np.int8, np.float32]
    assert layout.settle(settled) == settled


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (0, 0.5),
        (0, 2**63),
        (0, -(2**63) - 1),
        (0, "7"),
        (np.uint64(0), -1),
        (np.uint64(0), 2**64),
        (np.int8(0), 128),
        (np.uint8(0), 256),
        (False, 2),
        (False, 0.5),
        (False, "yes"),
    ],
)
def test_an_element_that_does_not_fit_its_column_is_an_error(first, later):
    with pytest.raises(TypeError, match=r"does not fit an element of the state that initial\(\) gives as"):
        Layout((1, first)).settle((1, later))


@pytest.mark.parametrize(("first", "later"), [(0, None), (0, float("nan")), (0, float("inf")), (0.0, None), (0.0, "a")])
def test_an_element_that_is_no_such_number_is_an_error(first, later):
    with pytest.raises((TypeError, ValueError, OverflowError)):
        Layout((1, first)).settle((1, later))


@pytest.mark.parametrize(
    "state", [(1,), (1, 2, 3), [1, 2], 5, None, namedtuple("pair", "a b")(1, 2)], ids=lambda value: type(value).__name__
)
def test_a_state_of_another_shape_is_an_error(state):
    with pytest.raises(TypeError, match=r"a state is a tuple of 2 numbers, as initial\(\) gives, not"):
        Layout((0, 0)).settle(state)


@pytest.mark.parametrize(
    "state",
    [
        (1, 2.0, True, np.uint64(3), np.float32(4)),
        "any object",
        (np.arange(4).reshape(2, 2), ((1, 2), (3, 4)), (5, 0.5)),
    ],
    ids=["numbers", "object", "boards"],
)
def test_a_layout_survives_pickling(state):
    copy = pickle.loads(pickle.dumps(Layout(state)))
    assert copy == Layout(state) != Layout((1, 2))
    assert same_state(copy.settle(state), state)


# Boards.

BOARDS = (np.array([[1, 2], [3, 4]], np.int8), ((5, 6), (7, 8)), (9, 0.5), np.array([0.25, -0.0]), True)
"""One of each: an array, a tuple of tuples, a tuple of mixed types, an array of floats, a number."""


def types_of(value):
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape
    return tuple(map(types_of, value)) if isinstance(value, tuple) else type(value)


def test_boards_survive_columns_settling_and_words():
    layout = Layout(BOARDS)
    columns = layout.columns(3)
    layout.write(columns, 1, BOARDS)
    words = "1 2 3 4 5 6 7 8 9 0.5 0.25 -0.0 1"
    assert layout.words(BOARDS) == words.split()
    for again in (layout.read(columns, 1), layout.settle(BOARDS), layout.parse(words.split())):
        assert same_state(again, BOARDS)
        assert types_of(again) == types_of(BOARDS)
    assert not any(column[[0, 2]].any() for column in columns)


def test_a_state_that_was_read_does_not_change_with_the_columns():
    layout = Layout(BOARDS)
    columns = layout.columns(1)
    layout.write(columns, 0, BOARDS)
    read = layout.read(columns, 0)
    for column in columns:
        column[:] = 0
    assert same_state(read, BOARDS)


def test_nobody_can_write_to_the_arrays_of_a_state():
    layout = Layout(BOARDS)
    columns = layout.columns(1)
    for state in (layout.settle(BOARDS), layout.read(columns, 0), layout.parse(layout.words(BOARDS))):
        with pytest.raises(ValueError, match="read-only"):
            state[0][0, 0] = 1
        state[0].copy()[0, 0] = 1
    BOARDS[0][0, 0] = 1  # which is whose it is


def test_settling_gives_boards_their_types():
    layout = Layout((np.zeros(2, np.int8), (0.0, 0.0), (np.int8(0), np.int8(0))))
    settled = layout.settle((np.array([1.0, -3.0]), (1, True), (3, 4)))
    assert types_of(settled) == ((np.dtype("i1"), (2,)), (float, float), (np.int8, np.int8))
    assert same_state(settled, (np.array([1, -3]), (1.0, 1.0), (3, 4)))
    turned = layout.settle((np.array([[1, 2], [3, 4]], np.int8)[:, 1], (0, 0), (0, 0)))[0]
    assert turned.flags.c_contiguous


@pytest.mark.parametrize(
    ("first", "later", "words"),
    [
        (np.zeros(2, np.int8), np.zeros(3, np.int8), "an array of 3 does not fit .* gives as an array of 2 int8"),
        (np.zeros((2, 3)), np.zeros((3, 2)), "an array of 3 x 2 does not fit .* gives as an array of 2 x 3 float64"),
        (np.zeros(2), np.array(1.0), "an array of 0 dimensions does not fit"),
        (np.zeros(2, np.int8), np.array([1, 128]), "128.* does not fit .* gives as an array of 2 int8"),
        (np.zeros(2, np.uint8), np.array([1, -1]), "-1.* does not fit"),
        (np.zeros(2, np.int8), np.array([1, 0.5]), "0.5.* does not fit"),
        (np.zeros(2, bool), np.array([1, 2]), "2.* does not fit .* gives as an array of 2 bool"),
        (np.zeros(2, np.int8), (0, 0), r"\(0, 0\) does not fit .* gives as an array of 2 int8"),
        (np.zeros(2, np.int8), [0, 0], r"\[0, 0\] does not fit .* gives as an array of 2 int8"),
        ((0, 0), (0, 0, 0), r"\(0, 0, 0\) does not fit .* gives as a tuple of 2 numbers"),
        ((0, 0), [0, 0], r"\[0, 0\] does not fit .* gives as a tuple of 2 numbers"),
        ((0, 0), np.zeros(2, int), "does not fit .* gives as a tuple of 2 numbers"),
        ((0, 0), (0, 0.5), "0.5 does not fit .* gives as int64"),
        (((0, 0), (0, 0)), ((0, 0), (0,)), r"\(0,\) does not fit .* gives as a tuple of 2 numbers"),
        (((0, 0), (0, 0)), ((0, 0),), "does not fit .* gives as a tuple of 2 tuples"),
        ((0, 0.5), (0,), r"\(0,\) does not fit .* gives as a tuple of 2 elements"),
        (0, 2**99, f"{2**99} does not fit .* as int64: keep a large board in a NumPy array, or in several numbers"),
    ],
)
def test_a_board_that_does_not_fit_is_an_error(first, later, words):
    with pytest.raises(TypeError, match=words):
        Layout((first, 1)).settle((later, 1))


@pytest.mark.parametrize("state", [(np.zeros(3),), (np.zeros(2), 1, 1), [np.zeros(2), 1]])
def test_a_state_with_boards_and_another_length_is_an_error(state):
    with pytest.raises(TypeError, match=r"a state is a tuple of 2 elements, as initial\(\) gives, not"):
        Layout((np.zeros(2), 1)).settle(state)


def test_layouts_of_other_shapes_or_types_are_others():
    layouts = [Layout(state) for state in [(np.zeros(9), 1), (np.zeros(8), 1), ((0.0,) * 9, 1), (np.zeros(9), 1.0)]]
    assert [[a == b for b in layouts] for a in layouts] == np.eye(4, dtype=bool).tolist()


def test_a_game_that_has_been_used_can_be_pickled():
    game = ludus.game("tictactoe", size=4)
    assert game.start == (0, 0)
    copy = pickle.loads(pickle.dumps(game))
    assert repr(copy) == repr(game)
    assert copy.legal(copy.start) == game.legal(game.start)


# The digest of a state: the same compiled and interpreted.


class Mixed(Game):
    """A state of many types, which the moves shuffle; only good for looking at all its successors."""

    max_moves = 4

    def initial(self):
        numbers = (-3, 2.5, True, np.uint64(2**63 + 1), np.int8(-7), np.uint8(200), np.float32(0.1), np.bool_(False))
        bytes_, words = np.zeros(11, np.int8), np.zeros((2, 3), np.float32)
        return (*numbers, bytes_, words, (0,) * 3, ((np.int16(0), np.int16(0)),) * 2, (1, 0.5))

    def moves(self, state, out):
        if state[0] == 0:
            return 0
        for i in range(4):
            out[i] = i - 2
        return 4

    def play(self, state, move):
        whole, real, flag, big, small, byte, single, other, cells, table, row, rows, pair = state
        numbers = (whole ^ move, real * move, not flag, big ^ np.uint64(move + 2), small, byte, -single, flag != other)
        cells, table = cells.copy(), -table
        cells[move] += 1
        rows = replace(rows, move % 2, replace(rows[1], 0, move))
        return (*numbers, cells, table, replace(row, move, whole), rows, (pair[0] - move, pair[1] * move))

    def score(self, state):
        return 0


@pytest.fixture(scope="module")
def mixed():
    """The successors of a state, each with the random evaluator's opinion: compiled, and interpreted."""
    sessions = [
        Session(registry.searches().of("greedy"), Mixed(), ludus.evaluator("random", seed=5), c) for c in (True, False)
    ]

    def look(state):
        found = []
        for session in sessions:
            session.run(session.game.layout.settle(state), Budget(depth=1))
            tree = session.tree.record
            found.append([(session.tree.state(n), float(tree.value[n])) for n in range(int(tree.size[0]))][1:])
        return found

    assert sessions[0].kernel is not None
    return look


INT16 = st.integers(-(2**15), 2**15 - 1)


STATES = st.tuples(
    st.integers(-(2**63), 2**63 - 1),
    st.floats(-1e100, 1e100),
    st.booleans(),
    st.integers(0, 2**64 - 1),
    st.integers(-128, 127),
    st.integers(0, 255),
    st.floats(-(2.0**100), 2.0**100, width=32),
    st.booleans(),
    st.lists(st.integers(-128, 127), min_size=11, max_size=11).map(lambda cells: np.array(cells, np.int8)),
    st.lists(st.floats(-9, 9, width=32), min_size=6, max_size=6).map(
        lambda cells: np.array(cells, np.float32).reshape(2, 3)
    ),
    st.tuples(*[st.integers(-(2**63), 2**63 - 1)] * 3),
    st.tuples(*[st.tuples(INT16, INT16)] * 2),
    st.tuples(st.integers(-(2**60), 2**60), st.floats(-1e100, 1e100)),
)
CELLS, TABLE = (
    np.array([-1, 127, -128, 0, 0, 0, 0, 5, 1, 2, 3], np.int8),
    np.array([[0, -0.0, 1], [2, 3, 4]], np.float32),
)
OTHERS = (CELLS, TABLE, (1, -1, 2**63 - 1), ((1, -1), (0, 2**15 - 1)), (3, -0.0))


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(STATES)
@example((-1, -0.0, True, 2**64 - 1, -128, 255, 0.1, False, *OTHERS))
@example((1, 0.0, False, 2**63, -1, 128, -0.0, True, *OTHERS))
def test_the_digest_is_the_same_compiled_and_interpreted(mixed, state):
    compiled, interpreted = mixed(state)
    assert same_state(compiled, interpreted)
    assert [types_of(after) for after, _ in compiled] == [types_of(after) for after, _ in interpreted]


def bits_of(value):
    """The numbers of a state, each as 64 bits; but an array by its bytes, eight at a time."""
    if isinstance(value, tuple):
        return [bits for item in value for bits in bits_of(item)]
    if isinstance(value, np.ndarray):
        memory = list(value.tobytes())
        return [sum(byte << 8 * i for i, byte in enumerate(memory[at : at + 8])) for at in range(0, len(memory), 8)]
    return [struct.unpack("<Q", struct.pack("<d", value))[0] if isinstance(value, float) else value]


def naive_digest(state):
    """SplitMix64's finaliser over the elements' 64 bits, in Python's own whole numbers."""
    mask, h = 2**64 - 1, 0x9E3779B97F4A7C15
    for bits in bits_of(state):
        h ^= bits & mask
        h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9 & mask
        h = (h ^ h >> 27) * 0x94D049BB133111EB & mask
        h ^= h >> 31
    return h


@given(STATES)
@example((0.0,))
@example((-0.0,))
def test_the_digest_is_splitmix(state):
    with np.errstate(over="ignore"):
        assert digest(state) == naive_digest(state)


def test_any_object_has_a_digest():
    with np.errstate(over="ignore"):
        assert digest("any object") == digest("any object") != digest("another")
