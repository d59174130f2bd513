"""When has a match said enough? The sequential probability ratio test, on the results of pairs.

H0 says that the first player is rated `elo0` above the second, H1 that it is `elo1`. After each pair the
log-likelihood ratio (LLR) of H1 to H0 is compared with Wald's bounds; beyond one of them the match is decided, wrongly
in at most about `alpha` of the matches in which H0 is true and `beta` of those in which H1 is. Neither says how often
pairs are drawn, so the test is the *generalised* one, as in fishtest and fastchess: each hypothesis is as likely as the
likeliest distribution of a pair's five results that has its expected score (logistic Elo). That is an exact multinomial
maximum likelihood under one linear constraint, with no normal approximation. In simulated matches, games independent or
not, the errors stay within their limits (`tests/arena/stats/test_sprt.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ludus.arena.stats.statistics import PAIR_SCORES, elo_estimate, expected_score
from ludus.common.errors import SpecError, unknown
from ludus.model.spec import parse_arguments

NEVER = 1e-3
"""The count of a result that has not occurred, as in fishtest: with 0 a single pair could rule out a hypothesis, and
this is little beside the pairs that did occur."""

FARTHEST = 2000
"""The largest difference in Elo that a hypothesis may state."""


@dataclass(frozen=True)
class Sprt:
    """The two hypotheses, and how often either may be accepted when the other is true."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for key, value in asdict(self).items():
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise SpecError(f"{key} must be a number, not {value!r}.")
        for key in ("elo0", "elo1"):
            if not -FARTHEST <= getattr(self, key) <= FARTHEST:
                raise SpecError(f"{key} must be from -{FARTHEST} to {FARTHEST}, not {getattr(self, key)}.")
        if self.elo1 <= self.elo0:
            raise SpecError(f"elo1 must be greater than elo0, but {self.elo1} is not greater than {self.elo0}.")
        for key in ("alpha", "beta"):
            if not 0 < getattr(self, key) < 0.5:
                raise SpecError(f"{key} must be between 0 and 0.5, not {getattr(self, key)}.")

    @classmethod
    def of(cls, given: Sprt | str | Mapping[str, Any]) -> Sprt:
        """A test as it is, or from `elo0=0,elo1=20`, with `alpha` and `beta` if they are to be other than 0.05."""
        if isinstance(given, Sprt):
            return given
        if not isinstance(given, (str, Mapping)):
            raise SpecError(f'{given!r} is no SPRT: give a text such as "elo0=0,elo1=20".')
        found = parse_arguments(given, "an SPRT") if isinstance(given, str) else given
        for key in found:
            if key not in cls.__dataclass_fields__:
                raise unknown("key of an SPRT", key, cls.__dataclass_fields__, say="it is one of")
        for key in ("elo0", "elo1"):
            if key not in found:
                raise SpecError(f"an SPRT needs {key}, as in elo0=0,elo1=20; {given!r} has none.")
        return cls(**found)

    @property
    def low(self) -> float:
        """At this LLR, or below it, H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def high(self) -> float:
        """At this LLR, or above it, H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Sequence[int]) -> float:
        """The log-likelihood ratio of H1 to H0 after these pentanomial counts."""
        if not any(pairs):
            return 0.0
        counts = [count or NEVER for count in pairs]
        return most_likely(counts, expected_score(self.elo1)) - most_likely(counts, expected_score(self.elo0))

    def decision(self, pairs: Sequence[int]) -> str | None:
        """`H0`, `H1`, or None if the match must go on."""
        llr = self.llr(pairs)
        return "H1" if llr >= self.high else "H0" if llr <= self.low else None

    def words(self, pairs: Sequence[int]) -> str:
        """What the test has found, in words; the estimate tells how far the truth may be from both hypotheses."""
        found = {
            "H0": f"H0 accepted: no evidence for {self.elo1:+g}",
            "H1": f"H1 accepted: evidence for {self.elo1:+g} rather than {self.elo0:+g}",
            None: f"not decided between {self.elo0:+g} and {self.elo1:+g}",
        }[self.decision(pairs)]
        return f"{found}; the estimate is {elo_estimate(pairs).value:+.0f}"

    def to_dict(self, pairs: Sequence[int]) -> dict[str, Any]:
        """The hypotheses and what these pairs say about them, for JSON."""
        found = {"llr": self.llr(pairs), "low": self.low, "high": self.high, "decision": self.decision(pairs)}
        return {**asdict(self), **found}


def most_likely(counts: Sequence[float], score: float) -> float:
    """The largest log-likelihood of `counts`, all positive, among distributions with this mean score, less that of all.

    The maximum has the probabilities p = share / (1 + t (x - score)) for the pair scores x (Lagrange), with the one t
    that makes `score` their mean. All p are at most 1, which says where t must be looked for.
    """
    from scipy.optimize import brentq

    total = sum(counts)
    terms = [(count / total, x - score) for count, x in zip(counts, PAIR_SCORES, strict=True)]

    def excess(t: float) -> float:
        return sum(share * d / (1 + t * d) for share, d in terms)

    t = brentq(excess, -(1 - terms[-1][0]) / terms[-1][1], -(1 - terms[0][0]) / terms[0][1])
    return -total * sum(share * math.log1p(t * d) for share, d in terms)
