"""What a reproduction is made of: parts, rows, verdicts, reports.

May import: common, model, runtime, pictures, learning, arena.
"""
