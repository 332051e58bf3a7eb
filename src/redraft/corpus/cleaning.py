"""Which sentence pairs a network should not learn from, and why: pure functions over whole arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from redraft.text import Language

Counts = NDArray[np.int64]

# In the order in which they are tried: a pair is counted under the first reason that holds.
REASONS = ("empty", "too_long", "length_ratio", "identical", "wrong_language", "duplicate")
KEPT = 0
EMPTY, TOO_LONG, LENGTH_RATIO, IDENTICAL, WRONG_LANGUAGE, DUPLICATE = range(1, len(REASONS) + 1)


@dataclass(frozen=True)
class CleaningRules:
    """Limits for training pairs. Drafts are only checked for being empty or too long."""

    maximum_tokens: int = 175  # attention is quadratic; 175 keeps 99.9 % of Europarl
    maximum_ratio: float = 4.0  # longer side <= ratio x (shorter side + 2): short pairs may differ more
    identical: bool = True  # pairs whose sides are the same: mostly names, untranslated text
    wrong_language: bool = True
    duplicates: bool = True  # keep the first of pairs that differ at most in blanks


@dataclass(frozen=True)
class SideFacts:
    """What the rules need to know of one side, an entry for each line."""

    lengths: Counts  # tokens
    exact: NDArray[np.uint64]  # hash of the tokens as they stand
    loose: NDArray[np.uint64]  # hash of letters and digits only
    own_words: Counts  # function words of the side's language
    foreign_words: Counts  # function words of the other side's language


def judge(
    rules: CleaningRules, source: SideFacts, reference: SideFacts, drafts: list[SideFacts]
) -> NDArray[np.uint8]:
    """KEPT or the reason against it, for every pair; duplicates are found later, over the whole corpus."""
    sides = [source, reference, *drafts]
    shorter = np.minimum(source.lengths, reference.lengths)
    longer = np.maximum(source.lengths, reference.lengths)
    conditions = [
        np.any([side.lengths == 0 for side in sides], axis=0),
        np.any([side.lengths > rules.maximum_tokens for side in sides], axis=0),
        longer > rules.maximum_ratio * (shorter + 2),
        (source.loose == reference.loose) & rules.identical,
        (_is_foreign(source) | _is_foreign(reference)) & rules.wrong_language,
    ]
    return np.select(conditions, list(range(1, len(conditions) + 1)), KEPT).astype(np.uint8)


def _is_foreign(side: SideFacts) -> NDArray[np.bool_]:
    """A cheap test: at least three function words of the other language, and twice as many as of its own."""
    return (side.foreign_words >= 3) & (side.foreign_words > 2 * side.own_words)


def telling_words(language: Language, other: Language) -> tuple[frozenset[str], frozenset[str]]:
    """Function words that tell two languages apart: those of the first only, those of the second only.

    Nothing can be told where one of them has no list.
    """
    if not language.function_words or not other.function_words:
        return frozenset(), frozenset()
    shared = language.function_words & other.function_words
    return language.function_words - shared, other.function_words - shared


def first_occurrences(hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which entries are the first of their value."""
    first = np.zeros(hashes.size, dtype=np.bool_)
    first[np.unique(hashes, return_index=True)[1]] = True
    return first
