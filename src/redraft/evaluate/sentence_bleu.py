"""Sentence BLEU on word ids: sacreBLEU's `sentence_score` with exponential smoothing and effective order,
and the score of every one-edit variant of a sentence in one call, as oracles and classifier labels need it.

Two ids are equal when two words are. So number the words with `number_words`; a vocabulary that maps rare
words to `<unk>` would make different words match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from redraft.evaluate.sentence_kernels import Ids, Offsets, Values, score_all

NOTHING = -1  # as a replacement: the span is deleted
TOLERANCE = 1e-9  # two scores nearer than this are equal: what is left is the rounding of logarithms


@dataclass(frozen=True)
class Sentences:
    """Many sentences in one array: sentence i is `ids[offsets[i] : offsets[i + 1]]`."""

    ids: Ids
    offsets: Offsets

    def __post_init__(self) -> None:
        """The kernel trusts its input, so what would lead it astray must not get there."""
        if self.ids.ndim != 1 or (len(self.ids) and self.ids.min() < 0):
            raise ValueError("sentences are a flat array of word ids from 0 on")
        if self.offsets[0] < 0 or self.offsets[-1] > len(self.ids) or np.any(np.diff(self.offsets) < 0):
            raise ValueError(f"sentence offsets must not fall, nor go beyond the {len(self.ids)} ids")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> Ids:
        return self.ids[self.offsets[index] : self.offsets[index + 1]]


@dataclass(frozen=True)
class Edits:
    """One-edit variants: words [start, stop) give way to `replacement`, or to nothing where that is NOTHING.

    So (i, i + 1, w) substitutes, (i, i + 1, -1) deletes and (i, i, w) inserts before word i.
    """

    start: ArrayLike
    stop: ArrayLike
    replacement: ArrayLike


def join_sentences(sentences: Iterable[ArrayLike]) -> Sentences:
    """Put sentences of ids one after the other."""
    arrays = [np.asarray(sentence, np.int32) for sentence in sentences]
    if any(array.ndim != 1 for array in arrays):
        raise ValueError("a sentence is a flat array of word ids")
    offsets = np.zeros(len(arrays) + 1, np.int64)
    np.cumsum([len(array) for array in arrays], out=offsets[1:])
    return Sentences(np.concatenate([np.empty(0, np.int32), *arrays]), offsets)


def number_words(lines: Iterable[Sequence[str]], numbers: dict[str, int]) -> Sentences:
    """Give every word its number; new ones are added to `numbers`, which drafts and references must share."""
    return join_sentences([numbers.setdefault(word, len(numbers)) for word in words] for words in lines)


def score_sentence(draft: ArrayLike, *references: ArrayLike) -> float:
    """BLEU of one sentence, 0 to 100."""
    return score_edits(draft, Edits([], [], []), *references)[0]


def score_edits(draft: ArrayLike, edits: Edits, *references: ArrayLike) -> tuple[float, Values]:
    """BLEU of one draft, and of the draft with each of the edits made alone."""
    offsets = np.array([0, np.size(edits.start)])
    drafts, edited = score_many(
        join_sentences([draft]), [join_sentences([r]) for r in references], edits, offsets
    )
    return float(drafts[0]), edited


def score_substitutions(
    draft: ArrayLike, candidates: ArrayLike, *references: ArrayLike
) -> tuple[float, Values]:
    """BLEU of a draft, and of the draft with word i alone replaced by candidate i."""
    places = np.arange(np.size(draft))
    return score_edits(draft, Edits(places, places + 1, candidates), *references)


def score_many(
    drafts: Sentences,
    references: Sequence[Sentences],
    edits: Edits | None = None,
    edit_offsets: ArrayLike | None = None,
) -> tuple[Values, Values]:
    """BLEU of many drafts, each against its line of every reference, and of their one-edit variants.

    Draft i has the edits from edit_offsets[i] to edit_offsets[i + 1]; the second result is in their order.
    """
    edits = edits or Edits([], [], [])
    starts, stops, replacements = _offsets(edits.start), _offsets(edits.stop), _ids(edits.replacement)
    places = np.zeros(len(drafts) + 1, np.int64) if edit_offsets is None else _offsets(edit_offsets)
    _check_edits(drafts, places, starts, stops, replacements)
    joined = _interleave(drafts, references)
    draft_scores, edit_scores = np.empty(len(drafts)), np.empty(len(starts))
    score_all(
        _ids(drafts.ids),
        _offsets(drafts.offsets),
        joined.ids,
        joined.offsets,
        len(references),
        places,
        starts,
        stops,
        replacements,
        draft_scores,
        edit_scores,
    )
    return draft_scores, edit_scores


def _interleave(drafts: Sentences, references: Sequence[Sentences]) -> Sentences:
    """All references of draft 0, then all of draft 1, and so on, checked against the number of drafts."""
    counts = [len(reference) for reference in references]
    if not references or any(count != len(drafts) for count in counts):
        raise ValueError(f"{len(drafts)} drafts need as many lines of at least one reference, not {counts}")
    if len(references) == 1:
        return Sentences(_ids(references[0].ids), _offsets(references[0].offsets))
    return join_sentences(reference[index] for index in range(len(drafts)) for reference in references)


def _check_edits(
    drafts: Sentences, offsets: Offsets, starts: Offsets, stops: Offsets, replacements: Ids
) -> None:
    """An edit belongs to one draft and lies inside it."""
    if not len(starts) == len(stops) == len(replacements):
        raise ValueError(
            f"{len(starts)} starts, {len(stops)} stops and {len(replacements)} replacements of edits"
        )
    if (
        len(offsets) != len(drafts) + 1
        or offsets[0] != 0
        or offsets[-1] != len(starts)
        or np.any(np.diff(offsets) < 0)
    ):
        raise ValueError(
            f"edit offsets of {len(drafts)} drafts must rise from 0 to the number of edits, {len(starts)}"
        )
    lengths = np.repeat(np.diff(drafts.offsets), np.diff(offsets))
    wrong = np.flatnonzero((starts < 0) | (stops < starts) | (stops > lengths) | (replacements < NOTHING))
    if len(wrong):
        e = wrong[0]
        raise ValueError(
            f"edit {e} puts {replacements[e]} for [{starts[e]}, {stops[e]}) of a draft of {lengths[e]} words"
        )


def _ids(values: ArrayLike) -> Ids:
    """A fresh array: the kernel is compiled for writable arrays in one piece, and a memory map is neither."""
    return np.array(values, np.int32)


def _offsets(values: ArrayLike) -> Offsets:
    return np.array(values, np.int64)
