"""Plain Python, specialised and compiled: the only room that imports Numba.

May import: common, kernel.
"""
