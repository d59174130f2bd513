"""UCT against its definition, node for node; its proofs against minimax; and where it must end up, given time."""

import math

import numpy as np
import pytest

import ludus
from ludus import Budget, Player
from ludus.library.searches.sampling.uct import PATIENCE, Uct
from ludus.model.evaluator import WIN
from ludus.runtime.session import Session
from tests.support import oracles, tiny_games
from tests.support.oracles import ROOT
from tests.support.reference_sampling import PlainNode, PlainUct
from tests.support.tiny_games import DiceTree, OnTrees, TinyTree, TreeValues

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
PLENTY = Budget(nodes=10**6)


def result_trees(how_many, depth=4, kind=TinyTree):
    """Trees of won, drawn and lost games, with many draws, some or none."""
    for seed in range(how_many):
        yield kind(seed, depth=1 + seed % depth, values=(3, 2, 7, 1000)[seed // depth % 4])


def sign(value):
    return (value > 0) - (value < 0)


def true_results(tree):
    """The result of best play from each node, to the player to move there."""
    return [sign(oracles.minimax_value(tree, node, 99)) for node in range(len(tree.count))]


# Node for node.


def known_nodes(session):
    """By its name, which is the move that leads there: what the search has counted at each node, and its bounds."""
    record, size = session.tree.record, int(session.tree.record.size[0])
    return {
        int(record.move[node]) if node else ROOT: (
            float(record.visits[node]),
            pytest.approx(float(record.total[node]), abs=1e-9),
            int(record.low[node]),
            int(record.high[node]),
            bool(record.count[node] > 0),
        )
        for node in range(size)
    }


def nodes_of(plain):
    """The same of the plain search."""
    return {
        max(node.move, ROOT): (
            plain.visits(node),
            sum(node.results) + plain.prior * plain.priors.get(node, 0.0),
            *plain.bounds(node),
            bool(node.children),
        )
        for node in plain.root.everything()
    }


def run_plain(plain, nodes):
    """Until the root is proven, or the nodes are used up."""
    while plain.generated < nodes and not (plain.solver and plain.root.is_proven):
        plain.iterate()


OPINION_SCALE = 4.0


def opinion_in(tree):
    return lambda state: math.tanh(oracles.worth(tree, int(state[0])) / OPINION_SCALE)


OPTIONS = {
    "as it is": ({}, {}),
    "no solver": ({"solver": False}, {"solver": False}),
    "greedy": ({"c": 0.1, "fpu": 0.3}, {"c": 0.1, "fpu": 0.3}),
    "evaluator": ({"leaf": "eval", "scale": OPINION_SCALE}, {"weight": 1.0}),
    "mixed": ({"leaf": "mix", "weight": 0.25, "scale": OPINION_SCALE}, {"weight": 0.25}),
    "prior": ({"prior": 2.5, "scale": OPINION_SCALE}, {"prior": 2.5}),
    "rave": ({"rave": 5.0}, {"rave": 5.0}),
    "grave": ({"rave": 5.0, "grave": 6, "c": 0.4}, {"rave": 5.0, "grave": 6, "c": 0.4}),
    "prior, no solver": ({"prior": 1.0, "scale": OPINION_SCALE, "solver": False}, {"prior": 1.0, "solver": False}),
}


@MODES
@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("kind", [TinyTree, DiceTree])
def test_it_is_the_plain_search_node_for_node(monkeypatch, compiled, option, kind):
    if not compiled:  # saves a minute; it only matters when a tree is exhausted
        monkeypatch.setattr("ludus.library.searches.sampling.uct.PATIENCE", 100)
    ours, theirs = OPTIONS[option]
    search = OnTrees(Uct(**{"leaf": "playout"} | ours), compiled, kind)
    stops = dict.fromkeys(("nodes", "solved", "exhausted"), 0)
    for seed, tree in enumerate(result_trees(25, kind=kind)):
        for nodes in (1, 30, 200):
            result = search(tree, Budget(nodes=nodes), seed)
            stops[result.stopped] += 1
            if result.stopped == "exhausted":
                continue
            root = PlainNode(tree, (ROOT,))
            plain = PlainUct(tree, root, seed, **{"c": 1.0, "opinion": opinion_in(tree)} | theirs)
            run_plain(plain, nodes)
            meter = result.meter
            assert known_nodes(search.session) == nodes_of(plain)
            assert (meter.generated, meter.evaluated) == (plain.generated, plain.evaluated)
            assert (meter.expanded, meter.traversed) == (plain.expanded, plain.traversed)
            assert result.stopped == ("solved" if theirs.get("solver", True) and root.is_proven else "nodes")
            check_what_is_said(plain, result)
    assert stops["nodes"] > 15
    assert (stops["exhausted"] if "no solver" in option else stops["solved"]) > 8


def check_what_is_said(plain, result):
    """The table of moves, and the move that is chosen."""
    said = {}
    for child, node in zip(result.children, plain.root.children, strict=True):
        low, high = plain.bounds(node)
        assert child.known.more["visits"] == len(node.results)
        if low == high:
            assert child.value == -low
        elif plain.visits(node):
            assert child.value == pytest.approx(-plain.value(node), abs=1e-12)
        else:
            assert math.isnan(child.value)
        said[child.move] = (-high, -low, len(node.results))
    low, high, visits = said[result.move]
    safe = max(each[0] for each in said.values())
    assert low == 1 or safe < 1, "a proven win is taken"
    assert high > -1 or all(each[1] == -1 for each in said.values()), "a proven loss only if all are"
    hopeful = [each for each in said.values() if each[1] > safe]
    if hopeful and safe == -1:
        assert visits == max(each[2] for each in hopeful), "else the move visited most"
    if safe == 0 and low < 0:
        assert result.value > 0, "a proven draw, unless another promises more"


@MODES
def test_a_limit_on_depth_bounds_the_tree_and_not_the_playouts(compiled):
    search = OnTrees(Uct(leaf="playout"), compiled)
    for seed, tree in enumerate(result_trees(32)):
        for depth in (1, 2, 3):
            result = search(tree, Budget(depth=depth, nodes=150), seed)
            plain = PlainUct(tree, PlainNode(tree, (ROOT,)), seed, 1.0, depth=depth)
            run_plain(plain, 150)
            assert known_nodes(search.session) == nodes_of(plain)
            assert result.stopped == ("solved" if plain.root.is_proven else "nodes")
            alone = search(tree, Budget(depth=depth), seed)
            assert alone.stopped in ("depth", "solved")
            assert len(alone.line) <= depth


@MODES
def test_two_plies_later_it_goes_on_with_what_it_knows(compiled):
    search = OnTrees(Uct(leaf="playout", reuse=True), compiled)
    session, kept = search.session, 0
    for seed, tree in enumerate(result_trees(60)):
        search(tree, Budget(nodes=60), seed)
        plain = PlainUct(tree, PlainNode(tree, (ROOT,)), seed, 1.0)
        run_plain(plain, 60)
        for child in plain.root.children:
            for grandchild in child.children:
                if not grandchild.generated or grandchild.is_over:
                    continue
                search(tree, Budget(nodes=60), seed)  # the same again, since going on changes the tree
                stopped = session.run(grandchild.state, Budget(nodes=20), seed + 1)
                result = session.result(grandchild.state, stopped)
                kept += len(grandchild.results) > 1
                again = PlainUct(tree, grandchild, seed + 1, 1.0)
                if not grandchild.children:
                    grandchild.results.clear()
                grandchild.move = -1
                run_plain(again, 20)
                assert known_nodes(session) == nodes_of(again)
                assert result.meter.generated == again.generated
                assert result.stopped == ("solved" if grandchild.is_proven else "nodes")
                break
    assert kept > 15


@MODES
def test_a_state_that_was_never_made_is_not_taken_for_one_that_was(compiled):
    """Cells of moves that were listed and not played hold what an earlier search left there."""
    tree = TinyTree.of([0, [0, [0, 1, -1], [0, 1, -1]], [0, [0, 1, -1], [0, 1, -1]]])
    search = OnTrees(Uct(leaf="playout", reuse=True), compiled)
    session = search.session
    search(tree, PLENTY)
    found = 0
    for seed in range(20):
        search(tree, Budget(nodes=8), seed)
        record = session.tree.record
        for node in range(int(record.size[0])):
            if np.isnan(record.value[node]) and record.parent[node] > 0:
                stale = int(record.move[node])
                session.run((stale,), Budget(nodes=1), seed)
                assert session.tree.state(0) == (stale,)
                assert session.tree.record.visits[0] == 1, "it began anew"
                found += 1
                break
    assert found > 5


# Proofs.


@MODES
def test_with_the_solver_it_ends_with_the_value_of_minimax_and_a_best_move(compiled):
    search = OnTrees(Uct(leaf="playout"), compiled)
    for seed, tree in enumerate(tiny_games.some_trees(300)):
        result, truth = search(tree, PLENTY, seed), true_results(tree)
        assert result.stopped == "solved"
        assert result.value == truth[ROOT]
        assert -truth[result.move] == truth[ROOT]
        assert result.meter.evaluated <= sum(tree.count == 0)


@pytest.mark.parametrize("options", [{"leaf": "playout"}, {"prior": 1.0}, {"leaf": "eval"}, {"c": 0.0}, {"fpu": -1.0}])
def test_nothing_is_ever_proven_wrong(monkeypatch, options):
    monkeypatch.setattr(Session, "_slice_looks", lambda self, seconds, most: 1)
    search = OnTrees(Uct(**options))
    partly = 0
    for seed, tree in enumerate(result_trees(60, depth=5)):
        truth = true_results(tree)

        def look(session, truth=truth):
            nonlocal partly
            for name, (_, _, low, high, _) in known_nodes(session).items():
                assert low <= truth[name] <= high
                partly += low != high and (low, high) != (-1, 1)

        assert search(tree, Budget(nodes=300), seed, look).stopped in ("solved", "nodes")
    assert partly > 100, "and it had half proofs, no win or no loss, to be wrong about"


@MODES
def test_without_the_solver_it_comes_to_a_best_move_all_the_same(compiled):
    search = OnTrees(Uct(leaf="playout", solver=False), compiled)
    for seed, tree in enumerate(result_trees(200 if compiled else 8)):
        result = search(tree, PLENTY, seed)
        assert result.stopped == "exhausted"
        assert result.meter.generated < 10**6
        truth = true_results(tree)
        assert -truth[result.move] == truth[ROOT]
        assert abs(result.value) <= 1
        if len(result.children) == 1:
            assert sum(child.known.more["visits"] for child in result.children) >= PATIENCE


@pytest.mark.parametrize("game", ["pig(target=3)", "pig(target=8)", "chance-tree(depth=3)"])
def test_no_more_visits_find_nothing_new_than_the_budget_has_nodes(game):
    """Where chance decides nothing is proven for long, and hardly any visit comes to what is left of a small tree."""
    for nodes in (1, 20, 2000):
        result = ludus.player(f"uct(nodes={nodes})", compiled=True).choose(ludus.game(game))
        visits = sum(child.known.more["visits"] for child in result.children)
        assert visits <= nodes + result.meter.generated
        assert result.stopped == ("nodes" if result.meter.generated >= nodes else "exhausted")
    assert result.stopped == "exhausted"


def test_many_visits_are_written_out():
    result = ludus.player("uct(nodes=2000000)", compiled=True).choose(ludus.game("pig(target=4)"))
    [visits] = [column.cells for column in result.table if column.head == "visits"]
    assert [int(number) for number in visits] == [child.known.more["visits"] for child in result.children]
    assert max(map(int, visits)) > 1_000_000  # more than six digits


def test_a_visit_that_opens_a_leaf_has_found_something_new():
    """With a prior the children of a leaf are generated when it is opened, and not when they are visited."""
    result = ludus.player(f"uct(prior=5, leaf=eval, nodes={8 * PATIENCE})", compiled=True).choose(ludus.game("othello"))
    assert (result.stopped, result.meter.generated >= 8 * PATIENCE) == ("nodes", True)
    assert result.chosen.known.more["visits"] > 500


def test_games_that_are_solved():
    for spec, state, value in (
        ("tictactoe", None, 0),
        ("tictactoe", "XX-OO---- X", 1),
        ("tictactoe", "X---O---X O", 0),
        ("nim(stones=5)", None, -1),
        ("nim(stones=21)", None, -1),
        ("nim(stones=20)", None, 1),
    ):
        game = ludus.game(spec)
        position = game.position(state)
        result = ludus.player("uct(nodes=200000)", compiled=True).choose(game, position, seed=2)
        assert (result.stopped, result.value) == ("solved", value)
        assert result.chosen.say(result.words) == {0: "draw", 1: "win", -1: "loss"}[value]
        if value == 1:
            after = position.play(result.move)
            assert game.legal(after.state) == [] or ludus.player("uct(nodes=200000)").choose(game, after).value == -1


# Opinions.


class Loud(TreeValues):
    """The same opinions on another scale; and of one node in five it claims to know that it is won."""

    def evaluate(self, game, state):
        return 1000.0 * game.worth[state[0]] if state[0] % 5 else 3.0 * WIN


@pytest.mark.parametrize(("evaluator", "scale"), [(TreeValues(), 1.0), (Loud(), 1000.0)])
def test_the_scale_of_an_evaluator_is_measured_and_a_claimed_win_is_one(evaluator, scale):
    claims = 0
    for seed, tree in enumerate(result_trees(20)):
        session = Session(Uct(leaf="eval"), tree, evaluator, compiled=False)
        session.run(tree.start, Budget(nodes=30), seed)
        record, squares = session.tree.record, []
        for node in range(1, int(record.size[0])):
            name = int(record.move[node])
            if record.visits[node] == 0 or record.count[node] == 0:
                continue
            if isinstance(evaluator, Loud) and name % 5 == 0:
                claims += 1
                assert record.visits[node] > 1 or record.value[node] == 1.0
            else:
                squares.append((scale * oracles.worth(tree, name)) ** 2)
        assert record.opinions[:2].tolist() == [pytest.approx(sum(squares)), len(squares)]
    assert (claims > 10) == isinstance(evaluator, Loud)


def test_an_opinion_counts_as_tanh_of_what_it_is_on_the_scale():
    tree = TinyTree.of([0, [3, [0, 1]], [-1, [0, 1]]])
    session = Session(Uct(leaf="eval"), tree, TreeValues(), compiled=False)
    for nodes, seen in ((1, 1), (2, 2)):
        session.run(tree.start, Budget(nodes=nodes))
        values = {int(session.tree.record.move[n]): float(session.tree.record.value[n]) for n in (1, 2)}
        known = [(tree.worth[name], value) for name, value in values.items() if not math.isnan(value)]
        assert len(known) == seen
    first = math.tanh(1.0)  # the first opinion is its own scale; the second is measured by both
    rms = math.sqrt((3**2 + 1**2) / 2)
    assert values in ({1: first, 2: math.tanh(-1 / rms)}, {1: math.tanh(3 / rms), 2: -first})


def test_an_evaluator_without_opinions_does_no_harm():
    result = ludus.player("uct(eval=zero, leaf=eval, prior=3, nodes=5000)", compiled=False).choose(
        ludus.game("nim(stones=5)")
    )
    assert result.value == -1


def test_what_one_search_measured_is_forgotten_by_the_next():
    game, spec = ludus.game("tictactoe"), "uct(leaf=mix, prior=1, nodes=300)"
    used, fresh = (ludus.player(spec, compiled=False) for _ in range(2))
    used.choose(game, game.position("X---O---- X"))
    assert used.choose(game).to_dict()["children"] == fresh.choose(game).to_dict()["children"]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("c=-1", "c must be 0 or above"),
        ("weight=1.5", "weight must be from 0 to 1"),
        ("scale=-2", "scale must be above 0, or 0 to have it measured"),
        ("prior=-1", "prior must be 0 .none. or above"),
        ("leaf=guess", "must be one of auto, playout, eval, mix"),
    ],
)
def test_bad_parameters_get_a_sentence(spec, words):
    with pytest.raises(ludus.SpecError, match=words):
        ludus.player(f"uct({spec})")


