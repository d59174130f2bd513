"""Kalah: published values, OpenSpiel's mancala, an independent slow program for all variants, and the notation."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ludus
from ludus.library.games.kalah.game import PASS
from ludus.model.evaluator import WIN
from tests.support.against_openspiel import play_both
from tests.support.reference_kalah import SlowKalah

START = "4 4 4 4 4 4 0 4 4 4 4 4 4 0 S"

# Irving, Donkers & Uiterwijk 2000: a row for each number of houses, won, drawn or lost with 1, 2 ... seeds.
PUBLISHED = {1: "DLWLWD", 2: "WLLLWW", 3: "DWWWWL", 4: "WWWWWD", 5: "DDWWWW", 6: "WWWWWW"}


def solved(houses: int, seeds: int, empty_capture: bool = True) -> float:
    """The difference in seeds with perfect play, to the first player."""
    game = ludus.game("kalah", houses=houses, seeds=seeds, empty_capture=empty_capture)
    player = ludus.player("alphabeta(depth=300, table=true, deeper=true, memory_of_table=64)")
    result = player.choose(game)
    assert result.stopped == "solved"
    return result.value / WIN


@pytest.mark.parametrize("houses", [1, 2, 3, 4, 5, 6])
def test_who_wins_small_games(houses):
    most = {1: 6, 2: 6, 3: 5, 4: 3, 5: 2, 6: 1}[houses]  # with more seeds the game takes too long here
    values = [solved(houses, seeds) for seeds in range(1, most + 1)]
    assert "".join("LDW"[(value > 0) - (value < 0) + 1] for value in values) == PUBLISHED[houses][:most]


@pytest.mark.parametrize(("houses", "seeds", "value"), [(3, 2, 4), (3, 3, 2), (4, 2, 6)])
def test_by_how_much(houses, seeds, value):
    assert solved(houses, seeds) == value


def test_the_capture_of_nothing_decides_games():
    """Published values without it: (2, 2) is lost by 2, (4, 2) and (4, 3) are won by 6. With it (5, 2) is a draw."""
    assert [solved(h, s, empty_capture=False) for h, s in ((2, 2), (4, 2), (4, 3), (5, 2))] == [-2, 6, 6, 2]
    assert [solved(h, s) for h, s in ((4, 3), (5, 2))] == [8, 0]


@pytest.mark.parametrize(("houses", "seeds"), [(1, 5), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1)])
@pytest.mark.parametrize("empty_capture", [True, False])
def test_values_against_the_slow_program(houses, seeds, empty_capture):
    @cache
    def value(text: str) -> int:
        slow = SlowKalah.read(text, empty_capture)
        return max((-value(slow.play(move).text) for move in slow.moves()), default=slow.score())

    assert solved(houses, seeds, empty_capture) == value(SlowKalah(houses, seeds).text)


# OpenSpiel.


def test_against_openspiel():
    """Its mancala captures only if there is something opposite; South's houses are 1 to 6 there, North's 8 to 13."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs, number = pyspiel.load_game("mancala"), lambda move, player: move + (8 if player else 1)
    game = ludus.game("kalah", empty_capture=False)
    played = play_both(game, theirs, games=3000, number=number)
    assert sum(moves.count(PASS) for moves, _ in played) > 3000
    assert min(Counter(result for _, result in played).values()) > 30
    assert {result for _, result in played} == {-1, 0, 1}
    play_both(game, theirs, games=30, number=number, seed=2, compiled=False)
    with pytest.raises((AssertionError, ValueError)):  # the other rule is another game
        play_both(ludus.game("kalah"), theirs, games=300, number=number)


# The slow program knows all variants.

SIZES = [(6, 4), (6, 6), (1, 3), (2, 5), (3, 10), (4, 31), (5, 1), (7, 18), (7, 2)]


