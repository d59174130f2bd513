"""The directory of compiled code: per user, movable, bounded, safe for several processes at once."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from ludus.core.errors import LudusError

LIMIT_MB = 512.0
"""Beyond this the entries that were not used for longest are removed; `LUDUS_CACHE_MB` changes it."""


def directory() -> Path:
    """Where compiled code is kept: `LUDUS_CACHE`, or the user's cache directory, or a temporary one."""
    chosen = os.environ.get("LUDUS_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir("ludus", appauthor=False))


def usable_directory() -> Path:
    """The cache directory, made if need be; a temporary one where it cannot be written."""
    path = directory()
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return path
    except OSError:
        return _temporary_directory()


def _temporary_directory() -> Path:
    """The same one for all of the user's processes, unless somebody else has taken its name: code is loaded from it."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    shared = Path(tempfile.gettempdir()) / f"ludus-cache-{user}"
    with contextlib.suppress(OSError):
        shared.mkdir(mode=0o700, exist_ok=True)
        if shared.lstat().st_uid == user:
            return shared
    return Path(tempfile.mkdtemp(prefix="ludus-cache-"))


@contextlib.contextmanager
def locked(path: Path, name: str) -> Iterator[None]:
    """Only one process at a time compiles `name`; the others wait and then find it in the cache."""
    import filelock

    with filelock.FileLock(path / f"{name}.lock"):
        yield


def touch(path: Path, name: str) -> None:
    """Remember that the entry `name` was used now."""
    for file in path.glob(f"*{name}*"):
        with contextlib.suppress(OSError):
            os.utime(file)


def read_note(path: Path, name: str) -> str:
    """What was noted about `name`: why it cannot be compiled."""
    try:
        return (path / f"{name}.note").read_text()
    except OSError:
        return ""


def write_note(path: Path, name: str, text: str) -> None:
    with contextlib.suppress(OSError):
        (path / f"{name}.note").write_text(text)


def prune(path: Path, keep: str = "") -> None:
    """Remove the entries unused for longest until the directory is within its bound; never `keep`."""
    chosen = os.environ.get("LUDUS_CACHE_MB") or LIMIT_MB
    try:
        limit = float(chosen) * 1e6
    except ValueError:
        raise LudusError(f"LUDUS_CACHE_MB must be a number of megabytes, not {chosen!r}.") from None
    files = []
    for file in path.iterdir():
        with contextlib.suppress(OSError):
            status = file.stat()
            files.append((status.st_mtime, status.st_size, file))
    total = sum(size for _, size, _ in files)
    for used, size, file in sorted(files):
        stale_lock = file.suffix == ".lock" and used < time.time() - 86_400
        if stale_lock or (total > limit and file.suffix != ".lock" and not (keep and keep in file.name)):
            with contextlib.suppress(OSError):
                file.unlink()
                total -= size
