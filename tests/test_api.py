"""The names that people import, and what they promise."""

from __future__ import annotations

import doctest
import inspect
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

import ludus
from ludus.kernel.chance import Dice
from ludus.model import registry

PUBLIC = [
    *(
        "Budget",
        "Evaluator",
        "Game",
        "InterpretedWarning",
        "LudusError",
        "Meter",
        "NotCompilable",
        "Player",
        "Position",
    ),
    *(
        "Result",
        "RuleError",
        "Search",
        "SpecError",
        "StateError",
        "check",
        "evaluator",
        "game",
        "perft",
        "player",
        "search",
    ),
]


def test_public_names():
    assert sorted(ludus.__all__) == ludus.__all__
    assert set(ludus.__all__) >= set(PUBLIC)
    for name in ludus.__all__:
        assert inspect.getdoc(getattr(ludus, name)), name


def test_nothing_else_is_shown():
    import ludus.arena.match

    assert dir(ludus) == sorted([*ludus.__all__, "__version__"])
    assert issubclass(ludus.Ranking, object)
    with pytest.raises(AttributeError, match="no attribute 'ranking'"):
        _ = ludus.ranking


def test_examples_in_docstrings():
    modules = {ludus.__name__, *(getattr(ludus, name).__module__ for name in ludus.__all__)}
    ran = [doctest.testmod(import_module(name), extraglobs={"ludus": ludus}) for name in sorted(modules)]
    assert sum(each.failed for each in ran) == 0
    assert sum(each.attempted for each in ran) >= 10


class Stones(ludus.Game):
    """Take one or two; who takes the last one wins."""

    max_moves = 2

    def __init__(self, stones: int = 5):
        self.stones = stones

    def initial(self):
        return (self.stones,)

    def moves(self, state, out):
        out[0], out[1] = 1, 2
        return min(state[0], 2)

    def play(self, state, move):
        return (state[0] - move,)

    def score(self, state):
        return -1


class Multiples(ludus.Evaluator):
    """Three stones are lost."""

    def evaluate(self, game, state):
        return -1 if state[0] % 3 == 0 else 1


