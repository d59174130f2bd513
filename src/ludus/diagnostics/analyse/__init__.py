"""What an inventor wants to know of a game: who wins, how long, how many moves, does skill matter, how large is it."""
