"""What compiled code and authors of searches import: the rules by name, the tree and its columns, random numbers.

May import: common.
"""
