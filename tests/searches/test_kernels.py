"""Every registered search, compiled: nothing allocates in it."""

from __future__ import annotations

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
