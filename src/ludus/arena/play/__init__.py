"""How games are played: openings, pairs, seats, the referee, who is to blame for a fault."""
