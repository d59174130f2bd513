"""`PlayableGame`: what the library adds to a game's rules, for people and for the rest of the library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludus.common.errors import LudusError, RuleError, StateError
from ludus.kernel import rules
from ludus.kernel.alternation import due
from ludus.kernel.boards import state_key
from ludus.kernel.layout import Layout
from ludus.kernel.rules import FAILURES, rules_of
from ludus.model.buffers import Buffers
from ludus.model.game import Game
from ludus.model.plain_text import example

if TYPE_CHECKING:
    from ludus.features.plain_board import PlainBoard
    from ludus.model.position import Position

LONGEST_GAME = 5_000
"""Plies, chance included, after which a game counts as endless: `check` reports it, and in a match it is a draw."""

TEXTS = ("render", "svg", "diagram", "gesture", "state_text", "parse_state", "move_name", "parse_move", "game_text")
"""The methods that are for people."""


class PlayableGame(Buffers):
    """A game as `ludus.game(...)` gives it: with checked rules, states in fixed types, positions and moves by name.

    Every object of a class of games is one: `taking_turns.playable` derives the class that it is made of from the
    author's class and this one.
    """

    shared = True

    internal_fields = (
        "layout",
        "own_layout",
        "start",
        "meter",
        "scratch",
        "replies",
        "probabilities",
        "turn_odds",
        "feature_values",
        "cell_values",
        "plain_board",
    )

    watched = (*(rule.name for rule in rules_of("game")), *TEXTS, "initial", "mover", "winner", "position_key")

    written: ClassVar[type[Game]]
    """The class as its author wrote it."""

    def has_rule(self, name: str) -> bool:
        """Whether the game has this optional rule."""
        return getattr(type(self), name) is not getattr(Game, name)

    def overrides(self, name: str) -> bool:
        """Whether the game's author has written this method."""
        return getattr(type(self).written, name) is not getattr(Game, name)

    @property
    def has_chance(self) -> bool:
        """Whether chance has a part in the game."""
        return self.has_rule("chance")

    def odds(self, state: Any) -> list[float]:
        """The probabilities of the legal "moves" where chance decides; nothing where a player does."""
        if not self.has_chance:
            return []
        with np.errstate(over="ignore"):
            n = rules.chance(self, state, self.probabilities)
        return self.probabilities[:n].tolist()

    def turns(self, moves: Sequence[int], state: Any = None) -> list[int | None]:
        """Who makes each of successive moves: 0, the first to decide, or 1, the other; None: chance."""
        if not self.has_chance:
            return [ply % 2 for ply in range(len(moves))]
        found: list[int | None] = []
        state, turn = self.start if state is None else state, 0
        for move in moves:
            by_chance = bool(self.odds(state))
            found.append(None if by_chance else turn)
            turn = turn if by_chance else 1 - turn
            state = self.after(state, move)
        return found

    def decisions(self, moves: Sequence[int], state: Any = None) -> int:
        """How many of successive moves a player makes, and not chance."""
        return sum(turn is not None for turn in self.turns(moves, state))

    def move_names(self, moves: Sequence[int], state: Any = None) -> list[str]:
        """Successive moves as people write them, from `state` or the first one."""
        names, state = [], self.start if state is None else state
        for move in moves:
            names.append(self.move_name(state, move))
            state = self.after(state, move)
        return names

    @cached_property
    def plain_board(self) -> PlainBoard | None:
        """How the cells are read from the state, if that needs no rule."""
        from ludus.features.plain_bits import find_bits
        from ludus.features.plain_board import find

        return None if self.has_rule("cells") else find(self) or find_bits(self)

    def read_plain_board(self, state: Any, contents: Any) -> int:
        """What the rule `cells` does where the state has a plain board."""
        from ludus.features.plain_board import rule_of

        if self.plain_board is None:
            raise LudusError(f"{self.title} has neither the rule cells nor a plain board.")
        return rule_of(self.plain_board)(self, state, contents)

    @cached_property
    def layout(self) -> Layout:
        """How states are stored, from the first one."""
        from ludus.model.watchdog import watching

        with watching():
            try:
                return Layout(self.initial())
            except FAILURES as error:
                raise RuleError.during(self, "initial", None, error) from error

    @cached_property
    def own_layout(self) -> Layout:
        """The same of the states as the game's author knows them, without the pass that the library puts in."""
        return self.layout if type(self).alternates else Layout(type(self).written.initial(self))

    @property
    def own_length(self) -> int:
        """How many elements the author's states have, if they are tuples; else 0."""
        return len(self.own_layout.form or ())

    def must_pass(self, state: Any) -> bool:
        """Whether the only move is the pass that the library puts in where a player moves again."""
        return not type(self).alternates and due(self, state)

    @cached_property
    def start(self) -> Any:
        """The first state, in its columns' types."""
        return self.layout.settle(self.initial())

    def legal(self, state: Any) -> list[int]:
        """The legal moves, as a list."""
        out = self.buffer()
        with np.errstate(over="ignore"):
            n = rules.moves(self, state, out)
        return out[:n].tolist()

    def is_over(self, state: Any) -> bool:
        """Whether the game is over."""
        with np.errstate(over="ignore"):
            return rules.over(self, state)

    def result(self, state: Any) -> float:
        """The score of a finished game to the player to move."""
        with np.errstate(over="ignore"):
            return rules.score(self, state)

    def after(self, state: Any, move: int) -> Any:
        """The state after a legal move, in its columns' types."""
        try:
            with np.errstate(over="ignore"):
                return self.layout.settle(self.play(state, move))
        except FAILURES as error:
            raise RuleError.during(self, f"play (move {move})", state, error) from error

    def check_begins(self) -> None:
        """One sentence if the game is over before the first move."""
        if not self.legal(self.start):
            raise LudusError(f"{self.title} is over in its first position: there is nothing to play; try ludus check.")

    def read_state(self, given: Any = None) -> Any:
        """A state, its text, the state of a `Position`, or the first one if none is given; in its columns' types."""
        from ludus.model.position import Position

        if given is None:
            return self.start
        if isinstance(given, Position):
            if given.game is not self and str(given.game) != str(self):
                raise StateError(f"this is a position of {given.game}, not of {self}.")
            given = given.state
        is_text = isinstance(given, str) and not isinstance(self.start, str)
        try:
            with np.errstate(over="ignore"):
                return self.layout.settle(self.parse_state(given) if is_text else given)
        except Exception as error:
            if is_text and isinstance(error, LudusError):
                raise
            like = f"; one looks like {example(self)}" if is_text else ""
            raise StateError(
                f"{given!r} is not a state of {self.title if is_text else self} ({error}){like}."
            ) from error

    def position(self, given: Any = None) -> Position:
        """The first position, or that of a state, which may be given as its text."""
        from ludus.model.position import Position

        return Position(self, self.read_state(given))


class Repetitions:
    """Counts the positions of one game, from its very first on, where repeating them makes a draw."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.seen: Counter[Any] = Counter()

    def add(self, state: Any) -> bool:
        """Another position of the game; has it now come so often that the game is a draw?"""
        if not type(self.game).repetition:
            return False
        key = state_key(self.game.position_key(state))
        self.seen[key] += 1
        return self.seen[key] >= type(self.game).repetition