class TestAnythingThatStandsFor:
    def test_a_game(self):
        for given in (Stones, Stones(), f"{__file__}:Stones", "nim"):
            assert ludus.check(given, games=2, compiled=False).passed
            assert ludus.perft(given, 2, compiled=False).leaves in (4, 9)
            assert ludus.player("greedy", compiled=False).choose(given).move_name in "123"
        assert ludus.game(Stones, stones=7).start == (7,)

    def test_a_position(self):
        position, player = ludus.game(Stones, stones=4).position(), ludus.player("minimax(depth=9)", compiled=False)
        found = [
            player.choose(position),
            player.choose(Stones(4)),
            player.choose(Stones, "4"),
            player.choose(Stones, (4,)),
        ]
        assert [result.move_name for result in found] == ["1"] * 4
        assert player.choose(Stones(4), position).move == 1
        assert Stones(4).position(position).play(1).text == "3"

    @pytest.mark.parametrize("judge", [Multiples, Multiples(), f"{__file__}:Multiples"])
    def test_an_evaluator(self, judge):
        player = ludus.player("greedy", eval=judge, compiled=False)
        assert player.choose(Stones).move == 2
        assert ludus.Player("greedy", judge, compiled=False).choose(Stones).move == 2
        assert ludus.game(Stones).position().value(judge) == 1
        assert type(ludus.evaluator(judge)).__name__ == "Multiples"

    def test_a_player_and_a_budget(self):
        kind = type(registry.searches().of("greedy"))
        some = ["greedy", kind, kind(), ludus.player("greedy(nodes=7)")]
        assert [str(ludus.player(given, "nodes=7")) for given in some] == ["greedy(nodes=7)"] * 4
        assert [str(ludus.player(given, ludus.Budget(nodes=7))) for given in some] == ["greedy(nodes=7)"] * 4
        assert str(ludus.player("uct(c=2)", nodes=9, eval="zero")) == "uct(c=2.0, eval=zero, nodes=9)"
        assert str(ludus.Player("greedy", budget="depth=3")) == "greedy(depth=3)"
        ranking = ludus.rank(Stones(9), kind, "random", games=2, budget="nodes=5", workers=1, compiled=False)
        assert sorted(ranking.names) == ["greedy(eval=sampler, nodes=5)", "random(eval=sampler, nodes=5)"]

    def test_a_match(self):
        some = [{"openings": 2, "sprt": "elo0=0,elo1=50"}, {"openings": 2, "sprt": {"elo0": 0, "elo1": 50}}]
        found = [ludus.match(Stones(9), "greedy", "random", games=4, compiled=False, **each) for each in some]
        assert found[0].wins == found[1].wins
        assert found[0].sprt == found[1].sprt

    @pytest.mark.parametrize(
        ("call", "words"),
        [
            (lambda: ludus.check(3), "3 is no game: give a name, a subclass of ludus.Game, or an object of one."),
            (lambda: ludus.perft(Multiples, 2), "Multiples is no game: give a name, a subclass of ludus.Game"),
            (lambda: ludus.rank("nim", 5), "5 is no player: give a spec such as 'uct(nodes=2000)', a search, or"),
            (lambda: ludus.player("uct", 100), '100 is no budget: give ludus.Budget(nodes=2000) or "nodes=2000".'),
            (lambda: ludus.player("uct", "100"), "a budget is written key=value, with commas between several."),
            (lambda: ludus.player("uct", node=100), "unknown parameter of uct 'node'; did you mean nodes?"),
            (lambda: ludus.player(ludus.player("uct"), nodes=3), "has been made already, so it takes no nodes"),
            (lambda: ludus.game(Stones(), stones=3), "has been made already, so it takes no stones"),
            (lambda: ludus.player("uct", eval=Stones), "Stones is no evaluator: give a name"),
            (lambda: ludus.match("nim", "uct", "uct", sprt=5), '5 is no SPRT: give a text such as "elo0=0,elo1=20".'),
            (lambda: ludus.player("uct").choose("nim", (1, 2)), "(1, 2) is not a state of nim"),
            (lambda: ludus.player("uct").choose("nim", "x"), "'x' is not a state of nim"),
            (lambda: ludus.player("uct").choose("nim", ludus.game(Stones).position()), "not of nim."),
            (lambda: ludus.perft("nim", 1.5), "DEPTH must be a whole number of at least 0, not 1.5."),
            (lambda: ludus.player("uct").choose("nim", seed="x"), "`seed` must be a whole number, not 'x'."),
            (
                lambda: ludus.check("nim", games=2.5),
                "the number of games must be a whole number of at least 1, not 2.5.",
            ),
            (lambda: ludus.match("nim", "uct", "uct", openings="a"), "`openings` must be a whole number of at least 0"),
            (
                lambda: ludus.match("nim", "uct", "uct", workers=0),
                "`workers` must be a whole number of at least 1, not 0.",
            ),
            (lambda: ludus.rank("nim", minutes="x"), "`minutes` must be a number above 0, not 'x'."),
            (lambda: ludus.sweep("nim", "nodes=9", seed=1.5), "`seed` must be a whole number, not 1.5."),
        ],
    )
    def test_anything_else_is_one_sentence(self, call, words):
        with pytest.raises(ludus.LudusError) as error:
            call()
        assert words in str(error.value)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("call", [ludus.match, ludus.rank, ludus.sweep, ludus.pathology, ludus.reproduce])
def test_an_option_that_does_not_exist_is_the_error_that_python_has(call):
    with pytest.raises(TypeError, match="opening"):
        call("nim", opening=5)


