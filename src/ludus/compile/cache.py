"""The directory of compiled code: per user, movable, bounded, safe for several processes at once."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from ludus.common.errors import LudusError
from ludus.common.files import checksummed, escape_control_characters, read_text, verified

LIMIT_MB = 512.0
"""Beyond this the entries that were not used for longest are removed; `LUDUS_CACHE_MB` changes it."""


def directory() -> Path:
    """Where compiled code is kept: `LUDUS_CACHE`, or the user's cache directory, or a temporary one."""
    chosen = os.environ.get("LUDUS_CACHE")
    if chosen:
        return Path(os.path.expanduser(chosen))
    import platformdirs

    return Path(platformdirs.user_cache_dir("ludus", appauthor=False))


def usable_directory() -> Path | None:
    """The cache directory, made if need be, or a temporary one; None if there is none that only this user can write.

    What is in it is executed.
    """
    path = directory()
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        _make_private(path)
        with tempfile.TemporaryFile(dir=path):
            return path
    except OSError:
        return _temporary_directory()


def _temporary_directory() -> Path | None:
    """The same one for all of the user's processes, unless somebody else has taken its name."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    shared = Path(tempfile.gettempdir()) / f"ludus-cache-{user}"
    with contextlib.suppress(OSError):
        shared.mkdir(mode=0o700, exist_ok=True)
        if not shared.is_symlink():
            _make_private(shared)
            return shared
    with contextlib.suppress(OSError):
        return Path(tempfile.mkdtemp(prefix="ludus-cache-"))
    return None


def is_private(status: os.stat_result) -> bool:
    """Whether a file or a directory is this user's, and nobody else may write to it."""
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)


def _make_private(path: Path) -> None:
    """Let nobody else write to a directory; an `OSError` if it is not this user's."""
    status = path.lstat() if path.is_symlink() else path.stat()
    if not is_private(status):
        path.chmod(stat.S_IMODE(status.st_mode) & ~0o022)
    if not path.is_dir() or not is_private(path.stat()):
        raise OSError(f"{path} is not only this user's")


@contextlib.contextmanager
def locked(path: Path, name: str) -> Iterator[None]:
    """Only one process at a time compiles `name`; the others wait and then find it in the cache."""
    import filelock

    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # where no file can be made, nothing will be kept either
            stack.enter_context(filelock.FileLock(path / f"{name}.lock"))
        yield


def touch(path: Path, name: str) -> None:
    """Remember that the entry `name` was used now."""
    for file in path.glob(f"*{name}*"):
        with contextlib.suppress(OSError):
            os.utime(file)


def read_note(path: Path, name: str) -> str:
    """What was noted about `name`: why it cannot be compiled; empty if that is damaged."""
    try:
        return verified(read_text(path / f"{name}.note"))
    except (OSError, ValueError):
        return ""


def write_note(path: Path, name: str, text: str) -> None:
    with contextlib.suppress(OSError):
        (path / f"{name}.note").write_text(checksummed(escape_control_characters(text)), encoding="utf-8", newline="\n")


def prune(path: Path, keep: str = "") -> None:
    """Remove the entries unused for longest until the directory is within its bound; never `keep`."""
    chosen = os.environ.get("LUDUS_CACHE_MB") or LIMIT_MB
    try:
        limit = float(chosen) * 1e6
    except ValueError:
        raise LudusError(f"LUDUS_CACHE_MB must be a number of megabytes, not {chosen!r}.") from None
    files, entries = [], list[Path]()
    with contextlib.suppress(OSError):
        entries = list(path.iterdir())
    for file in entries:
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
