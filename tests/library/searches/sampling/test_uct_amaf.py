"""RAVE and GRAVE on games in which moves come again, against a search that remembers whole games.

On the trees of `test_uct.py` every move is another one, so what a later move says of an earlier one shows only here.
"""

from __future__ import annotations

import numpy as np
import pytest

import ludus
from ludus import Budget
from ludus.library.searches.sampling import uct_amaf
from ludus.library.searches.sampling.uct import Uct
from ludus.model import registry
from ludus.runtime.session import Session
from tests.support.reference_sampling import PlainNode, PlainUct

GAMES = ("tictactoe", "connect4(columns=4, rows=4, line=3)", "pig(target=12)")


def paths(session):
    """Visits and results by the moves that lead to a node."""
    record, names = session.tree.record, {0: ()}
    for node in range(1, int(record.size[0])):
        names[node] = (*names[int(record.parent[node])], int(record.move[node]))
    return {name: (float(record.visits[node]), float(record.total[node])) for node, name in names.items()}


def plain_paths(plain, node, name=()):
    found = {name: (plain.visits(node), sum(node.results))}
    for child in node.children:
        found |= plain_paths(plain, child, (*name, child.move))
    return found


def plain_run(game, seed, nodes, **options):
    plain = PlainUct(game, PlainNode(game, game.start), seed, **options)
    while plain.generated < nodes and not plain.root.is_proven:
        plain.iterate()
    return plain


@pytest.mark.parametrize("options", [{"rave": 30.0, "c": 0.5}, {"rave": 30.0, "grave": 12, "c": 0.5}], ids=str)
@pytest.mark.parametrize("spec", GAMES)
def test_it_is_the_plain_search_node_for_node(spec, options):
    game, without = ludus.game(spec), 0
    session = Session(Uct(leaf="playout", **options), game, ludus.evaluator("zero"), compiled=False)
    for seed in range(2):
        session.run(game.start, Budget(nodes=500), seed)
        plain = plain_run(game, seed, 500, **options)
        assert paths(session) == plain_paths(plain, plain.root)
        assert session.meter.tolist() == [plain.generated, plain.evaluated, plain.expanded, plain.traversed]
        without += paths(session) != plain_paths(plain := plain_run(game, seed, 500, c=0.5), plain.root)
    assert without == 2, "and it is not what it would be without the option"


def test_compiled_it_is_the_same_and_a_small_table_is_no_worse_than_none(monkeypatch):
    """With few entries some give way; with one search after another those of the last one are forgotten."""
    monkeypatch.setattr(uct_amaf, "ENTRIES", 64)
    game, search = ludus.game("tictactoe"), Uct(leaf="playout", rave=30.0, grave=12, c=0.5)
    sessions = [Session(search, game, ludus.evaluator("zero"), compiled=compiled) for compiled in (False, True)]
    for seed in range(3):
        for session in sessions:
            session.run(game.start, Budget(nodes=600), seed)
        assert paths(sessions[0]) == paths(sessions[1])
        record = sessions[1].tree.record
        current = record.amaf.key // uct_amaf.SEARCH == seed + 1
        assert current.sum() > 32
        assert record.amaf.games[current].min() >= 1
        assert (np.abs(record.amaf.total[current]) <= record.amaf.games[current]).all()


def test_memory_is_taken_only_by_the_option_that_needs_it():
    game = ludus.game("tictactoe")
    plain, rave, grave = (
        Session(registry.searches().of(spec), game, ludus.evaluator("zero"), compiled=False).tree
        for spec in ("uct", "uct(rave=10)", "uct(rave=10, grave=5)")
    )
    assert rave.node_bytes == plain.node_bytes + 16
    assert grave.node_bytes == plain.node_bytes
    assert (plain.arrays["amaf"].size, rave.arrays["amaf"].size) == (uct_amaf.WAYS, uct_amaf.WAYS)
    assert len(plain.arrays["amaf_games"]) == len(plain.arrays["implicit"]) == 0
    assert len(plain.arrays["trail"]) == 1


def test_wrong_settings_are_refused():
    for spec in ("uct(rave=-1)", "uct(grave=5)", "uct(rave=10, grave=-5)"):
        with pytest.raises(ludus.SpecError, match="rave must be 0"):
            registry.searches().of(spec)
