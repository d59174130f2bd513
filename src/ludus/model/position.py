"""`Position`: a game and a state, with the vocabulary of people."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.common.errors import StateError, listed
from ludus.common.notebook import pre
from ludus.kernel import rules
from ludus.kernel.boards import state_key
from ludus.kernel.chance import Dice, random_game
from ludus.kernel.random import seed_for

if TYPE_CHECKING:
    from ludus.model.evaluator import Evaluator
    from ludus.model.playable import PlayableGame


class Moves:
    """The legal moves of a position: iterates over their names, counts and indexes them, contains names and numbers."""

    def __init__(self, game: PlayableGame, state: Any) -> None:
        self.numbers = game.legal(state)
        self.names = [game.move_name(state, move) for move in self.numbers]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: int) -> str:
        return self.names[index]

    def __contains__(self, move: object) -> bool:
        return move in self.names or move in self.numbers

    def __repr__(self) -> str:
        return f"<{len(self)} moves: {' '.join(self.names)}>"


class Position:
    """A position in a game. Positions do not change: `play` gives the next one."""

    def __init__(self, game: PlayableGame, state: Any, first: int = 0) -> None:
        """`first`: 0, or 1 if the second player is to decide in `state`; a game's own `mover` knows better."""
        self.game, self.state = game, state
        self._turn = first

    @property
    def turn(self) -> int | None:
        """Who is to move: 0, the first player, or 1, the second; None where chance decides.

        A state may not say who is to move in it: then the first player is where the position was made from a state.
        """
        return None if self.game.odds(self.state) else self._decider

    @property
    def _decider(self) -> int:
        """Who is to move or, where chance decides, moves after it."""
        mover = getattr(self.game, "mover", None)
        if mover is None:
            return self._turn
        with np.errstate(over="ignore"):
            return int(mover(self.state) != mover(self.game.start))

    @property
    def winner(self) -> int | None:
        """Who has won: 0, the first player, or 1, the second; None if it is a draw, or not over (`is_over` tells)."""
        if not self.is_over or self.score == 0:
            return None
        return self.seat if self.score > 0 else 1 - self.seat

    @property
    def seat(self) -> int:
        """To whom values here belong: 0, the first player, or 1, the second.

        It is who is to move or, where chance decides, who moves after it; where a pass is due because a player moves
        again, it is the other one.
        """
        return 1 - self._decider if self.game.must_pass(self.state) else self._decider

    @cached_property
    def moves(self) -> Moves:
        return Moves(self.game, self.state)

    @property
    def is_over(self) -> bool:
        return len(self.moves) == 0

    @property
    def score(self) -> float:
        """The payoff of a finished game to the player to move."""
        if not self.is_over:
            raise StateError(f"the game is not over in position {self.text!r}, so it has no score yet.")
        return self.game.result(self.state)

    @property
    def text(self) -> str:
        """The state in one line."""
        return self.game.state_text(self.state)

    @property
    def odds(self) -> dict[str, float]:
        """Where chance decides, its outcomes and their probabilities; elsewhere nothing."""
        odds = self.game.odds(self.state)
        return dict(zip(self.moves, odds, strict=True)) if odds else {}

    def value(self, evaluator: str | Evaluator | type[Evaluator] | None = None) -> float:
        """An evaluator's opinion of the position, to the player to move; by default the game's own evaluator's."""
        from ludus.model import registry

        judge = registry.default_evaluator(self.game) if evaluator is None else registry.evaluators().of(evaluator)
        ask = rules.final if self.is_over else rules.evaluate
        with np.errstate(over="ignore"):
            return ask(judge.on(self.game), self.game.metered(np.zeros(4, np.int64)), self.state)

    def play(self, move: str | int) -> Position:
        """The position after a legal move, given by its name or its number."""
        number = self.game.parse_move(self.state, move) if isinstance(move, str) else move
        if number not in self.moves:
            raise StateError(f"{move!r} is not legal; legal moves are {listed(self.moves)}.")
        by_chance = bool(self.game.odds(self.state))
        return Position(
            self.game, self.game.after(self.state, int(number)), self._turn if by_chance else 1 - self._turn
        )

    def wander(self, plies: int, seed: int = 0) -> Position:
        """The position after that many random moves; the last one before the game is over, if it ends sooner."""
        here = self
        game = random_game(self.game, Dice(seed_for(seed)), self.state)
        for before, after in pairwise(islice(game, plies + 1)):
            if not after.legal:
                break
            here = Position(self.game, after.state, here._turn if before.odds else 1 - here._turn)
        return here

    def __str__(self) -> str:
        return self.game.render(self.state)

    def _repr_svg_(self) -> str | None:
        """The board as a picture, if the game draws one."""
        draw = getattr(self.game, "svg", None)
        return draw(self.state) if draw is not None else None

    def _repr_html_(self) -> str:
        """The board in a notebook: the game's picture, or its text."""
        return self._repr_svg_() or pre(str(self))

    def __repr__(self) -> str:
        return f"<position of {self.game}: {self.text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> Any:
        return repr(self.game), state_key(self.state)
