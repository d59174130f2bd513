"""States with boards in them: changed, compared, told apart.

What stands here is the meaning; compiled code has its own `replace` (`compile/intrinsics.py`), and compares states in
their columns (`compile/generated.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np


def replace(board: Any, index: Any, value: Any) -> Any:
    """A board with one element changed; the board itself stays as it is.

    board: a tuple or a NumPy array; index: a whole number, or for an array of several dimensions a tuple of them.
    """
    if isinstance(board, np.ndarray):
        changed = board.copy()
        changed[index] = value
        return changed
    size = len(board)
    if not -size <= index < size:
        raise IndexError(f"there is no element {index} in a board of {size}")
    index %= size
    return (*board[:index], value, *board[index + 1 :])


def same_state(a: Any, b: Any) -> bool:
    """Equal, element by element; objects that do not say what equal means, field by field."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return type(a) is type(b) and np.array_equal(a, b)
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same_state, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_state(a[key], b[key]) for key in a)
    if type(a) is type(b) and type(a).__eq__ is object.__eq__:
        return same_state(vars(a), vars(b)) if hasattr(a, "__dict__") else str(a) == str(b)
    return bool(a == b)


def state_key(state: Any) -> Any:
    """What stands for a state in a set or a dictionary: the same for equal states of a game, and only for those."""
    if isinstance(state, np.ndarray):
        return state.shape, tuple(state.ravel().tolist())
    if isinstance(state, (tuple, list)):
        return tuple(map(state_key, state))
    return state if type(state).__hash__ is not None else repr(state)
