"""What tests share: reference implementations and oracles, small games, simulations, ways to run the command line.

Import it as `from tests.support...`. Files of games that tests load as a user's own are here too
(`SUPPORT / "faulty.py"`).
"""

from pathlib import Path

SUPPORT = Path(__file__).parent
REPOSITORY = SUPPORT.parents[1]
