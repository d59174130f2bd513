"""What every search promises, whatever it is, and what it claims of itself: asked of each registered one in every
setting that it names, so a new search joins by itself. The checks are in `tests/support/conformance/`;
`test_mutants.py` shows that they can fail.

Each runs interpreted on all games here that it can play; compiled not on all, since each compilation costs seconds.
"""

import pytest

import ludus
from ludus import Budget, StateError
from ludus.model import registry
from ludus.model.component import parameters
from tests.support.conformance import clock, effort, exactness, keeping, playing, repeating
from tests.support.conformance.subjects import (
    KINDS_OF_STATE,
    SPECS,
    all_of,
    bases_of,
    both_modes,
    cells_of_states,
    each_cell,
    each_compiled_cell,
    each_interpreted_cell,
    each_kind_of_state,
    each_search,
    each_that,
    made,
    player,
)

# What it spends.


@each_interpreted_cell
def test_the_meter_counts_every_call_of_the_rules(spec, on, compiled):
    effort.check_meter(made(spec), on)


@each_cell
@pytest.mark.parametrize("key", ["nodes", "units"])
def test_a_counted_budget_is_looked_at_before_each_unit_of_work_and_kept(spec, on, compiled, key):
    effort.check_counted_budget(made(spec), on, compiled, key)


@each_that("keeps_depth")
@pytest.mark.parametrize("on", ["tictactoe", "tree"])
def test_nothing_beyond_the_depth_limit_is_generated(spec, on):
    effort.check_depth(made(spec), on)


@each_search
@both_modes
def test_too_little_memory_ends_the_search_with_a_legal_move(spec, compiled):
    effort.check_memory(made(spec), compiled)


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", [spec for spec in SPECS if made(spec).name == spec or getattr(made(spec), "reuse", False)]
)
@pytest.mark.parametrize(("on", "compiled"), [("long-tree", True), ("tictactoe", False)])
def test_a_budget_of_seconds_is_kept(spec, on, compiled):
    """With the default settings, and wherever the tree is kept from move to move."""
    clock.check_seconds(made(spec), on, compiled, moves=40 if compiled else 10)


@each_that("chooses_depth")
def test_a_depth_of_auto_is_a_fixed_depth(spec):
    effort.check_automatic_depth(made(spec), "tictactoe")


# What it depends on.


@each_compiled_cell
def test_compiled_and_interpreted_give_the_same_results_and_meters(spec, on, compiled):
    repeating.check_compiled(made(spec), on)


@each_kind_of_state
def test_whatever_a_state_is_made_of_compiled_and_interpreted_give_the_same(spec, on):
    repeating.check_compiled(made(spec), on)
    repeating.check_result(made(spec), on, compiled=True)


@each_cell
def test_the_same_seed_gives_the_same_result_in_a_fresh_session_and_in_one_that_was_used(spec, on, compiled):
    repeating.check_repeatable(made(spec), on, compiled)


@each_cell
def test_what_lies_in_memory_before_a_search_does_not_matter(spec, on, compiled):
    repeating.check_litter(made(spec), on, compiled)


@each_interpreted_cell
def test_a_player_is_a_function_of_the_game_so_far_and_the_seed(spec, on, compiled):
    repeating.check_whole_game(made(spec), on)


# What it says.


@each_cell
def test_the_result_is_legal_and_complete(spec, on, compiled):
    repeating.check_result(made(spec), on, compiled)


@each_search
def test_a_forced_move_is_found(spec):
    result = player(spec, Budget(nodes=10)).choose(all_of("nim(stones=5, most=1)", "random"))
    assert (result.move, len(result.children)) == (1, 1)


@each_search
def test_there_is_no_move_to_choose_when_the_game_is_over(spec):
    asked = player(spec)
    for text, game in (("0", ludus.game("nim")), ("XXXOO---- O", ludus.game("tictactoe"))):
        with pytest.raises(StateError, match="the game is over in position"):
            asked.choose(game, game.read_state(text))
    assert asked.choose(all_of("nim(stones=3)", "random")).move in (1, 2, 3), "and the player can go on"


