"""Plain minimax in negamax form (Shannon 1950, type A): every line to a depth, the values backed up."""

from ludus.library.searches.full_width.driver import FullWidth


class Minimax(FullWidth):
    """Plain minimax to a depth, deepened as long as the budget lasts (Shannon 1950)."""

    name = "minimax"
    contender = True
    exact = True
    proves = True
    variants = ("ties=random", "free_forced=true")
