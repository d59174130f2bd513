"""What is built in: games, evaluators, searches.

May import: common, kernel, features, model, runtime, pictures.
"""
