"""Who else could play: the searches that `ludus rank` would enter for a game."""

from __future__ import annotations

from typing import Any

from ludus.arena.roster import default_budget
from ludus.common.errors import LudusError
from ludus.model import registry
from ludus.runtime.player import Player
from ludus.web.catalog import OUTSIDE, Catalog


def contenders(catalog: Catalog, game: str, budget: str | None) -> dict[str, Any]:
    """`POST /api/contenders`: the contenders with this budget, those named at the start too; and who cannot play."""
    made = catalog.game(game)
    budget = budget or str(default_budget(made))
    named = list(catalog.named_players)
    own = [_as_contender(name, kind) for name, kind in registry.searches().classes.items() if kind.contender]
    players, left_out = [], []
    for spec in [*named, *(spec for spec in own if spec not in OUTSIDE)]:
        try:
            player = catalog.player(spec, budget)
            _check(player, made)
        except LudusError as error:
            left_out.append({"player": spec, "why": " ".join(str(error).split())})
            continue
        players.append(str(player))
    return {"players": players, "left_out": left_out}


def _as_contender(name: str, kind: Any) -> str:
    return f"{name}({kind.contender})" if isinstance(kind.contender, str) else name


def _check(player: Player, game: Any) -> None:
    """Refuse who cannot play; what only has to be calibrated first can."""
    if not player.lacks(game):
        player.check_able(game)
