"""How often an evaluator chooses a move that is not a best one."""
