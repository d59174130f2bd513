"""Evaluators that were learnt, kept in files as `learned/NAME`."""
