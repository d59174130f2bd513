"""The page: a server for one person's browser, and its static files. Only `cli` starts it.

May import: common, kernel, features, model, runtime, pictures, library, learning, arena, diagnostics, terminal.
"""
