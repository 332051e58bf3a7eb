"""Compiled counting for sentence BLEU: one draft against its references, and every one-edit variant of it.

The n-grams of the references (1 to 4 words) are nodes of a tree: node 0 is the root and also means "no such
n-gram", and the step from a node by one more word is looked up in an open hash table. An edit changes only
the n-grams that touch it, so a variant costs at most ten look-ups, however long the sentence is.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from redraft.kernels import kernel

ORDERS = 4

Ids = NDArray[np.int32]
Offsets = NDArray[np.int64]
Values = NDArray[np.float64]


@kernel
def _find_slot(keys: Offsets, mask: int, node: int, word: int) -> int:
    """The place in the hash table of the step from `node` by `word`: taken by it, or free."""
    key = (np.int64(node) << 32) | np.int64(word)
    # Both factors on the left have at most 31 bits and the sum stays below 2^63: the same line runs as plain
    # Python without an overflow.
    mixed = np.int64(word) * np.int64(2654435761) + np.int64(node) * np.int64(1640531527)
    slot = (mixed ^ (mixed >> 15) ^ (mixed >> 32)) & mask
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & mask
    return int(slot)


@kernel
def _step(keys: Offsets, nodes: Ids, mask: int, node: int, word: int) -> int:
    """The node of an n-gram made one word longer, 0 if no reference contains it."""
    slot = _find_slot(keys, mask, node, word)
    return nodes[slot] if keys[slot] >= 0 else 0


@kernel
def _read_references(
    words: Ids, offsets: Offsets, keys: Offsets, nodes: Ids, needed: Ids, present: Ids
) -> int:
    """Build the tree; `needed` gets the largest count of an n-gram in one reference. Gives the mask."""
    size = 8
    while size < 2 * ORDERS * (offsets[-1] - offsets[0]):  # at most half full
        size *= 2
    mask = size - 1
    keys[:size] = -1
    count = 0
    for reference in range(len(offsets) - 1):
        stop = offsets[reference + 1]
        for place in range(offsets[reference], stop):
            node = 0
            for order in range(min(ORDERS, stop - place)):
                word = words[place + order]
                slot = _find_slot(keys, mask, node, word)
                if keys[slot] < 0:
                    count += 1
                    keys[slot] = (np.int64(node) << 32) | np.int64(word)
                    nodes[slot] = count
                    needed[count] = 0
                    present[count] = 0
                node = nodes[slot]
                present[node] += 1
        for node in range(1, count + 1):
            needed[node] = max(needed[node], present[node])
            present[node] = 0
    return mask


@kernel
def _read_draft(
    draft: Ids,
    keys: Offsets,
    nodes: Ids,
    mask: int,
    needed: Ids,
    present: Ids,
    found: NDArray[np.int32],
    matches: Offsets,
) -> None:
    """Count the draft: `found[order, place]` is the node of the n-gram that begins at a place, or 0."""
    matches[:] = 0
    for place in range(len(draft)):
        node = 0
        for order in range(ORDERS):
            found[order, place] = 0
        for order in range(min(ORDERS, len(draft) - place)):
            node = _step(keys, nodes, mask, node, draft[place + order])
            if node == 0:
                break
            found[order, place] = node
            present[node] += 1
            if present[node] <= needed[node]:
                matches[order] += 1


@kernel
def _remove_touched(
    start: int, stop: int, needed: Ids, present: Ids, found: NDArray[np.int32], matches: Offsets
) -> None:
    """Take away the n-grams with a word in [start, stop), or across the gap when start = stop."""
    for order in range(ORDERS):
        for place in range(max(0, start - order), stop):
            node = found[order, place]
            if node > 0:
                if present[node] <= needed[node]:
                    matches[order] -= 1
                present[node] -= 1


@kernel
def _put_back(start: int, stop: int, present: Ids, found: NDArray[np.int32]) -> None:
    """Undo `_remove_touched` in the counts of the draft."""
    for order in range(ORDERS):
        for place in range(max(0, start - order), stop):
            if found[order, place] > 0:
                present[found[order, place]] += 1


@kernel
def _add_new(
    draft: Ids,
    start: int,
    stop: int,
    replacement: int,
    keys: Offsets,
    nodes: Ids,
    mask: int,
    needed: Ids,
    present: Ids,
    found: NDArray[np.int32],
    matches: Offsets,
    trail: Ids,
) -> int:
    """Add the n-grams that the edit makes, note their nodes in `trail`, and return how many there are."""
    inserted = 1 if replacement >= 0 else 0
    length = len(draft) - (stop - start) + inserted
    shift = stop - start - inserted  # a word behind the edit stands at its new place plus this
    steps = 0
    for place in range(max(0, start - ORDERS + 1), start + inserted):
        order = start - place  # so many words of the n-gram stand before the edit, and their node is known
        node = 0
        if order > 0:
            node = found[order - 1, place]
            if node == 0:
                continue
        while order < ORDERS and place + order < length:
            word = replacement if inserted and place + order == start else draft[place + order + shift]
            node = _step(keys, nodes, mask, node, word)
            if node == 0:
                break
            present[node] += 1
            if present[node] <= needed[node]:
                matches[order] += 1
            trail[steps] = node
            steps += 1
            order += 1
    return steps


@kernel
def _closest_length(offsets: Offsets, length: int) -> int:
    """The reference length nearest to the draft's, the shorter one of two equally near."""
    best = offsets[1] - offsets[0]
    for reference in range(1, len(offsets) - 1):
        other = offsets[reference + 1] - offsets[reference]
        nearer = abs(other - length) - abs(best - length)
        if nearer < 0 or (nearer == 0 and other < best):
            best = other
    return int(best)