class TestWrittenFromMemory:
    """What somebody types who knows Python and not ludus."""

    def test_what_there_is(self):
        import ludus.arena.rank
        import ludus.library.games.nim

        assert ludus.games()["othello"].name == "othello"
        assert "uct" in ludus.searches()
        assert "mobility" in ludus.evaluators()
        assert str(ludus.searches()["uct"](c=2.0)) == "uct(c=2.0)"
        assert "__version__" in dir(ludus)

    def test_a_position(self):
        start = ludus.game("tictactoe").position()
        assert start.moves[0] == next(iter(start.moves))
        assert (start.turn, start.winner, start.is_over) == (0, None, False)
        lost = start
        for move in ("a1", "b1", "a2", "b2", "a3"):
            lost = lost.play(move)
        assert (lost.turn, lost.winner, lost.is_over) == (1, 0, True)

    @pytest.mark.parametrize("name", ["othello", "kalah", "nim", "pig", "connect4", "chess", "random-tree"])
    def test_whose_turn_it_is(self, name):
        """As the referee counts: chance leaves the turn as it is, a pass is a move."""
        game = ludus.game(name)
        dice, here, moves = Dice(5), game.position(), []
        for _ in range(30):
            if here.is_over:
                break
            move = dice.pick(here.moves.numbers, game.odds(here.state))
            assert here.turn == game.turns([*moves, move])[-1]
            moves.append(move)
            here = here.play(move)

    def test_a_draw_has_no_winner(self):
        drawn = ludus.game("tictactoe").position()
        for move in ("a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3"):
            drawn = drawn.play(move)
        assert (drawn.is_over, drawn.winner) == (True, None)

    def test_one_search(self):
        found = ludus.search("tictactoe", "minimax(depth=3)", compiled=False)
        assert found.nodes == found.meter.generated
        assert found.pv == found.line_names
        assert ludus.search(ludus.game("nim").position(), "greedy", compiled=False).nodes > 0

    def test_a_match_and_a_ranking(self):
        fast = {"compiled": False, "workers": 1, "openings": 2}
        match = ludus.match("tictactoe", "minimax(depth=2)", "random", games=10, **fast)
        assert match.score == match.points[0] / 10
        ranking = ludus.rank("nim", ["greedy", "random"], games=4, **fast)
        assert len(ranking) == len(list(ranking)) == 2
        assert ranking.best is ranking[0].player
        assert ranking[0].elo == ranking.standings[0].rating.value

    def test_a_picture_of_a_search(self, tmp_path):
        for spec in ("bfmm(nodes=40)", "alphabeta(depth=2)"):
            ludus.trace("nim", spec, output=tmp_path / "drawn.svg")
            assert (tmp_path / "drawn.svg").read_text().startswith("<?xml")

    def test_a_search_that_needs_a_calibration(self):
        with pytest.raises(ludus.SpecError, match=r"which has not been fitted: ludus\.calibrate"):
            ludus.search("nim", "mgss(unit=sets, eval=zero)", compiled=False, calibrate=False)

    def test_tables_for_pandas(self):
        pandas = pytest.importorskip("pandas")
        ranking = ludus.rank("nim", "greedy", "random", games=4, openings=2, compiled=False, workers=1)
        assert isinstance(ranking.to_frame(), pandas.DataFrame)
        assert list(ranking.to_frame()["rating"]) == [row.elo for row in ranking]
        assert len(ludus.search("nim", "greedy", compiled=False).to_frame()) == 3
        fast = {"games": 4, "openings": 2, "compiled": False, "workers": 1}
        assert list(ludus.match("nim", "greedy", "random", **fast).to_frame()["games"]) == [4, 4]
        swept = ludus.sweep("nim", ["nodes=5", "nodes=9"], "greedy", "random", **fast).to_frame()
        assert list(swept["budget"]) == ["nodes=5", "nodes=5", "nodes=9", "nodes=9"]

    def test_a_sweep_and_a_solution(self):
        fast = {"games": 4, "openings": 2, "compiled": False, "workers": 1}
        swept = ludus.sweep("nim", ["nodes=5", "nodes=9"], ["greedy", "random"], **fast)
        assert len(swept) == len(list(swept)) == 2
        assert swept[1].ranking.games == 4
        solved = ludus.solve("nim(stones=12)", compiled=False)
        assert (solved.move, solved.pv, solved.nodes) == ("3", solved.line_names, solved.to_dict()["nodes"])

    def test_evaluators_are_named_as_the_commands_name_them(self):
        given = {"by": "decisions", "deepest": 3, "games": 4, "compiled": False}
        assert ludus.pathology("board-splitting(rounds=2)", eval="ones", **given).evaluator.startswith("ones")
        one, listed = (ludus.quality("nim(stones=5)", which, compiled=False) for which in ("zero", ["zero"]))
        assert one.to_dict() == listed.to_dict()


