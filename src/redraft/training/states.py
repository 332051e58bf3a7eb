"""Sentences between a draft and its reference: the draft with a random part of its errors mended.

The network sees real errors and real gaps there, with the right word, deletion or insertion as the target, so
that it learns to insert and delete and not only to leave alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from redraft.kernels import kernel

Ids = NDArray[np.int32]
NULL = 5


class State(NamedTuple):
    """A sentence and what belongs at each of its slots."""

    words: Ids  # (n,)
    token_targets: Ids  # (n,): the word itself, another one, or <null> to delete it
    gap_targets: Ids  # (n + 1,): <null>, or a word to insert


@kernel
def align(draft: Ids, reference: Ids) -> Ids:
    """A shortest edit script as rows (draft word or -1, reference word or -1), positions in order.

    Where several scripts are equally short, matches and substitutions go before deletions before insertions,
    seen from the end.
    """
    rows, columns = draft.size + 1, reference.size + 1
    costs = np.empty((rows, columns), dtype=np.int32)
    for i in range(rows):
        costs[i, 0] = i
    for j in range(columns):
        costs[0, j] = j
    for i in range(1, rows):
        for j in range(1, columns):
            change = costs[i - 1, j - 1] + (draft[i - 1] != reference[j - 1])
            costs[i, j] = min(change, costs[i - 1, j] + 1, costs[i, j - 1] + 1)
    script = np.empty((rows + columns, 2), dtype=np.int32)
    i, j, count = rows - 1, columns - 1, 0
    while i > 0 or j > 0:
        if i > 0 and j > 0 and costs[i, j] == costs[i - 1, j - 1] + (draft[i - 1] != reference[j - 1]):
            i, j = i - 1, j - 1
            script[count, 0], script[count, 1] = i, j
        elif i > 0 and costs[i, j] == costs[i - 1, j] + 1:
            i -= 1
            script[count, 0], script[count, 1] = i, -1
        else:
            j -= 1
            script[count, 0], script[count, 1] = -1, j
        count += 1
    return script[:count][::-1].copy()


def mix_states(draft: Ids, reference: Ids, script: Ids, mended: NDArray[np.bool_]) -> State:
    """The draft with the marked steps of its edit script carried out; steps without an error change nothing.

    Where several words are missing in one gap, the first of them is its target.
    """
    words: list[int] = []
    token_targets: list[int] = []
    gap_targets: list[int] = [NULL]
    for (place, goal), is_mended in zip(script.tolist(), mended.tolist(), strict=True):
        wanted = int(reference[goal]) if goal >= 0 else NULL
        if place < 0 and not is_mended:  # a word that is missing still
            if gap_targets[-1] == NULL:
                gap_targets[-1] = wanted
            continue
        if goal < 0 and is_mended:  # a word too many, gone
            continue
        words.append(wanted if is_mended else int(draft[place]))
        token_targets.append(wanted)
        gap_targets.append(NULL)
    return State(
        np.array(words, np.int32), np.array(token_targets, np.int32), np.array(gap_targets, np.int32)
    )


def reference_state(reference: Ids) -> State:
    """The reference itself: every word stays, and nothing belongs into its gaps."""
    return State(reference, reference, np.full(reference.size + 1, NULL, dtype=np.int32))