@each_search
@both_modes
@pytest.mark.parametrize("on", ["small-tictactoe", "small-nim"])
def test_what_it_calls_proven_is_so(spec, on, compiled):
    playing.check_proofs(made(spec), on, compiled, how_many=100 if compiled else 5)


@each_search
def test_what_it_calls_solved_has_the_value_and_the_move_of_the_whole_game(spec):
    solved = exactness.check_solved(made(spec), how_many=6)
    assert solved or not made(spec).proves


# What it claims.


@each_that("exact", inherited=True)
@both_modes
def test_an_exact_search_finds_the_value_and_a_move_of_minimax(spec, compiled):
    exactness.check_exact(made(spec), 150 if compiled else 10, compiled)


@each_that("exact")
@both_modes
def test_an_exact_search_says_what_is_true_of_the_depth_that_it_names(spec, compiled):
    exactness.check_true_values(made(spec), 150 if compiled else 10, compiled)


@each_that("looks_ahead")
@both_modes
@pytest.mark.parametrize("on", ["small-tictactoe", "small-connect4", "small-nim"])
def test_who_looks_ahead_takes_a_win_in_one_and_does_not_lose_in_one(spec, on, compiled):
    playing.check_lookahead(made(spec), on, compiled, how_many=200 if compiled else 2)


@pytest.mark.slow
@each_that("looks_ahead")
def test_who_looks_ahead_beats_random_moves(spec):
    playing.check_beats_random(made(spec), "small-tictactoe", compiled=True)


@pytest.mark.slow
@each_that("proves")
@pytest.mark.parametrize("on", ["small-tictactoe", "small-connect4", "small-nim"])
def test_who_proves_results_plays_the_best_there_is_in_any_position(spec, on):
    """With the default settings all positions are tried, with others some hundred."""
    playing.check_best_play(made(spec), on, compiled=True, how_many=None if spec == made(spec).name else 400)


@pytest.mark.slow
@pytest.mark.parametrize("spec", [spec for spec in SPECS if made(spec).family == "best-first"])
@pytest.mark.parametrize("on", ["small-tictactoe", "small-connect4", "small-nim"])
def test_a_best_first_search_ends_by_itself_on_small_games(spec, on):
    playing.check_end(made(spec), on, compiled=True)


@each_that("reuse")
@both_modes
@pytest.mark.parametrize("on", ["small-tictactoe", "small-connect4"])
def test_a_tree_that_is_kept_is_what_it_was_renumbered(spec, on, compiled):
    keeping.check_kept_tree(made(spec), on, compiled)


@each_that("reuse")
@both_modes
def test_what_is_kept_need_not_be_searched_again(spec, compiled):
    keeping.check_keeping_pays(made(spec), "small-tictactoe", compiled)


# The suite itself.


@pytest.mark.parametrize("name", registry.searches().classes)
def test_every_parameter_of_its_own_stands_in_a_variant(name):
    kind = registry.searches().classes[name]
    stated = {key for spec in SPECS if type(made(spec)) is kind for key in made(spec)._arguments}
    own = set(parameters(kind)).difference(*(parameters(base) for base in bases_of(kind)))
    assert own <= stated, f"name them in {kind.__name__}.variants, so that they are tested"


def test_every_search_meets_an_array_and_every_driver_meets_every_kind_of_state():
    met = {(made(spec).name, on) for spec, on in (cell.values for cell in cells_of_states())}
    classes = registry.searches().classes
    assert {name for name, on in met if on == "array"} == set(classes)
    for on in KINDS_OF_STATE:
        assert {classes[name].step for name, where in met if where == on} == {kind.step for kind in classes.values()}


def test_every_claim_is_tested_with_some_search():
    for fact in (
        "exact",
        "keeps_depth",
        "looks_ahead",
        "proves",
        "handles_chance",
        "plays_out",
        "grows_tree",
        "chooses_depth",
    ):
        assert {bool(getattr(made(spec), fact)) for spec in SPECS} == {False, True}
