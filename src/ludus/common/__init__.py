"""What every room may use and what knows nothing of games: errors, files, checked numbers, tables of text.

May import: nothing of ludus.
"""
