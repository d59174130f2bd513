"""For users of OpenSpiel: every search here as a bot there.

>>> import pyspiel
>>> from ludus.openspiel import bot
>>> state = pyspiel.load_game("tic_tac_toe").new_initial_state()
>>> pyspiel.evaluate_bots(state, [bot("alphabeta(eval=zero, depth=9, table=true)"), bot("random")], seed=0)
[1.0, -1.0]
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ludus.kernel.random import seed_for
from ludus.library.games.openspiel import OpenSpiel, load_pyspiel
from ludus.model.budget import DEFAULT_BUDGET, Budget
from ludus.runtime.player import Player


def bot(spec: str | Player, budget: Budget = DEFAULT_BUDGET, *, seed: int = 0) -> Any:
    """A `pyspiel.Bot` that plays any game of OpenSpiel which `OpenSpiel` accepts.

    The rules are OpenSpiel's own, so the search runs interpreted. Without `eval=` positions are valued by random games
    (`sampler`). An evaluator of one's own finds the OpenSpiel state in `state.state`.
    """
    player = Player.of(spec, budget, compiled=False)
    return _bot_class()(player, seed)


@cache
def _game(name: str) -> Any:
    return OpenSpiel(name=name)


@cache
def _bot_class() -> type:
    """The class, made when it is needed: its base is OpenSpiel's."""

    class Bot(load_pyspiel().Bot):  # type: ignore[misc]
        def __init__(self, player: Player, seed: int) -> None:
            super().__init__()
            self.player, self.seed = player, seed

        def step(self, state: Any) -> int:
            """The action to play."""
            game = _game(str(state.get_game()))
            here = game.adopt(state)
            ply = game.decisions(here.path)
            return self.player.choose(game, here, seed=seed_for(self.seed, ply), ply=ply).move

        def restart(self) -> None:
            self.player.new_game()

        def restart_at(self, state: Any) -> None:
            self.player.new_game()

        def __repr__(self) -> str:
            return f"<bot {self.player}>"

    return Bot
