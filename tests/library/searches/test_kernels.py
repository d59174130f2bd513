"""Every registered search, compiled: nothing allocates in it."""

from __future__ import annotations

import pytest

from ludus.model import registry
from tests.support.conformance.subjects import made, session_of


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(registry.searches().classes))
def test_no_kernel_allocates(name):
    """Compiled without reference counts, a function that allocates or returns an array would not compile."""
    session = session_of(made(name), "tree", compiled=True)
    assert session.kernel is not None
    assert not session.kernel.counts
