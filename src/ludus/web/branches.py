"""One node of a search's tree, opened on demand: of a tree of a million nodes only what somebody looks at is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ludus.common.errors import LudusError
from ludus.model.budget import Budget
from ludus.model.result import Known, Result
from ludus.model.search import known_of
from ludus.runtime.player import Player
from ludus.runtime.walk import Visit, Walk, walk
from ludus.web.looks import Looks, row
from ludus.web.plain import Refusal
from ludus.web.shares import counted, parts
from ludus.web.thinking import Thought

MOST_VISITS = 3_000
"""Visits of a walk that are noted down."""

MOST_WALKED = 100_000
"""Nodes of a search that is walked once more, interpreted, to see what it visits."""


@dataclass(frozen=True)
class Opening:
    """Which node is asked for, how many of its children, and at which size of the tree."""

    node: int = 0
    top: int = 20
    at: int | None = None


def open_branch(thought: Thought, wanted: Opening) -> dict[str, Any]:
    """`GET /api/thoughts/ID/tree`."""
    search = thought.seated.player.search
    if type(search).walks:
        return _open_walk(thought, wanted)
    if thought.session is None or thought.looks is None or not thought.wish.watch:
        raise Refusal(409, "this search keeps no tree to show: start it with watch.")
    return thought.ask(partial(_open_tree, thought, thought.looks, wanted))


def _open_tree(thought: Thought, looks: Looks, wanted: Opening) -> dict[str, Any]:
    tree, search, session = looks.tree, looks.search, looks.session
    size = int(tree.size[0])
    if not search.grows_tree:
        size = 1 + max(int(tree.count[0]), 0)
    if wanted.node >= size:
        raise Refusal(404, f"there is no node {wanted.node}: the tree has {size} nodes.")
    numbers, game = _way_to(tree, wanted.node), looks.game
    state, names = looks.state, []
    for number in numbers:
        names.append(game.move_name(state, number))
        state = game.after(state, number)
    first, count = int(tree.first[wanted.node]), max(int(tree.count[wanted.node]), 0)
    if first + count > min(size, wanted.at or size):
        count = 0  # not there, or not yet
    nodes = range(first, first + count)
    known = [known_of(search, session.evaluator, tree, node) for node in nodes]
    sizes = looks.subtrees.sizes(tree, nodes) if search.grows_tree and count else [1] * count
    own = counted(known)
    shares = parts(own[1]) if own is not None else parts(sizes) if search.grows_tree else [None] * count
    children = []
    for place in _best(known, wanted.top):
        node = nodes[place]
        about = row(game.move_name(state, int(tree.move[node])), known[place], looks.words, shares[place])
        below = max(int(tree.count[node]), 0)
        if not search.grows_tree or (wanted.at is not None and int(tree.first[node]) + below > wanted.at):
            below = 0
        children.append({"node": node, **about, "nodes": sizes[place], "children": below, "cut": False})
    of_node = known_of(search, session.evaluator, tree, wanted.node) if wanted.node else Known()
    return {
        "node": wanted.node,
        "move": names[-1] if names else None,
        "moves": names,
        "turn": _turn(thought, numbers),
        "state": game.state_text(state),
        "size": size,
        "kind": "tree",
        "known": row("", of_node, looks.words, None),
        "children": children,
        "left_off": count - len(children),
        "window": None,
        "cut": [],
    }


def _way_to(tree: Any, node: int) -> list[int]:
    """The moves from the root to a node."""
    found: list[int] = []
    while node > 0:
        found.append(int(tree.move[node]))
        node = int(tree.parent[node])
    return found[::-1]


def _turn(thought: Thought, numbers: Sequence[int]) -> int | None:
    """Who decides after these moves: 0, the first player, or 1, the second; None: chance."""
    here = thought.wish.position
    for number in numbers:
        here = here.play(number)
    return None if here.turn is None else here.seat


def _best(known: Sequence[Known], top: int) -> list[int]:
    """The places of the best, best first, those of unknown value last."""
    return sorted(range(len(known)), key=lambda i: (known[i].value != known[i].value, -known[i].value))[:top]


# Full-width searches: the last pass over the tree, as `ludus trace` draws it.


def _walk_of(thought: Thought) -> list[tuple[Visit, list[str]]]:
    """Every visit of the last pass, in order, with the moves that lead to it; walked once, and kept."""
    if thought.walked is None:
        if thought.result is None:
            raise Refusal(409, "the tree of this search can be opened when it has ended.")
        if thought.result.meter.generated > MOST_WALKED:
            raise Refusal(409, f"a tree of more than {MOST_WALKED} nodes is not walked once more to be shown.")
        own, game = thought.seated.player, thought.wish.position.game
        player = Player(own.search, own.evaluator, _finished_depth(thought.result) or own.budget, compiled=False)
        thought.walked = _listed(
            walk(game, player, thought.wish.position.state, seed=thought.wish.seed, most=MOST_VISITS)
        )
    return thought.walked


def _finished_depth(result: Result) -> Budget | None:
    """To the depth to which every move was searched: its pass is whole. None if there is none, or it is not told."""
    depths = [child.known.more.get("depth") for child in result.children]
    whole = [depth for depth in depths if isinstance(depth, int) and depth > 0]
    return Budget(depth=min(whole)) if len(whole) == len(depths) else None


def _listed(found: Walk) -> list[tuple[Visit, list[str]]]:
    rows: list[tuple[Visit, list[str]]] = []
    waiting: list[tuple[Visit, list[str]]] = [(found.root, [])]
    while waiting:
        visit, moves = waiting.pop(0)
        rows.append((visit, moves))
        waiting += [(child, [*moves, child.move]) for child in visit.children]
    return rows


def _open_walk(thought: Thought, wanted: Opening) -> dict[str, Any]:
    rows = _walk_of(thought)
    if wanted.node >= len(rows):
        raise Refusal(404, f"there is no node {wanted.node}: {len(rows)} were visited.")
    visit, moves = rows[wanted.node]
    numbers = {id(other): number for number, (other, _) in enumerate(rows)}
    sizes = [len(child) for child in visit.children]
    words = thought.result.words if thought.result is not None else str
    children = []
    for place, child in enumerate(visit.children[: wanted.top]):
        value = 0.0 - child.value  # to the player who moves at the opened node
        known = (
            Known(value)
            if child.is_exact
            else Known(value, low=value)
            if child.value <= child.alpha
            else _at_most(value)
        )
        about = row(child.move, known, words, sizes[place] / max(sum(sizes), 1))
        more = {"nodes": sizes[place], "children": len(child.children), "cut": False}
        children.append(
            {"node": numbers[id(child)], **about, **more, "searches": child.searches, "exact": child.is_exact}
        )
    position, text = _after(thought, moves)
    return {
        "node": wanted.node,
        "move": moves[-1] if moves else None,
        "moves": moves,
        "turn": position,
        "state": text,
        "size": len(rows),
        "kind": "walk",
        "known": row("", Known(visit.value), words, None),
        "children": children,
        "left_off": len(visit.children) - len(children),
        "window": [visit.alpha, visit.beta] if visit.entered else None,
        "cut": visit.cut,
    }


def _at_most(value: float) -> Known:
    return Known(value, high=value)


def _after(thought: Thought, moves: Sequence[str]) -> tuple[int | None, str | None]:
    """Who decides after these moves, and the state; None after what is not a move, such as the trial of a pass."""
    here = thought.wish.position
    try:
        for name in moves:
            here = here.play(name)
    except LudusError:
        return None, None
    return None if here.turn is None else here.seat, here.text
