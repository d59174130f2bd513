"""Theorems about game trees, each beside a simulation."""
