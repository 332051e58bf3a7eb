"""Do things come true as often as they were said to? Expected calibration error over equal-count bins."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Bin:
    """Predictions of similar probability: one point of a reliability plot."""

    count: int
    lowest: float
    highest: float
    probability: float  # the mean of what was predicted
    frequency: float  # how often it came true


@dataclass(frozen=True)
class Calibration:
    """The expected calibration error (0 is perfect, 1 the worst), its 95 % interval, and its bins."""

    error: float
    low: float
    high: float
    bins: list[Bin]


def measure_calibration(
    probabilities: ArrayLike, outcomes: ArrayLike, seed: int, bins: int = 10, samples: int = 1000
) -> Calibration:
    """The mean over bins of |frequency - probability|, weighted by count.

    Bins hold equally many predictions, as far as equal probabilities can stay together: so the
    order of the input does not matter. The interval is a bootstrap over predictions, with the bins fixed.
    """
    said, true = np.asarray(probabilities, np.float64), np.asarray(outcomes, np.bool_)
    if said.shape != true.shape or not said.size:
        raise ValueError(f"{said.size} probabilities and {true.size} outcomes; as many of each are needed")
    if not (said.min() >= 0 and said.max() <= 1):  # also refuses NaN
        raise ValueError(f"probabilities must lie between 0 and 1, not from {said.min()} to {said.max()}")
    order = np.argsort(said, kind="stable")
    said, true = said[order], true[order]
    edges = _edges(said, bins)
    excess = said - true  # a bin's sum of these is what it adds to the error, times the number of predictions
    error = np.abs(np.add.reduceat(excess, edges[:-1])).sum() / len(said)
    resampled = _resample(excess, edges, seed, samples)
    low, high = np.quantile(resampled, [0.025, 0.975]) if samples else (error, error)
    members = [
        Bin(int(b - a), float(said[a]), float(said[b - 1]), float(said[a:b].mean()), float(true[a:b].mean()))
        for a, b in pairwise(edges)
    ]
    return Calibration(float(error), float(low), float(high), members)


def _edges(ordered: NDArray[np.float64], bins: int) -> NDArray[np.int64]:
    """Where bins begin, and the end of the last: equal steps, each moved on to the end of a run of equals."""
    steps = np.linspace(0, len(ordered), bins + 1).round().astype(np.int64)[1:-1]
    moved = np.searchsorted(ordered, ordered[np.maximum(steps - 1, 0)], side="right")
    return np.unique(np.concatenate([[0], moved, [len(ordered)]]))


def _resample(
    excess: NDArray[np.float64], edges: NDArray[np.int64], seed: int, samples: int
) -> NDArray[np.float64]:
    """The error of each bootstrap sample."""
    generator = np.random.default_rng(seed)
    member = np.repeat(np.arange(len(edges) - 1), np.diff(edges))  # (predictions,): the bin of each
    errors = np.empty(samples)
    for sample in range(samples):
        drawn = generator.integers(len(excess), size=len(excess))
        errors[sample] = np.abs(np.bincount(member[drawn], excess[drawn])).sum() / len(excess)
    return errors
