"""Which version of how ludus compiles this is."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from ludus.kernel import casts, form, layout, records


@functools.cache
def own_version() -> str:
    """A digest of what decides how code is compiled: what another version of it has compiled is not to be loaded."""
    digest = hashlib.sha256()
    how_states_are_stored = [Path(module.__file__ or "") for module in (records, layout, form, casts)]
    for file in [*sorted(Path(__file__).parent.glob("*.py")), *how_states_are_stored]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
