"""`Game`: the rules of a two-player, zero-sum, perfect-information game, in plain Python."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludus.common.errors import LudusError, RuleError, StateError, unknown
from ludus.kernel.alternation import due
from ludus.kernel.boards import state_key
from ludus.kernel.layout import Layout
from ludus.kernel.rules import FAILURES, SLACK, guarded, moves, rules_of
from ludus.model.component import Component
from ludus.model.taking_turns import taking_turns

if TYPE_CHECKING:
    from ludus.features.plain_board import PlainBoard
    from ludus.model.position import Position

MOST_MOVES = 1_000_000
"""The largest `max_moves`."""

LONGEST_GAME = 5_000
"""Plies, chance included, after which a game counts as endless: `check` reports it, and in a match it is a draw."""

TEXTS = ("render", "svg", "state_text", "parse_state", "move_name", "parse_move", "game_text")
"""The methods that are for people."""


class Game(Component):
    """The rules. A game needs `max_moves`, `initial`, `moves`, `play` and `score`; the rest has defaults.

    A *state* is a tuple of numbers and boards, complete in itself (whose move it is included); a *move* is an int.
    Players strictly alternate (unless `alternates` is False), and every value is from the point of view of the player
    to move. A player who may not move, in a game that is not over, has one legal move, the pass.

    Rules that keep to numbers, tuples, arrays, `self.<field>` and module-level functions are compiled;
    any others run interpreted, where a state may be any object.
    """

    machinery = (
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

    max_moves: int
    """An upper bound on the number of legal moves in any position: a class attribute or a field."""

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

    evaluator: ClassVar[Any] = ""
    """The default evaluator: a class, or a spec. The path of a file in it is taken from the game's own file."""

    seeded: ClassVar[bool] = False
    """Whether a parameter `seed` makes another game of the same kind: matches change it instead of the opening."""

    notation: ClassVar[str] = ""
    """The format of whole games that `game_text` writes if it is not plain words, as files are named: `ggf`, `pgn`."""

    alternates: ClassVar[bool] = True
    """Whether players take turns. If not, `mover(state)` says who is to move, and the library puts in the passes."""

    written: ClassVar[Any] = None
    """If they do not, the class as its author wrote it: see `alternation.py`."""

    repetition: ClassVar[int] = 0
    """How often a position must come in one game to make it a draw; 0: it may come as often as it likes.

    A state has no history, so no rule can know: whoever conducts a game counts, with `Repetitions`.
    """

    @classmethod
    def made_as(cls) -> type[Game]:
        kind: Any = cls
        return taking_turns(kind)

    @classmethod
    def as_written(cls) -> type[Game]:
        """The class as its author wrote it."""
        return cls.written or cls

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

    # Optional rules, which few games have and few searches need. What stands here is never asked for, `over` apart.

    def over(self, state: Any) -> bool:
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

    def cells(self, state: Any, contents: Any) -> int:
        """Write what stands on each cell, row by row, and return how many there are: 0 nothing, 1 the mover's, 2 the
        opponent's. What stands here reads a plain board, if the state has one."""
        from ludus.features.plain_board import rule_of

        if self.plain_board is None:
            raise LudusError(f"{self.title} has neither the rule cells nor a plain board.")
        return rule_of(self.plain_board)(self, state, contents)

    def position_key(self, state: Any) -> Any:
        """What is equal in two states of one game that count as the same position, where `repetition` matters."""
        return state

    # For people.

    def render(self, state: Any) -> str:
        """A picture of the position in text: here the numbers, each row of a board in a line of its own."""
        if not self.own_layout.fixed or self.as_written().state_text is not Game.state_text:
            return self.state_text(state)
        return self.own_layout.picture(state)

    def state_text(self, state: Any) -> str:
        """One line that says everything about the state; `parse_state` reads it."""
        if not self.own_layout.fixed:
            return str(state)
        return " ".join(self.own_layout.words(self.own_layout.settle(state)))

    def parse_state(self, text: str) -> Any:
        """The state that `state_text` wrote."""
        if not self.own_layout.fixed:
            raise StateError(f"{self.title} has no parse_state, so a position cannot be given as text.")
        words, cells = text.split(), self.own_layout.cells
        if len(words) != cells:
            many = f"{cells} number{'s' if cells > 1 else ''}"
            raise StateError(f"a state of {self.title} is {many}, like {self._example()}.")
        try:
            return self.own_layout.parse(words)
        except (ValueError, TypeError, OverflowError):
            raise StateError(f"{text!r} is not a state of {self.title}; one looks like {self._example()}.") from None

    def move_name(self, state: Any, move: int) -> str:
        """A move as people write it."""
        return str(int(move))

    def parse_move(self, state: Any, text: str) -> int:
        """The legal move that people write as `text`."""
        names = {self.move_name(state, move): move for move in self.legal(state)}
        if text not in names:
            raise StateError(str(unknown("move", text, names, say="legal moves are")))
        return names[text]

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
        names = self.move_names([*opening, *moves])
        winner, loser = ("First", "Second") if score > 0 else ("Second", "First")
        points = f" by {abs(score):g}" if abs(score) != 1 else ""
        result = f"{winner} wins{points}" if score else "a draw"
        if about.get("fault"):
            result = f"{winner} wins: {loser} forfeits ({about['fault']})"
        rows = {key: text for key, text in about.items() if key != "fault"}
        rows |= {"first": players[0], "second": players[1], "opening": " ".join(names[: len(opening)])}
        rows |= {"moves": " ".join(names[len(opening) :]), "result": result}
        return "\n".join(f"{key:<8} {' '.join(text.split())}".rstrip() for key, text in rows.items())

    # Shared by all games.

    def has_rule(self, name: str) -> bool:
        """Whether the game has this optional rule."""
        return getattr(type(self), name) is not getattr(Game, name)

    @property
    def has_chance(self) -> bool:
        """Whether chance has a part in the game."""
        return self.has_rule("chance")

    def odds(self, state: Any) -> list[float]:
        """The probabilities of the legal "moves" where chance decides; nothing where a player does."""
        if not self.has_chance:
            return []
        from ludus.kernel import rules

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
    def meter(self) -> np.ndarray:
        """Where `play`, `evaluate` and `final` count; a running search has its own."""
        return np.zeros(4, np.int64)

    @cached_property
    def scratch(self) -> np.ndarray:
        """A free buffer of moves, for evaluators."""
        return self.buffer()

    @cached_property
    def replies(self) -> np.ndarray:
        """The buffer of moves that `over` needs."""
        return self.buffer()

    @cached_property
    def probabilities(self) -> np.ndarray:
        """The buffer that `chance` writes to."""
        return np.zeros(len(self.buffer()))

    @cached_property
    def turn_odds(self) -> np.ndarray:
        """The same, where only whose turn it is matters."""
        return np.zeros(len(self.buffer()))

    @cached_property
    def feature_values(self) -> np.ndarray:
        """The buffer that `features` writes to."""
        return np.zeros(self.room_for_features)

    @cached_property
    def cell_values(self) -> np.ndarray:
        """The buffer that `cells` writes to."""
        return np.zeros(self.room_for_cells, np.int64)

    @property
    def room_for_features(self) -> int:
        """The size of a buffer of features."""
        return max(int(self.max_features), len(self.feature_names)) + SLACK

    @property
    def room_for_cells(self) -> int:
        """The size of a buffer of cells."""
        from ludus.features.cells import size_of

        return size_of(self) + SLACK

    @cached_property
    def plain_board(self) -> PlainBoard | None:
        """How the cells are read from the state, if that needs no rule."""
        from ludus.features.plain_bits import find_bits
        from ludus.features.plain_board import find

        return None if self.has_rule("cells") else find(self) or find_bits(self)

    @cached_property
    def layout(self) -> Layout:
        """How states are stored, from the first one."""
        from ludus.model.stuck import watching

        with watching():
            try:
                return Layout(self.initial())
            except FAILURES as error:
                raise RuleError.during(self, "initial", None, error) from error

    @cached_property
    def own_layout(self) -> Layout:
        """The same of the states as the game's author knows them, without the pass that the library puts in."""
        written = type(self).written
        return self.layout if written is None else Layout(written.initial(self))

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
        from ludus.kernel import rules

        out = self.buffer()
        with np.errstate(over="ignore"):
            n = rules.moves(self, state, out)
        return out[:n].tolist()

    def is_over(self, state: Any) -> bool:
        """Whether the game is over."""
        from ludus.kernel import rules

        with np.errstate(over="ignore"):
            return rules.over(self, state)

    def result(self, state: Any) -> float:
        """The score of a finished game to the player to move."""
        from ludus.kernel import rules

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

    def buffer(self) -> np.ndarray:
        """Room for the moves of any position."""
        return np.zeros(self.room, np.int64)

    @property
    def room(self) -> int:
        """The size of a buffer of moves, or of their probabilities."""
        size = getattr(self, "max_moves", None)
        if not isinstance(size, (int, np.integer)) or isinstance(size, bool) or size < 1:
            raise LudusError(f"{self.title} must set max_moves, an upper bound on the moves in any position.")
        if size > MOST_MOVES:
            what = "each player at work has room for that many moves"
            raise LudusError(f"max_moves of {self.title} is {size:,}, but may be at most {MOST_MOVES:,}: {what}.")
        return int(size) + SLACK

    def buffers(self, meter: np.ndarray, cells: bool = False) -> dict[str, np.ndarray]:
        """What a search at work has for itself: its meter, and room to write to; for `cells` too, if it asks that."""
        moves = {"scratch": guarded(self.room), "replies": guarded(self.room)}
        features = guarded(self.room_for_features, np.float64)
        numbers = {"probabilities": guarded(self.room, np.float64), "feature_values": features}
        if not type(self).alternates:
            numbers["turn_odds"] = guarded(self.room, np.float64)
        more = {"cell_values": guarded(self.room_for_cells)} if cells else {}
        return {"meter": meter} | moves | numbers | more

    def metered(self, meter: np.ndarray) -> Any:
        """A copy whose rules, called through `rules.py`, count in `meter`."""
        bound = copy.copy(self)
        bound.__dict__ |= self.buffers(meter)
        return bound

    def read_state(self, text: str) -> Any:
        """`parse_state`, with any failure as one clear sentence."""
        try:
            with np.errstate(over="ignore"):
                return self.layout.settle(self.parse_state(text))
        except LudusError:
            raise
        except Exception as error:
            example = self._example()
            raise StateError(f"{text!r} is not a state of {self.title} ({error}); one looks like {example}.") from error

    def settled_state(self, given: Any = None) -> Any:
        """A state, its text, the state of a `Position`, or the first one if none is given; in its columns' types."""
        from ludus.model.position import Position

        if given is None:
            return self.start
        if isinstance(given, str) and not isinstance(self.start, str):
            return self.read_state(given)
        if isinstance(given, Position):
            if given.game is not self and str(given.game) != str(self):
                raise StateError(f"this is a position of {given.game}, not of {self}.")
            given = given.state
        try:
            return self.layout.settle(given)
        except Exception as error:
            raise StateError(f"{given!r} is not a state of {self} ({error}).") from error

    def position(self, given: Any = None) -> Position:
        """The first position, or that of a state, which may be given as its text."""
        from ludus.model.position import Position

        return Position(self, self.settled_state(given))

    def _example(self) -> str:
        return repr(self.state_text(self.start))


GameLike = Game | type[Game] | str
"""What stands for a game: itself, its class, or its spec."""


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
