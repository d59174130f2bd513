"""`Player`: a search, an evaluator and a budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludus.core import registry
from ludus.core.budget import BUDGET_KEYS, DEFAULT_BUDGET, Budget, Meter
from ludus.core.calibration import KINDS
from ludus.core.chance import Dice
from ludus.core.component import construct, parameters
from ludus.core.errors import SpecError, StateError, listed, unknown
from ludus.core.evaluator import Evaluator
from ludus.core.game import Game
from ludus.core.program import interruptible
from ludus.core.random import seed_for
from ludus.core.result import Result
from ludus.core.search import Search, Session
from ludus.core.spec import Spec

LEAST_MOVES_LEFT = 4
"""In a game of unknown length, no move takes more than this part of what is left of a budget for the game."""


class Player:
    """Chooses moves: `Player.of("bfmm(eval=open-lines, nodes=2000)")`."""

    def __init__(
        self,
        search: Search,
        evaluator: Evaluator | None = None,
        budget: Budget = DEFAULT_BUDGET,
        *,
        compiled: bool | None = None,
        announce: Callable[[str], None] | None = None,
    ) -> None:
        """Without an evaluator, each game's own default. `compiled` and `announce` as for `Session`."""
        if budget.depth == "auto" and not type(search).chooses_depth:
            raise SpecError(f"{search.title} cannot choose a depth by itself: give depth a whole number.")
        self.search, self.evaluator, self.budget = search, evaluator, budget
        self.compiled, self.announce = compiled, announce
        self._session: Session | None = None
        self.new_game()

    @classmethod
    def of(cls, spec: str | Spec, budget: Budget = DEFAULT_BUDGET, **options: Any) -> Player:
        """The player that a spec describes; its own budget beats `budget`."""
        if isinstance(spec, str):
            spec = Spec.parse(spec)
        arguments = dict(spec.arguments)
        own = Budget.over(budget, {key: arguments.pop(key) for key in BUDGET_KEYS if key in arguments})
        name = arguments.pop("eval", None)
        if isinstance(name, (int, float)):
            raise SpecError(f"eval must name an evaluator, not {name}.")
        evaluator = registry.evaluators().make(name) if name is not None else None
        kind = registry.searches().find(spec.name)
        for key in {"eval", *BUDGET_KEYS}.intersection(parameters(kind)):
            raise SpecError(f"{spec.name} has a parameter {key}, but that word is the player's own: rename it.")
        for key in arguments:
            if key not in parameters(kind):
                raise unknown(f"parameter of {spec.name}", key, [*parameters(kind), "eval", *BUDGET_KEYS], "it takes")
        search = construct(kind, arguments)
        return cls(search, evaluator, own, **options)

    @property
    def spec(self) -> Spec:
        """The canonical spec, budget included."""
        own = self.search.spec
        chosen = {"eval": self.evaluator.spec} if self.evaluator is not None else {}
        return Spec(own.name, own.arguments | chosen | self.budget.arguments)

    def __repr__(self) -> str:
        return str(self.spec)

    def on(self, game: Game) -> Player:
        """This player with its evaluator settled for `game`."""
        evaluator = self.evaluator or registry.default_evaluator(game)
        return Player(self.search, evaluator.on(game), self.budget, compiled=self.compiled, announce=self.announce)

    def session(self, game: Game) -> Session:
        """The search at work on `game`, kept until another game comes."""
        if self._session is None or self._session.game is not game:
            if game.has_chance and not type(self.search).handles_chance:
                able = [name for name, kind in registry.searches().classes.items() if kind.handles_chance]
                can = f"those that can are {', '.join(able)}"
                raise SpecError(f"{self.search.title} cannot play {game.title}, where chance has a part; {can}.")
            evaluator = self.on(game).evaluator
            assert evaluator is not None
            self._check_needs(game, evaluator)
            if self._session is not None and self._session.rebind(game, evaluator):
                return self._session
            self._session = Session(self.search, game, evaluator, self.compiled, self.announce)
        return self._session

    def _check_needs(self, game: Game, evaluator: Evaluator) -> None:
        """Refuse what the search cannot do without."""
        for need in self.search.needs:
            if need in KINDS:
                if need not in evaluator.calibration.kinds:
                    raise SpecError(f"{self.search} needs the {KINDS[need]} of {evaluator}, which has not been fitted.")
            elif not game.has_rule(need):
                raise SpecError(f"{self.search} needs the rule {need}, which {game.title} does not have.")

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_session": None, "announce": None}  # workers make their own

    def new_game(self) -> None:
        """Forget what was spent and what is known of the last game: a budget for a game starts anew."""
        self._used, self._moves_made = Meter(), 0
        if self._session is not None:
            self._session.kept = False

    def choose(
        self,
        game: Game,
        state: Any = None,
        *,
        seed: int = 0,
        ply: int | None = None,
        progress: Callable[[Session], None] | None = None,
        keep_tree: bool = False,
    ) -> Result:
        """Search from `state` (a state, a `Position`, or the first one). Ctrl-C gives the best move so far.

        `ply` says how far the game is, if the budget is for a game; else the moves made since `new_game` count.
        `progress` is called with the session a few hundred times a second. With `keep_tree` the result has a view of
        the search's tree.
        """
        state = game.settled_state(state)
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
        game: Game,
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

    def share(self, game: Game, ply: int | None) -> Budget:
        """What one move may cost at this point of a game."""
        if self.budget.per == "move":
            return self.budget
        return self.budget.share(self._used, self._moves_left(game, ply), self.search.spread)

    def _run(self, session: Session, state: Any, seed: int, ply: int | None, progress: Any) -> str:
        if self.budget.per == "move":
            return session.run(state, self.budget, seed, progress)
        stopped = session.run(state, self.share(session.game, ply), seed, progress, 1 / self.search.spread)
        self._used += Meter.read(session.meter, session.seconds)
        self._moves_made += 1
        return stopped

    def _moves_left(self, game: Game, ply: int | None) -> int:
        """Our moves to come, this one included: half the plies that the game can still last, or typically lasts."""
        ply = 2 * self._moves_made if ply is None else ply
        if game.length:
            return max((game.length - ply + 1) // 2, 1)
        return max((typical_length(game) - ply + 1) // 2, LEAST_MOVES_LEFT)


def typical_length(game: Game, samples: int = 16, longest: int = 10_000) -> int:
    """The mean length of a few random games, always the same ones, without what chance does."""
    known = game.__dict__.get("_typical_length")
    if known is not None:
        return known
    plies, dice = [0] * samples, Dice(seed_for(samples))
    for sample in range(samples):
        state = dice.settle(game, game.start)
        while (legal := game.legal(state)) and plies[sample] < longest:
            state = dice.settle(game, game.after(state, dice.pick(legal, [])))
            plies[sample] += 1
    game.__dict__["_typical_length"] = max(sum(plies) // samples, 1)
    return game.__dict__["_typical_length"]
