"""Control strategies that sample: games played to the end at random."""