def test_the_page_of_the_api_names_every_capability():
    """docs/reference/api.md, whose examples are run by test_readme."""
    page = (Path(__file__).parents[1] / "docs" / "reference" / "api.md").read_text()
    told = set(re.findall(r"ludus\.(\w+)\(", page))
    capabilities = {name for name in ludus.__all__ if name.islower()}
    assert capabilities - told == {"draw_curves", "evaluator", "monotonicity", "play", "replace", "theory"}
    assert set(re.findall(r"`([A-Z]\w+)`", page)) <= set(ludus.__all__)


def test_made_by_name():
    assert str(ludus.game("tictactoe", size=4)) == "tictactoe(size=4)"
    assert str(ludus.game("tictactoe(size=4)", size=5)) == "tictactoe(size=5)"
    assert str(registry.searches().of("bfmm")) == "bfmm"
    assert str(ludus.evaluator("random", seed=3)) == "random(seed=3)"
    assert str(ludus.player("bfmm", ludus.Budget(nodes=7))) == "bfmm(nodes=7)"
    assert str(ludus.player("bfmm(seconds=2)", ludus.Budget(nodes=7))) == "bfmm(seconds=2.0)"


def test_every_error_is_a_ludus_error():
    for error in (ludus.NotCompilable, ludus.RuleError, ludus.SpecError, ludus.StateError):
        assert issubclass(error, ludus.LudusError)
    with pytest.raises(ludus.SpecError, match="did you mean nim"):
        ludus.game("nimm")


class TestPosition:
    def test_moves_iterate_count_and_contain(self):
        moves = ludus.game("nim", stones=2).position().moves
        assert list(moves) == ["1", "2"]
        assert len(moves) == 2
        assert "2" in moves
        assert 2 in moves
        assert "3" not in moves
        assert repr(moves) == "<2 moves: 1 2>"

    def test_positions_do_not_change(self):
        position = ludus.game("nim", stones=2).position()
        after = position.play("1")
        assert (position.text, after.text) == ("2", "1")
        assert position != after
        assert position.play(1) == after
        assert hash(position.play(1)) == hash(after)

    @pytest.mark.parametrize("move", ["3", 3, "x", 0, -1])
    def test_illegal_moves(self, move):
        with pytest.raises(ludus.LudusError, match=r"legal moves are|did you mean"):
            ludus.game("nim", stones=2).position().play(move)

    def test_score_only_at_the_end(self):
        position = ludus.game("nim", stones=1).position()
        with pytest.raises(ludus.StateError, match="the game is not over"):
            _ = position.score
        assert position.play("1").score == 1
        with pytest.raises(ludus.StateError, match="there is no move to choose"):
            ludus.player("greedy", compiled=False).choose(position.game, position.play("1"))


