"""`ludus.solve`: what `ludus solve` tells, in Python."""

from __future__ import annotations

import pytest

import ludus
from ludus.diagnostics.solve.solve import Proven
from tests.support.commands import run


class Far(ludus.Game):
    """Each player adds 1 or 2, as he likes; whoever reaches `end` has won: nobody wins soon."""

    max_moves = 2

    def __init__(self, end: int = 40):
        self.end = end

    def initial(self):
        return (0,)

    def moves(self, state, out):
        if state[0] >= self.end:
            return 0
        out[0], out[1] = 1, 2
        return 2

    def play(self, state, move):
        return (state[0] + move,)

    def score(self, state):
        return -1


class Traps(Far):
    """At first there is a third move, 3, after which the opponent wins at once by any move."""

    max_moves = 3

    def moves(self, state, out):
        if state[0] >= self.end:
            return 0
        out[0], out[1], out[2] = 1, 2, 3
        return 3 if state[0] == 0 else 2

    def play(self, state, move):
        return (self.end - 1 if move == 3 else state[0] + move,)


def test_it_tells_what_the_command_tells():
    found = ludus.solve("nim(stones=9)", "6", compiled=False)
    told, said = found.to_dict(), run("solve", "nim(stones=9)", "--state", "6", "--no-compile")
    from_command = run("solve", "nim(stones=9)", "--state", "6", "--no-compile", "--json").json
    told.pop("seconds"), from_command.pop("seconds")
    assert told == from_command
    assert str(found).splitlines()[:-1] == said.out.splitlines()[:-1]  # the last line has seconds
    assert (found.value, found.solved, found.stopped) == (1, True, "solved")
    assert "win for the player to move" in found._repr_html_()


def test_a_position_and_a_goal():
    position = ludus.game("kalah(houses=3, seeds=2)").position()
    assert ludus.solve(position, compiled=False).value == 4
    assert ludus.solve(position, goal="result", compiled=False).value == 1


def test_out_of_budget_it_tells_how_far_it_has_looked():
    """Nobody can win in fewer than 20 plies."""
    found = ludus.solve(Far(), budget="depth=15", compiled=False)
    assert (found.value, found.solved, found.stopped) == (None, False, "depth")
    assert (found.proven.low, found.proven.high, found.proven.depth) == (-float("inf"), float("inf"), 15)
    said = str(found)
    assert "not solved, value unknown for the player to move\n" in said
    assert "depth    neither player can force a win within 15 plies\n" in said
    assert "moves    of 2 none is proven to win, to draw or to lose: the one above is a guess\n" in said
    assert "try      a larger budget; `goal=result`, which asks only who wins; rules that compile" in said
    assert "in the game the optional rules lowest, highest, foreseen" in said
    assert found.to_dict()["depth"] == 15


def forced(game, state, plies):
    """1 if the player to move can force a win within so many plies, -1 if the opponent can, else 0."""
    legal = game.legal(state)
    if not legal:
        return int(game.result(state))
    if plies == 0:
        return 0
    return max(-forced(game, game.after(state, move), plies - 1) for move in legal)


@pytest.mark.parametrize("end", [7, 8, 9])
@pytest.mark.parametrize("depth", range(2, 10))
def test_it_says_that_nobody_can_force_a_win_where_nobody_can(end, depth):
    game = Far(end)
    found = ludus.solve(game, budget=f"depth={depth}", compiled=False)
    says_so = f"neither player can force a win within {depth} plies" in str(found)
    assert says_so == (forced(game, (0,), depth) == 0)
    assert found.result.statistics == ({} if found.solved else {"depth": found.proven.depth})


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (-5, 0, "neither player can force a win within 3 plies"),
        (-5, 5, "neither player can force a win within 3 plies"),
        (0, 5, "the question at hand cannot be decided within 3 plies"),
        (-5, -1, "the question at hand cannot be decided within 3 plies"),
        (2, 5, "the question at hand cannot be decided within 3 plies"),
        (2, 2, ""),
    ],
)
def test_whether_it_is_lost_is_open_only_where_it_may_be_lost_and_may_not(low, high, words):
    assert Proven(low, high, 3).reach == words
    assert Proven(low, high, 0).reach == ""


