"""How a result came about: the command, when, with which version of what, on which machine."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path


def provenance(fingerprint: str = "") -> list[tuple[str, str]]:
    """The facts in order, each with its name; `fingerprint` is that of the rules and of all who play."""
    from ludus.common.version import VERSION
    from ludus.runtime.thread_team import cores

    programs = f"Python {platform.python_version()}, Numba {version('numba')}, NumPy {version('numpy')}"
    machine = f"{platform.system()} {platform.machine()}, {cores()} of {os.cpu_count()} processors"
    return [
        ("command", shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])),
        ("date", datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")),
        ("version", f"ludus {VERSION}, {programs}"),
        ("machine", machine),
        *([("fingerprint", fingerprint)] if fingerprint else []),
    ]
