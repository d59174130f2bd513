"""The transposition table against one made of Python's dictionaries, compiled and interpreted."""

import random

import numpy as np
import pytest

from ludus import Budget, Game
from ludus.kernel.limits import NEEDS_NODES, STOP_EXHAUSTED
from ludus.kernel.rules import digest, load, play
from ludus.kernel.table import LINE, WAYS, Table, keep, probe
from ludus.kernel.tree import open_node
from ludus.model.program import Program
from ludus.runtime.runner import Runner

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
PROBE, KEEP, NEW_SEARCH = 0, 1, 2


class Plane(Game):
    """Move m leads to (m // 8 - 4, m % 8 / 2, whether m is odd), from anywhere: any state is one move away."""

    max_moves = 1

    def initial(self):
        return (np.int16(0), 0.0, False)

    def moves(self, state, out):
        out[0] = 0
        return 1

    def play(self, state, move):
        return (move // 8 - 4, (move % 8) / 2, move % 2 == 1)

    def score(self, state):
        return 0


class Clerk(Program):
    """Does what is written in the rows of `orders`: (what, which state, depth, low, width, move).

    `found` has a row for each order: the depth, bounds and move that a probe found, NaN if it found nothing.
    """

    def __init__(self, orders, megabytes: float, shared: bool) -> None:
        self.orders, self.megabytes, self.is_shared = np.array(orders, np.int64), megabytes, shared
        self.found = np.full((len(orders), 4), np.nan)

    def extras(self, game, evaluator, compiled):
        self.table = Table(game.layout, self.megabytes, compiled, self.is_shared)
        return {"table": self.table.record}

    def step(self, game, evaluator, tree, limits):
        if not open_node(game, tree, 0):
            return NEEDS_NODES
        table = tree.table
        for i in range(self.orders.shape[0]):
            what, which, depth, low, width, move = self.orders[i]
            state = play(game, load(tree.state, 0), which)
            if what == NEW_SEARCH:
                table.now[0] += 1
            elif what == KEEP:
                keep(table, state, depth, 0.25 * low, 0.25 * (low + width), move)
            else:
                found = table.found[0]
                if probe(table, state):
                    self.found[i, 0] = found.depth
                    self.found[i, 1] = found.low
                    self.found[i, 2] = found.high
                    self.found[i, 3] = found.move
        return STOP_EXHAUSTED


class SlowTable:
    """For each home a short list of entries (state, depth, low, high, move), and who gives way in words."""

    def __init__(self, slots):
        self.homes = [[None] * WAYS for _ in range(slots // WAYS)]

    def home(self, state):
        with np.errstate(over="ignore"):
            return self.homes[int(digest(state)) % len(self.homes)]

    def probe(self, state):
        return next((entry[1:] for entry in self.home(state) if entry and entry[0] == state), None)

    def keep(self, state, depth, low, high, move):
        home = self.home(state)
        mine = [i for i, entry in enumerate(home) if entry and entry[0] == state]
        empty = [i for i, entry in enumerate(home) if entry is None]
        candidates = mine or empty or range(WAYS)
        slot = min(candidates, key=lambda i: home[i][1] if home[i] else 0)  # the shallowest, the first of equals
        home[slot] = (state, depth, low, high, move)


def done_by_clerk(orders, megabytes, compiled, shared=False):
    """What a real table answers to each order, None where there was nothing to answer or to find, and its size."""
    game, clerk = Plane(), Clerk(orders, megabytes, shared)
    session = Runner(clerk, game, compiled=compiled)
    assert (session.kernel is not None) == compiled
    clerk.found[:] = np.nan  # a compilation rehearses
    table = session.tree.record.table
    table.now[:] = 0
    if compiled:
        table.entry.fill(0)
    else:
        table.entry.clear()
    session.run(game.start, Budget(nodes=1))
    answers = [None if np.isnan(row).all() else tuple(row.tolist()) for row in clerk.found]
    return answers, table.entry.size


def done_slowly(orders, slots):
    table, game, answers = SlowTable(slots), Plane(), []
    for what, which, depth, low, width, move in orders:
        state = game.layout.settle(game.play(game.start, which))
        answers.append(table.probe(state) if what == PROBE else None)
        if what == NEW_SEARCH:
            table = SlowTable(slots)
        elif what == KEEP:
            table.keep(state, depth, 0.25 * low, 0.25 * (low + width), move)
    return answers


def random_orders(seed, states, how_many):
    source = random.Random(seed)
    orders = [(NEW_SEARCH, 0, 0, 0, 0, 0)]
    while len(orders) < how_many:
        what = source.choices((PROBE, KEEP, NEW_SEARCH), (10, 10, 1))[0]
        orders.append(
            (
                what,
                source.randrange(states),
                source.randrange(5),
                source.randint(-9, 9),
                source.randrange(3),
                source.randint(-1, 99),
            )
        )
    return orders


@pytest.mark.slow
@MODES
@pytest.mark.parametrize(("megabytes", "slots"), [(0.0, 2), (0.0003, 4), (0.0011, 16), (0.0085, 128)])
def test_a_table_answers_as_dictionaries_do(compiled, megabytes, slots):
    for seed in range(10):
        orders = random_orders(seed, states=64, how_many=600)
        answers, size = done_by_clerk(orders, megabytes, compiled, shared=seed % 2 == 1)
        assert size == slots
        assert answers == done_slowly(orders, slots)
        probes = sum(order[0] == PROBE for order in orders)
        hits = sum(answer is not None for answer in answers)
        assert hits >= 3
        assert slots == 128 or hits < probes


def ask(*orders, compiled=False):
    """The answers to the probes among (what, state, depth) orders, with two slots for all states: the depths found."""
    rows = [(NEW_SEARCH, 0, 0, 0, 0, 0), *((what, state, depth, 1, 0, 0) for what, state, depth in orders)]
    answers, slots = done_by_clerk(rows, 0.0, compiled)
    assert slots == 2
    return [answer and answer[0] for row, answer in zip(rows, answers, strict=True) if row[0] == PROBE]


def test_a_state_is_known_by_itself_not_by_its_hash():
    # All states share the two slots, so all hashes collide.
    assert ask((KEEP, 1, 5), (PROBE, 1, 0), (PROBE, 2, 0), (PROBE, 9, 0), (PROBE, 3, 0)) == [5, None, None, None]


def test_the_same_state_takes_its_own_slot_even_with_less_depth():
    assert ask((KEEP, 1, 5), (KEEP, 2, 6), (KEEP, 1, 3), (PROBE, 1, 0), (PROBE, 2, 0)) == [3, 6]


def test_the_shallower_entry_gives_way():
    assert ask((KEEP, 1, 5), (KEEP, 2, 3), (KEEP, 3, 1), (PROBE, 1, 0), (PROBE, 2, 0), (PROBE, 3, 0)) == [5, None, 1]


def test_an_entry_of_an_older_search_gives_way_however_deep():
    orders = [(KEEP, 1, 9), (NEW_SEARCH, 0, 0), (KEEP, 2, 1), (KEEP, 3, 1)]
    assert ask(*orders, (PROBE, 1, 0), (PROBE, 2, 0), (PROBE, 3, 0)) == [None, 1, 1]


def test_an_entry_of_an_older_search_is_not_found():
    assert ask((KEEP, 1, 9), (PROBE, 1, 0), (NEW_SEARCH, 0, 0), (PROBE, 1, 0)) == [9, None]


@MODES
def test_the_size_is_a_power_of_two_within_the_memory(compiled):
    layout = Plane().layout
    for megabytes in (0.0001, 0.01, 0.7, 1.0):
        table = Table(layout, megabytes, compiled)
        slot = LINE  # of which the state and what is known of it take 51 bytes
        assert table.slots == table.record.entry.size
        assert table.slots.bit_count() == 1
        assert table.slots == WAYS or table.slots * slot <= megabytes * 1e6
        assert 2 * table.slots * slot > megabytes * 1e6
