"""A tree that somebody has written down, as textbooks draw them.

    [[3 12 8] [2 4 6] [14 5 2]]          three moves, each with three replies; the numbers are finished games
    A=1[B=3[C=7 D=4] E=2]                names, and static values of nodes that are not leaves

A node is a name, `=` and a value, or one of the two, and then its children in brackets, with spaces between. What
follows `#` in a line is a comment. All values are to the player who begins, Max. The value of a leaf is the result of
the game; that of any other node is the opinion that the evaluator `written` has of it, 0 if none is given.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from ludus.common.errors import SpecError, StateError, unknown
from ludus.common.files import path_of
from ludus.model.game import Game

TEXTBOOK = "[[3 12 8] [2 4 6] [14 5 2]]"
DEEPEST = 200
LARGEST = 1e9
"""No value is larger."""
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)"
_NODE = re.compile(rf"(?:([A-Za-z_][\w']*)(?:=({_NUMBER}))?|({_NUMBER}))?(?:(\[)|(?=[\s\]]|$))")
_COMMENT = re.compile(r"#.*")


@dataclass
class Written:
    """A node as it was written; one without a value has None."""

    name: str = ""
    value: float | None = None
    children: list[Written] = field(default_factory=list)


class Tree(Game):
    """A tree that you write down yourself, of="[[3 12 8] [2 4 6] [14 5 2]]" say, or a file with one."""

    name = "tree"
    evaluator = "written"

    def __init__(self, of: str = TEXTBOOK, file: str = "") -> None:
        """
        of: the tree
        file: or the file in which it is written
        """
        self.plant(parsed(_content(file) if file else of))

    def plant(self, root: Written) -> None:
        """Number the nodes breadth first: the children of n are `first[n]` and those after it."""
        nodes, plies, names = [root], [0], [root.name or "root"]
        first = []
        for number, node in enumerate(nodes):
            first.append(len(nodes))
            prefix = f"{names[number]}." if number or root.name else ""
            for place, child in enumerate(node.children, 1):
                nodes.append(child)
                plies.append(plies[number] + 1)
                names.append(child.name or f"{prefix}{place}")
        for name, times in Counter(names).items():
            if times > 1:
                raise SpecError(f"{times} nodes of the tree are called {name}: a name must be that of one node only.")
        self.names, self.plies = names, plies
        self.first = np.array(first, np.int64)
        self.count = np.array([len(node.children) for node in nodes], np.int64)
        to_mover = np.where(np.array(plies) % 2 == 0, 1.0, -1.0)
        self.worth = to_mover * [node.value or 0.0 for node in nodes] + 0.0
        self.largest = float(np.abs(self.worth).max())
        if self.largest > LARGEST:
            raise SpecError(f"the values of a tree must lie between {-LARGEST:g} and {LARGEST:g}.")
        self.max_moves, self.length = int(self.count.max()), max(plies)

    # A state is (the number of a node,), a move the number of the child that it leads to.

    def initial(self):
        return (0,)

    def moves(self, state, out):
        for i in range(self.count[state[0]]):
            out[i] = self.first[state[0]] + i
        return self.count[state[0]]

    def play(self, state, move):
        return (move,)

    def score(self, state):
        return self.worth[state[0]]

    def lowest(self, state):
        return -self.largest

    def highest(self, state):
        return self.largest

    # Python only.

    def mover(self, state):
        return self.plies[int(state[0])] % 2

    def winner(self, state):
        score = self.score(state)
        return None if score == 0 else self.mover(state) if score > 0 else 1 - self.mover(state)

    def state_text(self, state):
        return self.names[int(state[0])]

    def parse_state(self, text):
        if text not in self.names:
            raise StateError(str(unknown("node", text, self.names, say="there are")))
        return (self.names.index(text),)

    def move_name(self, state, move):
        return self.names[int(move)]

    def render(self, state):
        """What is below the node, as it is written."""
        node = int(state[0])
        value = -self.worth[node] if self.plies[node] % 2 else self.worth[node]
        below = [self.render((child,)) for child in range(self.first[node], self.first[node] + self.count[node])]
        return f"{self.names[node]}={value + 0.0:g}" + (f"[{' '.join(below)}]" if below else "")


def parsed(text: str) -> Written:
    """The root of a tree that is written down; one sentence if it is none."""
    text, at = _COMMENT.sub(" ", text).replace(",", " ").rstrip(), 0
    above = Written()
    path = [above]  # from above the root to the node whose children are being read
    while at < len(text):
        if text[at] == "]" and len(path) > 1:
            closed, at = path.pop(), at + 1
            if not closed.children:
                raise _wrong("there is a pair of brackets with nothing in it")
        elif text[at].isspace():
            at += 1
        else:
            found = _NODE.match(text, at)
            if found is None or found.end() == at:
                raise _wrong(f"it makes no sense from {text[at : at + 20]!r} on")
            name, named, alone, opens = found.groups()
            value = named or alone
            node = Written(name or "", None if value is None else float(value))
            path[-1].children.append(node)
            at = found.end()
            if opens:
                path.append(node)
            elif value is None:
                raise _wrong(f"the leaf {name} has no value")
            if len(path) > DEEPEST + 1:
                raise _wrong(f"it is deeper than {DEEPEST} plies")
    if len(path) > 1:
        raise _wrong("a bracket is not closed")
    if len(above.children) != 1 or not above.children[0].children:
        raise _wrong("it is no single node with children")
    return above.children[0]


def _wrong(why: str) -> SpecError:
    return SpecError(f'a tree is written as in of="[[3 12 8] [2 4 6]]" or of="A=1[B=3[C=7 D=4] E=2]": {why}.')


def _content(file: str) -> str:
    try:
        return path_of(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(f"the tree in {file!r} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
