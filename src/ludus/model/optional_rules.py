"""`OptionalRules`: the rules and facts that only some games have, and that only some searches ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ludus.kernel.rules import moves
from ludus.model import plain_text
from ludus.model.component import Component


class OptionalRules(Component):
    """What a game may say besides its rules proper. What a rule does here is never asked for, `over` apart."""

    shared = True

    max_features: int = 0
    """An upper bound on the numbers that `features` writes; not needed if they have names."""

    feature_names: Sequence[str] = ()
    """What each of those numbers is called."""

    cell_shape: tuple[int, ...] = ()
    """The sides of the board whose cells `cells` tells of, such as rows and columns."""

    cell_kinds: int = 3
    """How many different things may stand on a cell, nothing included."""

    symmetries: Sequence[Any] = ()
    """Under which the game stays the same: `mirror` (left and right), `flip` (up and down), `rotations`, `all`, or
    permutations: the number of the cell to which each cell goes."""

    lesson: Mapping[str, Any] = {}
    """Which `features`, `sides`, `rate`, `games` and `average` of `ludus.learn` suit the game, where nobody says."""

    length: int = 0
    """The most plies that a game can last, forced passes and chance aside, if known: divides a game's budget."""

    preview: int = 0
    """How many nodes `moves` itself generates at most; none, unless the game plays moves to choose among them."""

    seeded: ClassVar[bool] = False
    """Whether a parameter `seed` makes another game of the same kind: matches change it instead of the opening."""

    notation: ClassVar[str] = ""
    """The format of whole games that `game_text` writes if it is not plain words, as files are named: `ggf`, `pgn`."""

    repetition: ClassVar[int] = 0
    """How often a position must come in one game to make it a draw; 0: it may come as often as it likes.

    A state has no history, so no rule can know: whoever conducts a game counts, with `Repetitions`.
    """

    def over(self: Any, state: Any) -> bool:
        """Whether the game is over; worth writing where that can be told without listing the moves."""
        return moves(self, state, self.replies) == 0

    def chance(self, state: Any, probabilities: Any) -> int:
        """Where chance decides: write the probability of each outcome and return how many there are; elsewhere 0.

        The outcomes are what `moves` lists, in that order. Such a state belongs to the player who moves next after it.
        """
        return 0

    def null(self, state: Any) -> Any:
        """The state after passing, though that is not legal: the other player is to move.

        A search asks where the game goes on and a player has a choice. Where nobody may pass (a king is in check), give
        a state in which the game is over and the one who passed has lost: so no search takes a pass for good there.
        """
        return state

    def noisy(self, state: Any, move: int) -> bool:
        """Whether a move changes so much (a capture, say) that the position should not be judged before it is tried."""
        return False

    def urgency(self, state: Any, move: int) -> float:
        """How early a search should try a move; one more counts as much as one reply less that it leaves."""
        return 0.0

    def phase(self, state: Any) -> float:
        """How far the game is: from 0, the beginning, to 1, the end."""
        return 0.0

    def lowest(self, state: Any) -> float:
        """A score that the player to move is sure of, cheaply told, however badly he plays."""
        return -np.inf

    def highest(self, state: Any) -> float:
        """A score that the player to move cannot exceed, cheaply told, however badly the other one plays."""
        return np.inf

    def foreseen(self, state: Any) -> float:
        """The score under best play, to the player to move, where that can be told at a glance; NaN elsewhere."""
        return np.nan

    def features(self, state: Any, numbers: Any) -> int:
        """Write what there is to say of the position in numbers, to the player to move; return how many."""
        return 0

    def cells(self: Any, state: Any, contents: Any) -> int:
        """Write what stands on each cell, row by row, and return how many there are: 0 nothing, 1 the mover's, 2 the
        opponent's. What stands here reads a plain board, if the state has one."""
        return self.read_plain_board(state, contents)

    def diagram(self, state: Any) -> Any:
        """For people: the board as a `ludus.pictures.diagram.Diagram`, cells with their places and pieces. What stands
        here knows none; then `cells` or a plain board tells what stands where."""
        return None

    def gesture(self, state: Any, move: int) -> Sequence[str] | None:
        """For people: the names of the cells to click, in order, to make a move; none: it is chosen from the list.

        What stands here gives None: then it is read off what the move changes on the board.
        """
        return None

    def position_key(self, state: Any) -> Any:
        """What is equal in two states of one game that count as the same position, where `repetition` matters."""
        return state

    def game_text(
        self,
        players: Sequence[str],
        opening: Sequence[int],
        moves: Sequence[int],
        score: float,
        about: Mapping[str, str],
    ) -> str:
        """A whole game as people write it down: here in words; a game with a `notation` of its own overrides this.

        After the moves of the `opening`, `players[0]` makes the first of `moves`; the score is to that player. `about`
        says more: which `game`, `run` and `round` it is, the `date`, and the `fault` of one who forfeits.
        """
        return plain_text.game_text(self, players, opening, moves, score, about)
