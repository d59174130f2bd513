"""Memory that will be wanted soon.

What stands here is the meaning, which is nothing; compiled code gets the processor's own instruction
(`compile/natives.py`), which lets the memory come while other things are done.
"""


def prefetch(cells, index):
    """A cell of this array, or of each of these in a tuple, will be looked at soon."""
