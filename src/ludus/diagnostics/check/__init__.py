"""Is a game right? Conformance of rules, the same rules compiled and interpreted, rules that never return."""
