"""How much a page may ask of the server."""

from __future__ import annotations

THOUGHTS = 6
"""Searches under way at once, those at rest included."""

REVIEWS = 3
"""Reviews under way at once."""

RESTING = 8
"""Finished thoughts whose trees are kept, and with them their memory."""

KEPT = 60
"""Finished thoughts that are remembered."""

LEASE, LONG_LEASE = 4.0, 60.0
"""Seconds after which a search ends whose page has gone; and one that is at rest."""

MOST_NODES, MOST_SECONDS, MOST_MEMORY, MOST_TABLE = 5_000_000, 600, 1000, 256
"""What a budget on the page may be, at most; megabytes for a tree and for a table."""

CHILDREN = 24
"""Moves of the root in an event."""

EVENTS = 1_000
"""Events of one thought that are kept; of more, older ones are left out."""

PACE = 0.05
"""Seconds between two looks at a search, at least."""

BODY = 256 * 1024
"""Bytes of a request's body."""