@kernel
def _bleu(matches: Offsets, length: int, reference_length: int) -> float:
    """BLEU of one sentence from its counts, step by step as sacreBLEU computes it."""
    if matches[0] == 0:  # then no longer n-gram matches either: sacreBLEU gives 0 and does not smooth
        return 0.0
    halving = 1.0
    total = 0.0
    effective = 0
    for order in range(min(ORDERS, length)):
        effective += 1
        if matches[order] == 0:
            halving *= 2.0
            total += math.log(100.0 / (halving * (length - order)))
        else:
            total += math.log(100.0 * matches[order] / (length - order))
    penalty = 1.0
    if length < reference_length:
        penalty = math.exp(1.0 - reference_length / length)
    return penalty * math.exp(total / effective)


@kernel
def score_all(
    drafts: Ids,
    draft_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    per_draft: int,
    edit_offsets: Offsets,
    starts: Offsets,
    stops: Offsets,
    replacements: Ids,
    draft_scores: Values,
    edit_scores: Values,
) -> None:
    """Fill in the score of each draft, and of each draft with each of its edits made alone.

    Draft d has the edits edit_offsets[d] to edit_offsets[d + 1] and the references from d * per_draft on.
    """
    longest, most = 0, 0
    for d in range(len(draft_offsets) - 1):
        longest = max(longest, draft_offsets[d + 1] - draft_offsets[d])
        most = max(most, reference_offsets[(d + 1) * per_draft] - reference_offsets[d * per_draft])
    keys = np.empty(4 * ORDERS * most + 8, np.int64)
    nodes = np.empty(len(keys), np.int32)
    needed = np.empty(ORDERS * most + 1, np.int32)
    present = np.empty(ORDERS * most + 1, np.int32)
    found = np.empty((ORDERS, longest), np.int32)
    matches = np.empty(ORDERS, np.int64)
    changed = np.empty(ORDERS, np.int64)
    trail = np.empty(ORDERS * (ORDERS + 1) // 2, np.int32)
    for d in range(len(draft_offsets) - 1):
        draft = drafts[draft_offsets[d] : draft_offsets[d + 1]]
        offsets = reference_offsets[d * per_draft : (d + 1) * per_draft + 1]
        mask = _read_references(references, offsets, keys, nodes, needed, present)
        _read_draft(draft, keys, nodes, mask, needed, present, found, matches)
        draft_scores[d] = _bleu(matches, len(draft), _closest_length(offsets, len(draft)))
        for e in range(edit_offsets[d], edit_offsets[d + 1]):
            start, stop, replacement = starts[e], stops[e], replacements[e]
            changed[:] = matches
            _remove_touched(start, stop, needed, present, found, changed)
            steps = _add_new(
                draft, start, stop, replacement, keys, nodes, mask, needed, present, found, changed, trail
            )
            length = len(draft) - (stop - start) + (1 if replacement >= 0 else 0)
            edit_scores[e] = _bleu(changed, length, _closest_length(offsets, length))
            for step in range(steps):
                present[trail[step]] -= 1
            _put_back(start, stop, present, found)
