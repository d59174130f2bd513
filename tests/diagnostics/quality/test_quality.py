"""Decision quality: against its definition on tiny games, and the numbers of the thesis's Table 1."""

from __future__ import annotations

from fractions import Fraction

import pytest

import ludus
from ludus.diagnostics.quality.decisions import Convention
from ludus.diagnostics.quality.quality_report import Judge
from ludus.kernel.boards import state_key
from tests.support.commands import run
from tests.support.reference_decisions import CONVENTIONS, SlowDecisions
from tests.support.tiny_games import TinyTree, TreeValues

TIES = ("first", "last", "random", "best", "worst")


def by_ply(found, lookahead):
    """What was counted, as the slow definition tells it."""
    [judged] = found.judged
    counted = {name: judged.sum("counted", cell).tolist() for name, cell in (("decisions", 2), ("possible", 3))}
    return counted | {rule: judged.sum("errors", i, lookahead).tolist() for i, rule in enumerate(TIES)}


@pytest.mark.parametrize("seed", range(6))
def test_tiny_trees_against_the_definition(seed):
    """All conventions, all plies, two lookaheads; games that end early, and many ties."""
    game = TinyTree(seed, depth=4, values=3)
    for draws in ("half", "first", "second", "score"):
        slow = SlowDecisions(game, draws)
        static = slow.static(TreeValues())
        for leaves, passes in CONVENTIONS:
            how = {"leaves": leaves, "passes": passes, "draws": draws}
            found = ludus.quality(game, TreeValues(), lookahead=2, compiled=False, **how)
            assert found.nodes == sum(slow.paths.values())
            for lookahead in (0, 2):
                expected = slow.counts(slow.ahead(static, lookahead), leaves, passes)
                for name, row in by_ply(found, lookahead).items():
                    assert row == pytest.approx(expected[name]), (how, lookahead, name)


class TestTable1:
    """What the thesis's two complete trees give. The published 4384 comes out; 69945 has its last digits transposed."""

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("how", "decisions", "possible", "errors"),
        [
            ({}, 69954, 40093, 4384),
            ({"ties": "last"}, 69954, 40093, 4384),
            ({"ties": "best"}, 69954, 40093, 2424),
            ({"ties": "worst"}, 69954, 40093, 6048),
            ({"leaves": "some"}, 76282, 43417, 4384),
            ({"leaves": "every"}, 64378, 36473, 4384),
            ({"leaves": "counted"}, 294778, 120793, 4384),
            ({"lookahead": 1}, 69954, 40093, 1546),
        ],
    )
    def test_tic_tac_toe(self, how, decisions, possible, errors):
        found = ludus.quality("tictactoe", "open-lines", compiled=True, **how).to_dict()
        assert (found["decisions"], found["possible"]) == (decisions, possible)
        assert found["evaluators"][0]["errors"] == errors
        assert (found["nodes"], found["leaves"]) == (549946, 255168)

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("how", "decisions", "possible", "errors"),
        [
            ({}, 72415, 13880, 4128),
            ({"passes": "counted"}, 105835, 13880, 4128),
            ({"passes": "forced"}, 43663, 13880, 4128),
            ({"leaves": "counted"}, 131341, 14108, 4128),
            ({"ties": "best", "leaves": "none"}, 71517, 13880, 3708),
        ],
    )
    def test_othello(self, how, decisions, possible, errors):
        found = ludus.quality("othello(size=4)", "weighted-squares", compiled=True, **how).to_dict()
        assert (found["decisions"], found["possible"]) == (decisions, possible)
        assert found["evaluators"][0]["errors"] == errors
        assert found["leaves"] == 60060

    @pytest.mark.slow
    def test_expected_outcome_by_definition(self):
        """Not the published 676: that lies between what ties allow."""
        slow = SlowDecisions(ludus.game("tictactoe"))
        found = slow.counts(lambda key: slow.expected[key])
        assert [sum(found[rule]) for rule in ("first", "best", "worst")] == [900, 124, 1596]
        assert slow.expected[state_key(slow.game.start), 0] == Fraction(187, 630)


