"""Records in little memory: what is read is what was written."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ludus
from ludus.arena.play.packing import PackedPairs, packed, unpacked
from ludus.arena.play.reasons import Told, TooSlow
from ludus.arena.play.records import GameRecord
from ludus.arena.ranking import Ranking
from ludus.model.budget import Meter
from tests.support.databases import invented


def test_what_is_read_is_what_was_written():
    pairs, plain = PackedPairs(), {}
    for number in range(60):
        pair, records = invented(number)
        pairs[pair.number] = plain[pair.number] = records
    assert dict(pairs) == plain
    assert list(pairs) == list(plain)
    assert len(pairs) == 60
    assert (0, 1, 99) not in pairs
    with pytest.raises(KeyError):
        pairs[0, 1, 99]
    assert dict(PackedPairs(pairs)) == plain


@pytest.mark.parametrize("moves", [(), (0,), (-(2**15), 2**15 - 1), (2**15,), (-(2**63), 2**63 - 1)])
@pytest.mark.parametrize("fault", [None, TooSlow(1.5), Told("é\udcff\0\n")])
def test_every_move_and_every_fault(moves, fault):
    record = replace(invented(1)[1][0], moves=moves, fault=fault)
    assert unpacked(packed(record)) == record


def test_a_ranking_keeps_a_game_of_sixty_moves_in_300_bytes():
    record = GameRecord(tuple(range(60)), 1.0, (Meter(1, 2, 3, 4, 5.0),) * 2, (30, 30))
    assert len(packed(record)) < 300
    ranking = Ranking(ludus.game("nim"), [ludus.player(name) for name in ("random", "greedy")], 0)
    for opening in range(20):
        ranking.add((0, 1, opening), (record, record))
    assert isinstance(ranking.pairs, PackedPairs)
    assert ranking.again().pairs == ranking.pairs
