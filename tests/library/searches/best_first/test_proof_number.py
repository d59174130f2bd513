"""Proof-number search and df-pn against brute force, and on games whose value is known."""

import itertools
from functools import partial

import numpy as np
import pytest

import ludus
from ludus import Budget
from ludus.library.searches.best_first.proof_number import ProofNumber
from tests.support import oracles, tiny_games
from tests.support.conformance.running import pausing_after
from tests.support.oracles import ROOT, Grown
from tests.support.tiny_games import OnTrees, TinyGraph

PLENTY = Budget(nodes=10**6)
MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])


def is_answered(grown, node, asked, ours=True, given=None):
    """Whether the root's value is known to be above `asked` (True), or not to be (False), by finished games alone.

    `given` are leaves of which the answer is assumed. None: not known.
    """
    if node in (given or {}):
        return given[node]
    if node not in grown.opened:
        value = oracles.worth(grown.tree, node) * (1 if ours else -1)
        return bool(value > asked) if grown.is_closed(node) else None
    below = [is_answered(grown, child, asked, not ours, given) for child in oracles.children(grown.tree, node)]
    if ours in below:
        return ours
    return None if None in below else not ours


def cheapest(grown, node, asked, answer, ours):
    """By trying all sets: the smallest ones of leaves below `node` whose answers suffice for that of `node`."""
    leaves = [path[-1] for path in grown.paths(node) if not grown.is_closed(path[-1])]
    for size in range(len(leaves) + 1):
        sets = [set(some) for some in itertools.combinations(leaves, size)]
        found = [some for some in sets if is_answered(grown, node, asked, ours, dict.fromkeys(some, answer)) is answer]
        if found:
            return found
    return []


def numbers(grown, node, asked, ours):
    """Proof and disproof number by their definition: the sizes of those sets."""
    sets = [cheapest(grown, node, asked, answer, ours) for answer in (True, False)]
    return tuple(float(len(some[0])) if some else np.inf for some in sets)


def recursive_numbers(grown, node, asked, ours):
    """The same by the rules for AND and OR nodes, from scratch."""
    if node not in grown.opened:
        return {True: (0.0, np.inf), False: (np.inf, 0.0), None: (1.0, 1.0)}[is_answered(grown, node, asked, ours)]
    proofs, disproofs = zip(
        *(recursive_numbers(grown, child, asked, not ours) for child in oracles.children(grown.tree, node)), strict=True
    )
    return (min(proofs), sum(disproofs)) if ours else (sum(proofs), min(disproofs))


def opened_by(session):
    record = session.tree.record
    opened = [node for node in range(int(record.size[0])) if record.count[node] > 0]
    return {int(session.tree.state(node)[0]) for node in opened}


@pytest.mark.parametrize("by", ["sets of leaves", "recursion"])
def test_numbers_are_right_after_every_expansion(by):
    """Of every node; and the leaf that comes next is in a smallest proof set and in a smallest disproof set."""
    search, seen = OnTrees(ProofNumber(goal="score")), 0

    def look(session, tree):
        nonlocal seen
        record, grown = session.tree.record, Grown(tree, opened_by(session))
        asked = float(record.register[0].asked)
        if by == "sets of leaves" and sum(1 for _ in grown.paths()) > 9:
            return
        definition = numbers if by == "sets of leaves" else recursive_numbers
        for node in range(int(record.size[0])):
            ours, place = bool(record.depth[node] % 2 == 0), int(session.tree.state(node)[0])
            assert (record.proof[node], record.disproof[node]) == definition(grown, place, asked, ours)
            seen += 1
        leaf = int(record.register[0].leaf)
        if leaf > 0 and by == "sets of leaves":
            place = int(session.tree.state(leaf)[0])
            for answer in (True, False):
                assert any(place in some for some in cheapest(grown, ROOT, asked, answer, True))

    for tree in tiny_games.some_trees(120 if by == "sets of leaves" else 150):
        with pausing_after(1):
            search(tree, PLENTY, progress=partial(look, tree=tree))
    assert seen > 3000


