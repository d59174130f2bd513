"""What is shown and asked in a terminal, for commands and for Python alike: progress bars, a game against a person.

May import: common, kernel, model, runtime, learning, arena.
"""
