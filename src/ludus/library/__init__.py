"""What is built in: games, evaluators, searches."""
