"""Is system B better than A, or was it luck? Paired bootstrap and approximate randomisation over sentences.

Both are two-sided and draw the same samples as sacreBLEU's `--paired-bs` and `--paired-ar`, so that p-values
are the same for the same seed. Added: the interval of the gain, and p = 1 where nothing differs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from redraft.evaluate.plan import Test
from redraft.evaluate.scores import Measure, Statistics

Values = NDArray[np.float64]
ROWS = 64  # samples drawn at a time, so that memory does not grow with their number


DEFAULT_SAMPLES = {Test.bootstrap: 1000, Test.randomisation: 10000, Test.none: 0}  # as in sacreBLEU


@dataclass(frozen=True)
class Comparison:
    """How much better B is than A, the 95 % interval, and how likely so large a difference is by chance."""

    gain: float  # positive where B is better, for TER too
    p_value: float
    low: float
    high: float
    test: str
    samples: int
    seed: int


def compare(
    measure: Measure, first: Statistics, second: Statistics, test: Test, seed: int, samples: int | None = None
) -> Comparison:
    """Test whether the second system differs from the first; both are counts of the same sentences."""
    samples = samples or DEFAULT_SAMPLES[test]
    gain = measure.gain(first.sum(axis=0), second.sum(axis=0))
    # The interval comes from the bootstrap in either case: shuffling tells nothing about it.
    resampled = _bootstrap_gains(
        measure, first, second, samples if test is Test.bootstrap else DEFAULT_SAMPLES[Test.bootstrap], seed
    )
    low, high = np.quantile(resampled, [0.025, 0.975])
    if np.array_equal(first, second):
        p_value = 1.0  # sacreBLEU would say 1 / (samples + 1)
    elif test is Test.bootstrap:
        sizes = np.abs(resampled)
        p_value = _p_value(sizes - sizes.mean(), gain)
    else:
        p_value = _p_value(np.abs(_shuffled_gains(measure, first, second, samples, seed)), gain)
    return Comparison(gain, p_value, float(low), float(high), test.value, samples, seed)


def _p_value(by_chance: Values, gain: float) -> float:
    return float((np.sum(by_chance > abs(gain)) + 1) / (len(by_chance) + 1))


def _bootstrap_gains(
    measure: Measure, first: Statistics, second: Statistics, samples: int, seed: int
) -> Values:
    """Gains on test sets of the same size, drawn with replacement from the sentences."""
    generator = np.random.default_rng(seed)
    sentences = len(first)
    gains = []
    for rows in _rows(samples):
        drawn = generator.choice(sentences, size=(rows, sentences), replace=True)
        # (rows, sentences): how often each sentence was drawn
        weights = np.stack([np.bincount(row, minlength=sentences) for row in drawn]).astype(np.float64)
        pairs = zip(weights @ first, weights @ second, strict=True)
        gains += [measure.gain(a, b) for a, b in pairs]
    return np.array(gains)


def _shuffled_gains(
    measure: Measure, first: Statistics, second: Statistics, samples: int, seed: int
) -> Values:
    """Gains after each sentence's two translations were swapped with probability one half."""
    generator = np.random.default_rng(seed)
    together = first.sum(axis=0) + second.sum(axis=0)
    gains = []
    for rows in _rows(samples):
        keep = generator.integers(2, size=(rows, len(first)), dtype=bool).astype(np.float64)
        shuffled = keep @ (first - second) + second.sum(axis=0)  # (rows, counts)
        gains += [measure.gain(together - row, row) for row in shuffled]
    return np.array(gains)


def _rows(samples: int) -> Iterator[int]:
    """Portions of ROWS, a multiple of 32: then random bits come as if all were drawn at once."""
    for start in range(0, samples, ROWS):
        yield min(ROWS, samples - start)
