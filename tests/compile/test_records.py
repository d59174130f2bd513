"""Records: what crosses into compiled code, in which types, and what does not."""

import pickle
import subprocess
import sys
from collections import namedtuple
from fractions import Fraction

import numba
import numpy as np
import pytest

from ludus import NotCompilable
from ludus.compile.record_type import native_type
from ludus.kernel import records
from ludus.kernel.records import constant, plain, record, record_class

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


def test_only_a_field_of_structures_has_its_stride_in_its_type():
    nodes = np.zeros(4, np.dtype([("value", "f8"), ("count", "i8")]))
    parts = {"field": nodes["value"], "part": nodes["value"][::2], "sparse": np.zeros(8)[::2], "dense": np.zeros(8)}
    kind = native_type(record_class(tuple(parts))(*parts.values()))
    assert [member.stride for member in kind.members] == [16, 0, 0, 0]
    short = native_type(record_class(("field",))(nodes[:1]["value"]))  # which NumPy calls contiguous
    assert short.members[0] == kind.members[0]


def test_fields_of_the_same_structures_are_found_from_the_first_of_them():
    nodes, others = (np.zeros(4, np.dtype([("value", "f8"), ("count", "i8"), ("small", "i4")])) for _ in range(2))
    nodes["count"], nodes["small"], nodes["value"], others["count"] = 1, 20, 300.0, 4000
    fields = {"count": nodes["count"], "dense": np.full(4, 5e4), "small": nodes["small"], "value": nodes["value"]}
    fields |= {"other": others["count"], "short": nodes[1:3]["count"]}
    given = record_class(tuple(fields))(*fields.values())
    kind = native_type(given)
    places = [(member.home, member.offset) for member in kind.members]
    assert places == [("count", 0), ("", 0), ("count", 8), ("count", -8), ("other", 0), ("short", 0)]

    def total(tree):
        tree.small[1] += 1
        tree.short[1] += 600000
        return tree.count[2] + tree.dense[1] + tree.small[1] + tree.value[3] + tree.other[0]

    assert numba.njit(total).compile((kind,))(given) == 654322
    assert nodes["small"].tolist() == [20, 21, 20, 20]


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


@pytest.mark.parametrize("value", [((1, 2), (3,), ()), [[1, 2], [3], []]])
def test_rows_of_different_lengths_become_a_tuple_of_arrays(value):
    held = record({"x": value}).x
    assert type(held) is tuple
    assert [(array.tolist(), array.dtype) for array in held] == [([1, 2], np.int64), ([3], np.int64), ([], np.int64)]


def test_constants_of_a_module():
    assert constant([(0, 1), (2, 3)]).tolist() == [[0, 1], [2, 3]]
    assert [row.tolist() for row in constant([[1], [0, 2]])] == [[1], [0, 2]]
    for kept in (((0, 1), (2, 3)), 3, "ab", [], ["a"], {1: 2}, (1, "a"), (np.sum, np.any)):
        assert constant(kept) is kept


def test_a_namedtuple_becomes_a_record_which_the_next_process_can_find():
    point = namedtuple("point", "row column")
    held = record({"corner": point(1, 2)}).corner
    assert type(held) is record_class(("row", "column"))
    assert (held.row, held.column) == (1, 2)


@pytest.mark.parametrize(
    "value",
    [
        {1: 2},
        "text",
        None,
        object(),
        2**63,
        {1, 2},
        [[1, 2], [["a"]]],
        ["a"],
        [2**64],
        ({1: 2}, {3: 4}),
        ("a", "b"),
        1j,
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_values_are_refused_with_the_name_of_the_field(value):
    with pytest.raises(NotCompilable, match="field 'x' is "):
        record({"x": value})


@pytest.mark.parametrize(("value", "text"), [(1.5, "1.5"), (-0.0, "0.0"), (np.float64(2), "2.0"), (3, "3.0")])
def test_plain_numbers_are_python_floats(value, text):
    assert repr(plain(value)) == text


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_unknown_and_infinite_are_none(value):
    assert plain(value) is None
