"""Every registered search, compiled: nothing allocates in it, and no index is out of bounds."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import ludus
from ludus.core import registry
from ludus.core.search import Session

SEARCHES = sorted(registry.searches().classes)


@pytest.mark.parametrize("name", SEARCHES)
def test_no_kernel_allocates(name):
    """Compiled without reference counts, a function that allocates or returns an array would not compile."""
    game = ludus.game("tictactoe")
    session = Session(ludus.search(name), game, ludus.evaluator("open-lines").on(game), compiled=True)
    assert session.kernel is not None
    assert not session.kernel.counts


CHECKED = """
import sys, ludus
game = ludus.game("tictactoe")
for name in sys.argv[1:]:
    for options in ("nodes=3000", "units=200000", "depth=4"):
        result = ludus.player(f"{name}({options})", compiled=True).choose(game)
        slow = ludus.player(f"{name}({options})", compiled=False).choose(game)
        assert (result.move, result.line) == (slow.move, slow.line), name
print("done")
"""


def test_no_index_is_out_of_bounds(tmp_path):
    """With Numba's bounds checks, which need a cache of their own."""
    checked = os.environ | {"NUMBA_BOUNDSCHECK": "1", "LUDUS_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", CHECKED, *SEARCHES]
    done = subprocess.run(command, env=checked, capture_output=True, text=True, timeout=300)
    assert done.stdout == "done\n", done.stderr
