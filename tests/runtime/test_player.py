"""`Player`: its spec reads and prints, and its search, evaluator and budget are settled for each game."""

import pytest

import ludus
from ludus import Budget, Player, SpecError, StateError
from ludus.kernel.random import seed_for
from ludus.library.searches.full_width.minimax import Minimax
from ludus.model.evaluator import WIN
from ludus.runtime.player import typical_length
from tests.support.tiny_games import TinyTree, TreeValues


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("minimax", "minimax(nodes=2000)"),
        ("minimax()", "minimax(nodes=2000)"),
        ("minimax( depth = 3 )", "minimax(depth=3)"),
        ("bfmm(nodes=1e3, eval=open-lines)", "bfmm(eval=open-lines, nodes=1000)"),
        ("bfmm(eval=random(seed=0))", "bfmm(eval=random, nodes=2000)"),
        ("bfmm(eval=random(seed=7), seconds=2)", "bfmm(eval=random(seed=7), seconds=2.0)"),
        ("bfmm(memory=5)", "bfmm(nodes=2000, memory=5.0)"),
        ("bfmm(per=game)", "bfmm(nodes=2000, per=game)"),
        ("bfmm(units=500, traverse=2, generate=50)", "bfmm(units=500, traverse=2, generate=50)"),
    ],
)
def test_the_canonical_spec(text, canonical):
    player = ludus.player(text)
    assert str(player) == str(player.spec) == canonical
    assert str(ludus.player(canonical)) == canonical


def test_a_budget_of_its_own_beats_the_one_for_all():
    assert str(ludus.player("minimax(depth=3)", Budget(nodes=50))) == "minimax(depth=3)"
    assert str(ludus.player("minimax", Budget(nodes=50))) == "minimax(nodes=50)"
    assert (
        str(ludus.player("minimax(memory=1)", Budget(nodes=50, per="game")))
        == "minimax(nodes=50, memory=1.0, per=game)"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("minmax", "unknown search 'minmax'; did you mean minimax"),
        ("minimax(width=3)", "unknown parameter of minimax 'width'; "),
        ("minimax(node=3)", "unknown parameter of minimax 'node'; did you mean nodes"),
        ("minimax(eval=opn-lines)", "unknown evaluator 'opn-lines'; did you mean open-lines"),
        ("minimax(eval=3)", "eval must name an evaluator, not 3"),
        ("minimax(eval=random(sed=1))", "unknown parameter of random 'sed'; did you mean seed"),
        ("minimax(eval=random(seed=x))", "seed of random must be a whole number, not x"),
        (f"minimax(eval=random(seed={10**30}))", f"seed of random must be a whole number from {-(2**62)} to {2**62}"),
        ("minimax(nodes=0)", "nodes must be a whole number of at least 1, not 0"),
        ("minimax(nodes=many)", "nodes must be a whole number of at least 1, not many"),
        ("minimax(per=hour)", "per must be move or game, not hour"),
        ("minimax(nodes=1", "cannot read"),
    ],
)
def test_a_wrong_spec_is_refused_in_one_sentence(text, message):
    with pytest.raises(SpecError) as caught:
        ludus.player(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_search_may_not_use_the_words_of_budgets(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from ludus.library.searches.greedy import Greedy\n\n\nclass Mine(Greedy):\n"
        "    def __init__(self, seconds: float = 1.0):\n        self.seconds = seconds\n"
    )
    with pytest.raises(SpecError, match="has a parameter seconds, but that word is the player's own: rename it"):
        Player.of(f"{file}:Mine(seconds=2)")


def test_without_an_evaluator_each_game_has_its_own():
    player = ludus.player("greedy", compiled=False)
    tictactoe, nim = ludus.game("tictactoe"), ludus.game("nim")
    assert player.on(tictactoe).evaluator.name == "open-lines"
    assert player.on(nim).evaluator.name == "sampler"
    assert player.choose(tictactoe).move_name == "b2"
    values = [child.value for child in player.choose(nim).children]
    assert values == [-ludus.game("nim").position().play(move).value("sampler") for move in ("1", "2", "3")]
    assert str(player) == "greedy(nodes=2000)", "and its spec stays as it was"


def test_an_evaluator_for_another_game_is_refused():
    player = ludus.player("greedy(eval=open-lines)", compiled=False)
    with pytest.raises(SpecError, match="evaluator open-lines is for tictactoe, connect4, qubic, not for nim"):
        player.choose(ludus.game("nim"))
    assert player.choose(ludus.game("tictactoe", size=4)).stopped == "depth"


def test_a_player_made_of_objects():
    player = Player(Minimax(), TreeValues(), Budget(depth=2), compiled=False)
    assert str(player) == "minimax(eval=TreeValues, depth=2)"
    assert player.choose(TinyTree.of([0, [5, 3, 9], [-7, -2, 8]])).value == 3


def test_the_first_state_is_the_default_and_any_other_is_put_into_its_columns_types():
    game, player = ludus.game("nim", stones=6), ludus.player("minimax(depth=9)", compiled=False)
    assert player.choose(game).state == (6,)
    result = player.choose(game, (3.0,))
    assert (result.state, type(result.state[0])) == ((3,), int)
    assert (result.move, result.value) == (2, WIN)


@pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
def test_a_player_can_go_from_game_to_game(compiled):
    games = [ludus.game("tictactoe", size=size, line=line) for size, line in ((3, 3), (4, 3), (4, 4), (3, 3), (3, 2))]
    player = ludus.player("minimax(nodes=150)", compiled=compiled)
    for game in [*games, *reversed(games), ludus.game("nim", stones=6), games[0]]:
        if game.name == "nim" and compiled:
            continue  # another compilation, and nothing new
        result = player.choose(game)
        fresh = ludus.player("minimax(nodes=150)", compiled=compiled).choose(game)
        assert (result.children, result.line, result.stopped) == (fresh.children, fresh.line, fresh.stopped)
        assert result.meter.generated == fresh.meter.generated
        assert player.session(game) is player.session(game)


def test_the_seed_decides():
    player, game = ludus.player("random", compiled=False), ludus.game("tictactoe", size=8)
    moves = [player.choose(game, seed=seed_for(i)).move for i in range(50)]
    assert moves == [player.choose(game, seed=seed_for(i)).move for i in range(50)]
    assert len(set(moves)) > 20
    assert player.choose(game, seed=-1).move == player.choose(game, seed=2**64 - 1).move


def test_progress_is_reported_while_the_search_runs():
    seen = []
    player = ludus.player("minimax(seconds=0.1)", compiled=False)
    player.choose(
        ludus.game("tictactoe"), progress=lambda session: seen.append((session.elapsed, int(session.meter[0])))
    )
    assert len(seen) >= 5
    assert seen == sorted(seen)
    assert seen[-1][1] > seen[0][1]


def test_a_finished_game_is_refused_before_anything_is_spent():
    player = ludus.player("minimax(nodes=10, per=game)", compiled=False)
    with pytest.raises(StateError, match="the game is over in position '0': there is no move to choose"):
        player.choose(ludus.game("nim"), (0,))


def test_the_typical_length_is_the_mean_of_a_few_random_games_and_always_the_same():
    lengths = [typical_length(ludus.game("nim", stones=40)) for _ in range(2)]
    assert lengths[0] == lengths[1]
    assert 40 / 3 < lengths[0] < 40  # 2 stones a move on the average
    assert abs(lengths[0] - 20) <= 3
