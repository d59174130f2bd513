"""What Numba remembers is what it would answer anew."""

import operator

from numba import float64, int64, types, uint64
from numba.core.compiler import Flags
from numba.core.registry import cpu_target

import ludus.compile.pipeline  # noqa: F401 (it quickens Numba)


def flags(**options):
    made = Flags()
    for name, value in options.items():
        setattr(made, name, value)
    return made


def test_sets_of_options_are_equal_if_every_option_is():
    assert flags(nrt=False) == flags() == flags(release_gil=False, nrt=False)
    assert hash(flags(nrt=False)) == hash(flags())
    assert flags(nrt=True) != flags()
    assert flags(nrt=True, release_gil=True) != flags(nrt=True)
    assert flags(nrt=True) != flags(release_gil=True)
    assert flags() != {}


def test_an_operator_means_the_same_when_it_is_asked_again():
    context = cpu_target.typing_context
    context.refresh()
    row = types.Array(int64, 1, "C")
    asked = {
        (operator.add, int64, int64): int64,
        (operator.add, int64, float64): float64,
        (operator.truediv, int64, int64): float64,
        (operator.lt, uint64, uint64): types.boolean,
        (operator.getitem, row, int64): int64,
        (operator.getitem, types.Array(float64, 2, "C"), int64): types.Array(float64, 1, "C"),
    }
    for _ in range(2):
        for (what, *arguments), result in asked.items():
            function = context.resolve_value_type(what)
            found = function.get_call_type(context, tuple(arguments), {})
            assert found.return_type == result
            assert function.get_impl_key(found) is what
