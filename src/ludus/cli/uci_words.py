"""The words of UCI: what `go` allows a search, and what is answered."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable
from typing import Any

from ludus.kernel.limits import UNLIMITED
from ludus.model.budget import Budget
from ludus.model.result import Result

MOVES_TO_GO = 30
"""How many moves the time that is left must last for, where the other program does not say."""
MOST = 30_000
"""The largest value told, in hundredths of a pawn: that of a game won in an unknown number of moves."""
NUMBERS = ("depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "mate")
"""The words of `go` that a number follows."""


def numbers_in(words: Iterable[str]) -> dict[str, int]:
    """The numbers in a `go`, by the words that they follow."""
    return {word: integer(n) for word, n in itertools.pairwise(words) if word in NUMBERS and is_whole(n)}


def allowed(given: dict[str, int], side: int, overhead: int) -> Budget:
    """The budget that the numbers of `go` allow the side to move, less the `overhead` in milliseconds."""
    depth = given.get("depth")
    seconds: float | None = given.get("movetime")
    if "mate" in given:
        depth = 2 * given["mate"] - 1
    if seconds is None and (left := given.get(("wtime", "btime")[side])) is not None:
        share = left / max(given.get("movestogo", MOVES_TO_GO), 1) + given.get(("winc", "binc")[side], 0) / 2
        seconds = min(share, left / 2) - overhead
    most = {"depth": depth, "nodes": given.get("nodes")}
    counted = {key: min(max(value, 1), UNLIMITED) for key, value in most.items() if value is not None}
    return Budget(**counted, seconds=None if seconds is None else max(seconds, 1) / 1000)  # type: ignore[arg-type]


def tightest(*budgets: Budget) -> Budget:
    """One budget with the least of each limit; `depth=auto` in one of them stays."""
    found: dict[str, Any] = {}
    for key in ("nodes", "seconds", "units", "depth", "memory"):
        given = [value for value in (getattr(budget, key) for budget in budgets) if value is not None]
        if given:
            found[key] = "auto" if "auto" in given else min(given)
    return dataclasses.replace(budgets[0], **found)


def report(result: Result) -> str:
    """An `info` line with what a search knows, finished or not."""
    meter = result.meter
    depth = result.chosen.known.more.get("depth") or len(result.line)
    words = f"info depth {depth} nodes {meter.generated} time {1000 * meter.seconds:.0f}"
    if meter.seconds > 0:
        words += f" nps {meter.generated / meter.seconds:.0f}"
    return f"{words}{_score(result)} pv {' '.join(result.line_names)}"


def _score(result: Result) -> str:
    """The value in hundredths of a pawn, or in moves to mate if the line ends in mate; empty if it is not known."""
    if math.isnan(result.value):
        return ""
    if result.chosen.score:
        state = result.state
        for move in result.line:
            state = result.game.after(state, move)
        if not result.game.legal(state):
            moves = (len(result.line) + 1) // 2
            return f" score mate {moves if result.value > 0 else -moves}"
    return f" score cp {max(min(round(100 * result.value), MOST), -MOST)}"


def is_whole(word: str) -> bool:
    return word.removeprefix("-").isdecimal()


def integer(word: str) -> int:
    """The number that a word stands for; of one with very many digits, something as large as ever matters."""
    digits = word.removeprefix("-").lstrip("0")
    number = int(digits or "0") if len(digits) < 19 else 10**18
    return -number if word.startswith("-") else number
