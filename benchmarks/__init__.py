"""Figures of speed, each measured against something in the same run: `python -m benchmarks`."""