def test_more_thought_is_better_thought():
    """Of 60 games on Othello 6x6, five times the nodes must win clearly more than half; by chance, 1 in 10,000."""
    game = ludus.game("othello", size=6)
    strong, weak = (ludus.player(f"uct(leaf=playout, nodes={nodes})", compiled=True) for nodes in (5000, 500))
    found = ludus.match(game, strong, weak, games=60, seed=3)
    assert found.points[0] > 30 + 3.9 * math.sqrt(60) / 2


def test_the_player_keeps_its_tree_in_a_game():
    game = ludus.game("tictactoe(size=4)")
    with_memory = Player(Uct(reuse=True), ludus.evaluator("zero"), Budget(nodes=400), compiled=False)
    state, visits = game.start, []
    for _ in range(3):
        result = with_memory.choose(game, state, seed=4)
        visits.append(sum(child.known.more["visits"] for child in result.children))
        reply = game.after(state, result.move)
        state = game.after(reply, result.line[1])
    without = ludus.player("uct(eval=zero, nodes=400)", compiled=False)
    fresh = sum(child.known.more["visits"] for child in without.choose(game).children)
    assert visits[0] == fresh
    assert min(visits[1:]) > fresh


def test_the_player_keeps_its_tree_when_dice_have_fallen_in_between():
    """Its move, the die, the other's pass, and it is its turn again: a state three plies below."""
    game = ludus.game("pig(target=50)")
    with_memory, without = (
        Player(Uct(reuse=reuse), ludus.evaluator("zero"), Budget(nodes=3000), compiled=False) for reuse in (True, False)
    )
    state = game.position("0 0 8 turn").state
    assert with_memory.choose(game, state, seed=4).move_name == "roll"
    later = game.position("0 0 12 turn").state
    known, fresh = (
        sum(child.known.more["visits"] for child in player.choose(game, later, seed=5).children)
        for player in (with_memory, without)
    )
    assert known > 1.02 * fresh


@pytest.mark.parametrize(("evaluator", "same"), [("open-lines", "eval"), ("zero", "playout"), ("sampler", "playout")])
def test_an_evaluator_that_knows_the_game_is_asked_by_itself(evaluator, same):
    game = ludus.game("tictactoe")
    automatic, named = (
        ludus.player(f"uct(eval={evaluator}, nodes=300{leaf})", compiled=False).choose(game).children
        for leaf in ("", f", leaf={same}")
    )
    assert automatic == named
