"""What compiled code and authors of searches import: the rules by name, the tree and its columns, random numbers.

What `__all__` names is for authors of searches, `from ludus.kernel import ...`, and stays where it is.

May import: common.
"""

from ludus.kernel.chance import drawn_outcome
from ludus.kernel.columns import distance, integer, node, number, row
from ludus.kernel.limits import (
    DEEPEN,
    DEPTH,
    EVALUATED,
    EXPANDED,
    GENERATED,
    NEEDS_NODES,
    PAUSED,
    RUNNING,
    STOP_DEPTH,
    STOP_EXHAUSTED,
    STOP_SOLVED,
    STOP_SURE,
    TRAVERSED,
    part_spent,
    share_spent,
    spent,
)
from ludus.kernel.parts import part
from ludus.kernel.random import below, unit
from ludus.kernel.rules import (
    cells,
    chance,  # the rule; the module of this name is imported above, and so does not take its place
    evaluate,
    features,
    final,
    foreseen,
    highest,
    load,
    lowest,
    moves,
    noisy,
    null,
    over,
    phase,
    play,
    store,
    urgency,
)
from ludus.kernel.tree import UNOPENED, best_child, expand, generate, open_node

__all__ = [
    "DEEPEN",
    "DEPTH",
    "EVALUATED",
    "EXPANDED",
    "GENERATED",
    "NEEDS_NODES",
    "PAUSED",
    "RUNNING",
    "STOP_DEPTH",
    "STOP_EXHAUSTED",
    "STOP_SOLVED",
    "STOP_SURE",
    "TRAVERSED",
    "UNOPENED",
    "below",
    "best_child",
    "cells",
    "chance",
    "distance",
    "drawn_outcome",
    "evaluate",
    "expand",
    "features",
    "final",
    "foreseen",
    "generate",
    "highest",
    "integer",
    "load",
    "lowest",
    "moves",
    "node",
    "noisy",
    "null",
    "number",
    "open_node",
    "over",
    "part",
    "part_spent",
    "phase",
    "play",
    "row",
    "share_spent",
    "spent",
    "store",
    "unit",
    "urgency",
]
