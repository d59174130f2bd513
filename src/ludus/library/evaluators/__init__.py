"""One file a family of evaluators; a new class here is a new evaluator."""
