"""What was edited between a draft and its refined version, and whether sentence BLEU says that it helped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from redraft.evaluate.sentence_bleu import (
    NOTHING,
    TOLERANCE,
    Edits,
    Sentences,
    number_words,
    score_many,
)
from redraft.evaluate.sentence_kernels import Offsets, Values
from redraft.evaluate.sides import Side

KINDS = {
    "replace": "substitution",
    "delete": "deletion",
    "insert": "insertion",
}  # rapidfuzz's words, and ours


class WordEdit(NamedTuple):
    """Words [start, stop) of a draft give way to one word or to NOTHING."""

    kind: str
    start: int
    stop: int
    replacement: int


@dataclass(frozen=True)
class Verdicts:
    """How many of some edits raised, lowered or left the sentence BLEU of their sentence."""

    total: int
    raised: int
    lowered: int
    left: int


@dataclass(frozen=True)
class EditCounts:
    """The way from a draft to its refined version, in words and in sentences."""

    draft_words: int
    edits: int  # the fewest one-word edits that lead from the draft to the refined version
    edit_rate: float  # edits per hundred words of the draft
    sentences: int
    changed_sentences: Verdicts  # sentence BLEU of the refined sentence against its draft's
    single_edits: dict[str, Verdicts]  # by kind, each made alone in the draft


def find_edits(draft: Sequence[int], refined: Sequence[int]) -> Iterator[WordEdit]:
    """The fewest one-word edits that lead from one sentence to the other, at places of the first."""
    for operation in Levenshtein.editops(draft, refined):
        start = operation.src_pos
        stop = start if operation.tag == "insert" else start + 1
        word = NOTHING if operation.tag == "delete" else refined[operation.dest_pos]
        yield WordEdit(KINDS[operation.tag], start, stop, word)


def count_edits(draft: Side, refined: Side, references: Sequence[Side]) -> EditCounts:
    """Find the edits of all sentences and judge each alone, and all of a sentence together."""
    numbers: dict[str, int] = {}
    before, after = number_words(draft.words, numbers), number_words(refined.words, numbers)
    counted = [number_words(reference.words, numbers) for reference in references]
    edits, offsets = _list_edits(before, after)
    columns = Edits(
        [edit.start for edit in edits], [edit.stop for edit in edits], [edit.replacement for edit in edits]
    )
    draft_scores, edited_scores = score_many(before, counted, columns, offsets)
    refined_scores, _ = score_many(after, counted)
    touched = np.diff(offsets) > 0
    changes = edited_scores - np.repeat(draft_scores, np.diff(offsets))
    kinds = np.array([edit.kind for edit in edits], dtype="U12")
    return EditCounts(
        draft_words=len(before.ids),
        edits=len(edits),
        edit_rate=100 * len(edits) / max(1, len(before.ids)),
        sentences=len(before),
        changed_sentences=_judge((refined_scores - draft_scores)[touched]),
        single_edits={kind: _judge(changes[kinds == kind]) for kind in KINDS.values()},
    )


def _list_edits(before: Sentences, after: Sentences) -> tuple[list[WordEdit], Offsets]:
    """The edits of all sentences, and where those of each sentence begin."""
    edits: list[WordEdit] = []
    offsets = [0]
    for index in range(len(before)):
        edits += find_edits(before[index].tolist(), after[index].tolist())
        offsets.append(len(edits))
    return edits, np.array(offsets, np.int64)


def _judge(changes: Values) -> Verdicts:
    raised, lowered = int(np.sum(changes > TOLERANCE)), int(np.sum(changes < -TOLERANCE))
    return Verdicts(len(changes), raised, lowered, len(changes) - raised - lowered)
