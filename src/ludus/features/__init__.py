"""What an evaluator can read from a position: cells, plain boards, tuples; and evaluators that were learnt.

May import: common, kernel.
"""
