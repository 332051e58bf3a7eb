"""Batches of sentences of like length within a budget of slots, in an order that seed and epoch decide.

The batches of an epoch are a pure function of lengths, budget, seed and epoch, so a run that stopped after
batch b goes on at batch b + 1 with nothing but those numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from redraft.corpus.splits import mix
from redraft.errors import UserError
from redraft.kernels import kernel

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Position:
    """Where in the endless sequence of batches a run stands: the next batch of an epoch."""

    epoch: int = 0
    batch: int = 0


class Batches:
    """Batches over sentences with one length for each side.

    A batch of r sentences costs r x (longest of side 1 + longest of side 2 + ...) slots, padding included,
    and never more than the budget; a single sentence that is longer makes a batch of its own.
    """

    def __init__(self, lengths: NDArray[np.integer], budget: int, seed: int) -> None:
        """`lengths` is (sentences,) or (sentences, sides); the first side decides most."""
        table = np.asarray(lengths, dtype=np.int64)
        self._lengths = table[:, None] if table.ndim == 1 else table
        if budget < 1:
            raise UserError(f"a batch budget of {budget} slots; expected at least 1")
        self._budget = budget
        self._seed = seed

    def epoch(self, epoch: int) -> list[Indices]:
        """All batches of one epoch, each an array of sentence indices."""
        size = self._lengths.shape[0]
        shuffled = self._shuffle(size, epoch, salt=0)
        keys = [self._lengths[shuffled, side] for side in reversed(range(self._lengths.shape[1]))]
        order = shuffled[np.lexsort(keys)] if size else shuffled
        cuts = _cut(self._lengths[order], self._budget).tolist()
        batches = [order[start:stop] for start, stop in pairwise(cuts) if stop > start]
        return [batches[i] for i in self._shuffle(len(batches), epoch, salt=1)]

    def _shuffle(self, size: int, epoch: int, salt: int) -> Indices:
        """A permutation that no version of any library can change: numbers in the order of their hashes."""
        keys = mix(np.arange(size, dtype=np.uint64), 4 * self._seed + 2 * salt + 1)
        return np.argsort(mix(keys, epoch), kind="stable")

    def after(self, position: Position) -> Iterator[tuple[Position, Indices]]:
        """Batches without end from a position on, each with the position that follows it."""
        if self._lengths.shape[0] == 0:
            raise UserError("no sentences to make batches of; the corpus is empty after cleaning")
        epoch, start = position.epoch, position.batch
        while True:
            batches = self.epoch(epoch)
            for number in range(start, len(batches)):
                last = number + 1 == len(batches)
                yield Position(epoch + 1, 0) if last else Position(epoch, number + 1), batches[number]
            epoch, start = epoch + 1, 0

    def padding(self, epoch: int = 0) -> float:
        """The share of an epoch's slots that hold padding."""
        used = slots = 0
        for batch in self.epoch(epoch):
            lengths = self._lengths[batch]
            used += int(lengths.sum())
            slots += len(batch) * int(lengths.max(axis=0).sum())
        return 1 - used / slots if slots else 0.0


@kernel
def _cut(lengths: NDArray[np.int64], budget: int) -> Indices:
    """Where batches begin and end, greedily along the sorted sentences: 0, ..., number of sentences."""
    cuts = np.empty(lengths.shape[0] + 2, dtype=np.int64)  # 0 and 0 where there are no sentences
    cuts[0] = 0
    count = 1
    widest = np.zeros(lengths.shape[1], dtype=np.int64)
    for index in range(lengths.shape[0]):
        width = 0
        for side in range(lengths.shape[1]):
            width += max(widest[side], lengths[index, side])
        fresh = index > cuts[count - 1] and (index + 1 - cuts[count - 1]) * width > budget
        if fresh:
            cuts[count] = index
            count += 1
        for side in range(lengths.shape[1]):
            widest[side] = lengths[index, side] if fresh else max(widest[side], lengths[index, side])
    cuts[count] = lengths.shape[0]
    return cuts[: count + 1]
