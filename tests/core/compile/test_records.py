"""Records and layouts: what crosses into compiled code, in which types, and what does not."""

import pickle
import struct
import subprocess
import sys
from collections import namedtuple
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ludus
from ludus import Budget, Game, NotCompilable
from ludus.core.compile import records
from ludus.core.compile.records import Layout, plain, record, record_class
from ludus.core.rules import digest
from ludus.core.search import Session

# Records.


def test_a_record_has_the_fields_in_their_order():
    made = record({"stones": 21, "most": 3})
    assert (made.stones, made.most) == (21, 3)
    assert type(made)._fields == ("stones", "most")


def test_a_record_class_is_found_by_its_name_in_any_process():
    made = record({"stones": 21, "most": 3})
    assert type(made) is record_class(("stones", "most")) is records.Record__stones__most
    read = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read()))"
    there = subprocess.run([sys.executable, "-c", read], input=pickle.dumps(made), capture_output=True, check=True)
    assert there.stdout.decode().strip() == repr(made)


def test_a_record_may_be_empty():
    assert record({}) == ()
    assert pickle.loads(pickle.dumps(record({}))) == ()


def test_the_records_module_has_no_other_surprises():
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = records.nonsense


@pytest.mark.parametrize("name", ["_private", "from_", "two__words", "_"])
def test_field_names_that_a_class_name_cannot_spell_are_refused(name):
    with pytest.raises(NotCompilable, match=f"field '{name}' cannot be used.*underscores"):
        record({"a": 1, name: 1, "b": 1})


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (3, int),
        (-(2**63), int),
        (True, bool),
        (0.5, float),
        (Fraction(1, 2), float),
        (np.uint64(3), np.uint64),
        (np.int8(3), np.int8),
        (np.float32(3), np.float32),
        (np.bool_(True), np.bool_),
    ],
)
def test_numbers_keep_their_kind(value, kind):
    held = record({"x": value}).x
    assert type(held) is kind
    assert held == value


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ([1, 2, 3], np.int64),
        ((1, 2, 3), np.int64),
        ([1.0, 2], np.float64),
        ([True, False], np.bool_),
        ([[1, 2], [3, 4]], np.int64),
        (np.array([1, 2], np.uint64), np.uint64),
        (np.arange(10, dtype=np.uint8)[::2], np.uint8),
        ([], np.float64),
    ],
)
def test_sequences_of_numbers_become_contiguous_arrays(value, dtype):
    held = record({"x": value}).x
    assert held.dtype == dtype
    assert held.flags.c_contiguous
    assert np.array_equal(held, np.array(value))


def test_a_tuple_of_arrays_stays_a_tuple():
    held = record({"x": (np.arange(2), np.arange(2), [1.5])}).x
    assert type(held) is tuple
    assert [list(array) for array in held] == [[0, 1], [0, 1], [1.5]]


def test_rows_of_different_lengths_in_a_tuple_become_a_tuple_of_arrays():
    held = record({"x": ((1, 2), (3,))}).x
    assert [list(array) for array in held] == [[1, 2], [3]]


def test_a_namedtuple_becomes_a_record_which_the_next_process_can_find():
    point = namedtuple("point", "row column")
    held = record({"corner": point(1, 2)}).corner
    assert type(held) is record_class(("row", "column"))
    assert (held.row, held.column) == (1, 2)


@pytest.mark.parametrize(
    "value",
    [{1: 2}, "text", None, object(), 2**63, {1, 2}, [[1, 2], [3]], ["a"], [2**64], ({1: 2}, {3: 4}), ("a", "b"), 1j],
    ids=lambda value: type(value).__name__,
)
def test_other_values_are_refused_with_the_name_of_the_field(value):
    with pytest.raises(NotCompilable, match="field 'x' is "):
        record({"x": value})


