"""What is learnt from many positions of a game: so far, how far an evaluator can be trusted (`calibrate`).

May import: common, kernel, features, model, runtime, pictures, library.
"""
