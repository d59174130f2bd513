"""`quality`: over which trees evaluators are judged: the whole tree of a small game, or trees below random positions.

The thesis took ten positions after a fixed number of random moves. Where nobody says how many, the fewest are taken
after which the trees of a few trial positions have no more than a tenth of the nodes allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from ludus.arena.play.openings import check_openings
from ludus.arena.play.openings import openings as random_openings
from ludus.common.errors import LudusError, SpecError
from ludus.common.numbers import one_or_many
from ludus.diagnostics.quality.decisions import PLIES
from ludus.diagnostics.quality.quality_report import Judge, Judged, Quality, Walked
from ludus.diagnostics.quality.settings import QualitySettings
from ludus.kernel.random import seed_for
from ludus.model import registry
from ludus.model.evaluator import EvaluatorLike
from ludus.model.game import GameLike
from ludus.model.playable import PlayableGame
from ludus.runtime.player import typical_length

NODES, INTERPRETED = 5_000_000, 100_000
"""The most nodes of a tree where nobody says: compiled, and interpreted."""
TREES = 10
TRIALS = 3
"""How many positions are tried before the number of random plies is settled."""
Progress = Callable[[float, str], None]


def quality(
    game: GameLike,
    *evaluators: EvaluatorLike | Sequence[EvaluatorLike],
    trees: int | None = None,
    after: int | None = None,
    lookahead: int = 0,
    nodes: int | None = None,
    ties: str = "first",
    leaves: str = "first",
    draws: str = "half",
    passes: str = "skipped",
    seed: int = 0,
    compiled: bool | None = None,
    progress: Progress = lambda done, words: None,
    announce: Callable[[str], None] | None = None,
) -> Quality:
    """How often the decisions of evaluators, by default the game's own, are wrong, against exact minimax.

    The whole tree of a small game is judged, else trees below random positions. `print` shows errors, also by ply,
    `.save("file.svg")` draws them, `.to_dict()` has all counts.

    trees: judge this many trees below random positions, or of other seeds of a synthetic game, 10 by default; after:
    random plies before each of them; lookahead: choose by minimax this many plies beyond the next position; nodes: the
    most in a tree, 5,000,000 by default, or 100,000 if it cannot be compiled; seed: the random seed; compiled: True
    to compile or fail, False to interpret; progress: called with the part that is done, from 0 to 1, and words;
    announce: called with what is compiled.

    The convention: ties, which of equal choices is made, `first`, `last`, `random`, `best` or `worst`; leaves: a
    decision counts if its `first`, `last`, `some` or `every` best move does not end the game, if no move does (`none`),
    or always (`counted`); draws: `half` a win, won by the `first` or the `second` player in the tree, or the `score`
    counts; passes: `skipped`, `counted`, or with all other single moves skipped (`forced`).

    >>> found = ludus.quality("tictactoe(size=2)", "open-lines", leaves="counted", compiled=False)
    >>> found.decisions, found.possible
    (17, 0)
    """
    settings = QualitySettings(
        trees=trees,
        after=after,
        lookahead=lookahead,
        nodes=nodes,
        ties=ties,
        leaves=leaves,
        draws=draws,
        passes=passes,
        seed=seed,
        compiled=compiled,
    )
    return judge_evaluators(game, one_or_many(evaluators), settings, progress, announce)


def judge_evaluators(
    game: GameLike,
    evaluators: Sequence[EvaluatorLike],
    settings: QualitySettings,
    progress: Progress = lambda done, words: None,
    announce: Callable[[str], None] | None = None,
) -> Quality:
    """Judge these evaluators, or the game's own, over the trees that the settings describe."""
    game, seed, convention = registry.games().of(game), settings.seed, settings.convention
    if game.has_chance:
        raise SpecError(f"chance has a part in {game.title}: `quality` judges games without.")
    given = [registry.evaluators().of(each) for each in evaluators] or [registry.default_evaluator(game)]
    check_openings(game, settings.after or 0, seed, "after")
    names = [str(each.on(game)) for each in given]
    if len(set(names)) < len(names):
        raise SpecError(f"an evaluator is named twice: {', '.join(names)}.")
    judges = [Judge(game, each, convention, settings.lookahead, settings.compiled, announce) for each in given]
    most = settings.nodes or (NODES if judges[0].is_compiled else INTERPRETED)
    chosen = Trees(game, judges[0], most, seed, settings.trees, settings.after, progress)
    found = Quality(str(game), seed, convention, settings.lookahead, None, [], [Judged(name) for name in names])
    knows_passes = game.has_rule("null") or type(game).alternates
    found.passes_unknown = convention.passes == "skipped" and not knows_passes
    _judge(found, chosen, judges, progress)
    return found


