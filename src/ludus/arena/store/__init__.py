"""Where runs are kept: one SQLite file, whose code may run, how a result came about."""
