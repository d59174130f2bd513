"""The exact result of a position, and what there is to say of a small game."""
