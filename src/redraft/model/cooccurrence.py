"""The Hellinger matrix of a parallel corpus: which words stand in the same sentence pairs, as square roots.

It has a row for every word of both languages and a column for every context word. It is never in memory as a
whole: rows that are about a quarter full are kept dense, the rest sparse, and what it offers are products.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import embedding_bag

from redraft.errors import UserError
from redraft.text.vocabulary import NUMBER, SPECIALS, UNKNOWN

# A sentence's context words stand in lines of this many: lines are copied much faster than single words.
LINE = 16
DENSE_PAIRS = 2**18  # counted at once for dense rows: what stays in the processor's cache
SPARSE_PAIRS = 2**23  # counted at once for sparse rows, and the most entries of a sparse block

Ids = NDArray[np.int32]
Places = NDArray[np.int64]


class Sentences(Protocol):
    """One side of a parallel corpus: all ids in a row, and where each sentence begins and ends."""

    @property
    def ids(self) -> Ids: ...  # (tokens,)

    @property
    def offsets(self) -> Places: ...  # (sentences + 1,)


@dataclass(frozen=True)
class DenseBlock:
    """Rows of frequent words, which stand beside most context words."""

    values: Tensor  # (rows, C)

    def times(self, columns: Tensor) -> Tensor:
        """The block's rows times a matrix: (C, w) to (rows, w)."""
        return self.values @ columns

    def transposed_times(self, rows: Tensor) -> Tensor:
        """The transposed block times a matrix: (rows, w) to (C, w)."""
        return self.values.T @ rows


@dataclass(frozen=True)
class Bags:
    """A sparse matrix by rows, the way `embedding_bag` takes it: sums of weighted rows of another matrix.

    That is three times as fast as torch's own sparse product and, other than that, the same everywhere.
    """

    places: Tensor  # (entries,) columns, int32
    weights: Tensor  # (entries,)
    offsets: Tensor  # (rows + 1,) int32

    def times(self, other: Tensor) -> Tensor:
        # Rows of `other` must be contiguous, or this takes ten times as long.
        return embedding_bag(
            self.places,
            other.contiguous(),
            self.offsets,
            mode="sum",
            per_sample_weights=self.weights,
            include_last_offset=True,
        )


@dataclass(frozen=True)
class SparseBlock:
    """Rows of rarer words, kept twice: a product with the transposed matrix needs its rows."""

    by_row: Bags
    by_column: Bags

    def times(self, columns: Tensor) -> Tensor:
        """As in a dense block."""
        return self.by_row.times(columns)

    def transposed_times(self, rows: Tensor) -> Tensor:
        """As in a dense block."""
        return self.by_column.times(rows)


@dataclass(frozen=True)
class HellingerMatrix:
    """Square roots of the shares of context words among what stands in a word's sentence pairs.

    Rows of words that never occur are zero, all others have length 1.
    """

    blocks: list[tuple[Tensor, DenseBlock | SparseBlock]]  # the words of its rows, (rows,), and the block
    columns: int  # C
    sentences: Tensor  # (R,) by word: how many hold it

    def times(self, columns: Tensor) -> Tensor:
        """The product with a matrix, one row per word, source words first: (C, w) to (R, w)."""
        product = torch.zeros(len(self.sentences), columns.shape[1])
        for words, block in self.blocks:
            product[words] = block.times(columns)
        return product

    def gram_times(self, columns: Tensor) -> Tensor:
        """The transposed matrix times the matrix times another, (C, w) to (C, w), block by block."""
        product = torch.zeros_like(columns)
        for _, block in self.blocks:
            product += block.transposed_times(block.times(columns))
        return product


def hellinger_matrix(
    source: Sentences, target: Sentences, source_words: int, target_words: int, context_words: int
) -> HellingerMatrix:
    """Count which words stand in the same pairs; `context_words` is the number of columns for each language.

    Rows are ids below `source_words`, then those below `target_words`; ids beyond count as `<unk>`. Of the
    special symbols, numbers are words like any other; the rest are never columns.
    """
    if len(source.offsets) != len(target.offsets):
        given = f"{len(source.offsets) - 1} source and {len(target.offsets) - 1} target sentences"
        raise UserError(f"{given}; embeddings need parallel text, as many of one as of the other")
    occurrences = _find_occurrences(source, target, source_words, target_words)
    source_columns = _choose_columns(source, source_words, context_words)
    target_columns = _choose_columns(target, target_words, context_words) + source_words
    context = _Context(occurrences, np.concatenate([source_columns, target_columns]), len(source.offsets) - 1)
    return _count(occurrences, context)


