"""`Game`: the rules of a two-player, zero-sum, perfect-information game, in plain Python."""

from __future__ import annotations

from typing import Any, ClassVar

from ludus.model import plain_text
from ludus.model.optional_rules import OptionalRules


class Game(OptionalRules):
    """The rules. A game needs `max_moves`, `initial`, `moves`, `play` and `score`; the rest has defaults.

    A *state* is a tuple of numbers and boards, complete in itself (whose move it is included); a *move* is an int.
    Players strictly alternate (unless `alternates` is False), and every value is from the point of view of the player
    to move. A player who may not move, in a game that is not over, has one legal move, the pass.

    Rules that keep to numbers, tuples, arrays, `self.<field>` and module-level functions are compiled;
    any others run interpreted, where a state may be any object.

    The rules that only some games have are in `OptionalRules`; what the library adds, and people call, in
    `PlayableGame`, of which every object of a subclass is one too.
    """

    shared = True

    max_moves: int
    """An upper bound on the number of legal moves in any position: a class attribute or a field."""

    evaluator: ClassVar[Any] = ""
    """The default evaluator: a class, or a spec. The path of a file in it is taken from the game's own file."""

    alternates: ClassVar[bool] = True
    """Whether players take turns. If not, `mover(state)` says who is to move, and the library puts in the passes."""

    def initial(self) -> Any:
        """The first state."""
        raise NotImplementedError

    def moves(self, state: Any, out: Any) -> int:
        """Write the legal moves into `out`, return how many; 0 means that the game is over."""
        raise NotImplementedError

    def play(self, state: Any, move: int) -> Any:
        """The state after `move`, seen by the other player."""
        raise NotImplementedError

    def score(self, state: Any) -> float:
        """The payoff of a finished game to the player to move, in the game's own units."""
        raise NotImplementedError

    # For people.

    def render(self, state: Any) -> str:
        """A picture of the position in text: here the numbers, each row of a board in a line of its own."""
        return plain_text.picture(self, state)

    def state_text(self, state: Any) -> str:
        """One line that says everything about the state; `parse_state` reads it."""
        return plain_text.state_text(self, state)

    def parse_state(self, text: str) -> Any:
        """The state that `state_text` wrote."""
        return plain_text.parse_state(self, text)

    def move_name(self, state: Any, move: int) -> str:
        """A move as people write it."""
        return str(int(move))

    def parse_move(self, state: Any, text: str) -> int:
        """The legal move that people write as `text`."""
        return plain_text.parse_move(self, state, text)

    @classmethod
    def concrete_class(cls) -> type[Game]:
        """The class that its objects are made of: `cls`, with what the library adds to it."""
        from ludus.model.taking_turns import playable

        kind: Any = cls
        return playable(kind)


GameLike = Game | type[Game] | str
"""What stands for a game: itself, its class, or its spec."""
