"""Perplexity from summed log-probabilities, which shards and batches can add up in any order."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Likelihood:
    """The summed natural log-probability of some predictions, and how many there were."""

    log_probability: float = 0.0
    count: int = 0

    def __add__(self, other: Likelihood) -> Likelihood:
        return Likelihood(self.log_probability + other.log_probability, self.count + other.count)

    @property
    def perplexity(self) -> float:
        """exp of minus the mean: the number of equally likely words that would be as hard to predict."""
        if self.count < 1:
            raise ValueError(f"perplexity needs at least one prediction, not {self.count}")
        mean = -self.log_probability / self.count
        return math.exp(mean) if mean < 700 else math.inf  # beyond that the exponential has no float