class Trees:
    """The trees that are judged: `after` random plies, which is None for the tree of the game as it is."""

    def __init__(
        self,
        game: PlayableGame,
        judge: Judge,
        nodes: int,
        seed: int,
        trees: int | None = None,
        after: int | None = None,
        progress: Progress = lambda done, words: None,
    ) -> None:
        self.game, self.judge, self.nodes, self.seed = game, judge, nodes, seed
        self.progress = progress
        self.first: Walked | None = None
        """The whole tree as the first evaluator saw it."""
        self.many, self.after = trees or TREES, after
        if type(game).seeded:
            self.many, self.after = trees or 1, None if trees is None and not after else 0
            if after:
                raise SpecError(f"{game.title} has other seeds instead of random plies, so `after` must be 0.")
        elif after is None and (trees is None or trees == 1):
            self.first = self._seen("looking whether the whole tree is small enough", game, game.start, nodes)
            if self.first.stopped in ("nodes", "depth"):
                self.first, self.after = None, self._settled()
            else:
                self.many = 1
        elif after is None:
            self.after = self._settled()

    def __iter__(self) -> Iterator[tuple[PlayableGame, Any]]:
        """The games and the states at which their trees begin."""
        if self.after is None:
            yield self.game, self.game.start
            return
        found = random_openings(self.game, self.after, self.seed)
        for opening in islice(found, self.many):
            yield opening.game, opening.state

    def _settled(self) -> int:
        """The fewest random plies after which trees are small enough."""
        for after in range(typical_length(self.game), -1, -1):
            tried = list(islice(random_openings(self.game, after, seed_for(self.seed, after, 3)), TRIALS))
            words = f"looking for trees that are small enough, after {after} random plies"
            for trial in tried:
                seen = self._seen(words, trial.game, trial.state, self.nodes // TREES + 1)
                if seen.stopped == "interrupted":
                    raise KeyboardInterrupt
                if seen.stopped != "exhausted":
                    return after + 1
        return 1

    def _seen(self, words: str, game: PlayableGame, state: Any, nodes: int) -> Walked:
        """A tree as the first evaluator sees it, of at most this many nodes; these words say why."""
        self.progress(0.0, words)
        return self.judge.see(game, state, nodes, lambda seen: self.progress(0.0, f"{words}: {seen:,} nodes"))


def _judge(found: Quality, chosen: Trees, judges: Sequence[Judge], progress: Progress) -> None:
    """Walk over every tree with every evaluator; Ctrl-C ends it with what there is."""
    found.after = chosen.after
    total = chosen.many * len(judges)
    for number, (game, state) in enumerate(chosen):
        seen: list[Walked] = []
        for place, judge in enumerate(judges):
            done = number * len(judges) + place
            words = f"tree {number + 1} of {chosen.many}, {judge.evaluator}"

            def tell(nodes: int, done: int = done, words: str = words) -> None:
                progress((done + min(nodes / chosen.nodes, 1.0)) / total, f"{words}: {nodes:,} nodes")

            known = chosen.first if place == 0 else None
            seen.append(known or judge.see(game, state, chosen.nodes, tell))
            if seen[-1].stopped == "interrupted":
                found.interrupted = True
                break
        if any(tree.stopped in ("nodes", "depth") for tree in seen):
            found.left_out += 1
        elif not found.interrupted or not found.states:
            found.states.append(game.state_text(state))
            for judged, tree in zip(found.judged, seen, strict=False):
                judged.trees.append(tree)
        if found.interrupted:
            break
    found.judged = [judged for judged in found.judged if judged.trees]
    if not found.judged and not found.interrupted:
        raise LudusError(
            f"every tree of {found.game} that was tried has more than {chosen.nodes:,} nodes or {PLIES} plies: "
            "allow more `nodes`, or begin later in the game with `after`."
        )
