"""Full-width control strategies: every move is looked at, to a depth."""
