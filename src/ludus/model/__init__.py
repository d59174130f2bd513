"""The words: games, positions, evaluators, searches, players, budgets, results, and how they are found by name.

May import: common, kernel, features, compile.
"""
