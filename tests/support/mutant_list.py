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
}
