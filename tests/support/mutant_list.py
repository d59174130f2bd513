"""The faults that `tests/support/mutants.py` puts into the program: exact text, and what stands there instead."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """In `file`, below `src/ludus`, `new` instead of `old`; `test`, below `tests`, fails then."""

    file: str
    old: str
    new: str
    test: str

    def applied_to(self, source: str) -> str:
        """The source with the fault; the text to replace must be there once."""
        if source.count(self.old) != 1:
            raise ValueError(f"{self.file} has {self.old!r} {source.count(self.old)} times, not once")
        return source.replace(self.old, self.new)

    def row(self, name: str) -> str:
        """For the page in the docs."""
        return f"| {name} | `{self.file}` | `{self.test.replace('::', ' ')}` |"


ALTERNATION = "kernel/test_alternation.py::"
FULL_WIDTH = "library/searches/full_width/"
MEMORY, WALK, OUTCOMES = (f"{FULL_WIDTH}{name}.py" for name in ("memory", "walk", "outcomes"))
TEST_MEMORY, TEST_WALK, TEST_OUTCOMES = (f"{FULL_WIDTH}test_{name}.py::" for name in ("memory", "walk", "outcomes"))
MODEL, TEST_MODEL = "learning/model.py", "learning/test_model.py::"
WEIGHING, TEST_WEIGHING = "learning/weighing.py", "learning/test_weighing.py::"
QUALITY = "diagnostics/quality/"
DECISIONS, TEST_DECISIONS = f"{QUALITY}decisions.py", f"{QUALITY}test_decisions.py::"
REPORT, TEST_REPORT = f"{QUALITY}quality_report.py", f"{QUALITY}test_quality_report.py::"
STATS = "arena/stats/"
RATINGS, TEST_RATINGS = f"{STATS}ratings.py", f"{STATS}test_ratings.py::"
DISPERSION = f"{TEST_RATINGS}test_dispersion_is_the_scatter_of_the_points_of_a_pair_corrected_for_the_fit"
CENTRE = f"{TEST_RATINGS}test_the_centre_of_the_prior_is_where_the_players_are"
REGRET, TEST_REGRET = f"{STATS}regret.py", f"{STATS}test_regret.py::"
LIKELIHOOD, TEST_LIKELIHOOD = f"{STATS}likelihood.py", f"{STATS}test_likelihood.py::"
SOLVE, TEST_SOLVE = "library/searches/solve.py", "library/searches/test_solve.py::"
SOLUTION, TEST_SOLUTION = "diagnostics/solve/solve.py", "diagnostics/solve/test_solution.py::"

MUTANTS = {
    "passes: lowest": Mutant(
        "kernel/alternation.py",
        "return -own_highest(self, before) if due",
        "return -own_lowest(self, before) if due",
        ALTERNATION + "test_bounds_change_places_where_a_pass_is_due",
    ),
    "passes: highest": Mutant(
        "kernel/alternation.py",
        "return -own_lowest(self, before) if due",
        "return -own_highest(self, before) if due",
        ALTERNATION + "test_bounds_change_places_where_a_pass_is_due",
    ),
    "passes: bounds not exchanged at all": Mutant(
        "kernel/alternation.py",
        "return -own_highest(self, before) if due(self, state) else own_lowest(self, before)",
        "return own_lowest(self, before)",
        ALTERNATION + "test_bounds_change_places_where_a_pass_is_due",
    ),
    "passes: features keep their signs": Mutant(
        "kernel/alternation.py",
        "numbers[i] = -numbers[i]",
        "numbers[i] = numbers[i]",
        ALTERNATION + "test_features_change_their_signs_where_a_pass_is_due",
    ),
    "passes: features change their signs always": Mutant(
        "kernel/alternation.py",
        "n = own_features(self, own(self, state), numbers)\n    if due(self, state):",
        "n = own_features(self, own(self, state), numbers)\n    if True:",
        ALTERNATION + "test_features_change_their_signs_where_a_pass_is_due",
    ),
    "killers: the second is never tried": Mutant(
        MEMORY,
        "if move == tree.killer[row, 0] or move == tree.killer[row, 1]:",
        "if move == tree.killer[row, 0]:",
        TEST_MEMORY + "test_the_last_two_moves_that_refuted_something_are_killers",
    ),
    "killers: the second is forgotten": Mutant(
        MEMORY,
        "tree.killer[row, 1] = tree.killer[row, 0]",
        "tree.killer[row, 1] = -1",
        TEST_MEMORY + "test_the_last_two_moves_that_refuted_something_are_killers",
    ),
    "killers: the first pushes the second out": Mutant(
        MEMORY,
        "if search.killers and tree.killer[row, 0] != move:",
        "if search.killers:",
        TEST_MEMORY + "test_the_same_killer_twice_leaves_the_other_in_place",
    ),
    "history: read of the other player": Mutant(
        MEMORY,
        "tree.order[child] += tree.history[ply % 2, move % HISTORY] * 1e6",
        "tree.order[child] += tree.history[1 - ply % 2, move % HISTORY] * 1e6",
        TEST_MEMORY + "test_a_history_is_that_of_the_player_whose_moves_it_counts",
    ),
    "history: one for both players": Mutant(
        MEMORY,
        "        tree.order[child] += tree.history[ply % 2, move % HISTORY] * 1e6",
        "        tree.order[child] += tree.history[:, move % HISTORY].sum() * 1e6",
        TEST_MEMORY + "test_a_history_is_that_of_the_player_whose_moves_it_counts",
    ),
    "table: bound types swapped": Mutant(
        MEMORY,
        "low = -np.inf\n    elif tree.backed[node] >= tree.beta[node]:\n        high = np.inf",
        "high = np.inf\n    elif tree.backed[node] >= tree.beta[node]:\n        low = -np.inf",
        TEST_MEMORY + "test_what_is_kept_of_a_position_bounds_its_value",
    ),
    "table: an upper bound stored as exact": Mutant(
        MEMORY,
        "        low = -np.inf\n",
        "        low = tree.backed[node]\n",
        TEST_MEMORY + "test_what_is_kept_of_a_position_bounds_its_value",
    ),
    "table: an upper bound stored as exact with ties": Mutant(
        MEMORY,
        "if tree.backed[node] <= tree.floor[node]:",
        "if tree.backed[node] < tree.floor[node]:",
        TEST_MEMORY + "test_what_is_kept_of_a_position_bounds_its_value",
    ),
    "table: a lower bound stored as exact with ties": Mutant(
        MEMORY,
        "elif tree.backed[node] >= tree.beta[node]:",
        "elif tree.backed[node] > tree.beta[node]:",
        TEST_MEMORY + "test_what_is_kept_of_a_position_bounds_its_value",
    ),
    "table: > for >= in a cut by a lower bound": Mutant(
        MEMORY,
        "found.low >= tree.beta[node]",
        "found.low > tree.beta[node]",
        TEST_MEMORY + "test_a_bound_that_is_the_window_s_end_settles_the_value",
    ),
    "table: < for <= in a cut by an upper bound": Mutant(
        MEMORY,
        "found.high <= tree.alpha[node]",
        "found.high < tree.alpha[node]",
        TEST_MEMORY + "test_a_bound_that_is_the_window_s_end_settles_the_value",
    ),
    "table: > for >= in a cut by a successor": Mutant(
        MEMORY,
        "-found.high >= tree.beta[node]",
        "-found.high > tree.beta[node]",
        TEST_MEMORY + "test_a_successor_that_is_worth_beta_cuts",
    ),
    "cuts: ties are not counted": Mutant(
        WALK,
        "if value >= tree.beta[node]:",
        "if value > tree.beta[node]:",
        TEST_WALK + "test_a_reply_that_brings_no_more_than_another_move_cuts_and_is_counted",
    ),
    "cuts: > for >= in the loop": Mutant(
        FULL_WIDTH + "order.py",
        "if tree.alpha[node] >= tree.beta[node]:",
        "if tree.alpha[node] > tree.beta[node]:",
        TEST_WALK + "test_a_reply_that_brings_no_more_than_another_move_cuts_and_is_counted",
    ),
    "cuts: all count as first": Mutant(
        WALK,
        "first_cutoffs += tried_first",
        "first_cutoffs += 1",
        TEST_WALK + "test_a_cut_by_the_second_reply_is_no_cut_by_the_first",
    ),
    "Star1: > for >= at the upper end": Mutant(
        OUTCOMES,
        "if low >= tree.beta[node]:",
        "if low > tree.beta[node]:",
        TEST_OUTCOMES + "test_an_average_that_cannot_come_back_into_the_window_ends_the_search",
    ),
    "Star1: < for <= at the lower end": Mutant(
        OUTCOMES,
        "elif high <= tree.alpha[node]:",
        "elif high < tree.alpha[node]:",
        TEST_OUTCOMES + "test_an_average_that_cannot_come_back_into_the_window_ends_the_search",
    ),
    "Star2: a bound taken for the value with ties": Mutant(
        OUTCOMES,
        "tree.floor[child] < tree.backed[child] < tree.beta[child]",
        "tree.floor[child] <= tree.backed[child] <= tree.beta[child]",
        TEST_OUTCOMES + "test_a_probe_settles_what_is_inside_its_window_alone",
    ),
    "held out: all is fitted to": Mutant(
        MODEL,
        "self.train = ~self.held",
        "self.train = np.ones(len(held), bool)",
        TEST_MODEL + "test_what_is_held_out_has_no_part_in_the_fit",
    ),
    "held out: features see all": Mutant(
        MODEL, "{k: self.train & (", "{k: (", TEST_MODEL + "test_what_is_held_out_has_no_part_in_the_fit"
    ),
    "held out: buckets see all": Mutant(
        MODEL,
        "fitting.bucket_rows(self.rows[self.train], self.errors[self.train], self.least)",
        "fitting.bucket_rows(self.rows, self.errors, self.least)",
        TEST_MODEL + "test_what_is_held_out_has_no_part_in_the_fit",
    ),
    "held out: intervals see all": Mutant(
        MODEL,
        "fitted = self.searched & self.train",
        "fitted = self.searched",
        TEST_MODEL + "test_what_is_held_out_has_no_part_in_the_fit",
    ),
    "held out: the win curve sees all": Mutant(
        MODEL,
        "chosen = self.train & self.judged\n        return _win_curve(",
        "chosen = self.judged\n        return _win_curve(",
        TEST_MODEL + "test_what_is_held_out_has_no_part_in_the_fit",
    ),
    "held out: win curves by phase see all": Mutant(
        MODEL,
        "chosen = self.train & self.judged\n        return fitting.by_phase(",
        "chosen = self.judged\n        return fitting.by_phase(",
        TEST_MODEL + "test_what_is_held_out_has_no_part_in_the_fit",
    ),
    "held out: ProbCut's lines see all": Mutant(
        MODEL,
        "chosen = self._pairs(deep, shallow) & self.train",
        "chosen = self._pairs(deep, shallow)",
        TEST_MODEL + "test_what_is_held_out_has_no_part_in_the_fit",
    ),
    "held out: the win curve is judged by all": Mutant(
        MODEL,
        "fitted, test = self.train & self.judged, self.held & self.judged",
        "fitted, test = self.train & self.judged, self.judged",
        TEST_MODEL + "test_the_fit_is_judged_by_what_is_held_out",
    ),
    "held out: intervals are judged by all": Mutant(
        MODEL,
        "self.train, self.searched & self.held\n",
        "self.train, self.searched\n",
        TEST_MODEL + "test_the_fit_is_judged_by_what_is_held_out",
    ),
    "held out: weights see all": Mutant(
        WEIGHING,
        "fits = [_Fit(design[train], results[train])",
        "fits = [_Fit(design, results)",
        TEST_WEIGHING + "test_the_held_out_loss_is_that_of_games_the_fit_has_not_seen",
    ),
    "folds: the shrinkage's split games": Mutant(
        WEIGHING,
        "results[tried], groups[tried] % FOLDS)",
        "results[tried], tried % FOLDS)",
        TEST_WEIGHING + "test_the_held_out_loss_is_that_of_games_the_fit_has_not_seen",
    ),
    "folds: the lasso's split games": Mutant(
        WEIGHING,
        "mask, groups % FOLDS)",
        "mask, np.arange(len(results)) % FOLDS)",
        TEST_WEIGHING + "test_columns_are_chosen_by_games_that_were_held_out",
    ),
    "adjusted R²: not adjusted": Mutant(
        WEIGHING,
        "1.0 - (1.0 - r2) * (len(target) - 1) / freedom",
        "r2",
        TEST_WEIGHING + "test_adjusted_r2_counts_all_columns_and_the_mean",
    ),
    "adjusted R²: the mean is not counted": Mutant(
        WEIGHING,
        "(1.0 - r2) * (len(target) - 1) / freedom",
        "(1.0 - r2) * len(target) / freedom",
        TEST_WEIGHING + "test_adjusted_r2_counts_all_columns_and_the_mean",
    ),
    "adjusted R²: a column is forgotten": Mutant(
        WEIGHING,
        "freedom = max(len(target) - columns, 1)",
        "freedom = max(len(target) - columns + 1, 1)",
        TEST_WEIGHING + "test_adjusted_r2_counts_all_columns_and_the_mean",
    ),
    "quality: accuracy is the share of errors": Mutant(
        REPORT,
        "1 - float(np.mean(shares))",
        "float(np.mean(shares))",
        TEST_REPORT + "test_mean_accuracy_is_the_mean_over_trees_in_which_errors_are_possible",
    ),
    "quality: accuracy over all trees at once": Mutant(
        REPORT,
        "1 - float(np.mean(shares))",
        "1 - errors / float(possible.sum())",
        TEST_REPORT + "test_mean_accuracy_is_the_mean_over_trees_in_which_errors_are_possible",
    ),
    "quality: accuracy counts trees without possible errors": Mutant(
        REPORT,
        "for e, p in zip(errors, possible, strict=True) if p]",
        "for e, p in zip(errors, np.maximum(possible, 1), strict=True)]",
        TEST_REPORT + "test_mean_accuracy_is_the_mean_over_trees_in_which_errors_are_possible",
    ),
    "decisions: no margin for ties": Mutant(
        DECISIONS,
        "margin = SAME * max(1.0, abs(value))",
        "margin = 0.0",
        TEST_DECISIONS + "test_values_that_differ_by_rounding_are_equal",
    ),
    "decisions: the margin of ties does not grow with values": Mutant(
        DECISIONS,
        "margin = SAME * max(1.0, abs(value))",
        "margin = SAME",
        TEST_DECISIONS + "test_values_that_differ_by_rounding_are_equal",
    ),
    "decisions: the margin of ties shrinks with values": Mutant(
        DECISIONS,
        "margin = SAME * max(1.0, abs(value))",
        "margin = SAME * abs(value)",
        TEST_DECISIONS + "test_values_that_differ_by_rounding_are_equal",
    ),
    "decisions: a wide margin for ties": Mutant(
        DECISIONS,
        "margin = SAME * max(1.0, abs(value))",
        "margin = 2 * SAME * max(1.0, abs(value))",
        TEST_DECISIONS + "test_values_that_differ_by_more_are_not",
    ),
    "decisions: no margin above": Mutant(
        DECISIONS,
        "value > look[VALUE] + margin",
        "value > look[VALUE]",
        TEST_DECISIONS + "test_values_that_differ_by_rounding_are_equal",
    ),
    "decisions: no margin below": Mutant(
        DECISIONS,
        "value >= look[VALUE] - margin",
        "value >= look[VALUE]",
        TEST_DECISIONS + "test_values_that_differ_by_rounding_are_equal",
    ),
    "ratings: no leverage": Mutant(
        RATINGS, "squares /= np.maximum(1 - leverage, 0.1)", "squares /= np.maximum(1.0, 0.1)", DISPERSION
    ),
    "ratings: leverage of independent ratings": Mutant(
        RATINGS,
        "leverage = both * (np.add.outer(own, own) - 2 * inverse[:-1, :-1])",
        "leverage = both * np.add.outer(own, own)",
        DISPERSION,
    ),
    "ratings: dispersion shared with itself as loud": Mutant(
        RATINGS,
        "share = SHRINK_PAIRING / (SHRINK_PAIRING + expected)  #",
        "share = np.ones_like(expected)  #",
        DISPERSION,
    ),
    "ratings: dispersion of all is not shrunk": Mutant(
        RATINGS, "(SHRINK_ALL + seen.sum() / 2) / (SHRINK_ALL + due.sum() / 2)", "seen.sum() / due.sum()", DISPERSION
    ),
    "ratings: dispersion of a player not shrunk towards all": Mutant(
        RATINGS, "(SHRINK_PLAYER * overall + seen.sum(1))", "(SHRINK_PLAYER + seen.sum(1))", DISPERSION
    ),
    "ratings: the lesser dispersion of two players": Mutant(
        RATINGS, "np.maximum.outer(player, player)", "np.minimum.outer(player, player)", DISPERSION
    ),
    "ratings: no dispersion": Mutant(
        RATINGS, "scatter = _dispersion(squares, pairs * both)", "scatter = np.ones_like(both)", DISPERSION
    ),
    "ratings: no dispersion in the covariance": Mutant(
        RATINGS,
        "middle[:-1, :-1] *= (2 * pairs * scatter + half)",
        "middle[:-1, :-1] *= (2 * pairs + half)",
        DISPERSION,
    ),
    "ratings: the prior scatters too": Mutant(
        RATINGS, "(2 * pairs * scatter + half)", "(2 * pairs + half) * scatter", DISPERSION
    ),
    "ratings: the prior has a centre above the players": Mutant(
        RATINGS,
        "all_points[-1, :-1] = all_points[:-1, -1] = 1.0 * known",
        "all_points[-1, :-1], all_points[:-1, -1] = 1.2 * known, 0.8 * known",
        CENTRE,
    ),
    "ratings: the prior has a centre below the players": Mutant(
        RATINGS,
        "all_points[-1, :-1] = all_points[:-1, -1] = 1.0 * known",
        "all_points[-1, :-1], all_points[:-1, -1] = 0.8 * known, 1.2 * known",
        CENTRE,
    ),
    "likelihood: the mean counts for too much": Mutant(
        LIKELIHOOD,
        "1 / len(games))",
        "2 / len(games))",
        TEST_LIKELIHOOD + "test_at_the_mode_all_points_are_as_expected_and_the_mean_is_0",
    ),
    "equal: bets are not rescaled": Mutant(
        REGRET,
        "- PAIR_SCORES) / (2 - 2 * self._scores[:, None])",
        "- PAIR_SCORES)",
        TEST_REGRET + "test_bets_are_rescaled_so_that_a_lost_pair_ruins_whoever_bets_2",
    ),
    "equal: bets are rescaled by the wrong side": Mutant(
        REGRET,
        "/ (2 - 2 * self._scores[:, None])",
        "/ (2 * self._scores[:, None])",
        TEST_REGRET + "test_bets_are_rescaled_so_that_a_lost_pair_ruins_whoever_bets_2",
    ),
    "equal: the level asked for is not among those tested": Mutant(
        REGRET,
        "{*map(float, LEVELS), float(also)}",
        "{*map(float, LEVELS)}",
        TEST_REGRET + "test_bets_are_rescaled_so_that_a_lost_pair_ruins_whoever_bets_2",
    ),
    "solve: <= for < in what is open": Mutant(
        SOLUTION,
        "if self.low < 0 <= self.high:",
        "if self.low <= 0 <= self.high:",
        TEST_SOLUTION + "test_whether_it_is_lost_is_open_only_where_it_may_be_lost_and_may_not",
    ),
    "solve: < for <= in what is open": Mutant(
        SOLUTION,
        "if self.low < 0 <= self.high:",
        "if self.low < 0 < self.high:",
        TEST_SOLUTION + "test_whether_it_is_lost_is_open_only_where_it_may_be_lost_and_may_not",
    ),
    "solve: a drawn move is told as lost": Mutant(
        SOLUTION,
        "sum(each.high < 0 for each in known)",
        "sum(each.high <= 0 for each in known)",
        TEST_SOLUTION + "test_of_moves_it_tells_which_are_proven_to_win_to_draw_and_to_lose",
    ),
    "solve: a drawn move is told as won": Mutant(
        SOLUTION,
        "sum(each.low > 0 for each in known)",
        "sum(each.low >= 0 for each in known)",
        TEST_SOLUTION + "test_of_moves_it_tells_which_are_proven_to_win_to_draw_and_to_lose",
    ),
    "solve: < for <= in what the game says at most": Mutant(
        SOLVE,
        "if high <= against:\n        tree.backed[node] = high",
        "if high < against:\n        tree.backed[node] = high",
        TEST_SOLVE + "test_what_the_game_says_of_a_position_decides_the_question_at_its_very_end",
    ),
    "solve: > for >= in what the game says at least": Mutant(
        SOLVE,
        "tree.backed[node] = lowest_of(search, game, tree, state)\n    if tree.backed[node] >= goal:",
        "tree.backed[node] = lowest_of(search, game, tree, state)\n    if tree.backed[node] > goal:",
        TEST_SOLVE + "test_what_the_game_says_of_a_position_decides_the_question_at_its_very_end",
    ),
    "solve: a position at the horizon is searched": Mutant(
        SOLVE,
        "if at.ply + 1 < at.horizon:",
        "if at.ply + 1 <= at.horizon:",
        TEST_SOLUTION + "test_it_says_that_nobody_can_force_a_win_where_nobody_can",
    ),
    "solve: a table without memory": Mutant(
        SOLVE,
        "if not 0 < memory_of_table <= MOST_MEMORY:",
        "if not 0 <= memory_of_table <= MOST_MEMORY:",
        TEST_SOLVE + "test_how_much_memory_the_table_may_have",
    ),
    "solve: the largest table is refused": Mutant(
        SOLVE,
        "if not 0 < memory_of_table <= MOST_MEMORY:",
        "if not 0 < memory_of_table < MOST_MEMORY:",
        TEST_SOLVE + "test_how_much_memory_the_table_may_have",
    ),
}
