"""One cache of compiled code for all test processes, apart from the user's own; output as wide as it likes."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("LUDUS_CACHE", str(Path(tempfile.gettempdir()) / f"ludus-tests-{os.getuid()}"))
os.environ.setdefault("LUDUS_DATA", os.environ["LUDUS_CACHE"] + "-data")
os.environ.pop("COLUMNS", None)
