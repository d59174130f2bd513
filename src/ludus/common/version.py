"""The version of ludus that is installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("ludus")
except PackageNotFoundError:  # a source tree that was never installed
    VERSION = "0+unknown"
