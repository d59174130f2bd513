"""Tests of the page\x27s server, through HTTP."""