@pytest.mark.parametrize(("houses", "seeds"), SIZES)
@pytest.mark.parametrize("empty_capture", [True, False])
def test_against_the_slow_program(houses, seeds, empty_capture):
    game = ludus.game("kalah", houses=houses, seeds=seeds, empty_capture=empty_capture)
    chance = random.Random(houses + seeds)
    for _ in range(8):
        position, slow = game.position(), SlowKalah(houses, seeds, empty_capture)
        while slow.moves():
            assert position.text == slow.text
            assert list(position.moves) == slow.moves()
            assert game.mover(position.state) == slow.mover
            move = chance.choice(slow.moves())
            position, slow = position.play(move), slow.play(move)
        assert position.text == slow.text
        assert position.is_over
        assert position.score == slow.score()
        lead = slow.score() if slow.mover == 0 else -slow.score()
        assert game.winner(position.state) == (None if lead == 0 else 0 if lead > 0 else 1)


def captures(slow: SlowKalah, move: str) -> bool:
    """Whether the store gains more than the seeds that fall into it and one that captures nothing."""
    if move == "pass":
        return False
    house, lap = "abcdefg".index(move.lower()), 2 * slow.houses + 1
    way = slow.houses - house
    sown = (slow.pits[slow.mover][house] - way) // lap + 1
    return slow.play(move).stores[slow.mover] - slow.stores[slow.mover] > sown + 1


@pytest.mark.parametrize("empty_capture", [True, False])
def test_any_position(empty_capture):
    """Seeds anywhere: houses so full that one sows around the board several times, and many empty ones."""
    chance, seen = random.Random(7), Counter()
    for trial in range(1500):
        houses = 1 + trial % 7
        seeds = chance.choice((1, 2, 4, 8, 255 // (2 * houses)))
        game = ludus.game("kalah", houses=houses, seeds=seeds, empty_capture=empty_capture)
        pits = [0] * (2 * houses + 2)
        favourites = chance.choices(range(len(pits)), k=1 + trial % 5)
        for _ in range(2 * houses * seeds):
            pits[chance.choice(favourites)] += 1
        slow = SlowKalah.read(" ".join(map(str, pits)) + f" {chance.choice('SN')}", empty_capture)
        position = game.position(slow.text)
        assert list(position.moves) == slow.moves()
        for move in slow.moves():
            after = slow.play(move)
            assert position.play(move).text == after.text
            assert game.noisy(position.state, game.parse_move(position.state, move)) == captures(slow, move)
            seen["capture"] += captures(slow, move)
            seen["around twice"] += slow.pits[slow.mover]["abcdefg".index(move.lower())] > 4 * houses + 2
            seen["over"] += not after.moves()
            seen["again"] += after.must_pass
    assert min(seen.values()) > 30


def test_golden_perft_against_the_slow_program():
    file = json.loads(Path(__file__).with_name("perft").joinpath("kalah.json").read_text())
    for line in file["perft"]:
        game = ludus.game(line["game"])
        slow = SlowKalah(game.houses, game.seeds, game.empty_capture)
        slow = SlowKalah.read(line["state"], game.empty_capture) if "state" in line else slow
        depths = [depth for depth, count in enumerate(line["leaves"]) if count < 3000]
        assert [slow.perft(depth) for depth in depths] == [line["leaves"][depth] for depth in depths]
        assert len(depths) >= 5


# Rules by hand.


def test_a_move_that_ends_in_the_store_gives_another():
    position = ludus.game("kalah").position().play("c")
    assert position.text == "4 4 0 5 5 5 1 4 4 4 4 4 4 0 N pass"
    assert list(position.moves) == ["pass"]
    assert position.moves.numbers == [PASS]
    position = position.play("pass")
    assert position.text == "4 4 0 5 5 5 1 4 4 4 4 4 4 0 S"
    assert list(position.moves) == ["a", "b", "d", "e", "f"]


@pytest.mark.parametrize("empty_capture", [True, False])
def test_a_capture(empty_capture):
    position = ludus.game("kalah", empty_capture=empty_capture).position("1 0 4 4 4 4 4 4 4 0 8 3 8 0 S")
    assert (
        position.play("a").text == "0 0 4 4 4 4 8 4 4 0 8 0 8 0 N"
    )  # the seed and the three of house E, across from b


def test_a_capture_of_nothing():
    text, moved = "1 0 4 4 4 4 8 4 4 4 7 0 4 0 S", "0 1 4 4 4 4 8 4 4 4 7 0 4 0 N"
    assert ludus.game("kalah", empty_capture=False).position(text).play("a").text == moved
    taken = "0 0 4 4 4 4 9 4 4 4 7 0 4 0 N"
    assert ludus.game("kalah").position(text).play("a").text == taken


def test_once_around_into_the_house_it_came_from():
    """Thirteen seeds: one in each pit but the opponent's store, the last in the house that was emptied."""
    game = ludus.game("kalah")
    position = game.position("13 0 0 0 0 0 11 4 4 4 4 4 4 0 S").play("a")
    assert position.text == "0 1 1 1 1 1 18 5 5 5 5 5 0 0 N"  # the last one captures the five of F


def test_what_is_left_belongs_to_its_side():
    game = ludus.game("kalah")
    over = game.position("0 0 0 0 0 1 20 3 0 0 0 0 4 20 S").play("f")
    assert over.text == "0 0 0 0 0 0 21 3 0 0 0 0 4 20 N pass"
    assert over.is_over
    assert over.score == 27 - 21  # to North
    assert game.winner(over.state) == 1


# Positions and moves as people write them.


def test_the_first_position():
    position = ludus.game("kalah").position()
    assert position.text == START
    assert str(position.play("a")) == (
        "      F  E  D  C  B  A\n"
        "      4  4  4  4  4  4\n"
        "   0                     0\n"
        "      0  5  5  5  5  4\n"
        "      a  b  c  d  e  f\n"
        "North to move"
    )
    assert "North must pass" in str(position.play("c"))
    assert list(position.play("a").moves) == ["A", "B", "C", "D", "E", "F"]
    assert position.play("a").play("b") == position.play("A").play("B")  # whose house is clear from whose move it is
    for move in ("g", "pass", "aa", "", "7"):
        with pytest.raises(ludus.LudusError, match="unknown move"):
            position.play(move)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is 14 numbers and S or N"),
        (START[:-2], "is 14 numbers and S or N"),
        (START[:-1] + "X", "is 14 numbers and S or N"),
        (START + " pas", "is 14 numbers and S or N"),
        (START[2:], "is 14 numbers and S or N"),
        (START.replace("4", "-4", 1), "is 14 numbers and S or N"),
        (START.replace("4", "5", 1), "has 49 seeds, but there are 48"),
        (START.replace("4", "3", 1), "has 47 seeds, but there are 48"),
    ],
)
def test_text_that_is_no_position(text, words):
    with pytest.raises(ludus.StateError, match=words):
        ludus.game("kalah").position(text)