# Layouts.


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
    assert layout.flat
    assert layout.dtypes == tuple(map(np.dtype, dtypes))
    assert [column.dtype for column in layout.columns(5)] == list(layout.dtypes)
    assert {len(column) for column in layout.columns(5)} == {5}


@pytest.mark.parametrize(
    "state", [(), 5, "text", [1, 2], (1, "a"), (1, (2, 3)), (1, None), object()], ids=lambda value: type(value).__name__
)
def test_any_other_state_is_held_as_it_is(state):
    layout = Layout(state)
    assert not layout.flat
    assert layout.settle(state) is state


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
    "state", [(1, 2.0, True, np.uint64(3), np.float32(4)), "any object"], ids=lambda value: type(value).__name__
)
def test_a_layout_survives_pickling(state):
    copy = pickle.loads(pickle.dumps(Layout(state)))
    assert copy.dtypes == Layout(state).dtypes
    assert copy.settle(state) == state


def test_a_game_that_has_been_used_can_be_pickled():
    game = ludus.game("tictactoe", size=4)
    assert game.start == (0, 0)
    copy = pickle.loads(pickle.dumps(game))
    assert repr(copy) == repr(game)
    assert copy.legal(copy.start) == game.legal(game.start)


@pytest.mark.parametrize(("value", "text"), [(1.5, "1.5"), (-0.0, "0.0"), (np.float64(2), "2.0"), (3, "3.0")])
def test_plain_numbers_are_python_floats(value, text):
    assert repr(plain(value)) == text


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_unknown_and_infinite_are_none(value):
    assert plain(value) is None


# The digest of a state: the same compiled and interpreted.


class Mixed(Game):
    """A state of many types, which the moves shuffle; only good for looking at all its successors."""

    max_moves = 4

    def initial(self):
        return (-3, 2.5, True, np.uint64(2**63 + 1), np.int8(-7), np.uint8(200), np.float32(0.1), np.bool_(False))

    def moves(self, state, out):
        if state[0] == 0:
            return 0
        for i in range(4):
            out[i] = i - 2
        return 4

    def play(self, state, move):
        whole, real, flag, big, small, byte, single, other = state
        return (whole ^ move, real * move, not flag, big ^ np.uint64(move + 2), small, byte, -single, flag != other)

    def score(self, state):
        return 0


@pytest.fixture(scope="module")
def mixed():
    """The successors of a state, each with the random evaluator's opinion: compiled, and interpreted."""
    sessions = [Session(ludus.search("greedy"), Mixed(), ludus.evaluator("random", seed=5), c) for c in (True, False)]

    def look(state):
        found = []
        for session in sessions:
            session.run(session.game.layout.settle(state), Budget(depth=1))
            tree = session.tree.record
            found.append([(session.tree.state(n), float(tree.value[n])) for n in range(int(tree.size[0]))][1:])
        return found

    assert sessions[0].kernel is not None
    return look


STATES = st.tuples(
    st.integers(-(2**63), 2**63 - 1),
    st.floats(-1e100, 1e100),
    st.booleans(),
    st.integers(0, 2**64 - 1),
    st.integers(-128, 127),
    st.integers(0, 255),
    st.floats(-(2.0**100), 2.0**100, width=32),
    st.booleans(),
)


@settings(deadline=None, max_examples=200)
@given(STATES)
@example((-1, -0.0, True, 2**64 - 1, -128, 255, 0.1, False))
@example((1, 0.0, False, 2**63, -1, 128, -0.0, True))
def test_the_digest_is_the_same_compiled_and_interpreted(mixed, state):
    compiled, interpreted = mixed(state)
    assert compiled == interpreted


def naive_digest(state):
    """SplitMix64's finaliser over the elements' 64 bits, in Python's own whole numbers."""
    mask, h = 2**64 - 1, 0x9E3779B97F4A7C15
    for value in state:
        bits = struct.unpack("<Q", struct.pack("<d", value))[0] if isinstance(value, float) else value & mask
        h ^= bits
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
