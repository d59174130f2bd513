"""Games that need an extra: their tests are skipped where it is not installed."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

import pytest

MODULES = {"openspiel": "pyspiel"}

INTERPRETED = frozenset(MODULES)
"""Games whose rules are not ours to compile."""


def needing_extras(specs: Iterable[Any]) -> list[Any]:
    """The same parameters, each a spec or a tuple that begins with one, marked to be skipped where they must be."""
    return [_marked(spec) for spec in specs]


def _marked(spec: Any) -> Any:
    values = spec if isinstance(spec, tuple) else (spec,)
    module = MODULES.get(values[0].split("(")[0])
    missing = module is not None and find_spec(module) is None
    return pytest.param(*values, marks=pytest.mark.skip(reason=f"{module} is not installed")) if missing else spec
