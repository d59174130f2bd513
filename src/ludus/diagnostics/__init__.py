"""What there is to know of a game or an evaluator: check, analyse, solve, quality, pathology."""
