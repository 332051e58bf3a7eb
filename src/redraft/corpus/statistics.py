"""What a prepared corpus holds, as figures: sentences, tokens, types, coverage, unknown words, padding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from redraft.corpus.batches import Batches
from redraft.corpus.prepared import PreparedCorpus
from redraft.corpus.splits import PARTS
from redraft.text.vocabulary import UNKNOWN

PADDING_BUDGET = 8192  # slots of a batch, all sides and padding included: some 170 pairs of 25 words


@dataclass(frozen=True)
class SideStatistics:
    """One side of one part."""

    side: str
    sentences: int
    tokens: int
    types: int
    unknown_rate: float  # share of tokens that the vocabulary does not have

    @property
    def coverage(self) -> float:
        """Share of tokens that the vocabulary has."""
        return 1 - self.unknown_rate


@dataclass(frozen=True)
class PartStatistics:
    """One part of the corpus, side by side, and the share of padding in its batches."""

    part: str
    sides: tuple[SideStatistics, ...]
    padding: float


def describe(corpus: PreparedCorpus) -> list[PartStatistics]:
    """Figures for every part that has sentences."""
    parts = []
    for name in PARTS:
        sentences = corpus.part(name)
        if sentences.size:
            lengths = np.stack(
                [corpus.side(side).lengths[sentences] for side in reversed(corpus.side_names)], axis=1
            )
            sides = tuple(_describe_side(corpus, side, sentences) for side in corpus.side_names)
            parts.append(PartStatistics(name, sides, Batches(lengths, PADDING_BUDGET, seed=1).padding()))
    return parts


def _describe_side(
    corpus: PreparedCorpus, name: str, sentences: np.typing.NDArray[np.int64]
) -> SideStatistics:
    side = corpus.side(name)
    chosen = np.zeros(len(corpus), dtype=np.bool_)
    chosen[sentences] = True
    ids = side.ids[np.repeat(chosen, side.lengths)]
    unknown = np.count_nonzero((ids >= len(corpus.vocabulary(name))) | (ids == UNKNOWN))
    return SideStatistics(name, sentences.size, ids.size, np.unique(ids).size, unknown / max(ids.size, 1))