class TestResult:
    @pytest.fixture
    def result(self):
        return ludus.player("minimax(depth=4)", compiled=False).choose(ludus.game("nim", stones=4))

    def test_parts(self, result):
        assert (result.move, result.move_name, result.stopped) == (3, "3", "solved")
        assert result.line_names == ["3", "1"]
        assert [child.value > 0 for child in result.children] == [False, False, True]
        assert result.meter.generated == 14  # all the ways to take some of four stones

    def test_words(self, result):
        assert str(result).splitlines() == [
            "3, value win",
            "line  3 1",
            "cost  14 nodes; stopped: solved",
            "move  value  depth",
            "3       win      4",
            "1      loss      4",
            "2      loss      4",
        ]
        assert repr(result) == "<result: 3, value win, 14 nodes>"

    def test_a_long_table_is_cut_and_has_the_choice(self):
        game = ludus.game("nim(stones=40, most=20)")
        result = ludus.player("uct(nodes=300)", compiled=False).choose(game)
        assert len(result.children) == 20
        assert len(result.shown) == 10
        assert result.move in [child.move for child in result.shown]
        assert str(result).splitlines()[-1] == "... and 10 moves more"

    def test_the_choice_comes_before_moves_that_are_worth_no_more_and_bounds_come_last(self):
        result = ludus.player("solve(goal=result, nodes=1000)", compiled=False).choose(ludus.game("nim(stones=7)"))
        said = [(child.name, child.say(result.words)) for child in result.shown]
        assert said == [("2", "win"), ("1", "<= 1"), ("3", "<= 1")]
        result = ludus.player("alphabeta(eval=zero, depth=2)", compiled=False).choose(ludus.game("connect4"))
        assert [child.known.is_upper_bound for child in result.shown] == [False, *[True] * 6]

    def test_dictionary(self, result):
        assert list(result.to_dict()) == [
            "move",
            "value",
            "proven",
            "scale",
            "line",
            "stopped",
            "meter",
            "statistics",
            "children",
        ]

    def test_progress_is_called(self):
        seen = []
        player = ludus.player("bfmm(eval=random, nodes=5000)", compiled=False)
        player.choose(ludus.game("nim(stones=99)"), progress=seen.append)
        assert seen


def test_every_module_says_what_it_is():
    for module in pkgutil.walk_packages(ludus.__path__, "ludus."):
        if module.name != "ludus.__main__":
            assert import_module(module.name).__doc__, module.name


def test_typed():
    assert (Path(ludus.__file__).parent / "py.typed").exists()


class TestNotebook:
    def test_a_game_that_draws_and_one_that_does_not(self):
        drawn, told = ludus.game("tictactoe").position(), ludus.game(Stones).position()
        assert drawn._repr_html_().startswith("<svg")
        assert told._repr_html_() == "<pre>5</pre>"

    def test_text_is_escaped(self):
        class Odd(Stones):
            def render(self, state):
                return "<b>&"

        assert Odd().position()._repr_html_() == "<pre>&lt;b&gt;&amp;</pre>"

    def test_results(self):
        result = ludus.player("greedy", compiled=False).choose(Stones)
        assert result._repr_html_().count("<tr") == 3
        assert result._repr_html_().count("bold") == 1
        assert "<pre>5</pre>" in result._repr_html_()
        found = ludus.match(Stones(9), "greedy", "random", games=2, compiled=False)
        assert found._repr_html_() == f"<pre>{found}</pre>"
        assert repr(found).startswith("<match at ")
        ranking = ludus.rank(Stones(9), "greedy", "random", games=2, workers=1, compiled=False)
        assert ranking._repr_html_().count("<tr") == 3
        assert "Stopped: all games" in ranking._repr_html_()
        report = ludus.check(Stones, games=3, compiled=False)
        shown = report._repr_html_()
        assert f"<p>{report.stories[0].words}</p><pre>{report.stories[0].picture.rstrip()}</pre>" in shown
        assert re.sub("</?(p|pre)>", "", shown) == str(report).replace("\n", "")
        assert repr(report).endswith("Stones: passed>")


def test_a_class_that_workers_cannot_find_is_played_here():
    class Local(Stones):
        pass

    players = ("greedy", "random")
    with pytest.warns(UserWarning, match=r"one process plays, for other processes do not find .*Local: what is"):
        assert ludus.rank(Local(9), *players, games=2, compiled=False).games == 2
    with pytest.raises(ludus.LudusError, match=r"must be moved to a file, or be played with workers=1\."):
        ludus.match(Local(9), *players, games=2, compiled=False, workers=2)
    assert ludus.match(Local(9), *players, games=2, compiled=False).games == 2


@pytest.mark.parametrize("db", [3, 0, False, b"games.db", ["games.db"]])
def test_what_is_no_path_is_no_database(db):
    how = {"games": 2, "workers": 1, "compiled": False, "db": db}
    for play in (
        lambda: ludus.rank("nim", "random", "greedy", **how),
        lambda: ludus.match("nim", "random", "greedy", **how),
        lambda: ludus.sweep("nim", "nodes=10", "random", "greedy", **how),
    ):
        with pytest.raises(ludus.LudusError, match="is no path: give the name of a file"):
            play()