@MODES
@pytest.mark.parametrize("depth_first", [False, True])
@pytest.mark.parametrize("goal", ["result", "score"])
def test_the_proven_value_is_the_true_one(goal, depth_first, compiled):
    search = OnTrees(ProofNumber(goal=goal, depth_first=depth_first, memory_of_table=0.01), compiled)
    for tree in tiny_games.some_trees(300 if compiled else 40):
        result = search(tree, PLENTY)
        value = oracles.minimax_value(tree, ROOT, 99)
        assert (result.stopped, result.chosen.known.proven) == ("solved", True)
        assert result.value == (value if goal == "score" else np.sign(value))
        moves = oracles.move_values(tree, ROOT, 99)
        for child, true in zip(result.children, moves if goal == "score" else np.sign(moves), strict=True):
            assert child.known.low <= true <= child.known.high
        if not depth_first:
            end = result.line[-1]
            reached = oracles.worth(tree, end) * (-1) ** len(result.line)
            assert not oracles.children(tree, end), "the line goes to the end of the game"
            assert (reached if goal == "score" else np.sign(reached)) == result.value


def test_the_tree_is_a_proof():
    """Finished games in memory alone, whatever lies at the other leaves, give the root's value."""
    search = OnTrees(ProofNumber(goal="score"))
    for tree in tiny_games.some_trees(150):
        result = search(tree, PLENTY)
        grown = Grown(tree, opened_by(search.session))
        assert is_answered(grown, ROOT, np.nextafter(result.value, -np.inf)) is True
        assert is_answered(grown, ROOT, result.value) is False


def test_depth_first_where_lines_come_together_again():
    search = OnTrees(ProofNumber("score", depth_first=True, memory_of_table=1.0), True, TinyGraph)
    tiny = OnTrees(ProofNumber("score", depth_first=True, memory_of_table=0.0001), True, TinyGraph)
    solved = 0
    for graph in tiny_games.some_graphs(200):
        true = oracles.Exhaustive(graph).score(graph.start)
        result = search(graph, PLENTY)
        assert (result.stopped, result.value) == ("solved", true)
        result = tiny(graph, Budget(nodes=3000))  # a table of two positions: it may never end, but what it says is true
        solved += result.stopped == "solved"
        assert result.chosen.known.low <= true
        assert result.stopped == "nodes" or result.value == true
    assert 50 < solved < 200


def test_depth_first_expands_most_proving_nodes():
    """Nagai's theorem: where lines never meet, what it expands for the first time is a most-proving node."""
    search, seen = OnTrees(ProofNumber(depth_first=True, memory_of_table=10.0)), 0

    def look(session, grown):
        nonlocal seen
        record = session.tree.record
        node, path, asked = int(record.register[0].leaf), [], float(record.register[0].asked)
        while node > 0:
            path.append(int(session.tree.state(node)[0]))
            node = int(record.parent[node])
        if path and path[0] not in grown.opened:
            above = ROOT
            for ply, chosen in enumerate(reversed(path)):
                below = {
                    child: recursive_numbers(grown, child, asked, ply % 2 == 1)[ply % 2]
                    for child in oracles.children(grown.tree, above)
                }
                assert below[chosen] == min(below.values())
                above = chosen
            seen += 1
        grown.opened.add(path[0] if path else ROOT)

    for tree in tiny_games.some_trees(150):
        with pausing_after(1):
            search(tree, PLENTY, progress=partial(look, grown=Grown(tree)))
    assert seen > 1000


@pytest.mark.parametrize("depth_first", ["true", "false"])
@pytest.mark.parametrize(
    ("game", "goal", "value"),
    [
        ("othello(size=4)", "score", -10),
        ("othello(size=4, empties=none)", "score", -8),
        ("connect4(columns=4, rows=4)", "result", 0),
    ],
)
def test_solved_games(game, goal, value, depth_first):
    found = ludus.player(f"proof-number(goal={goal}, depth_first={depth_first}, nodes=3000000)").choose(game)
    assert (found.stopped, found.value) == ("solved", value)


def test_what_is_said_of_the_moves():
    """Tic-tac-toe, X to move: a2 wins at once; the others have the numbers that the docs show."""
    game = ludus.game("tictactoe")
    result = ludus.player("proof-number", compiled=False).choose(game, game.read_state("XO--X---O X"))
    shown = {child.name: (child.known.more["proof"], child.known.more["disproof"]) for child in result.children}
    assert shown["a2"] == (0, np.inf)
    assert result.statistics == {"questions": 1, "proof": 0, "disproof": np.inf}


def test_a_table_of_no_size_is_refused():
    with pytest.raises(ludus.SpecError, match="memory_of_table must be above 0"):
        ludus.player("proof-number(memory_of_table=0)")