class TestTrees:
    def test_subtrees_are_those_of_the_seed(self):
        how = {"trees": 3, "after": 5, "compiled": False}
        one, same, other = (ludus.quality("tictactoe", seed=seed, **how).to_dict() for seed in (1, 1, 2))
        assert one == same
        assert [tree["state"] for tree in one["trees"]] != [tree["state"] for tree in other["trees"]]
        assert one["after"] == 5
        assert one["evaluators"][0]["plies"][0]["ply"] == 5
        assert all(tree["complete"] for tree in one["trees"])
        assert sum(tree["decisions"] for tree in one["trees"]) == one["decisions"]

    def test_a_large_game_is_judged_late(self):
        found = ludus.quality("tictactoe(size=4)", trees=2, nodes=3000, compiled=False)
        assert found.after >= 8
        assert all(tree.nodes <= 3000 for tree in found.judged[0].trees)

    def test_other_seeds_of_a_synthetic_game(self):
        found = ludus.quality("board-splitting(rounds=2)", "ones", "random", trees=4, compiled=False).to_dict()
        assert len(found["trees"]) == 4
        assert found["nodes"] == 4 * 31
        assert [row["eval"] for row in found["evaluators"]] == ["ones", "random"]

    def test_perfect_choices_make_no_error(self):
        found = ludus.quality("dbf-tree(depth=4)", "dbf-truth", leaves="counted", draws="score", compiled=False)
        assert found.possible > 0
        assert found.errors(found.judged[0]) == 0

    def test_a_game_in_which_a_player_moves_again(self):
        """The pass that the library puts in is a pass: of four stones, one is taken by a player who moves again."""
        skipped = ludus.quality(Again(), "zero", leaves="counted", compiled=False)
        counted = ludus.quality(Again(), "zero", leaves="counted", passes="counted", compiled=False)
        assert skipped.nodes == counted.nodes
        assert counted.decisions - skipped.decisions == 4
        assert "Without the rule null" not in str(skipped)

    def test_without_null_the_passes_put_in_count_and_that_is_said(self):
        found = ludus.quality(Nameless(), "zero", leaves="counted", compiled=False)
        known = ludus.quality(Again(), "zero", leaves="counted", passes="counted", compiled=False)
        assert found.decisions == known.decisions
        assert "Without the rule null a pass counts as any single move; `passes=forced` leaves both out." in str(found)
        forced = ludus.quality(Nameless(), "zero", leaves="counted", passes="forced", compiled=False)
        assert forced.possible == found.possible
        assert "Without the rule null" not in str(forced)

    def test_a_pass_in_kalah_is_no_decision(self):
        game = ludus.game("kalah(houses=2, seeds=2)")
        skipped, counted = (ludus.quality(game, passes=how, compiled=False) for how in ("skipped", "counted"))
        assert (skipped.nodes, skipped.possible) == (counted.nodes, counted.possible)
        assert skipped.decisions < counted.decisions


class Again(ludus.Game):
    """Take one stone and move again, or two and do not; who takes the last one wins."""

    max_moves, alternates = 2, False

    def initial(self):
        return (4, 0)

    def mover(self, state):
        return state[1]

    def moves(self, state, out):
        out[0], out[1] = 1, 2
        return min(state[0], 2)

    def play(self, state, move):
        return (state[0] - move, state[1] if move == 1 and state[0] > 1 else 1 - state[1])

    def null(self, state):
        return (state[0], 1 - state[1])

    def score(self, state):
        return -1


class Nameless(Again):
    """The same without the rule `null`."""

    null = ludus.Game.null


class TestCommand:
    def test_json(self):
        ran = run("quality", "nim(stones=6)", "--eval", "zero", "--eval", "random", "--no-compile", "--json")
        assert ran.status == 0
        assert {"game", "decisions", "possible", "evaluators", "convention"} <= ran.json.keys()
        assert [row["eval"] for row in ran.json["evaluators"]] == ["zero", "random"]
        assert ran.json["convention"] == Convention().to_dict()

    def test_words_and_picture(self, tmp_path):
        ran = run("quality", "nim(stones=6)", "--no-compile", "-o", tmp_path / "errors.svg")
        assert "convention: ties=first, leaves=first, draws=half, passes=skipped" in ran.out
        assert (tmp_path / "errors.svg").read_text().startswith("<?xml")

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("nim", "--ties", "frist"), "unknown convention for ties 'frist'; did you mean first or"),
            (("nim", "--eval", "zero", "--eval", "zero"), "an evaluator is named twice: zero, zero."),
            (("pig",), "chance has a part in pig"),
            (("nim", "--lookahead", "99"), "--lookahead must be from 0 to 20 plies, not 99."),
            (("board-splitting", "--after", "2"), "so --after must be 0."),
            (("board-splitting", "--nodes", "9", "--no-compile"), "allow more --nodes, or begin later in the game"),
            (("nim", "--eval", "open-lines"), "evaluator open-lines is for tictactoe"),
        ],
    )
    def test_bad_input_is_one_sentence(self, arguments, words):
        ran = run("quality", *arguments)
        assert ran.status == 2
        assert words in ran.err
        assert ran.err.count("\n") == 1

    def test_ctrl_c_shows_what_there_is(self, monkeypatch):
        def see(judge, *arguments):
            walked = whole(judge, *arguments)
            return type(walked)(walked.counted, walked.errors, "interrupted")

        whole = Judge.see
        monkeypatch.setattr(Judge, "see", see)
        ran = run("quality", "nim(stones=6)", "--no-compile", "--json")
        assert ran.status == 130
        assert ran.json["interrupted"]
        assert ran.json["decisions"] > 0


def test_it_says_what_it_does_from_the_start():
    """Before the first tree is judged, too: which trees are small enough is found out by walking over some."""
    said = []
    game = TinyTree(1, depth=4, values=3)
    ludus.quality(game, TreeValues(), trees=2, compiled=False, progress=lambda done, words: said.append(words))
    assert said[0].startswith("looking for trees that are small enough, after ")
    assert said[-1].startswith("tree ")
    said.clear()
    ludus.quality(game, TreeValues(), compiled=False, progress=lambda done, words: said.append(words))
    assert said[0] == "looking whether the whole tree is small enough"
