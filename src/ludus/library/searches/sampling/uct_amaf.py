"""Options of `uct`: all moves as first (AMAF). A move that a player made later in a game counts as if made at once.

*RAVE* (rapid action value estimation; Gelly & Silver 2007, 2011): besides its own visits a move has those games in
which the same player made it at this node or anywhere later, in the tree or in the playout. There are many more of
them, and they are less to the point. The descent believes (1 - b) mean + b AMAF mean, b = m / (n + m + n m / k) for n
visits and m such games: with many games half of each after k visits, `rave`. (The paper's 4 bias^2 is 1 / k.) A move
that was never visited, but made later, counts as visited once.

*GRAVE* (Cazenave 2015): where a node has been visited less than `grave` times, the games of its nearest ancestor with
as many tell more, so they are taken: AMAF statistics of all moves of both players, not only of those that are legal
there.

The statistics of a node begin when its moves are listed. Those of RAVE are columns of its children. Those of GRAVE are
in a table of fixed size, by node, player and move; where it is full, the one with the fewest games gives way.

A game's decisions are numbered from the root on, so that those of the player to move there are even: `tree.trail` has
their moves, `tree.seat` says where in the trail a player made a move last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.kernel.limits import TRAVERSED
from ludus.kernel.playout import drawn_move, longest_playout
from ludus.kernel.random import GAMMA, mix
from ludus.kernel.rules import moves, play, score
from ludus.kernel.table import slots_of
from ludus.kernel.tree import children

if TYPE_CHECKING:
    from ludus.model.playable import PlayableGame

ENTRY = {"key": "i8", "move": "i8", "games": "f8", "total": "f8"}
"""An entry of GRAVE's table. The total is, as in the tree, to the opponent of who makes the move."""

ENTRIES = 1 << 21
"""Entries of the table: 64 MB."""

WAYS = 4
"""Entries that a move may be in."""

SEARCH = 1 << 40
"""More than twice the nodes of a tree: a key is the number of the search times this, plus 2 node + player."""


# What the descent believes.


def find_reference(search, tree, node):
    """The descent is at `node`: the nearest node on its way that was visited often enough."""
    if node == 0 or tree.visits[node] >= search.grave:
        tree.register[0].reference = node


def amaf(search, tree, child):
    """The games that tell about the move to `child`, as far as is known, and the sum of their results."""
    if search.grave == 0:
        return tree.amaf_games[child], tree.amaf_total[child]
    at = tree.register[0]
    found = entry_of(tree, key_of(tree, at.reference, at.turn % 2), tree.move[child])
    return (tree.amaf[found].games, tree.amaf[found].total) if found >= 0 else (0.0, 0.0)


def with_amaf(search, tree, child, value):
    """A value of a child that was visited, and the mean of its AMAF games; what is proven stays as it is."""
    games, total = amaf(search, tree, child)
    if games == 0.0 or tree.low[child] == tree.high[child]:
        return value
    visits = tree.visits[child]
    share = games / (visits + games + visits * games / search.rave)
    return (1.0 - share) * value + share * (total / games)


def amaf_urgency(search, tree, child, explore):
    """The urgency of a move that was never visited."""
    games, total = amaf(search, tree, child)
    return explore - total / games if games > 0.0 else search.fpu


# What a game tells.


def recorded_playout(game, state, tree):
    """A playout, as in `playout`, whose decisions are kept in the trail."""
    at, plies, sense = tree.register[0], 0, 1.0
    n = at.moves
    while n > 0:
        if plies == at.longest:
            return 0.0
        chosen, by_chance = drawn_move(game, state, n, tree.random)
        if not by_chance:
            sense = -sense
            if at.made < tree.trail.size:
                tree.trail[at.made] = tree.reply[chosen]
                at.made += 1
        state = play(game, state, tree.reply[chosen])
        n = moves(game, state, tree.reply)
        plies += 1
    return sense * score(game, state)


def count_in_amaf(search, game, tree):
    """The visit to the leaf is over: count its game at every node above."""
    at = tree.register[0]
    note_path(tree)
    find_seats(tree)
    node, turn = at.leaf, at.turn
    while node > 0:
        node = tree.parent[node]
        if tree.outcomes[node] == 0:
            turn -= 1
            if search.grave == 0:
                count_for_children(game, tree, node, turn)
            else:
                count_in_table(game, tree, node, turn)


