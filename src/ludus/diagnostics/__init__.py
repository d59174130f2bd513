"""What there is to know of a game or an evaluator: check, analyse, solve, quality, pathology.

May import: common, kernel, features, model, runtime, pictures, learning, arena.
"""