class Three(ludus.Game):
    """The first move wins at once, draws or loses; the fourth one goes on, nobody knows where."""

    max_moves = 4

    def initial(self):
        return (0,)

    def moves(self, state, out):
        out[0], out[1], out[2], out[3] = 1, 2, 3, 4
        return 0 if 0 < state[0] < 4 else 4 if state[0] == 0 else 1

    def play(self, state, move):
        return (move if state[0] == 0 else state[0] + 4,)

    def score(self, state):
        return 2 - state[0]


def test_of_moves_it_tells_which_are_proven_to_win_to_draw_and_to_lose():
    found = ludus.solve(Three(), budget="depth=2", compiled=False)
    words = "moves    of 4: 1 proven to win, 1 proven to draw at least, 1 proven to lose\n"
    assert not found.solved
    assert words in str(found)


def test_moves_that_are_proven_to_lose_are_told_and_not_played():
    found = ludus.solve(Traps(), budget="depth=10", compiled=False)
    assert found.line_names[0] != "3"
    assert "moves    of 3: 1 proven to lose\n" in str(found)
    assert [child.known.high for child in found.result.children][2] == -1


@pytest.mark.slow
def test_progress_tells_nodes_and_what_is_known():
    told = []
    ludus.solve(Far(), budget="nodes=30000", compiled=False, progress=lambda nodes, words: told.append((nodes, words)))
    assert told[-1][0] > 0
    assert " nodes, value " in told[-1][1]
    assert "plies" in told[-1][1] or "at least" in told[-1][1]


class Stop(Far):
    """At first 2 ends the game and wins 1; else 1 is added each time, and whoever reaches `end` wins 5."""

    def moves(self, state, out):
        out[0], out[1] = 1, 2
        return 0 if state[0] >= self.end else 1 if state[0] else 2

    def play(self, state, move):
        return (state[0] + 1 if move == 1 else self.end + 1,)

    def score(self, state):
        return -5 if state[0] == self.end else -1


def test_once_something_is_known_the_next_question_is_open():
    found = ludus.solve(Stop(), budget="depth=6", compiled=False)
    assert (found.proven.low, found.solved) == (1, False)
    assert "value at least 1 for the player to move" in str(found)
    assert "moves    of 2: 1 proven to win" in str(found)
    assert "depth    the question at hand cannot be decided within 6 plies" in str(found)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"goal": "draw"}, "goal"),
        ({"budget": "nodes=9", "minutes": 1}, "either `budget` or `minutes`"),
        ({"minutes": -1}, "`minutes` must be a number above 0"),
        ({"whole": -1}, "`whole` must be a whole number of at least 0"),
        ({"table": 0}, "`table` must be a number above 0"),
        ({"table": 1e9}, "`table` must be a number above 0 and at most 1,000,000, not 1000000000.0"),
        ({"threads": 0}, "threads"),
        ({"budget": "noodles=3"}, "noodles"),
    ],
)
def test_what_is_refused(options, sentence):
    with pytest.raises(ludus.LudusError, match=sentence):
        ludus.solve("nim", compiled=False, **options)


def test_chance_and_a_finished_game_are_refused():
    with pytest.raises(ludus.LudusError, match="chance"):
        ludus.solve("pig", compiled=False)
    with pytest.raises(ludus.LudusError, match="over"):
        ludus.solve("nim", "0", compiled=False)


def test_threads_that_ran_are_told():
    found = ludus.solve("nim(stones=9)", threads=2, compiled=False)
    assert found.threads == found.to_dict()["threads"] == 1
