"""Best-first control strategies: the tree is grown a leaf at a time."""
