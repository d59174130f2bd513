"""The search that `docs/reference/searches.md` writes from an empty editor is held to what every search is held to."""

import re

import pytest

from ludus.model import registry
from tests.support.conformance import effort, playing, repeating
from tests.support.pages import page

PAGE = page("searches.md")


@pytest.fixture(scope="module")
def kind(tmp_path_factory):
    (source,) = re.findall(
        r"^```python\n(# pn\.py\n.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    file = tmp_path_factory.mktemp("documented") / "pn.py"
    file.write_text(source)
    return type(registry.searches().of(f"{file}:ProofNumber"))


def test_it_keeps_what_every_search_promises(kind):
    effort.check_meter(kind(), "tictactoe")
    effort.check_counted_budget(kind(), "tictactoe", False, "nodes")
    effort.check_depth(kind(), "tictactoe")
    repeating.check_litter(kind(), "tictactoe", False)
    repeating.check_pauses(kind(), "tictactoe", False)
    repeating.check_result(kind(), "tictactoe", False)


def test_what_it_proves_is_so_and_it_finds_every_win(kind):
    playing.check_proofs(kind(), "small-nim")
    session, truth = playing.session_of(kind(), "small-nim"), playing.truth_of("small-nim")
    for state in truth.positions:
        result = session.result(state, session.run(state, playing.PLENTY))
        assert result.stopped == "solved"
        assert (result.chosen.score == 1) == (truth.score(state) > 0)


@pytest.mark.slow
def test_without_the_fact_that_it_states_it_would_fail(kind):
    assert not kind.looks_ahead
    with pytest.raises(AssertionError):
        playing.check_lookahead(kind(), "tictactoe", how_many=20)