@dataclass(frozen=True)
class _Occurrences:
    """The sentences of every word, each sentence once."""

    sentences: Ids  # (occurrences,) by word
    offsets: Places  # (R + 1,)

    def select(self, words: Places) -> _Occurrences:
        """The occurrences of some words, in the order given."""
        lengths = np.diff(self.offsets)[words]
        return _Occurrences(self.sentences[_spans(self.offsets[words], lengths)], _cumulate(lengths))


def _find_occurrences(
    source: Sentences, target: Sentences, source_words: int, target_words: int
) -> _Occurrences:
    sides = [_find_on_side(source, source_words), _find_on_side(target, target_words)]
    lengths = np.concatenate([np.diff(side.offsets) for side in sides])
    return _Occurrences(np.concatenate([side.sentences for side in sides]), _cumulate(lengths))


def _find_on_side(side: Sentences, words: int) -> _Occurrences:
    sentences = len(side.offsets) - 1
    keys = np.where(side.ids < words, side.ids, UNKNOWN).astype(np.int64)
    keys *= sentences
    keys += np.repeat(np.arange(sentences, dtype=np.int64), np.diff(side.offsets))
    keys.sort()
    keys = keys[_firsts(keys)]
    found, places = np.divmod(keys, max(sentences, 1))
    return _Occurrences(places.astype(np.int32), _cumulate(np.bincount(found, minlength=words)))


def _choose_columns(side: Sentences, words: int, context_words: int) -> Places:
    """The most frequent words in the order of their ids; equally frequent ones by id."""
    counts = np.bincount(side.ids, minlength=words)[:words]
    counts[[special for special in range(len(SPECIALS)) if special != NUMBER]] = 0
    frequent = np.argsort(-counts, kind="stable")[:context_words]
    return np.sort(frequent[counts[frequent] > 0])


