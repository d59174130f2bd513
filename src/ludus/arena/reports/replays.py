"""Games of a ranking to look at: one that the best won, one that it lost, one that was drawn."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

from ludus.arena.play.openings import Opening
from ludus.arena.play.pairs import PairNumber
from ludus.arena.play.playing import seed_of_move
from ludus.arena.play.records import GameRecord
from ludus.kernel.random import seed_for
from ludus.model.playable import PlayableGame
from ludus.model.position import Position
from ludus.pictures.replay import Frame, Replay
from ludus.runtime.player import Player

if TYPE_CHECKING:
    from ludus.arena.ranking import Ranking

PATIENCE = 5.0
"""Seconds that searching a game once more may take, to tell the values that its players saw."""


def replays(ranking: Ranking) -> list[Replay]:
    """The games, each from its first position on."""
    found = []
    for title, (number, index) in chosen(ranking).items():
        opening = ranking.opening(number)
        if opening is not None:
            found.append(_replay(ranking, title, number, index, opening))
    return found


def chosen(ranking: Ranking) -> dict[str, tuple[PairNumber, int]]:
    """A game that the leader won, one that it lost and one that was drawn, as far as there are: a pair and 0 or 1.

    Those against the second best come first, then the longest.
    """
    best, *others = ranking.order
    kinds: dict[str, list[tuple[bool, int, PairNumber, int]]] = {"won": [], "lost": [], "drawn": []}
    for number, records in ranking.pairs.items():
        for index, record in enumerate(records):
            if best in number[:2] and not record.fault and not record.endless:
                mine = record.score if (number[0] == best) == (index == 0) else -record.score
                kind = "won" if mine > 0 else "lost" if mine < 0 else "drawn"
                kinds[kind].append((others[0] in number[:2], len(record.moves), number, index))
    name = ranking.short_names[best]
    titles = {"won": f"won by {name}", "lost": f"lost by {name}", "drawn": "drawn"}
    return {titles[kind]: max(games)[2:] for kind, games in kinds.items() if games}


def _replay(ranking: Ranking, title: str, number: PairNumber, index: int, opening: Opening) -> Replay:
    record = ranking.pairs[number][index]
    seats = (number[0], number[1]) if index == 0 else (number[1], number[0])
    names = ranking.short_names[seats[0]], ranking.short_names[seats[1]]
    turns = opening.game.turns(record.moves, opening.state)
    seen = values(ranking, number, index, opening)
    position = opening.game.position()
    frames = [_frame(position, "the beginning")]
    for ply, move in enumerate((*opening.moves, *record.moves), -len(opening.moves)):
        turn = turns[ply] if ply >= 0 else None
        value = f", value {seen[ply]}" if ply >= 0 and seen.get(ply) else ""
        if opening.game.must_pass(position.state):
            words = "opening: the same player moves again" if turn is None else f"{names[1 - turn]} moves again"
        else:
            who = "opening:" if ply < 0 else "chance:" if turn is None else f"{names[turn]} plays"
            words = f"{who} {opening.game.move_name(position.state, move)}{value}"
        position = position.play(move)
        frames.append(_frame(position, words, turn))
    result = f"{names[0] if record.score > 0 else names[1]} wins" if record.score else "a draw"
    return Replay(title, names, result, frames)


def values(ranking: Ranking, number: PairNumber, index: int, opening: Opening) -> dict[int, str]:
    """What the players thought of their moves, in words, by ply after the opening; empty for those without an opinion.

    They search once more, with the same seeds. Where that takes too long, or another move comes out because the clock
    had a part in it, nothing is told.
    """
    record = ranking.pairs[number][index]
    if sum(effort.seconds for effort in record.effort) > PATIENCE:
        return {}
    one, other, pair = number
    seed = seed_for(seed_for(ranking.seed, ranking.numbers[one], ranking.numbers[other], pair, 1), index)
    players = [ranking.players[seat] for seat in ((one, other) if index == 0 else (other, one))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _search_again(opening, record, players, seed)
        except Exception:  # whatever a user's own search or evaluator does: the game was played all the same
            return {}


def _search_again(opening: Opening, record: GameRecord, players: list[Player], seed: int) -> dict[int, str]:
    game, state, found = opening.game, opening.state, dict[int, str]()
    before, made = game.decisions(opening.moves), 0
    for player in players:
        player.new_game()
    for ply, (move, turn) in enumerate(zip(record.moves, game.turns(record.moves, state), strict=True)):
        if turn is not None:
            at = before + made
            result = players[turn].choose(game, state, seed=seed_of_move(seed, at), ply=at)
            if result.move != move:
                return {}
            found[ply] = "" if math.isnan(result.value) else result.chosen.say(result.words)
            made += 1
        state = game.after(state, move)
    return found


def _frame(position: Position, words: str, seat: int | None = None) -> Frame:
    if not _has_looks(position.game):
        return Frame(words, seat)
    svg = position._repr_svg_() or ""
    return Frame(words, seat, svg, "" if svg else str(position))


def _has_looks(game: PlayableGame) -> bool:
    """Whether the game shows its positions in its own way, or has boards; else they are bare numbers, to no use."""
    drawn = hasattr(type(game).written, "svg") or game.overrides("render") or game.overrides("state_text")
    return drawn or game.own_layout.has_boards
