"""Games as far as they have been played: a first position, moves by name, and whether a position has come too often."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludus.common.errors import LudusError, RuleError, StateError
from ludus.kernel.rules import FAILURES
from ludus.model.playable import LONGEST_GAME, PlayableGame, Repetitions
from ludus.model.position import Position
from ludus.web.catalog import Catalog
from ludus.web.plain import Form

REMEMBERED = 3_000
"""Positions that are kept, so that the next request need not play all moves again."""


@dataclass(frozen=True)
class Line:
    """The positions of a game, the first one and the one after each move."""

    spec: str
    """What the page calls the game."""
    positions: tuple[Position, ...]
    moves: tuple[int, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def game(self) -> PlayableGame:
        return self.positions[0].game

    @property
    def last(self) -> Position:
        return self.positions[-1]

    def by(self, ply: int) -> int | None:
        """Who made a move: 0, the first player, or 1, the second; None: chance."""
        position = self.positions[ply]
        return None if position.turn is None else position.seat

    @property
    def ended(self) -> str | None:
        """Why the game is over: by its `rules`, by `repetition`, since it is too `long`; None: it is not over."""
        if self.last.is_over:
            return "rules"
        seen = Repetitions(self.game)
        if [seen.add(position.state) for position in self.positions][-1]:
            return "repetition"
        return "long" if len(self.moves) >= LONGEST_GAME else None

    def play(self, name: str) -> Line:
        """The same with another move, given as a person writes it."""
        here = self.last
        if here.is_over:
            raise StateError(f"the game is over after {len(self.moves)} moves, so {name!r} cannot be played.")
        by_name = dict(zip(here.moves.names, here.moves.numbers, strict=True))
        move = by_name[name] if name in by_name else self.game.parse_move(here.state, name)
        after = here.play(int(move))
        known = here.moves.names[here.moves.numbers.index(int(move))]
        return Line(self.spec, (*self.positions, after), (*self.moves, int(move)), (*self.names, known))


class Lines:
    """Plays the moves of requests. Each game is used by one thread at a time: its rules share buffers."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._kept: OrderedDict[tuple[Any, ...], Line] = OrderedDict()
        self._lock = threading.Lock()
        self._locks: dict[int, threading.RLock] = {}

    def lock(self, game: PlayableGame) -> threading.RLock:
        """What a thread holds while it asks the game's rules."""
        with self._lock:
            return self._locks.setdefault(id(game), threading.RLock())

    def of(self, form: Form) -> Line:
        """The game that a request tells of: `game`, `state`, `moves`."""
        spec, state = form.text("game"), form.text("state", "")
        return self.line(spec, state, tuple(form.texts("moves")))

    def line(self, spec: str, state: str, moves: Sequence[str]) -> Line:
        """A game from a state, empty for the first one, with these moves."""
        game = self.catalog.game(spec)
        with self.lock(game), blaming(game):
            line, done = self._start(spec, state, moves)
            for name in moves[done:]:
                line = line.play(name)
            self._keep((spec, state, *moves), line)
        return line

    def _start(self, spec: str, state: str, moves: Sequence[str]) -> tuple[Line, int]:
        """The longest line that is known, and how many moves it has."""
        with self._lock:
            for n in (len(moves), len(moves) - 1):
                if n >= 0 and (known := self._kept.get((spec, state, *moves[:n]))) is not None:
                    return known, n
        game = self.catalog.game(spec)
        return Line(spec, (game.position(state or None),)), 0

    def _keep(self, key: tuple[Any, ...], line: Line) -> None:
        with self._lock:
            self._kept[key] = line
            self._kept.move_to_end(key)
            while len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)


class blaming:
    """Within it, whatever a game's rules raise becomes one sentence."""

    def __init__(self, game: PlayableGame) -> None:
        self.game = game

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is None or isinstance(error, LudusError) or not isinstance(error, FAILURES):
            return
        raise RuleError.during(self.game, _rule_in(error, self.game), None, error) from error


def _rule_in(error: BaseException, game: PlayableGame) -> str:
    """The outermost method of the game that was at work when it failed."""
    import traceback

    names = {frame.name for frame in traceback.extract_tb(error.__traceback__)}
    return next((name for name in type(game).watched if name in names), "a rule")


def read_text(line: Line, text: str) -> tuple[str | None, list[str]]:
    """What somebody has pasted: a state, or moves from where the line is."""
    words = [word for word in text.replace(",", " ").split() if not _is_number_of_move(word)]
    played, first = line, None
    try:
        for word in words:
            played = played.play(word)
        return None, list(played.names[len(line.names) :])
    except (LudusError, *FAILURES) as error:
        first = error
    state = _state_in(line, text)
    if state != text.strip() and len(words) == 1:  # a state that was written in its usual way is one
        try:
            run = _run_together(line, words[0])
            return None, list(run.names[len(line.names) :])
        except (LudusError, *FAILURES):
            pass
    if state is not None:
        return state, []
    raise StateError(f"this is neither a position of {line.game.title} nor moves of it: {first}")


def _state_in(line: Line, text: str) -> str | None:
    """The state that a text is, as the game writes it; None if it is none."""
    try:
        return line.game.position(text.strip()).text
    except (LudusError, *FAILURES):
        return None


def _run_together(line: Line, text: str) -> Line:
    """Moves that are written without spaces, `f5d6c3` or `4453`."""
    while text:
        names = [name for name in line.last.moves if text.lower().startswith(name.lower())]
        if not names:
            raise StateError(f"{text!r} does not begin with a legal move.")
        name = max(names, key=len)
        line, text = line.play(name), text[len(name) :]
    return line


def _is_number_of_move(word: str) -> bool:
    """Whether a word only counts moves: `12.`."""
    return word.endswith(".") and word.rstrip(".").isdecimal()
