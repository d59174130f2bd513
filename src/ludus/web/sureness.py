"""How sure a search is of its choice, in its own terms: a sentence for each sort of number that a search may know."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ludus.model.result import Child, Result, count_words, number_words
from ludus.model.search import Search

Said = tuple[str, dict[str, Any], tuple[str, ...]]
"""A sentence, its numbers, and the moves that it names."""


def ways_to_be_sure(result: Result, search: Search) -> Iterator[Said]:
    """Every sentence for which the search has the numbers."""
    if result.chosen.score is not None or len(result.children) < 2:
        return
    names = result.chosen.known.more.keys()
    for needed, say in SAYINGS:
        if set(needed) <= names:
            yield from say(result)
    if not names:
        yield from _without_numbers(result, search)


def _number(child: Child, name: str) -> float:
    found = child.known.more.get(name)
    return math.nan if found is None else float(found)


def _numbers(result: Result, name: str) -> list[float]:
    """A number of all moves, where it is known."""
    return [found for child in result.children if not math.isnan(found := _number(child, name))]


def _others(result: Result) -> Sequence[Child]:
    return [child for child in result.children if child.move != result.move]


def _swing(result: Result) -> Iterator[Said]:
    least = min(_numbers(result, "swing"), default=math.inf)
    if least == math.inf:
        yield "No error in the values of the leaves below one move could change the choice.", {"swing": least}, ()
        return
    text = f"To change the choice, leaves below one move would have to be wrong by {number_words(least)} in all."
    yield text, {"swing": least}, ()


def _visits(result: Result) -> Iterator[Said]:
    yield from _share(result, "visits", "It visited {move} {share:.0%} of the time, {own:,.0f} of {all:,.0f} visits.")


def _playouts(result: Result) -> Iterator[Said]:
    yield from _share(result, "playouts", "Of {all:,.0f} games that it played at random, {own:,.0f} began with {move}.")


def _mean(result: Result) -> Iterator[Said]:
    mean, name = _number(result.chosen, "mean"), result.move_name
    if mean == mean:
        yield f"The mean of the games after {name} is {number_words(mean)}.", {"mean": mean}, (name,)


def _games(result: Result) -> Iterator[Said]:
    yield from _share(result, "games", "Of {all:,.0f} games that it played to the end, {own:,.0f} began with {move}.")


def _share(result: Result, name: str, words: str) -> Iterator[Said]:
    own, every = _number(result.chosen, name), sum(_numbers(result, name))
    if every > 0:
        text = words.format(move=result.move_name, own=own, all=every, share=own / every)
        yield text, {name: own, f"{name} in all": every}, (result.move_name,)


def _conspirators(result: Result) -> Iterator[Said]:
    fall, rises = _number(result.chosen, "to_fall"), [_number(child, "to_rise") for child in _others(result)]
    name = result.move_name
    if fall == math.inf:
        yield f"No leaves, however many, could make {name} worth less.", {"to_fall": fall}, (name,)
    else:
        text = f"{_leaves(fall)} to make {name} worth less than the position."
        yield text, {"to_fall": fall}, (name,)
    least = min(rises, default=math.nan)
    if least == least and least != math.inf:
        rival = _others(result)[rises.index(least)].name
        text = f"{_leaves(least)} to make {rival} worth more than the position."
        yield text, {"to_rise": least}, (rival,)


def _leaves(number: float) -> str:
    together = "" if number == 1 else " together"
    return f"{_count(int(number), 'leaf', 'leaves')} would have to change{together}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _interval(result: Result) -> Iterator[Said]:
    low, high = _number(result.chosen, "pessimistic"), _number(result.chosen, "optimistic")
    name = result.move_name
    text = f"It holds that {name} is worth between {result.words(low)} and {result.words(high)}."
    yield text, {"pessimistic": low, "optimistic": high}, (name,)
    rival = max(_others(result), key=lambda child: _number(child, "optimistic"))
    most = _number(rival, "optimistic")
    if most == most:
        verdict = "so no other move can be better" if most <= low else "so it is not sure that no other is better"
        text = f"The most that another move can be worth is {result.words(most)} ({rival.name}), {verdict}."
        yield text, {"optimistic": most}, (rival.name,)


def _better(result: Result) -> Iterator[Said]:
    rivals = [child for child in _others(result) if not math.isnan(_number(child, "better"))]
    if rivals:
        rival = max(rivals, key=lambda child: _number(child, "better"))
        chance = _number(rival, "better")
        text = f"The probability that {rival.name} is better is {chance:.2g}; no other move has a greater one."
        yield text, {"better": chance}, (rival.name,)
    spread = _number(result.chosen, "spread")
    yield (
        f"The value of {result.move_name} has a spread of {number_words(spread)}.",
        {"spread": spread},
        (result.move_name,),
    )


def _deviation(result: Result) -> Iterator[Said]:
    sd, mean, name = _number(result.chosen, "sd"), _number(result.chosen, "mean"), result.move_name
    text = f"It takes the value of {name} to be {number_words(mean)}, with a standard deviation of {number_words(sd)}."
    yield text, {"mean": mean, "sd": sd}, (name,)


def _cost(result: Result) -> Iterator[Said]:
    costs = [_number(child, "cost") for child in result.children]
    least = min((cost for cost in costs if not math.isnan(cost)), default=math.nan)
    if math.isfinite(least):
        name = result.children[costs.index(least)].name
        text = f"It would go on below {name}, where the next leaf has the least cost, {number_words(least)}."
        yield text, {"cost": least}, (name,)


def _gain(result: Result) -> Iterator[Said]:
    most = max(_numbers(result, "gain"), default=math.nan)
    if most == most:
        text = f"The most that one more step is expected to gain is {number_words(most)}."
        yield text, {"gain": most}, ()


def _proof(result: Result) -> Iterator[Said]:
    proof, disproof, name = _number(result.chosen, "proof"), _number(result.chosen, "disproof"), result.move_name
    text = f"For {name} the question at hand would take {_many(proof)} to prove, {_many(disproof)} to disprove."
    yield text, {"proof": proof, "disproof": disproof}, (name,)


def _many(number: float) -> str:
    return "what cannot be had" if number == math.inf else f"{count_words(number)} leaves at least"


def _depth(result: Result) -> Iterator[Said]:
    depth = result.chosen.known.more.get("depth")
    if depth is None:
        return
    bounds = [child for child in _others(result) if child.known.is_upper_bound]
    yield f"It looked {_count(int(depth), 'ply', 'plies')} ahead.", {"depth": depth}, ()
    if bounds:
        many = "1 other move is" if len(bounds) == 1 else f"{len(bounds)} other moves are"
        yield f"{many} known to be no better; how much worse was not worth finding out.", {"bounds": len(bounds)}, ()


def _without_numbers(result: Result, search: Search) -> Iterator[Said]:
    if math.isnan(result.value):
        yield "It compares nothing: it has no opinion of its moves.", {}, ()
    elif not search.looks_ahead:
        yield "It looked at the positions after its moves, and no further.", {}, ()
    elif all(child.known.proven for child in result.children):
        yield "It knows what every move leads to.", {}, ()
    else:
        proven = sum(child.known.proven for child in result.children)
        yield f"Of {len(result.children)} moves, {proven} are proven.", {"proven": proven}, ()


SAYINGS: Sequence[tuple[tuple[str, ...], Callable[[Result], Iterator[Said]]]] = (
    (("swing",), _swing),
    (("visits",), _visits),
    (("to_fall", "to_rise"), _conspirators),
    (("pessimistic", "optimistic"), _interval),
    (("spread", "better"), _better),
    (("mean", "sd"), _deviation),
    (("mean", "cost"), _cost),
    (("gain",), _gain),
    (("proof", "disproof"), _proof),
    (("playouts",), _playouts),
    (("mean", "playouts"), _mean),
    (("games",), _games),
    (("depth",), _depth),
)
"""The numbers that a sentence needs, and who says it."""
