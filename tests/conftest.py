"""One cache of compiled code for all test processes, apart from the user's own."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("LUDUS_CACHE", str(Path(tempfile.gettempdir()) / f"ludus-tests-{os.getuid()}"))
