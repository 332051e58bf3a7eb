"""Parts and folds by content: pairs that say the same always go together, whatever line they stand on.

What a pair is assigned to depends on the set of pairs and the seed, never on their order in the file.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from redraft.errors import UserError

# The four disjoint parts of the design. The first one is what the others leave.
PARTS = ("training", "network_validation", "classifier", "selection")

Groups = NDArray[np.uint64]
Labels = NDArray[np.uint8]


def mix(values: Groups, salt: int) -> Groups:
    """A pseudo-random permutation of 64-bit values for each salt (SplitMix64)."""
    with np.errstate(over="ignore"):
        mixed = values + np.uint64((salt * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) % 2**64)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31))


def pair_groups(source: Groups, reference: Groups) -> Groups:
    """One value for each pair from the loose hashes of its sides: pairs with the same content share it."""
    with np.errstate(over="ignore"):
        return mix(mix(source, 1) + reference, 2)


def assign_parts(groups: Groups, sizes: Mapping[str, int], seed: int) -> Labels:
    """The part of every pair, as an index into PARTS: at least sizes[part] pairs each, the rest is training.

    A part is larger than asked for only where its last group has several pairs.
    """
    unknown = sorted(set(sizes) - set(PARTS[1:]))
    if unknown:
        raise UserError(f"no part is called {unknown[0]!r}; parts with a size are {', '.join(PARTS[1:])}")
    shuffled, members = _shuffle_groups(groups, 2 * seed)
    totals = np.concatenate(([0], np.cumsum(members)))  # pairs before each shuffled group
    parts = np.zeros(shuffled.size, dtype=np.uint8)
    start = 0
    for number, part in enumerate(PARTS[1:], start=1):
        wanted = sizes.get(part, 0)
        stop = int(np.searchsorted(totals, totals[start] + wanted))
        if wanted and stop >= totals.size - 1:  # nothing would be left for training
            asked = ", ".join(f"{size} for {name}" for name, size in sizes.items() if size)
            there = f"{groups.size} pairs with {shuffled.size} different contents"
            raise UserError(f"{there} are too few for parts of {asked}, and training; ask for less")
        parts[start:stop] = number
        start = stop
    return _spread(groups, shuffled, parts)


def assign_folds(groups: Groups, folds: int, seed: int) -> Labels:
    """The fold of every pair, 0 to folds - 1: as even as the groups allow."""
    if not 1 <= folds <= 255:
        raise UserError(f"{folds} folds were asked for; expected a number from 1 to 255")
    shuffled, members = _shuffle_groups(groups, 2 * seed + 1)
    middles = np.cumsum(members) - members / 2
    labels = np.minimum(middles * folds / max(groups.size, 1), folds - 1).astype(np.uint8)
    return _spread(groups, shuffled, labels)


def _shuffle_groups(groups: Groups, salt: int) -> tuple[Groups, NDArray[np.int64]]:
    """The distinct groups in an order that only the salt decides, and how many pairs each has."""
    distinct, members = np.unique(groups, return_counts=True)
    order = np.argsort(mix(distinct, salt), kind="stable")
    return distinct[order], members[order].astype(np.int64)


def _spread(groups: Groups, shuffled: Groups, labels: Labels) -> Labels:
    """Carry the labels of groups over to their pairs."""
    order = np.argsort(shuffled)
    return labels[order][np.searchsorted(shuffled[order], groups)]
