"""A search that is not ready before a file is there."""

import time
from pathlib import Path

from ludus import Search
from ludus.core.budget import STOP_NODES
from ludus.core.tree import expand


class Waits(Search):
    """Looks one ply ahead, as soon as the file is there; or after 20 seconds, and says so."""

    def __init__(self, file: str = "") -> None:
        self.file = file

    def step(self, game, evaluator, tree, limits):
        expand(game, evaluator, tree, 0)
        return STOP_NODES

    def extras(self, game, evaluator, compiled):
        deadline = time.monotonic() + 20
        while not Path(self.file).exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        if not Path(self.file).exists():
            Path(self.file).write_text("nobody came")
        return {}
