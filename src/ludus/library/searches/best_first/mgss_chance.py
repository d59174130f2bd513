"""What `mgss` asks below nodes in which chance decides; `mgss_gains.py` says why."""

from __future__ import annotations

from ludus.kernel.columns import integer, number
from ludus.kernel.tree import children
from ludus.library.searches.best_first.mgss_gains import rest_of, side_and_goal
from ludus.library.searches.best_first.outcomes import WithChance, by_chance, has_chance, write_outcomes


class GainsWithChance(WithChance):
    """A search by gains that can do with nodes in which chance decides."""

    columns = {
        "turn": integer(),  # 0 if the player at the root moves there, or is the next to move after chance, else 1
        "goal": number(),  # what is asked of a node that the walk has come to: above which value it must rise,
        "scale": number(1.0),  # and how often a gain there counts
    }

    def begin_outcomes(self, game, tree, leaf):
        if has_chance(self, tree):
            write_outcomes(game, tree, leaf)
            for child in children(tree, leaf):
                tree.turn[child] = tree.turn[leaf] if by_chance(self, tree, leaf) else 1 - tree.turn[leaf]

    def turn_at(self, tree, node):
        return tree.turn[node] if has_chance(self, tree) else tree.depth[node] % 2

    def question(self, tree, node, child):
        parity, goal = side_and_goal(tree, tree.register[0].top)
        cap, scale = tree.cap[node], 1.0
        if node > 0 and has_chance(self, tree):
            goal, scale = tree.goal[node], tree.scale[node]
            if by_chance(self, tree, node):
                odds = tree.odds[child]
                if odds == 0.0:
                    return cap, goal, 0.0
                rest = rest_of(self, tree, node, child, parity)
                return (cap - rest) / odds, (goal - rest) / odds, scale * odds
        return cap, goal, scale

    def keep_question(self, tree, node, cap, goal, scale):
        tree.cap[node] = cap
        if has_chance(self, tree):
            tree.goal[node], tree.scale[node] = goal, scale

    # What follows runs in Python only.

    def unused_parts(self, game):
        own = GainsWithChance
        unused = (own.begin_outcomes, own.turn_at, own.question, own.keep_question)
        return () if game.has_chance else (*super().unused_parts(game), *unused)

    def unused_columns(self, game):
        return () if game.has_chance else (*super().unused_columns(game), "turn", "goal", "scale")