def note_path(tree):
    """The decisions on the way to the leaf, as far as there is room for them in the trail."""
    at = tree.register[0]
    node, turn = at.leaf, at.turn
    while node > 0:
        parent = tree.parent[node]
        if tree.outcomes[parent] == 0:
            turn -= 1
            if turn < tree.trail.size:
                tree.trail[turn] = tree.move[node]
        node = parent
    at.made = min(at.made, tree.trail.size)


def find_seats(tree):
    """Where in the trail each player made each of his moves last."""
    for cell in range(tree.seat.size):
        tree.seat[cell] = -1
    for turn in range(tree.register[0].made):
        tree.seat[seat_of(tree, tree.trail[turn], turn % 2)] = turn


def seat_of(tree, move, player):
    """The cell of `seat` for a move of a player: the one where it is, or an empty one."""
    most = tree.seat.size - 1
    cell = np.int64(mix(np.int64(move).view(np.uint64) * GAMMA + np.uint64(player)) & np.uint64(most))
    while tree.seat[cell] >= 0 and (tree.trail[tree.seat[cell]] != move or tree.seat[cell] % 2 != player):
        cell = (cell + 1) & most
    return cell


def result_to_opponent(tree, player):
    """What was found at the leaf, to the opponent of `player`."""
    at = tree.register[0]
    return -at.found if at.turn % 2 == player else at.found


def count_for_children(game, tree, node, turn):
    """RAVE: count the game for each child of `node` whose move its player made there or later."""
    result = result_to_opponent(tree, turn % 2)
    game.meter[TRAVERSED] += tree.count[node]
    for child in children(tree, node):
        if tree.seat[seat_of(tree, tree.move[child], turn % 2)] >= turn:
            tree.amaf_games[child] += 1.0
            tree.amaf_total[child] += result


def count_in_table(game, tree, node, turn):
    """GRAVE: count the game for each move that a player made there or later, once for each."""
    made = tree.register[0].made
    game.meter[TRAVERSED] += max(made - turn, 0)
    for later in range(turn, made):
        move, player = tree.trail[later], later % 2
        if tree.seat[seat_of(tree, move, player)] == later:
            entry = tree.amaf[entry_for(tree, key_of(tree, node, player), move)]
            entry.games += 1.0
            entry.total += result_to_opponent(tree, player)


# GRAVE's table.


def key_of(tree, node, player):
    return tree.searches[0] * SEARCH + 2 * node + player


def home_of(tree, key, move):
    """The first of the entries where a move may be."""
    bits = mix(np.uint64(key) * GAMMA + np.int64(move).view(np.uint64))
    return np.int64(bits & np.uint64(tree.amaf.size // WAYS - 1)) * WAYS


def entry_of(tree, key, move):
    """Where what is known of a move is; -1: nothing is known."""
    home = home_of(tree, key, move)
    for slot in range(home, home + WAYS):
        if tree.amaf[slot].key == key and tree.amaf[slot].move == move:
            return np.int64(slot)
    return np.int64(-1)


def entry_for(tree, key, move):
    """Where a move is to be counted: where it is already, else in place of the entry that tells least."""
    found = entry_of(tree, key, move)
    if found >= 0:
        return found
    found = home = home_of(tree, key, move)
    for slot in range(home + 1, home + WAYS):
        if games_in(tree, slot) < games_in(tree, found):
            found = np.int64(slot)
    entry = tree.amaf[found]
    entry.key, entry.move, entry.games, entry.total = key, move, 0.0, 0.0
    return found


def games_in(tree, slot):
    """The games of an entry; 0 if it is of an earlier search."""
    entry = tree.amaf[slot]
    return entry.games if entry.key >= tree.searches[0] * SEARCH else 0.0


# What follows runs in Python only.


def amaf_memory(search: Any, game: PlayableGame, compiled: bool) -> dict[str, Any]:
    """The trail and its seats, GRAVE's table and the number of the search; small where they are not used."""
    room = 2 * longest_playout(game) if search.rave > 0 else 1
    entries = ENTRIES if search.grave > 0 else WAYS
    return {
        "trail": np.zeros(room, np.int64),
        "seat": np.zeros(1 << (2 * room).bit_length(), np.int64),
        "amaf": slots_of(entries, ENTRY, compiled),
        "searches": np.zeros(1, np.int64),
        "thread": np.zeros(1, np.int64),
    }
