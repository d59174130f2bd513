"""Who takes part in a ranking: the named players, all searches, those of a family, or by default the contenders."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ludus.common.errors import LudusError, SpecError
from ludus.common.numbers import round_up
from ludus.learning.automatic_calibration import must_be_fitted, needed_calibration, with_calibration
from ludus.learning.calibrate import Progress
from ludus.learning.for_ranking import RankingLesson
from ludus.model import identity, registry
from ludus.model.budget import DEFAULT_BUDGET, Budget
from ludus.model.evaluator import Evaluator
from ludus.model.playable import PlayableGame
from ludus.model.search import Search
from ludus.runtime.player import Player, PlayerLike, typical_length

EXPANSIONS = 10
"""A budget that nobody named lets a search expand at least this many positions."""
WITH_LEARNT = ("pvs", "bfmm", "uct")
"""The contenders that also play with an evaluator that is learnt for the ranking: a strong one of each family, and none
that needs a calibration."""


def default_budget(game: PlayableGame) -> Budget:
    """2000 nodes a move; more, in round numbers, where a game has no evaluator and positions are judged by playouts."""
    if game.evaluator:
        return DEFAULT_BUDGET
    sampler: Any = registry.evaluators().make("sampler")
    needed = EXPANSIONS * len(game.legal(game.start)) * (1 + sampler.most * typical_length(game))
    return max(DEFAULT_BUDGET, Budget(nodes=round_up(needed)), key=lambda budget: budget.nodes or 0)


@dataclass(frozen=True)
class Roster:
    """The candidates for a ranking. The first `named` of them were named by somebody, and must be able to play."""

    players: list[Player]
    named: int
    lesson: RankingLesson | None = None
    """What the evaluator of the last players is learnt from, if there is one: they join when it is learnt."""
    calibrated: list[int] = field(default_factory=list)
    """The numbers of those whom nobody named and who need a calibration: they join when all the others but those with
    a learnt evaluator are prepared, so that nobody waits for it."""
    unfitted: list[int] = field(default_factory=list)
    """The numbers of those among them whose calibration has still to be fitted."""

    @property
    def joining(self) -> int:
        """How many of the last players join later."""
        return 0 if self.lesson is None else len(WITH_LEARNT)

    def fitted(self, game: PlayableGame, calibrating: Progress) -> Roster:
        """The same roster, in which everybody has the calibration that the search needs."""
        players = list(self.players)
        for number in self.unfitted:
            players[number] = with_calibration(players[number], game, calibrating)
        return replace(self, players=players, unfitted=[])

    def judging_by(self, evaluator: Evaluator) -> Roster:
        """The same roster, in which those who join later have this evaluator."""
        first = len(self.players) - self.joining
        last = [Player(p.search, evaluator, p.budget, compiled=p.compiled) for p in self.players[first:]]
        return replace(self, players=[*self.players[:first], *last])

    @classmethod
    def of(
        cls,
        game: PlayableGame,
        specs: Sequence[PlayerLike],
        budget: Budget | str | None = None,
        compiled: bool | None = None,
        *,
        all: bool = False,
        family: str | None = None,
        calibrating: Progress = lambda done, words: None,
        lesson: RankingLesson | None = None,
        may_wait: bool = False,
    ) -> Roster:
        """The players that `specs` name, and all searches or those of a `family`, if asked for; else the contenders.

        A search takes part as it is by default, or as a contender with the setting that its class names, and with the
        game's default evaluator, unless a spec says otherwise. A search that nobody named is left out if it cannot even
        be set up with this budget. Who needs a calibrated evaluator gets one; `calibrating` is told of it, see
        `learning.automatic_calibration`; for those whom nobody named that `may_wait`. With a `lesson` some contenders
        join later, with the evaluator that is learnt.
        """
        budget = default_budget(game) if budget is None else Budget.of(budget)
        found: dict[str, Player] = {}
        for spec in specs:
            player = with_calibration(Player.of(spec, budget, compiled=compiled), game, calibrating)
            if str(player) in found:
                raise SpecError(f"{player} is named twice.")
            found[str(player)] = player
        calibrated, unfitted = list[Player](), list[Player]()
        for spec in _unnamed(all, family, bool(specs)):
            try:
                player = Player.of(spec, budget, compiled=compiled).on(game)
                needs = bool(needed_calibration(player, game))
                waits = needs and may_wait and must_be_fitted(player, game)
                player = player if waits else with_calibration(player, game, calibrating)
            except LudusError:
                continue
            if found.setdefault(str(player), player) is player:
                calibrated += [player] if needs else []
                unfitted += [player] if waits else []
        if len(found) < 2:
            raise SpecError(f"a ranking needs at least two players, not {len(found)}.")
        joining = [_as_contender(name, registry.searches().classes[name]) for name in WITH_LEARNT if lesson]
        judge = lesson.unlearnt if lesson else None
        later = [Player.of(spec, budget, compiled=compiled, eval=judge) for spec in joining]
        players = list(found.values())
        numbers = ([players.index(player) for player in some] for some in (calibrated, unfitted))
        return cls([*players, *later], len(specs), lesson, *numbers)


def _unnamed(all: bool, family: str | None, named: bool) -> list[str]:
    """The specs of the searches that take part although nobody named them."""
    searches = registry.searches().classes
    if all and family is not None:
        raise SpecError("`all` includes every family: give `all` or `family`, not both.")
    if all:
        return list(searches)
    if family is not None:
        families = sorted({kind.family for kind in searches.values()} - {""})
        if family not in families:
            raise SpecError(f"`family` must be one of {', '.join(families)}, not {family!r}.")
        return [name for name, kind in searches.items() if kind.family == family]
    return [] if named else [_as_contender(name, kind) for name, kind in searches.items() if kind.contender]


def _as_contender(name: str, kind: type[Search]) -> str:
    """The spec with which a search takes part where nobody names players."""
    return f"{name}({kind.contender})" if isinstance(kind.contender, str) else name


def run_fingerprint(game: PlayableGame, players: Sequence[Player]) -> str:
    """A fingerprint of the rules and of all who play: an edit of any of them makes another run.

    Evaluators are prepared anew, so that what they have noted at work does not count.
    """
    parts = [identity.of_game(game)]
    for player in players:
        assert player.evaluator is not None
        parts += [identity.of_search(player.search), identity.of_evaluator(player.evaluator.on(game))]
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]
