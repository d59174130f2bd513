"""One cache of compiled code for all test processes, apart from the user's own; output as wide as it likes."""

import os
import tempfile
from pathlib import Path

import pytest

os.environ.setdefault("LUDUS_CACHE", str(Path(tempfile.gettempdir()) / f"ludus-tests-{os.getuid()}"))
os.environ.setdefault("LUDUS_DATA", os.environ["LUDUS_CACHE"] + "-data")
os.environ.pop("COLUMNS", None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Neighbouring tests in one process: they need the same compiled code, for which another would have to wait."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)
