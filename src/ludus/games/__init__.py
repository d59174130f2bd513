"""One file a game; a new file here is a new game."""
