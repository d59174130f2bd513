"""What counts as an edit: everything that can change the meaning of compiled code, and nothing else."""

import enum
import os
import subprocess
import sys
import types

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludus
from ludus.compile.fingerprint import attributes, fingerprint, identity, is_plain_function, reachable, references


def module(source, name="user", **names):
    """A module with this source, in which `names` are already known."""
    made = types.ModuleType(name)
    vars(made).update(names)
    exec(compile(source, f"/somewhere/{name}.py", "exec"), vars(made))
    return made


def of(source, salt="", **names):
    """The fingerprint of the function `f` of a module with this source."""
    return fingerprint(module(source, **names).f, {}, salt)


HELPER = """
LIMIT = {limit}
def g(x):
    return x + {step}
"""


def helper(limit=3, step=1):
    return module(HELPER.format(limit=limit, step=step), "helper")


def test_the_same_source_has_the_same_fingerprint_of_sixteen_digits():
    source = "def f(x):\n    return x + 1\n"
    assert of(source) == of(source)
    assert len(of(source)) == 16
    assert int(of(source), 16) >= 0


@pytest.mark.parametrize(
    "same",
    [
        "def f(x):\n    # a comment\n    return x + 1\n",
        "\n\n\ndef f(x):\n\n    return x + 1  # why\n",
        "UNUSED = 5\ndef f(x):\n    return (\n        x\n        + 1\n    )\n",
        "def f(x: int) -> int:\n    return x + 1\n",
    ],
    ids=["comment", "lines shifted", "other layout", "annotations"],
)
def test_comments_layout_and_line_numbers_do_not_count(same):
    assert of(same) == of("def f(x):\n    return x + 1\n")


def test_the_file_does_not_count():
    source = "def f(x):\n    return x + 1\n"
    one, other = module(source, "__main__"), module(source, "ludus_file_user_0123")
    assert fingerprint(one.f, {}) == fingerprint(other.f, {})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x + 1", "x - 1"),
        ("x + 1", "x + 2"),
        ("x + 1", "x + 1.0"),
        ("x + 1", "x + True"),
        ("x + 0.0", "x + -0.0"),
        ("x in {1, 2}", "x in {1, 3}"),
        ("x[(1, 2)]", "x[(1, 3)]"),
        ("[i + 1 for i in x]", "[i + 2 for i in x]"),
        ("(lambda y: y)(x)", "(lambda y: -y)(x)"),
        ("x.a", "x.b"),
        ("min(x)", "max(x)"),
    ],
)
def test_edits_of_an_expression_count(before, after):
    assert of(f"def f(x):\n    return {before}\n") != of(f"def f(x):\n    return {after}\n")


@pytest.mark.parametrize("source", ["def f(x, y={}):\n    return x + y\n", "def f(x, *, y={}):\n    return x + y\n"])
def test_default_arguments_count(source):
    assert of(source.format(1)) != of(source.format(2))


@pytest.mark.parametrize("expression", ["A", "[A for i in x]", "(lambda: A)()"])
@pytest.mark.parametrize(("before", "after"), [(1, 2), (1, 1.0), (1, True), ((1, 2), (1, 3)), ("a", "b"), ([1], (1,))])
def test_constants_of_the_module_count(expression, before, after):
    source = f"def f(x):\n    return {expression}\n"
    assert of(source, A=before) != of(source, A=after)


def test_what_is_guarded_by_try_counts():
    """The bytecode is the same; only the table of exceptions differs."""
    inside = "def f(x):\n  try:\n    a = x()\n    b = x(a)\n  except Exception:\n    b = 0\n  return b\n"
    outside = "def f(x):\n  try:\n    a = x()\n  except Exception:\n    b = 0\n  else:\n    b = x(a)\n  return b\n"
    assert of(inside) != of(outside)


CALLS = "from helper import g, LIMIT\ndef f(x):\n    return g(x)\n"


def test_what_it_calls_counts_in_other_files_too(monkeypatch):
    found = []
    for made in (helper(step=1), helper(step=2), helper(step=1), helper(limit=4)):
        monkeypatch.setitem(sys.modules, "helper", made)
        found.append(of(CALLS))
    assert found[0] != found[1], "a helper was edited"
    assert found[0] == found[2], "the edit was undone"
    assert found[0] == found[3], "the helper's other constants are not reachable"


