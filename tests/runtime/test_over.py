"""The rule `over`: searches ask it about successors instead of listing their moves."""

import pytest

import ludus
from ludus.library.games.nim import Nim


class Quick(Nim):
    """Nim that knows when it is over, and counts how often it is asked for its moves."""

    listed = 0

    def moves(self, state, out):
        Quick.listed += 1
        return Nim.moves(self, state, out)

    def over(self, state):
        return state[0] == 0


class Native(Nim):
    """The same, to be compiled."""

    def over(self, state):
        return state[0] == 0


@pytest.mark.parametrize("name", ["alphabeta", "bfmm", "greedy", "lcf", "minimax"])
def test_only_expanded_nodes_have_their_moves_listed(name):
    Quick.listed = 0
    spec = f"{name}(eval=random, nodes=300)"
    quick = ludus.player(spec, compiled=False)
    session = quick.session(Quick(stones=12))
    session.run((12,), quick.budget, 5)
    assert 0 < Quick.listed <= session.meter[2]
    result, plain = session.result((12,), "nodes"), ludus.player(spec, compiled=False).choose(Nim(stones=12), seed=5)
    assert (result.move, result.line) == (plain.move, plain.line)
    assert [repr(child.value) for child in result.children] == [repr(child.value) for child in plain.children]


@pytest.mark.parametrize("compiled", [False, True])
def test_with_and_without_it_a_search_is_the_same(compiled):
    spec = "bfmm(eval=random, nodes=500)"
    results = [ludus.player(spec, compiled=compiled).choose(kind(stones=17)) for kind in (Nim, Native)]
    told = [result.to_dict() for result in results]
    for each in told:
        del each["meter"]["seconds"]
    assert told[0] == told[1]


def test_by_default_it_is_over_where_there_are_no_moves():
    game = ludus.game("tictactoe")
    for text, over in (("--------- X", False), ("XXXOO---- O", True), ("XXOOOXXOX O", True), ("XX-OOXXOO X", False)):
        state = game.read_state(text)
        assert game.over(state) == over == (game.legal(state) == [])
