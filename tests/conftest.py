"""One cache of compiled code for all test processes, apart from the user's own; output as wide as it likes."""

import gc
import os
import signal
import tempfile
from pathlib import Path

import pytest

os.environ.setdefault("LUDUS_CACHE", str(Path(tempfile.gettempdir()) / f"ludus-tests-{os.getuid()}"))
os.environ.setdefault("LUDUS_DATA", os.environ["LUDUS_CACHE"] + "-data")
os.environ.pop("COLUMNS", None)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs the tests in the background ignores Ctrl-C


def pytest_collection_finish(session):
    """Search for garbage seldom, and not among ten thousand tests: with Numba loaded it took a seventh of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Neighbouring tests in one process: they need the same compiled code, for which another would have to wait."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


@pytest.fixture
def private(tmp_path, monkeypatch):
    """A cold cache of this test's own."""
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"