def test_what_it_calls_counts_where_it_names_the_module():
    source = "def f(x):\n    return helper.g(x) + package.helper.g(x)\n"
    package = types.ModuleType("package")
    package.helper = helper(step=1)
    names = {"helper": helper(), "package": package}
    made = module(source, **names)
    assert {"helper.g": names["helper"].g, "package.helper.g": package.helper.g}.items() <= references(
        made.f, {}
    ).items()
    assert set(reachable([made.f], {})) == {made.f, names["helper"].g, package.helper.g}
    assert of(source, **names) == of(source, **names | {"helper": helper()})
    assert of(source, **names) != of(source, **names | {"helper": helper(step=2)})
    other = types.ModuleType("package")
    other.helper = helper(step=2)
    assert of(source, **names) != of(source, **names | {"package": other})


def test_what_the_called_functions_call_counts():
    def source(number):
        return f"def h(x):\n    return x + {number}\ndef g(x):\n    return h(x)\ndef f(x):\n    return g(x)\n"

    assert of(source(1)) != of(source(2))


def test_constants_of_other_modules_count_however_they_are_named(monkeypatch):
    by_name = "from helper import LIMIT\ndef f(x):\n    return x + LIMIT\n"
    by_module = "import helper\ndef f(x):\n    return x + helper.LIMIT\n"
    for source in (by_name, by_module):
        found = []
        for limit in (3, 4, 3):
            monkeypatch.setitem(sys.modules, "helper", helper(limit))
            found.append(of(source))
        assert found[0] != found[1]
        assert found[0] == found[2]


def test_constants_of_modules_in_modules_count():
    source = "def f(x):\n    return x + package.helper.LIMIT\n"
    first, second = (types.SimpleNamespace(helper=helper(limit)) for limit in (3, 4))
    one, other = types.ModuleType("package"), types.ModuleType("package")
    one.helper, other.helper = first.helper, second.helper
    one.package, other.package = one, other  # a module that names itself ends the walk
    assert of(source, package=one) != of(source, package=other)


def test_numbers_of_numpy_count_with_their_types():
    source = "def f(x):\n    return x + A\n"
    values = [np.uint64(1), np.int64(1), np.uint8(1), np.float64(1), np.uint64(2), np.float32(1)]
    assert len({of(source, A=value) for value in values}) == len(values)


def test_arrays_count_with_their_contents_types_and_shapes():
    source = "def f(x):\n    return A[x]\n"
    arrays = [
        np.arange(4),
        np.arange(4)[::-1],
        np.arange(4.0),
        np.arange(4, dtype=np.uint8),
        np.arange(4).reshape(2, 2),
    ]
    assert len({of(source, A=array) for array in arrays}) == len(arrays)
    assert of(source, A=np.arange(4)) == of(source, A=np.arange(4))
    assert of(source, A=np.arange(8)[::2]) == of(source, A=np.array([0, 2, 4, 6])), "how it lies in memory"


def test_the_values_of_enumerations_count():
    def fruit(**members):
        return enum.Enum("Fruit", members)

    by_class, by_member = "def f(x):\n    return A.apple.value\n", "def f(x):\n    return A.value\n"
    assert of(by_class, A=fruit(apple=1, pear=2)) == of(by_class, A=fruit(apple=1, pear=2))
    assert of(by_class, A=fruit(apple=1, pear=2)) != of(by_class, A=fruit(apple=2, pear=1))
    assert of(by_member, A=fruit(apple=1).apple) != of(by_member, A=fruit(apple=2).apple)
    assert of(by_member, A=fruit(a=1, b=2).a) != of(by_member, A=fruit(a=1, b=2).b)


def test_functions_that_the_user_compiles_count():
    def with_helper(source, **options):
        return of("def f(x):\n    return g(x)\n", g=numba.njit(**options)(module(source).g))

    plus, minus = "def g(x):\n    return x + 1\n", "def g(x):\n    return x - 1\n"
    deep = "H = {}\ndef g(x):\n    return x + H\n"
    assert with_helper(plus) == with_helper(plus)
    assert with_helper(plus) != with_helper(minus)
    assert with_helper(plus) != with_helper(plus, fastmath=True)
    assert with_helper(deep.format(1)) != with_helper(deep.format(2))


def test_functions_that_call_themselves_or_each_other_have_fingerprints():
    itself = "def f(x):\n    return f(x - {}) if x > 0 else 0\n"
    each_other = "def f(x):\n    return g(x)\ndef g(x):\n    return f(x - {}) if x > 0 else 0\n"
    compiled = "@njit\ndef g(x):\n    return g(x - {}) if x > 0 else 0\ndef f(x):\n    return g(x)\n"
    for source in (itself, each_other, compiled):
        assert of(source.format(1), njit=numba.njit) == of(source.format(1), njit=numba.njit)
        assert of(source.format(1), njit=numba.njit) != of(source.format(2), njit=numba.njit)


