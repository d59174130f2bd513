"""Several threads at one program's work: the leader, whose result counts, and members who work on the same thing.

All of them run the same kernel, which releases the interpreter's lock, each on a tree of its own or, where the program
says so (`Program.shares_tree`), all in the leader's; what else they share is the program's to say
(`Program.extras_of_member`). The members stop when the leader does.

A counted budget is for all threads together: each has an even share, and what the members leave of theirs the leader
spends alone at the end. So it is spent whole, and overrun by at most one step of each thread.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.kernel import limits as b
from ludus.model.budget import Budget

if TYPE_CHECKING:
    from ludus.runtime.runner import Runner


COUNTED = [b.NODES, b.UNITS]
"""The limits on what is counted."""

MOST_THREADS = 256
"""More than a machine has processors."""


def check_threads(threads: int) -> None:
    """Refuse what is no number of threads."""
    if not 1 <= threads <= MOST_THREADS:
        raise ValueError(f"threads must be from 1 to {MOST_THREADS}")


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class ThreadTeam:
    """The members of a leader; none where the work is interpreted, since the interpreter has one lock."""

    def __init__(self, leader: Runner) -> None:
        self.leader = leader
        many = leader.program.threads if leader.kernel is not None else 1
        self.members = [leader.member(number) for number in range(1, many)]
        self.running: list[threading.Thread] = []
        self.errors: list[BaseException] = []

    @property
    def threads(self) -> int:
        """How many there are, the leader's included."""
        return 1 + len(self.members)

    def start(self, state: Any, budget: Budget, seed: int, share: float) -> None:
        """The leader has begun: so do the members."""
        self.errors.clear()
        self.full_limit = self.leader.limits[COUNTED]
        gone = self.charged(self.leader.meter)
        even = np.maximum((self.full_limit - gone) // self.threads, 1)
        for member in self.members:
            member.begin(state, budget, seed, share)
            member.limits[COUNTED] = even
        self.leader.limits[COUNTED] = gone + even
        self.running = [
            threading.Thread(target=self._work, args=(member, budget), daemon=True) for member in self.members
        ]
        for thread in self.running:
            thread.start()

    def _work(self, member: Runner, budget: Budget) -> None:
        try:
            member.advance(budget)
        except BaseException as error:
            self.errors.append(error)
            self.abandon()

    def abandon(self) -> None:
        """A thread has failed: nobody waits for it."""
        for work in (self.leader, *self.members):
            work.limits[b.INTERRUPT] = b.ABANDONED

    def stop(self) -> bool:
        """The leader has stopped: so do the members. Have they left something of a counted budget to the leader?"""
        if not self.running:
            return False
        for member in self.members:
            member.limits[b.INTERRUPT] = member.limits[b.INTERRUPT] or 1
        for thread in self.running:
            thread.join()
        self.running = []
        if self.errors:
            raise self.errors[0]
        before, rest = self.leader.limits[COUNTED], self.full_limit - self.charged(self.spent)
        self.leader.limits[COUNTED] = rest
        return bool((rest > before).all())

    def charged(self, meter: np.ndarray) -> np.ndarray:
        """What the counts of a meter cost, in nodes and in units."""
        limits = self.leader.limits
        units = limits[b.TRAVERSE] * meter[b.TRAVERSED] + limits[b.GENERATE] * meter[b.GENERATED]
        return np.array([meter[b.GENERATED], units])

    def hand_over(self) -> None:
        """What the members have spent is counted by the leader, and forgotten here."""
        self.leader.meter += self.spent
        for member in self.members:
            member.meter[:] = 0

    @property
    def spent(self) -> np.ndarray:
        """What the members have spent so far."""
        return sum((member.meter for member in self.members), np.zeros(4, np.int64))
