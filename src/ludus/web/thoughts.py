"""All searches under way: a few at once, each ended soon after its page has gone; finished ones are kept a while."""

from __future__ import annotations

import threading
import time

from ludus.web.plain import Refusal
from ludus.web.pool import PlayerPool
from ludus.web.thinking import Thought, Wish


class Thoughts:
    """All thoughts of the server."""

    def __init__(self, pool: PlayerPool, most: int, kept: int, resting: int) -> None:
        self.pool, self.most, self.kept, self.resting = pool, most, kept, resting
        self._all: dict[str, Thought] = {}
        self._number = 0
        self._lock = threading.Lock()

    def begin(self, wish: Wish) -> Thought:
        """Start a search; refuses if too many are under way."""
        seated = self.pool.take(wish.game, wish.player, wish.budget)
        with self._lock:
            if sum(not thought.is_done for thought in self._all.values()) >= self.most:
                raise Refusal(429, f"{self.most} searches are under way, which is the most: stop one of them first.")
            self._number += 1
            thought = Thought(f"t{self._number}", wish, seated, self._finished)
            self._all[thought.name] = thought
            thought.start()
        self._forget_old()
        return thought

    def get(self, name: str) -> Thought:
        with self._lock:
            thought = self._all.get(name)
        if thought is None:
            raise Refusal(404, f"there is no search {name}; it may have been forgotten.")
        thought.lease.touch()
        return thought

    def forget(self, name: str) -> None:
        thought = self.get(name)
        thought.stop()
        with self._lock:
            self._all.pop(name, None)
        if thought.is_done:
            self._release(thought)

    def end_abandoned(self) -> None:
        """End the searches whose pages have gone."""
        with self._lock:
            gone = [thought for thought in self._all.values() if thought.has_gone]
        for thought in gone:
            thought.stop()

    def end_all(self, seconds: float) -> None:
        """End everything, and wait a little for it."""
        with self._lock:
            left = list(self._all.values())
        for thought in left:
            thought.stop()
        deadline = time.monotonic() + seconds
        for thought in left:
            thought.thread.join(max(deadline - time.monotonic(), 0.0))

    def _finished(self, thought: Thought) -> None:
        """In the thought's thread, at its very end: who is not watched gives the player back at once."""
        if not thought.wish.watch or thought.name not in self._all:
            self._release(thought)

    def _release(self, thought: Thought) -> None:
        """Give the player back, once; its tree can no longer be opened."""
        session, thought.session = thought.session, None
        if session is not None and not thought.error:
            self.pool.give_back(thought.seated, int(session.tree.record.size[0]))

    def _forget_old(self) -> None:
        with self._lock:
            done = [thought for thought in self._all.values() if thought.is_done]
            for thought in done[: max(len(done) - self.kept, 0)]:
                del self._all[thought.name]
            watched = [thought for thought in done if thought.session is not None]
            old = watched[: max(len(watched) - self.resting, 0)]
        for thought in old:
            self._release(thought)
