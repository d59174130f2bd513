"""Plain Python, specialised and compiled: the only room that imports Numba."""
