"""Othello: OpenSpiel, an independent slow program, the solved 4x4 board, and the notations that people use."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import ludus
from ludus.kernel.bits import squares
from ludus.library.games.othello.game import PASS
from ludus.library.games.othello.stability import stable_discs
from ludus.model.evaluator import WIN
from tests.support.against_openspiel import play_both
from tests.support.reference_othello import DIRECTIONS, OTHER, SlowOthello

START = "---------------------------OX------XO--------------------------- X"


def test_against_openspiel():
    """64 is the pass there too."""
    pyspiel = pytest.importorskip("pyspiel")
    played = play_both(ludus.game("othello"), pyspiel.load_game("othello"), games=2000)
    assert sum(moves.count(PASS) for moves, _ in played) > 500
    assert sum(len(moves) - moves.count(PASS) < 60 for moves, _ in played) > 10
    assert min(Counter(result for _, result in played).values()) > 10
    assert {result for _, result in played} == {-1, 0, 1}


def test_against_openspiel_interpreted():
    pyspiel = pytest.importorskip("pyspiel")
    played = play_both(ludus.game("othello"), pyspiel.load_game("othello"), games=40, seed=2, compiled=False)
    assert sum(moves.count(PASS) for moves, _ in played) > 0


# The slow program knows all sizes.


@pytest.mark.parametrize(("size", "games"), [(4, 150), (6, 30), (8, 8)])
def test_against_the_slow_program(size, games):
    game, chance, seen = ludus.game("othello", size=size), random.Random(size), Counter()
    plain = ludus.game("othello", size=size, empties="none")
    for _ in range(games):
        position, slow = game.position(), SlowOthello(size)
        while slow.moves():
            assert position.text == slow.text
            assert list(position.moves) == slow.moves()
            assert game.mover(position.state) == "XO".index(slow.mover)
            move = chance.choice(slow.moves())
            seen["passes"] += move == "pa"
            position, slow = position.play(move), slow.play(move)
        assert position.text == slow.text
        assert position.is_over
        assert position.score == slow.score("winner")
        assert plain.position(slow.text).score == slow.score("none")
        seen["empties mattered"] += slow.score("winner") != slow.score("none")
        lead = slow.count("X") - slow.count("O")
        assert game.winner(position.state) == (None if lead == 0 else 0 if lead > 0 else 1)
        seen["draws" if lead == 0 else "X" if lead > 0 else "O"] += 1
    assert min(seen["X"], seen["O"], seen["passes"]) > 0
    assert size == 8 or seen["empties mattered"] > 0


def test_any_board_at_all():
    """Boards that no game leads to: full of discs to the edges, where a row could run off or wrap around."""
    chance = random.Random(5)
    for size in (4, 6, 8):
        game = ludus.game("othello", size=size)
        for trial in range(150):
            weights = (1, 1, 0.2 + trial % 3)
            text = "".join(chance.choices("XO-", weights, k=size * size)) + f" {chance.choice('XO')}"
            position, slow = game.position(text), SlowOthello.read(text)
            assert list(position.moves) == slow.moves()
            for move in slow.moves():
                assert position.play(move).text == slow.play(move).text


def test_more_moves_than_a_real_game_has():
    """Nothing limits a board that is given as text; `max_moves` must hold for all."""
    game = ludus.game("othello")
    state = game.layout.settle((np.uint64(2314977908590282752), np.uint64(25334990984734208), 0))
    text = game.state_text(state)
    assert len(game.position(text).moves) == 35
    assert list(game.position(text).moves) == SlowOthello.read(text).moves()


def test_golden_perft_against_the_slow_program():
    file = json.loads(Path(__file__).with_name("perft").joinpath("othello.json").read_text())
    for line in file["perft"]:
        size = ludus.game(line["game"]).size
        slow = SlowOthello.read(line["state"]) if "state" in line else SlowOthello(size)
        depths = [depth for depth, count in enumerate(line["leaves"]) if count < 1500][:7]
        assert [slow.perft(depth) for depth in depths] == line["leaves"][: len(depths)]
        assert len(depths) >= 6


# The 4x4 board to the end: every position, with the slow program.


@pytest.fixture(scope="module")
def whole_tree():
    """Every position of the 4x4 game from the last ply to the first: a dictionary for each ply, text to how often."""
    layers = [Counter({SlowOthello(4).text: 1})]
    after = {}
    while layers[-1]:
        layers.append(Counter())
        for text, times in layers[-2].items():
            slow = SlowOthello.read(text)
            after[text] = [slow.play(move).text for move in slow.moves()]
            for child in after[text]:
                layers[-1][child] += times
    return layers, after


def test_every_position_of_the_small_board(whole_tree):
    layers, after = whole_tree
    counts = [sum(layer.values()) for layer in layers]
    game = ludus.game("othello", size=4)
    assert [ludus.perft(game, depth).leaves for depth in range(len(counts))] == counts
    assert sum(times for layer in layers for text, times in layer.items() if not after[text]) == 60060  # games


@pytest.mark.parametrize(("empties", "value"), [("none", -8), ("winner", -10)])
def test_the_small_board_is_lost_for_the_first_player(whole_tree, empties, value):
    """By 3 discs to 11, two squares being empty."""
    layers, after = whole_tree
    values: dict[str, int] = {}
    for layer in reversed(layers):
        for text in layer:
            if text not in values:
                worth = [-values[child] for child in after[text]]
                values[text] = max(worth) if worth else SlowOthello.read(text).score(empties)
    assert values[SlowOthello(4).text] == value
    game = ludus.game("othello", size=4, empties=empties)
    result = ludus.player("minimax(eval=discs, depth=20)").choose(game)
    assert result.value == value * WIN
    assert result.stopped == "solved"
    assert [child.value for child in result.children] == [value * WIN] * 4  # all four first moves are alike
    position = game.position()
    for move in result.line:
        position = position.play(move)
    assert position.is_over
    assert abs(position.score) == -value


# Stable discs, and the bounds that follow from them.


def stable(game: ludus.Game, state) -> dict[str, set[int]]:
    """The squares of the discs that are called stable, for the player to move and for the other."""
    mine, theirs, _ = state
    with np.errstate(over="ignore"):
        found = [stable_discs(discs, mine | theirs, game.board, game.inner) for discs in (mine, theirs)]
    return {who: set(squares(discs)) for who, discs in zip(("mine", "theirs"), found, strict=True)}


def test_stable_discs_and_bounds_on_the_small_board(whole_tree):
    """All that can happen, by the slow program; every eleventh position is compared."""
    layers, after = whole_tree
    stay: dict[str, set] = {}  # the discs that keep their colour whatever happens
    ends: dict[str, dict[str, tuple[int, int]]] = {"winner": {}, "none": {}}  # the least and the highest score
    games, seen = {rule: ludus.game("othello", size=4, empties=rule) for rule in ends}, Counter()
    for text in [text for layer in reversed(layers) for text in layer]:
        slow = SlowOthello.read(text)
        stay[text] = set(slow.discs.items()).intersection(*(stay[child] for child in after[text]))
        for rule, known in ends.items():
            scores = [-score for child in after[text] for score in known[child]] or [slow.score(rule)]
            known[text] = min(scores), max(scores)
        seen["positions"] += 1
        if seen["positions"] % 11 == 0:
            state = games["none"].read_state(text)
            called = {(who, square) for who, found in stable(games["none"], state).items() for square in found}
            known = {("mine" if mark == slow.mover else "theirs", 8 * r + c) for (r, c), mark in stay[text]}
            assert called <= known
            seen["stable"] += len(known)
            seen["called stable"] += len(called)
            for rule, game in games.items():
                low, high = ends[rule][text]
                assert game.lowest(state) <= low <= high <= game.highest(state)
                seen["exact"] += bool(after[text]) and game.lowest(state) == low
    assert seen["called stable"] > 0.8 * seen["stable"]
    assert seen["exact"] > 500


@pytest.mark.parametrize("size", [6, 8])
def test_stable_discs_on_any_board_with_a_few_empty_squares(size):
    """Every way to the end; discs lie in patches, so that many are stable and many are not."""
    dice, game, seen = random.Random(size), ludus.game("othello", size=size), Counter()

    def turned_over(state) -> tuple[int, int]:
        """The discs of the player to move and of the other that somebody turns over on some way to the end."""
        mine = theirs = 0
        for move in game.legal(state):
            after = game.after(state, move)
            later = turned_over(after)
            mine, theirs = mine | later[1] | int(after[0]), theirs | later[0] | int(after[1])
        return mine & int(state[0]), theirs & int(state[1])

    for _ in range(250):
        empty, border = dice.sample(squares(game.board), dice.randint(1, 4)), dice.randint(-1, size)
        lots = {square: "XXXXO" if square // 8 > border else "OOOOX" for square in squares(game.board)}
        marks = ["-" if square in empty else dice.choice(lot) for square, lot in lots.items()]
        state = game.read_state(f"{''.join(marks)} {dice.choice('XO')}")
        for called, discs, lost in zip(stable(game, state).values(), state, turned_over(state), strict=False):
            assert not called & set(squares(lost))
            seen["called stable"] += len(called)
            seen["stable"] += (int(discs) & ~lost).bit_count()
            seen["turned over"] += lost.bit_count()
    assert seen["called stable"] > 0.5 * seen["stable"]
    assert seen["turned over"] > 1000


def slowly_stable(slow: SlowOthello, colour: str) -> set[int]:
    """The rule that `othello_stability` states, square by square."""
    every = {(r, c) for r in range(slow.size) for c in range(slow.size)}
    found: set[tuple[int, int]] = set()

    def safe(square: tuple[int, int], down: int, right: int) -> bool:
        ways = [(square[0] + i * down, square[1] + i * right) for i in range(-slow.size, slow.size)]
        sides = (square[0] + down, square[1] + right), (square[0] - down, square[1] - right)
        return set(ways) & every <= set(slow.discs) or any(side not in every or side in found for side in sides)

    while more := {
        square
        for square, mark in slow.discs.items()
        if mark == colour and square not in found and all(safe(square, *step) for step in DIRECTIONS)
    }:
        found |= more
    return {8 * r + c for r, c in found}


@pytest.mark.parametrize("size", [4, 6, 8])
def test_stable_discs_are_those_of_the_rule(size):
    dice, game, seen = random.Random(size), ludus.game("othello", size=size), Counter()
    for trial in range(60):
        lots = dice.choice(["XXXXXXXXXXO-", "XO", "XXXOOOXXO-", "XXXXXXX-"])
        slow = SlowOthello.read("".join(dice.choice(lots) for _ in range(size * size)) + f" {'XO'[trial % 2]}")
        called = stable(game, game.read_state(slow.text))
        assert called == {"mine": slowly_stable(slow, slow.mover), "theirs": slowly_stable(slow, OTHER[slow.mover])}
        for who, found in called.items():
            seen[who, 0 < len(found) < slow.count(slow.mover if who == "mine" else OTHER[slow.mover])] += 1
    assert seen["mine", True] > 10
    assert seen["theirs", True] > 10


def test_stable_discs_by_hand():
    game = ludus.game("othello")
    rows = ["XXX-----", "XX------", "XO------", "-------O", "--------", "--OOO---", "--------", "OOOOOOOO"]
    called = stable(game, game.read_state("".join(rows) + " X"))
    assert called["mine"] == {0, 1, 2, 8, 9, 16}
    assert called["theirs"] == set(range(56, 64))
    assert game.lowest(game.read_state("".join(rows) + " X")) == 2 * 6 - 64
    assert game.highest(game.read_state("".join(rows) + " X")) == 64 - 2 * 8
    assert stable(game, game.start) == {"mine": set(), "theirs": set()}
    full = game.read_state("XO" * 32 + " O")
    assert (game.lowest(full), game.highest(full), game.phase(full)) == (0, 0, 1)


# Positions and moves as people write them.


def test_the_first_position():
    position = ludus.game("othello").position()
    assert position.text == START
    assert list(position.moves) == ["d3", "c4", "f5", "e6"]
    assert str(position.play("f5")) == (
        "  a b c d e f g h\n"
        "1 . . . . . . . . 1\n"
        "2 . . . . . . . . 2\n"
        "3 . . . . . . . . 3\n"
        "4 . . . O X + . . 4\n"
        "5 . . . X X X . . 5\n"
        "6 . . . + . + . . 6\n"
        "7 . . . . . . . . 7\n"
        "8 . . . . . . . . 8\n"
        "  a b c d e f g h\n"
        "X 4, O 1; O (white) to move"
    )


@pytest.mark.parametrize("size", [4, 6, 8])
def test_text_reads_back(size):
    game, chance = ludus.game("othello", size=size), random.Random(3)
    position = game.position()
    while not position.is_over:
        again = game.position(position.text)
        assert again == position
        assert [type(part) for part in again.state] == [type(part) for part in position.state]
        for text in (position.text + ";", position.text.lower(), f"  {position.text.replace(' ', '   ')}  "):
            assert game.position(text) == position
        position = position.play(chance.choice(position.moves.numbers))


@pytest.mark.parametrize(
    "text",
    ["", "X", START[:-1], START[:-2], START[1:], f"-{START}", START + "X", START.replace("X", "*"), "-" * 64 + " -"],
)
def test_text_that_is_no_position(text):
    with pytest.raises(ludus.StateError, match="a position is 64 of X, O and -, a space, and X or O to move"):
        ludus.game("othello").position(text)


def test_text_of_another_size():
    with pytest.raises(ludus.StateError, match="a position is 36 of"):
        ludus.game("othello", size=6).position(START)


@pytest.mark.parametrize(("empties", "score"), [("winner", -16), ("none", -3)])
def test_passing(empties, score):
    game = ludus.game("othello", size=4, empties=empties)
    position = game.position(f"XO{14 * '-'} O")  # a corner is never turned over
    assert list(position.moves) == ["pa"]
    assert position.moves.numbers == [PASS]
    passed = position.play("pa")
    assert passed.text == f"XO{14 * '-'} X"
    assert passed == position.play("pass") == position.play("PS") == position.play(PASS)
    assert list(passed.moves) == ["c1"]
    over = passed.play("c1")
    assert over.text == f"XXX{13 * '-'} O"
    assert over.is_over
    assert over.score == score  # to O, who is to move


def test_moves_are_read_in_capitals_too_and_refused_if_illegal():
    position = ludus.game("othello").position()
    assert position.play("F5") == position.play("f5") == position.play(37)
    for move in ("a1", "e4", "pa", "f55", "", "37", "i9"):
        with pytest.raises(ludus.LudusError, match="unknown move"):
            position.play(move)
    for number in (0, 28, PASS, -1, 65):
        with pytest.raises(ludus.StateError, match="is not legal; legal moves are d3, c4, f5, e6"):
            position.play(number)


def test_names_of_all_squares():
    game = ludus.game("othello", size=6)
    named = {game.move_name(game.start, 8 * row + column) for row in range(6) for column in range(6)}
    assert named == {f"{letter}{number}" for letter in "abcdef" for number in range(1, 7)}
    assert game.move_name(game.start, 8 * 4 + 5) == "f5"


@pytest.mark.parametrize("spec", ["othello(size=5)", "othello(size=10)", "othello(empties=all)", "othello(size=big)"])
def test_parameters_out_of_range(spec):
    with pytest.raises(ludus.SpecError, match="must be one of"):
        ludus.game(spec)


def test_score_and_winner_by_hand():
    full, draw, early = "X" * 40 + "O" * 24, "X" * 32 + "O" * 32, "X" * 13 + "-" * 51
    for empties, alone in (("winner", 64), ("none", 13)):
        game = ludus.game("othello", empties=empties)
        for board, score, winner in ((full, 16, 0), (draw, 0, None), (early, alone, 0)):
            for side, sign in (("X", 1), ("O", -1)):
                position = game.position(f"{board} {side}")
                assert position.is_over
                assert position.score == sign * score
                assert game.winner(position.state) == winner
        swapped = game.position(f"{full.translate(str.maketrans(OTHER))} X")
        assert swapped.score == -16
        assert game.winner(swapped.state) == 1


# Pictures.


def test_picture():
    position = ludus.game("othello").position().play("f5")
    root = ElementTree.fromstring(position._repr_svg_())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.find("{*}title").text == f"Othello: {position.text}"
    assert [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")].count("f") == 2
    assert drawn(root, "#111") == {"e4", "d5", "e5", "f5"}
    assert drawn(root, "#fafafa") == {"d4"}
    assert drawn(root, "#000") == set(position.moves) == {"f4", "d6", "f6"}


@pytest.mark.parametrize("size", [4, 6])
def test_picture_of_small_boards(size):
    position = ludus.game("othello", size=size).position()
    slow = SlowOthello(size)
    root = ElementTree.fromstring(position._repr_svg_())
    names = {mark: {f"{'abcdefgh'[c]}{r + 1}" for (r, c), m in slow.discs.items() if m == mark} for mark in "XO"}
    assert drawn(root, "#111") == names["X"]
    assert drawn(root, "#fafafa") == names["O"]
    assert drawn(root, "#000") == set(slow.moves())
    assert len(list(root.iter("{http://www.w3.org/2000/svg}text"))) == 4 * size


def drawn(root: ElementTree.Element, color: str) -> set[str]:
    """The squares on which circles of this colour are drawn, read off their places."""
    found = set()
    for group in root.findall("{*}g"):
        if group.find("{*}circle").get("fill") == color:
            x, y = map(float, re.fullmatch(r"translate\((\S+) (\S+)\)", group.get("transform")).groups())
            width = float(root.get("width"))
            assert 0 < x < width
            assert 0 < y < width
            found.add(f"{'abcdefgh'[int((x - 20) // 45)]}{int((y - 20) // 45) + 1}")
    return found
