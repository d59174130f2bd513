"""Theorems about game trees, each beside a simulation.

May import: common, kernel, model, runtime, pictures, library.
"""
