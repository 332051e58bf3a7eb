"""How well mistakes are found: the paper's table 1 and the Matthews correlation of WMT's word-level task.

"Mistake" is the positive class. Where a ratio has nothing to divide by, the answer to "how many of these were
wrong" is none: a labeller that marks nothing has precision 100 (as the paper prints it), recall 0 and F1 0,
and where there is no mistake to find recall is 100.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Detection:
    """Tokens counted by what was said of them and what is true. Ratios are per cent, Matthews is -1 to 1."""

    found: int  # mistakes marked as such
    false_alarms: int  # correct words marked
    missed: int  # mistakes not marked
    passed: int  # correct words not marked

    @property
    def accuracy(self) -> float:
        """Of all tokens, those judged rightly."""
        return _per_cent(self.found + self.passed, self.found + self.passed + self.false_alarms + self.missed)

    @property
    def precision(self) -> float:
        """Of the tokens marked, the mistakes."""
        return _per_cent(self.found, self.found + self.false_alarms)

    @property
    def recall(self) -> float:
        """Of the mistakes, those marked."""
        return _per_cent(self.found, self.found + self.missed)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return _per_cent(2 * self.found, 2 * self.found + self.false_alarms + self.missed)

    @property
    def matthews(self) -> float:
        """The correlation of marks and mistakes; 0 where either is all the same."""
        marked, unmarked = self.found + self.false_alarms, self.missed + self.passed
        wrong, right = self.found + self.missed, self.false_alarms + self.passed
        scale = math.sqrt(marked * unmarked * wrong * right)
        return (self.found * self.passed - self.false_alarms * self.missed) / scale if scale else 0.0


def count_detection(marked: ArrayLike, mistakes: ArrayLike) -> Detection:
    """Compare what was marked as a mistake with what is one, token by token."""
    said, true = _booleans(marked), _booleans(mistakes)
    if said.shape != true.shape:
        raise ValueError(f"{said.size} tokens were judged and the truth is known of {true.size}")
    found, false_alarms = int(np.sum(said & true)), int(np.sum(said & ~true))
    missed = int(np.sum(~said & true))
    return Detection(found, false_alarms, missed, said.size - found - false_alarms - missed)


def best_threshold(probabilities: ArrayLike, mistakes: ArrayLike) -> tuple[float, Detection]:
    """The threshold with the highest F1 when tokens are marked whose probability of a mistake reaches it.

    Only the probabilities themselves are tried, since nothing changes in between; of equals the highest wins.
    """
    certainty, true = np.asarray(probabilities, np.float64), _booleans(mistakes)
    if certainty.shape != true.shape:
        raise ValueError(f"{certainty.size} probabilities for {true.size} tokens")
    if not true.any():
        raise ValueError("a threshold cannot be chosen on data without a mistake")
    order = np.argsort(-certainty, kind="stable")
    found = np.cumsum(true[order])  # (tokens,): mistakes among the 1, 2, 3 ... most suspicious tokens
    marked = np.arange(1, len(order) + 1)
    last_of_equals = np.append(np.diff(certainty[order]) != 0, True)
    f1 = np.where(last_of_equals, 2 * found / (marked + true.sum()), -1.0)
    threshold = float(certainty[order][np.argmax(f1)])
    return threshold, count_detection(certainty >= threshold, true)


def _booleans(values: ArrayLike) -> NDArray[np.bool_]:
    return np.asarray(values, np.bool_)


def _per_cent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 100.0
