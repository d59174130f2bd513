"""A search that is not ready before a file is there."""

import time
from pathlib import Path

from ludus import Search
from ludus.kernel.limits import STOP_NODES
from ludus.kernel.tree import expand


class Waits(Search):
    """Looks one ply ahead as soon as the file is there; after `patience` seconds it makes it itself and says so."""

    def __init__(self, file: str = "", patience: float = 20.0) -> None:
        self.file, self.patience = file, patience

    def step(self, game, evaluator, tree, limits):
        expand(game, evaluator, tree, 0)
        return STOP_NODES

    def extras(self, game, evaluator, compiled):
        deadline = time.monotonic() + self.patience
        while not Path(self.file).exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        if not Path(self.file).exists():
            Path(self.file).write_text("nobody came")
        return {}
