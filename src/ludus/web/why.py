"""Why this move? Sentences made of what the search knows, and of nothing else; every number in them is the result's."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from ludus.common.errors import LudusError
from ludus.common.numbers import counted
from ludus.model.result import Child, Result, count_words, number_words, score_words
from ludus.model.search import known_of
from ludus.runtime.player import Player
from ludus.web.plain import Refusal
from ludus.web.sureness import ways_to_be_sure
from ludus.web.thinking import Thought

LONGEST_LINE = 12
"""Moves of a line that are told."""


@dataclass(frozen=True)
class Sentence:
    """Something that the search knows, in words; the numbers have their names in the result."""

    kind: str
    text: str
    numbers: dict[str, float | None] = field(default_factory=dict)
    moves: tuple[str, ...] = ()


def explain(thought: Thought) -> dict[str, Any]:
    """`GET /api/thoughts/ID/why`."""
    result = thought.result
    if result is None:
        raise Refusal(409, thought.error or "this search has not ended yet.")
    player = thought.seated.player
    sentences = [
        *_choice(result),
        *_line(result),
        *_second(result, thought),
        *(Sentence("sure", *said) for said in ways_to_be_sure(result, player.search)),
        *_effort(result),
        *_stopped(result, player),
    ]
    return {
        "player": str(player.on(thought.seated.game)),
        "game": thought.wish.game,
        "move": result.move_name,
        "sentences": [asdict(sentence) for sentence in sentences],
    }


def _value(child: Child, result: Result) -> str:
    return child.say(result.words)


def _choice(result: Result) -> Iterator[Sentence]:
    chosen, name = result.chosen, result.move_name
    if len(result.children) == 1:
        yield Sentence("choice", f"{name} is the only legal move.", {}, (name,))
    if chosen.score is not None:
        proven = f"It plays {name}, which is proven: {score_words(chosen.score)}"
        plies = _plies_to_the_end(result)
        ending = "." if plies is None else f", {counted(plies, 'move')} to the end of the line that it expects."
        numbers: dict[str, float | None] = {"score": chosen.score}
        yield Sentence("choice", proven + ending, numbers | ({} if plies is None else {"line": plies}), (name,))
    elif math.isnan(chosen.value):
        yield Sentence("choice", f"It plays {name}; it has no value for it.", {}, (name,))
    else:
        yield Sentence(
            "choice", f"It plays {name}, valued at {_value(chosen, result)}.", {"value": chosen.value}, (name,)
        )


def _plies_to_the_end(result: Result) -> int | None:
    """How many plies the expected line has, if it ends the game."""
    state = result.state
    try:
        for move in result.line:
            state = result.game.after(state, move)
        return len(result.line) if result.game.is_over(state) else None
    except LudusError:
        return None


def _line(result: Result) -> Iterator[Sentence]:
    names = result.line_names
    if len(names) > 1:
        more = " ..." if len(names) > LONGEST_LINE else ""
        yield Sentence("line", f"It expects {' '.join(names[:LONGEST_LINE])}{more}.", {}, tuple(names))


def _second(result: Result, thought: Thought) -> Iterator[Sentence]:
    """The best of the other moves, and what the search thinks happens after it."""
    others = [child for child in result.children if child.move != result.move and not math.isnan(child.value)]
    if not others or math.isnan(result.value):
        return
    second = max(others, key=lambda child: (child.value, not child.known.is_upper_bound))
    said = _value(second, result)
    if second.known.is_upper_bound:
        text = f"Its second choice is {second.name}, which is worth at most {result.words(second.value)}."
    else:
        text = f"Its second choice is {second.name}, valued at {said}{_behind(result, second)}."
    yield Sentence("second", text, {"value": second.value}, (second.name,))
    line = _line_after(thought, second)
    if len(line) > 1:
        shown = " ".join(line[:LONGEST_LINE])
        yield Sentence("second", f"After {second.name} it expects {shown}.", {}, tuple(line))


def _behind(result: Result, second: Child) -> str:
    difference = result.value - second.value
    if result.chosen.score is not None or second.score is not None or difference < 0:
        return ""
    return ", which is as good" if difference == 0 else f", {number_words(difference)} less"


def _line_after(thought: Thought, second: Child) -> list[str]:
    """The best moves in the tree below another of the root's moves; empty if the tree is no longer there."""
    looks = thought.looks
    if thought.session is None or looks is None or not looks.search.grows_tree:
        return []
    tree, size = looks.tree, int(looks.tree.size[0])
    node = int(tree.first[0]) + [child.move for child in thought.result.children].index(second.move)  # type: ignore[union-attr]
    moves = [second.move]
    while int(tree.count[node]) > 0 and int(tree.first[node]) + int(tree.count[node]) <= size:
        first, count = int(tree.first[node]), int(tree.count[node])
        values = [known_of(looks.search, looks.session.evaluator, tree, first + i).value for i in range(count)]
        known = [i for i in range(count) if not math.isnan(values[i])]
        if not known or len(moves) >= LONGEST_LINE:
            break
        node = first + max(known, key=lambda i: values[i])
        moves.append(int(tree.move[node]))
    return looks.game.move_names(moves, looks.state)


def _effort(result: Result) -> Iterator[Sentence]:
    meter = result.meter
    text = f"For this it generated {counted(meter.generated, 'node')} and evaluated {meter.evaluated:,}."
    yield Sentence("effort", text, {"generated": meter.generated, "evaluated": meter.evaluated})


def _stopped(result: Result, player: Player) -> Iterator[Sentence]:
    budget = player.budget
    limits = {"nodes": budget.nodes, "seconds": budget.seconds, "units": budget.units}
    limit = limits.get(result.stopped)
    if limit is not None:
        yield Sentence(
            "stopped", f"It stopped because its {limit:,g} {result.stopped} were spent.", {result.stopped: limit}
        )
    else:
        yield Sentence("stopped", STOPPED[result.stopped])


STOPPED = {
    "nodes": "It stopped because its nodes were spent.",
    "seconds": "It stopped because its time was over.",
    "units": "It stopped because its units were spent.",
    "depth": "It stopped at the depth that it was allowed to search.",
    "memory": "It stopped because its memory was full.",
    "sure": "It stopped because it was sure of its choice.",
    "solved": "It stopped because the position was solved.",
    "exhausted": "It stopped because nothing was left to look at.",
    "interrupted": "It was stopped before its budget was spent.",
}

__all__ = ["Sentence", "count_words", "explain"]