class _Context:
    """The context words of every sentence, in lines of equal length filled up with one column more."""

    def __init__(self, occurrences: _Occurrences, columns: Places, sentences: int) -> None:
        chosen = occurrences.select(columns)
        self.columns = len(columns)
        column = np.repeat(np.arange(self.columns, dtype=np.int32), np.diff(chosen.offsets))
        self.lengths = np.bincount(chosen.sentences, minlength=sentences)  # (sentences,)
        self.lines = -(-self.lengths // LINE)  # (sentences,)
        self.first = _cumulate(self.lines)[:-1]  # (sentences,)
        by_sentence = np.argsort(chosen.sentences, kind="stable")
        self.table = np.full((int(self.lines.sum()), LINE), self.columns, dtype=np.int32)
        self.table.ravel()[_spans(self.first * LINE, self.lengths)] = column[by_sentence]

    def pair(self, sentences: Ids, rows: Ids) -> Ids:
        """Row x (columns + 1) + column, for every context word of each sentence."""
        lines = self.lines[sentences]
        keys = self.table[_spans(self.first[sentences], lines)]  # (lines, LINE)
        keys += np.repeat(rows * np.int32(self.columns + 1), lines)[:, None]
        return keys.ravel()


def _count(occurrences: _Occurrences, context: _Context) -> HellingerMatrix:
    found = _cumulate(context.lengths[occurrences.sentences])
    pairs = np.diff(found[occurrences.offsets])  # (R,)
    order = np.argsort(-pairs, kind="stable")
    dense = int(np.count_nonzero(pairs >= max(context.columns, 1)))
    used = int(np.count_nonzero(pairs))
    blocks: list[tuple[Tensor, DenseBlock | SparseBlock]] = []
    if dense:
        words = order[:dense]
        blocks.append(
            (torch.from_numpy(words), _count_dense(occurrences.select(words), pairs[words], context))
        )
    for rows in _cut(pairs[order], dense, used, context.columns):
        words = order[rows]
        blocks.append(
            (torch.from_numpy(words), _count_sparse(occurrences.select(words), pairs[words], context))
        )
    return HellingerMatrix(blocks, context.columns, torch.from_numpy(np.diff(occurrences.offsets)))


def _cut(pairs: Places, start: int, stop: int, columns: int) -> Iterator[slice]:
    """Rows in runs that are small enough in pairs, and in cells for keys of 32 bits."""
    most_rows = (2**31 - 1) // (columns + 1)
    found = _cumulate(pairs)
    while start < stop:
        end = int(np.searchsorted(found, found[start] + SPARSE_PAIRS, side="right")) - 1
        end = min(max(end, start + 1), start + most_rows, stop)
        yield slice(start, end)
        start = end


def _count_dense(occurrences: _Occurrences, pairs: Places, context: _Context) -> DenseBlock:
    """Rows with at least as many pairs as there are columns: about a quarter of their cells are not empty."""
    width = context.columns + 1
    values = np.zeros((len(pairs), context.columns), dtype=np.float32)
    owner = np.repeat(np.arange(len(pairs), dtype=np.int32), np.diff(occurrences.offsets))
    found = _cumulate(context.lengths[occurrences.sentences])
    cuts = np.searchsorted(found, np.arange(0, found[-1], DENSE_PAIRS), side="right") - 1
    for start, stop in pairwise([*cuts.tolist(), len(owner)]):
        if start < stop:
            low, high = int(owner[start]), int(owner[stop - 1]) + 1
            keys = context.pair(occurrences.sentences[start:stop], owner[start:stop] - np.int32(low))
            counts = np.bincount(keys, minlength=(high - low) * width).reshape(-1, width)
            values[low:high] += counts[:, :-1]  # a row may go on in the next turn
    values /= pairs[:, None].astype(np.float32)
    return DenseBlock(torch.from_numpy(np.sqrt(values, out=values)))


def _count_sparse(occurrences: _Occurrences, pairs: Places, context: _Context) -> SparseBlock:
    owner = np.repeat(np.arange(len(pairs), dtype=np.int32), np.diff(occurrences.offsets))
    cells = len(pairs) * (context.columns + 1)
    keys, counts = _tally(context.pair(occurrences.sentences, owner), cells)
    row, column = np.divmod(keys, np.int32(context.columns + 1))
    real = column < context.columns
    row, column, counts = row[real], column[real], counts[real]
    values = np.sqrt(counts / pairs[row]).astype(np.float32)
    # Sixteen bits, where they suffice, are sorted by counting.
    small = column.astype(np.uint16) if context.columns < 2**16 else column
    by_column = np.argsort(small, kind="stable")
    return SparseBlock(
        _make_bags(column, values, row, len(pairs)),
        _make_bags(row[by_column], values[by_column], column, context.columns),
    )


def _tally(keys: Ids, cells: int) -> tuple[Ids, Places]:
    """The different keys in rising order, and how often each is there; by a table where that pays."""
    if cells <= 2 * len(keys):
        table = np.bincount(keys)
        found = np.flatnonzero(table)
        return found.astype(np.int32), table[found]
    keys.sort()
    first = np.flatnonzero(_firsts(keys))
    return keys[first], np.diff(first, append=len(keys))


def _make_bags(places: Ids, values: NDArray[np.float32], rows: Ids, size: int) -> Bags:
    offsets = _cumulate(np.bincount(rows, minlength=size)).astype(np.int32)
    return Bags(torch.from_numpy(places), torch.from_numpy(values), torch.from_numpy(offsets))


def _cumulate(lengths: NDArray[np.integer]) -> Places:
    """Where runs of these lengths begin and end: 0, ..., their sum."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def _spans(starts: Places, lengths: Places) -> Places:
    """The numbers start, start + 1, ... of every run, one run after the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - (ends - lengths), lengths) + np.arange(total)


def _firsts(keys: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Where a sorted array has a value for the first time."""
    first = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return first
