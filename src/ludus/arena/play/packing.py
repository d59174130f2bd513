"""The pairs of a long run in little memory: a game of thirty moves takes 100 bytes instead of 900."""

from __future__ import annotations

import struct
import zlib
from array import array
from collections.abc import Iterator, Mapping, MutableMapping

from ludus.arena.play.pairs import PairNumber
from ludus.arena.play.reasons import Reason
from ludus.arena.play.records import GameRecord, Records
from ludus.model.budget import Meter

_HEAD = struct.Struct("<cIId4qd4qd2q")
"""The type of a move, how many there are, how many bytes the fault has, the score, both meters, both decisions."""

_LENGTH = struct.Struct("<I")
"""The bytes of the first of two records."""

SHORT = 2**15


class PackedPairs(MutableMapping[PairNumber, Records]):
    """The records of pairs by their numbers, packed; what is read is made anew each time."""

    def __init__(self, known: Mapping[PairNumber, Records] | None = None) -> None:
        self._packed: dict[PairNumber, bytes] = {}
        self.update(known or {})

    def __setitem__(self, number: PairNumber, records: Records) -> None:
        first, second = packed(records[0]), packed(records[1])
        self._packed[number] = zlib.compress(_LENGTH.pack(len(first)) + first + second, 1)

    def __getitem__(self, number: PairNumber) -> Records:
        content = zlib.decompress(self._packed[number])
        middle = _LENGTH.size + _LENGTH.unpack_from(content)[0]
        return unpacked(content[_LENGTH.size : middle]), unpacked(content[middle:])

    def __contains__(self, number: object) -> bool:
        return number in self._packed

    def __delitem__(self, number: PairNumber) -> None:
        del self._packed[number]

    def __iter__(self) -> Iterator[PairNumber]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def packed(record: GameRecord) -> bytes:
    """A record as bytes."""
    kind = "h" if all(-SHORT <= move < SHORT for move in record.moves) else "q"
    fault = b"" if record.fault is None else record.fault.to_json().encode()
    meters = [
        number
        for meter in record.effort
        for number in (meter.generated, meter.evaluated, meter.expanded, meter.traversed, meter.seconds)
    ]
    head = _HEAD.pack(kind.encode(), len(record.moves), len(fault), record.score, *meters, *record.decisions)
    return head + array(kind, record.moves).tobytes() + fault


def unpacked(content: bytes) -> GameRecord:
    """The record that was packed."""
    kind, count, length, score, *numbers = _HEAD.unpack_from(content)
    moves = array(kind.decode())
    end = len(content) - length
    moves.frombytes(content[_HEAD.size : end])
    assert len(moves) == count
    effort = Meter(*numbers[:5]), Meter(*numbers[5:10])
    decisions = numbers[10], numbers[11]
    return GameRecord(tuple(moves), score, effort, decisions, Reason.from_json(content[end:].decode()))
