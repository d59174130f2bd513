"""The tests, in folders that mirror src/ludus; what they share is in `tests/support`."""
