"""Players against each other: matches, statistics, workers."""
