"""The users' files that a run depends on: when one of them is edited, the run stops."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ludus.common.errors import LudusError
from ludus.compile.fingerprint import of_source
from ludus.model.component import source_file
from ludus.model.playable import PlayableGame
from ludus.model.registry import modules_in
from ludus.runtime.player import Player


class Sources:
    """The files of a game and of its players, and the modules beside them, as they were when the run began.

    What was played since was played by the rules as they were then, but whoever edits them wants others. Comments and
    empty lines may be edited.
    """

    def __init__(self, game: PlayableGame, players: Iterable[Player]) -> None:
        parts: list[Any] = [game, *(part for player in players for part in (player.search, player.evaluator))]
        kinds = {getattr(type(part), "written", None) or type(part) for part in parts}
        files = {Path(file) for file in map(source_file, kinds) if file is not None}
        beside = {Path(module.__file__ or "") for file in files for module in modules_in(file.parent).values()}
        self.files = {file: (_stamp(file), _code(file)) for file in files | beside}

    def check(self) -> None:
        """An error if a file does something else now."""
        for file, (stamp, code) in self.files.items():
            if _stamp(file) not in (stamp, None) and _code(file) not in (code, ""):
                raise LudusError(
                    f"{file} was edited while the run was played, so the run has stopped: its games, by the rules as "
                    "they were, are kept; the same command plays by the rules as they are now."
                )


def _stamp(file: Path) -> tuple[int, int] | None:
    """When a file was written last, and its size; None if it is not there."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _code(file: Path) -> str:
    """A fingerprint of what a file does; empty if it cannot be read, while it is being written for instance."""
    try:
        return of_source(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ""
