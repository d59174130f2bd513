"""Players against each other: matches, statistics, workers.

May import: common, kernel, compile, model, runtime, pictures, library, learning.
"""
