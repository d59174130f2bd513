"""Best-first minimax in linear space: only the path to the principal leaf and the siblings along it are in memory.

Korf & Chickering (1996) give a recursive form of best-first minimax that forgets a subtree as soon as the principal
variation leaves it, keeps the value that it had, and grows it again when the line comes back. Here the path lies in the
arrays of the tree, which serve as a stack.

Nodes are expanded for the first time in the same order as in the form that keeps the tree. Which leaf a subtree grows
next depends on that subtree alone, so grown again it becomes what it was. The paper's windows between rivals are enough
for this order. But while a subtree is being grown again, what is in memory knows less than was known before. So a
forgotten node keeps one number more, how many expansions it has had, and only after as many does its value count again:
whenever the budget ends, the values are those of the tree. Growing again costs as much as the first time: the meter
counts every expansion.
"""

from ludus.kernel.tree import UNOPENED


def forget_below(tree, node):
    """The descent turns at `node`, the last on the path to stay: forget what is below its children."""
    end = tree.first[node] + tree.count[node]
    for child in range(tree.first[node], end):
        if tree.count[child] > 0:
            tree.count[child] = UNOPENED
            tree.regrown[child] = 0
    tree.size[0] = end


def descend_again(tree, node):
    """From `node` on the path to the leaf that is expanded next, along `best`; what lies beside is forgotten."""
    while tree.count[node] > 0:
        best = tree.best[node]
        if tree.count[best] <= 0:
            forget_below(tree, node)
        node = best
    return node


def is_new(tree, node):
    """Count an expansion below `node`: whether it is one more than the node ever had. Else it was grown again."""
    tree.regrown[node] += 1
    if tree.regrown[node] <= tree.grown[node]:
        return False
    tree.grown[node] = tree.regrown[node]
    return True