def test_a_field_with_the_name_of_a_global_is_not_the_global():
    source = "def f(self):\n    return self.size\n"
    assert of(source, size=1) == of(source, size=2) == of(source)
    made = module(source, size=of)
    assert reachable([made.f], {}) == [made.f]


def test_the_salt_counts():
    source = "def f(x):\n    return x\n"
    assert of(source, salt="numba 1") != of(source, salt="numba 2")


def test_what_a_rule_is_bound_to_counts():
    made = module("def rule(x):\n    raise NotImplementedError\ndef f(x):\n    return rule(x)\n")
    plus, minus = module("def g(x):\n    return x + 1\n").g, module("def g(x):\n    return x - 1\n").g
    found = {fingerprint(made.f, binding) for binding in ({}, {made.rule: plus}, {made.rule: minus})}
    assert len(found) == 3
    assert references(made.f, {made.rule: plus}) == {"rule": plus}
    assert reachable([made.f], {made.rule: plus}) == [made.f, plus]


def test_functions_of_libraries_are_named_not_copied():
    made = module("import numpy as np\nfrom numpy import linspace\ndef f(x):\n    return linspace(x, np.pi)\n")
    assert not is_plain_function(made.linspace)
    assert reachable([made.f], {}) == [made.f]


def test_attributes_are_those_of_local_variables_in_comprehensions_too():
    made = module("import math\ndef f(self, x):\n    math.floor(x.b)\n    return [self.a for i in range(3)]\n")
    assert set(attributes([made.f])) == {"a", "b"}


SETS = """
import types
from ludus.compile.fingerprint import fingerprint
NAMES = frozenset({"a", "b", "c", "d", "e", "f"})
def f(x):
    return x in {"north", "south", "east", "west"} or x in NAMES
print(fingerprint(f, {}))
"""


@pytest.mark.slow
def test_sets_have_the_same_fingerprint_in_every_process():
    def run(seed):
        env = os.environ | {"PYTHONHASHSEED": str(seed)}
        return subprocess.run([sys.executable, "-c", SETS], env=env, capture_output=True, text=True, check=True).stdout

    assert run(1) == run(2) == run(3) != ""


CONSTANTS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=3)
    | st.binary(max_size=3),
    lambda inner: st.tuples(inner) | st.tuples(inner, inner),
    max_leaves=4,
)


@pytest.mark.slow
@given(CONSTANTS, CONSTANTS)
def test_two_constants_have_one_fingerprint_only_if_they_are_the_same(one, other):
    source = "def f(x):\n    return A\n"
    assert (of(source, A=one) == of(source, A=other)) == (repr(one) == repr(other))


# Components.


def made(**changes):
    """A game of crossing squares, with these members instead of its own."""

    class Squares(ludus.Game):
        max_moves = 9
        squares = 9

        def __init__(self, lines=3):
            self.lines = lines
            self.book = {"a": [1, 2]}

        def initial(self):
            return (0,)

        def moves(self, state, out):
            return self.free(state, out)

        def free(self, state, out):
            out[0] = self.squares + len(self.book["a"])
            return 0 if state[0] else 1

        def play(self, state, move):
            return (move,)

        def score(self, state):
            return 1

        def render(self, state):
            return "X"

    return type("Squares", (Squares,), changes)()


RULES = ("initial", "moves", "play", "score", "max_moves")


@pytest.mark.parametrize(
    "changes",
    [
        {"squares": 5},  # which a method uses that a rule calls
        {"max_moves": 8},
        {"free": lambda self, state, out: 0},
        {"score": lambda self, state: 2},
        {"__init__": lambda self, lines=3: vars(self).update(lines=lines, book={"a": [1, 3]})},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_whatever_the_rules_use_of_a_game_is_part_of_it(changes):
    assert identity(made(**changes), RULES) != identity(made(), RULES)


def test_contents_of_fields_count_but_not_pictures_and_buffers():
    plain, read = made(), made()
    read.book = {"a": [1, 3]}
    assert identity(read, RULES) != identity(plain, RULES)
    used = made()
    used.legal(used.start), used.meter, used.scratch
    assert identity(used, RULES) == identity(made(), RULES) == identity(made(render=lambda self, state: "O"), RULES)
