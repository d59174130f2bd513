"""The walk of the full-width searches where values are equal to an end of the window."""

from ludus import Budget
from ludus.library.searches.full_width.alphabeta import AlphaBeta
from tests.support.tiny_games import OnTrees, TinyTree


def test_a_reply_that_brings_no_more_than_another_move_cuts_and_is_counted():
    """The first move is worth 1, and so is the first reply to the second one: the second reply cannot matter."""
    search = OnTrees(AlphaBeta(order=False))
    result = search(TinyTree.of([0.0, -1.0, [0.0, 1.0, 5.0]]), Budget(depth=2))
    at = search.session.tree.record.register[0]
    assert (result.value, result.move) == (1.0, 1)
    assert result.meter.generated == 3
    assert (at.cutoffs, at.first_cutoffs) == (1, 1)


def test_a_cut_by_the_second_reply_is_no_cut_by_the_first():
    search = OnTrees(AlphaBeta(order=False))
    search(TinyTree.of([0.0, -1.0, [0.0, 5.0, 1.0, 5.0]]), Budget(depth=2))
    at = search.session.tree.record.register[0]
    assert (at.cutoffs, at.first_cutoffs) == (1, 0)
