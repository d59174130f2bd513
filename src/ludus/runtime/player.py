"""`Player`: a search, an evaluator and a budget."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from ludus.common.errors import SpecError, StateError, listed, unknown
from ludus.common.numbers import whole_number
from ludus.kernel.chance import Dice, random_game
from ludus.kernel.random import seed_for
from ludus.model import registry
from ludus.model.budget import BUDGET_KEYS, DEFAULT_BUDGET, Budget, Meter
from ludus.model.calibration import KINDS
from ludus.model.component import parameters
from ludus.model.evaluator import Evaluator, EvaluatorLike
from ludus.model.game import GameLike
from ludus.model.playable import PlayableGame
from ludus.model.position import Position
from ludus.model.result import Result
from ludus.model.search import Search
from ludus.model.spec import Spec
from ludus.model.watchdog import watching
from ludus.runtime.runner import interruptible
from ludus.runtime.session import Session

LEAST_MOVES_LEFT = 4
"""In a game of unknown length, no move takes more than this part of what is left of a budget for the game."""


class Player:
    """Chooses moves: `Player.of("bfmm(eval=open-lines, nodes=2000)")`."""

    def __init__(
        self,
        search: Search | type[Search] | str,
        evaluator: EvaluatorLike | None = None,
        budget: Budget | str = DEFAULT_BUDGET,
        *,
        compiled: bool | None = None,
        announce: Callable[[str], None] | None = None,
    ) -> None:
        """Without an evaluator, each game's own default. `compiled` and `announce` as for `Session`."""
        search, budget = registry.searches().of(search), Budget.of(budget)
        if budget.depth == "auto" and not type(search).chooses_depth:
            raise SpecError(f"{search.title} cannot choose a depth by itself: give depth a whole number.")
        self.search, self.budget = search, budget
        self.evaluator = None if evaluator is None else registry.evaluators().of(evaluator)
        self.compiled, self.announce = compiled, announce
        self._session: Session | None = None
        self.new_game()

    @classmethod
    def of(
        cls,
        given: PlayerLike | Spec,
        budget: Budget | str = DEFAULT_BUDGET,
        *,
        compiled: bool | None = None,
        announce: Callable[[str], None] | None = None,
        **arguments: Any,
    ) -> Player:
        """A player as it is, or one that a spec describes, or a search or its class, with these arguments, if any.

        A budget among the arguments beats `budget`; `eval` is an evaluator, its class or its spec.
        """
        if isinstance(given, Player):
            if arguments:
                raise SpecError(f"{given} has been made already, so it takes no {', '.join(arguments)}: give its spec.")
            return given
        kind: Any = Spec.parse(given) if isinstance(given, str) else given
        if isinstance(kind, Spec):
            kind, arguments = registry.searches().find(kind.name), kind.arguments | arguments
        own = Budget.over(Budget.of(budget), {key: arguments.pop(key) for key in BUDGET_KEYS if key in arguments})
        judge = arguments.pop("eval", None)
        if isinstance(judge, (int, float)):
            raise SpecError(f"eval must name an evaluator, not {judge}.")
        return cls(_search(kind, arguments), judge, own, compiled=compiled, announce=announce)

    @property
    def spec(self) -> Spec:
        """The canonical spec, budget included."""
        own = self.search.spec
        chosen = {"eval": self.evaluator.spec} if self.evaluator is not None else {}
        return Spec(own.name, own.arguments | chosen | self.budget.arguments)

    def __repr__(self) -> str:
        return str(self.spec)

    def on(self, game: PlayableGame) -> Player:
        """This player with its evaluator settled for `game`."""
        evaluator = self.evaluator or registry.default_evaluator(game)
        return Player(self.search, evaluator.on(game), self.budget, compiled=self.compiled, announce=self.announce)

    def session(self, game: PlayableGame) -> Session:
        """The search at work on `game`, kept until another game comes."""
        if self._session is None or self._session.game is not game:
            evaluator = self.check_able(game)
            if self._session is not None and self._session.rebind(game, evaluator):
                return self._session
            self._session = Session(self.search, game, evaluator, self.compiled, self.announce)
        return self._session

    def check_able(self, game: PlayableGame) -> Evaluator:
        """Refuse a game that the search cannot play; gives the evaluator that it plays with."""
        if game.has_chance and not self.search.handles_chance:
            able = [name for name, kind in registry.searches().classes.items() if kind.handles_chance]
            can = f"those that can are {', '.join(able)}"
            who = self.search if type(self.search).handles_chance else self.search.title
            raise SpecError(f"{who} cannot play {game.title}, where chance has a part; {can}.")
        evaluator = self.on(game).evaluator
        assert evaluator is not None
        for need in self.search.needs:
            if need not in KINDS and not game.has_rule(need):
                raise SpecError(f"{self.search} needs the rule {need}, which {game.title} does not have.")
        for need in self.lacks(game):
            why = f"which has not been fitted: ludus.calibrate gives an evaluator that has it, for {game}"
            raise SpecError(f"{self.search} needs the {KINDS[need]} of {evaluator}, {why}.")
        return evaluator

    def lacks(self, game: PlayableGame) -> list[str]:
        """The kinds of calibration that its search needs and its evaluator does not have."""
        needed = [need for need in self.search.needs if need in KINDS]
        evaluator = (self.evaluator or registry.default_evaluator(game)) if needed else None
        return [need for need in needed if evaluator is not None and need not in evaluator.calibration.kinds]

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_session": None, "announce": None}  # workers make their own

    def new_game(self) -> None:
        """Forget what was spent and what is known of the last game: a budget for a game starts anew."""
        self._used, self._moves_made = Meter(), 0
        if self._session is not None:
            self._session.kept = False

    def choose(
        self,
        game: GameLike | Position,
        state: Any = None,
        *,
        seed: int = 0,
        ply: int | None = None,
        progress: Callable[[Session], None] | None = None,
        keep_tree: bool = False,
    ) -> Result:
        """Search from a position of a game, by default its first one. Ctrl-C gives the best move so far.

        `choose(position)` is enough; else `game` is a game, its class or its spec, and `state` a state, its text or a
        `Position`.
        `ply` says how far the game is, if the budget is for a game; else the moves made since `new_game` count.
        `progress` is called with the session a few hundred times a second. With `keep_tree` the result has a view of
        the search's tree.
        """
        seed = whole_number("`seed`", seed)
        if isinstance(game, Position):
            state, game = game if state is None else state, game.game
        game = registry.games().of(game)
        state = game.read_state(state)
        if game.is_over(state):
            raise StateError(f"the game is over in position {game.state_text(state)!r}: there is no move to choose.")
        if game.odds(state):
            outcomes = listed([game.move_name(state, move) for move in game.legal(state)])
            raise StateError(f"in position {game.state_text(state)!r} chance decides, not a player: {outcomes}.")
        session = self.session(game)
        with interruptible(session):
            stopped = self._run(session, state, seed, ply, progress)
        return session.result(state, stopped, keep_tree)

    def decide(
        self,
        game: PlayableGame,
        state: Any,
        *,
        seed: int = 0,
        ply: int | None = None,
        progress: Callable[[Session], None] | None = None,
    ) -> int:
        """Only the move, for matches: `state` must be in its columns' types and the game not over."""
        session = self.session(game)
        self._run(session, state, seed, ply, progress)
        return session.choose()

    def share(self, game: PlayableGame, ply: int | None) -> Budget:
        """What one move may cost at this point of a game."""
        if self.budget.per == "move":
            return self.budget
        return self.budget.share(self._used, self._moves_left(game, ply), self._spread(game, ply))

    def _run(self, session: Session, state: Any, seed: int, ply: int | None, progress: Any) -> str:
        if self.budget.per == "move":
            return session.run(state, self.budget, seed, progress)
        even = 1 / self._spread(session.game, ply)
        stopped = session.run(state, self.share(session.game, ply), seed, progress, even)
        self._used += Meter.read(session.meter, session.seconds)
        self._moves_made += 1
        return stopped

    def _spread(self, game: PlayableGame, ply: int | None) -> float:
        """How many even shares this move may take: as many as the search wants, but no more than are left."""
        return min(self.search.spread, self._moves_left(game, ply))

    def _moves_left(self, game: PlayableGame, ply: int | None) -> int:
        """Our moves to come, this one included: half the plies that the game can still last, or typically lasts."""
        ply = 2 * self._moves_made if ply is None else ply
        if game.length:
            return max((game.length - ply + 1) // 2, 1)
        return max((typical_length(game) - ply + 1) // 2, LEAST_MOVES_LEFT)


PlayerLike = Player | Search | type[Search] | str
"""What stands for a player: itself, a search or its class, or a spec."""


def _search(kind: Any, arguments: dict[str, Any]) -> Search:
    """The search of a player, from its class or as it is."""
    if isinstance(kind, type) and issubclass(kind, Search):
        title, own, words = kind.name or kind.__name__, parameters(kind), ("eval", *BUDGET_KEYS)
        for key in own.keys() & words:
            raise SpecError(f"{title} has a parameter {key}, but that word is the player's own: rename it.")
        for key in arguments.keys() - own:
            raise unknown(f"parameter of {title}", key, [*own, *words], "it takes")
    elif not isinstance(kind, Search):
        raise SpecError(f"{kind!r} is no player: give a spec such as 'uct(nodes=2000)', a search, or a ludus.Player.")
    return registry.searches().of(kind, **arguments)


def typical_length(game: PlayableGame, samples: int = 16, longest: int = 10_000) -> int:
    """The mean length of a few random games, always the same ones, without what chance does."""
    known = game.__dict__.get("_typical_length")
    if known is not None:
        return known
    plies, dice = 0, Dice(seed_for(samples))
    with watching():
        for _ in range(samples):
            decisions = (ply for ply in random_game(game, dice) if ply.is_decision)
            plies += sum(1 for _ in islice(decisions, longest))
    game.__dict__["_typical_length"] = max(plies // samples, 1)
    return game.__dict__["_typical_length"]
