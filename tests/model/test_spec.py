"""Specs: reading and printing are inverses, and what cannot be read is refused in one clear sentence."""

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ludus import SpecError
from ludus.model.spec import Spec, format_arguments, format_value, parse_arguments

words = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.:/+-]*", fullmatch=True)
folders = st.from_regex(r"[A-Za-z0-9 ._/+-]{0,12}", fullmatch=True)
paths = st.builds("{}{}.py{}".format, folders, st.from_regex(r"\w+", fullmatch=True), st.sampled_from(("", ":Game")))
names = words.filter(lambda name: name not in ("true", "false", "inf")) | paths.map(str.strip)
keys = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]*", fullmatch=True)
numbers = st.integers() | st.floats(allow_nan=False) | st.booleans()
values = st.recursive(
    numbers | words | paths | st.text(),
    lambda inner: st.builds(Spec, names, st.dictionaries(keys, inner, max_size=3)),
    max_leaves=8,
)
specs = st.builds(Spec, names, st.dictionaries(keys, values, max_size=4))
thorough = settings(max_examples=200, deadline=None, derandomize=True, database=None)


def typed(value):
    """A value with its type, since Python takes True, 1 and 1.0 for equal."""
    if isinstance(value, Spec):
        return value.name, {key: typed(inner) for key, inner in value.arguments.items()}
    return type(value), value


@thorough
@given(specs)
@example(Spec("x", {"a": "inf-1"}))
@example(Spec("x", {"a": "foo.pyx"}))
@example(Spec("x", {"a": "2024-01/game.py:Game"}))
@example(Spec("x", {"a": " game.py"}))
@example(Spec("x", {"a": Spec("3 wins/e.py:E", {"seed": 1})}))
@example(Spec("x", {"a": "true", "b": True, "c": "1", "d": 1, "e": 1.0, "f": "-inf", "g": -math.inf, "h": ""}))
@example(Spec("x", {"a": 'say "no"\n', "b": "\\", "c": "é", "d": "\ud800"}))
def test_reading_a_printed_spec_gives_it_back(spec):
    assert typed(Spec.parse(str(spec))) == typed(spec)
    assert str(Spec.parse(str(spec))) == str(spec)


@thorough
@given(values)
def test_reading_a_printed_value_gives_it_back(value):
    if isinstance(value, Spec) and not value.arguments:
        value = value.name
    assert typed(parse_arguments(f"key={format_value(value)}")["key"]) == typed(value)


@thorough
@given(st.dictionaries(keys, values, min_size=1, max_size=4))
def test_reading_printed_arguments_gives_them_back_in_order(arguments):
    expected = Spec("x", dict(arguments)).arguments  # bare nested names are words
    read = parse_arguments(format_arguments(expected))
    assert [(key, typed(value)) for key, value in read.items()] == [(k, typed(v)) for k, v in expected.items()]


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("lcf", Spec("lcf")),
        ("lcf()", Spec("lcf")),
        ("  lcf (  ) ", Spec("lcf")),
        ("lcf(eval=mobility, nodes=2000)", Spec("lcf", {"eval": "mobility", "nodes": 2000})),
        ("lcf(\n  eval = mobility ,\tnodes=2000 )", Spec("lcf", {"eval": "mobility", "nodes": 2000})),
        ("a(x=-3, y=+4, z=1_000)", Spec("a", {"x": -3, "y": 4, "z": 1000})),
        ("a(x=.5, y=2., z=1e3, u=-inf)", Spec("a", {"x": 0.5, "y": 2.0, "z": 1000.0, "u": -math.inf})),
        ("a(x=true, y=false, z=truely)", Spec("a", {"x": True, "y": False, "z": "truely"})),
        ('a(x="true", y="a, b=(c)")', Spec("a", {"x": "true", "y": "a, b=(c)"})),
        ("a(x=b(y=c(z=1)), u=d())", Spec("a", {"x": Spec("b", {"y": Spec("c", {"z": 1})}), "u": "d"})),
        ("m-and-n(m=2)", Spec("m-and-n", {"m": 2})),
        ("dir/my game.py:Game(size=6)", Spec("dir/my game.py:Game", {"size": 6})),
        ("a(eval=../e.py:E(w=1), n=2)", Spec("a", {"eval": Spec("../e.py:E", {"w": 1}), "n": 2})),
        ("~/x.py", Spec("~/x.py")),
    ],
)
def test_reading(text, spec):
    assert typed(Spec.parse(text)) == typed(spec)


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (Spec("a"), "a"),
        (Spec("a", {"x": 1, "y": 1.0, "z": 0.25, "t": True}), "a(x=1, y=1.0, z=0.25, t=true)"),
        (Spec("a", {"x": "word", "y": "two words", "z": "true"}), 'a(x=word, y="two words", z="true")'),
        (Spec("a", {"x": Spec("b", {"c": -math.inf}), "y": Spec("d")}), "a(x=b(c=-inf), y=d)"),
        (Spec("a", {"x": "dir/e.py:E"}), "a(x=dir/e.py:E)"),
    ],
)
def test_printing(spec, text):
    assert str(spec) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "   ", "3", "a b", "a,b", "(", "a(", "a)", "a(x=1", "a(x=1)) ", "a(x=1)b"),
        *("a(x)", "a(x=)", "a(=1)", "a(1)", "a(x==1)", "a(x=1,)", "a(x=1 y=2)"),
        *("a(x=1__0)", "a(x=1_)", "a(x=--1)", "a(x=1.2.3)", 'a(x="open)', 'a(x="\\q")'),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_was_expected(text):
    with pytest.raises(SpecError, match=r"cannot read .*: expected .*; a spec is name or name"):
        Spec.parse(text)


def test_an_argument_given_twice_is_refused():
    with pytest.raises(SpecError, match="'x' is given twice in"):
        Spec.parse("a(x=1, y=2, x=3)")


@thorough
@given(st.text(alphabet="ab1.-_+=(), \"'\\/:einfpy", max_size=20))
def test_any_text_is_read_or_refused_but_never_crashes(text):
    try:
        spec = Spec.parse(text)
    except SpecError:
        return
    assert typed(Spec.parse(str(spec))) == typed(spec)


def test_equal_specs_have_equal_hashes():
    one, two = Spec.parse("a(x=b(y=1))"), Spec("a", {"x": Spec("b", {"y": 1})})
    assert one == two
    assert hash(one) == hash(two)
    assert len({one, two}) == 1