def test_text_in_small_letters():
    game = ludus.game("kalah")
    assert game.position(f"  {START.lower()} ") == game.position()
    assert game.position(START + " PASS").text == START + " pass"


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"houses": 0}, "houses must be from 1 to 7"),
        ({"houses": 8}, "houses must be from 1 to 7"),
        ({"seeds": 0}, "seeds must be from 1 to 21 with 6 houses"),
        ({"seeds": 22}, "seeds must be from 1 to 21 with 6 houses"),
        ({"houses": 7, "seeds": 19}, "seeds must be from 1 to 18 with 7 houses"),
        ({"empty_capture": 1}, "must be true or false"),
    ],
)
def test_parameters_out_of_range(parameters, words):
    with pytest.raises(ludus.SpecError, match=words):
        ludus.game("kalah", **parameters)


def test_picture():
    position = ludus.game("kalah", houses=3, seeds=2).position("1 0 3 4 2 0 1 1 S")
    root = ElementTree.fromstring(position._repr_svg_())
    assert root.find("{*}title").text == "Kalah: 1 0 3 4 2 0 1 1 S"
    texts = {(float(t.get("x")), float(t.get("y"))): t.text for t in root.findall("{*}text")}
    rows = Counter(y for _, y in texts)
    by_row = [[texts[place] for place in sorted(texts) if place[1] == y] for y in sorted(rows)]
    assert by_row == [["C", "B", "A"], ["1", "0", "2"], ["1", "4"], ["1", "0", "3"], ["a", "b", "c"]]
