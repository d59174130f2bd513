"""Shared by the tests of the core."""

import pytest


@pytest.fixture
def private(tmp_path, monkeypatch):
    """A cold cache, of this test's own."""
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"
