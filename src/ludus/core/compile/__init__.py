"""The compiler: plain functions bound to one game and one evaluator, and passed through Numba."""
