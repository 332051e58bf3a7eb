"""Parts and folds: disjoint, by content, independent of the order of lines, as large as was asked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from redraft.corpus.splits import PARTS, Groups, assign_folds, assign_parts, mix, pair_groups
from redraft.errors import UserError

# Few different contents, so that many pairs share theirs.
contents = st.lists(st.integers(0, 30), min_size=1, max_size=120)
sizes = st.fixed_dictionaries({}, optional={part: st.integers(0, 12) for part in PARTS[1:]})
seeds = st.integers(0, 2**40)


def as_groups(values: list[int]) -> Groups:
    return mix(np.array(values, dtype=np.uint64), 5)


def parts_of(values: list[int], wanted: dict[str, int], seed: int) -> np.ndarray:
    try:
        return assign_parts(as_groups(values), wanted, seed)
    except UserError:
        # It may only refuse where the largest contents could use up what is there.
        counts = np.sort(np.bincount(values))[::-1]
        asked = [size for size in wanted.values() if size]
        assert sum(asked) + sum(counts[: len(asked)] - 1) >= len(values) - counts[len(asked) :].max(initial=0)
        assume(False)
        raise


@given(contents, sizes, seeds)
def test_parts(values: list[int], wanted: dict[str, int], seed: int) -> None:
    parts = parts_of(values, wanted, seed)
    assert parts.shape == (len(values),)
    counts = np.bincount(parts, minlength=len(PARTS))
    assert counts.sum() == len(values)  # each pair is in one part, and no other label occurs
    assert counts.size == len(PARTS)
    assert counts[0] > 0
    together = {value: {int(p) for v, p in zip(values, parts, strict=True) if v == value} for value in values}
    assert all(len(labels) == 1 for labels in together.values())
    largest = max(map(values.count, values))
    for number, part in enumerate(PARTS[1:], start=1):
        size = wanted.get(part, 0)
        assert size <= counts[number] < size + max(largest, 1)


@given(contents, sizes, seeds, st.randoms())
def test_parts_and_folds_do_not_depend_on_the_order_of_lines(
    values: list[int], wanted: dict[str, int], seed: int, chance: object
) -> None:
    order = list(range(len(values)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    parts = parts_of(values, wanted, seed)
    assert parts[order].tolist() == parts_of([values[i] for i in order], wanted, seed).tolist()
    folds = assign_folds(as_groups(values), 5, seed)
    assert folds[order].tolist() == assign_folds(as_groups([values[i] for i in order]), 5, seed).tolist()


@given(contents, st.integers(1, 12), seeds)
def test_folds(values: list[int], folds: int, seed: int) -> None:
    labels = assign_folds(as_groups(values), folds, seed)
    assert labels.shape == (len(values),)
    assert labels.max() < folds
    for value in values:
        assert len({int(label) for v, label in zip(values, labels, strict=True) if v == value}) == 1
    counts = np.bincount(labels, minlength=folds)
    largest = max(map(values.count, values))
    assert counts.max() <= len(values) / folds + largest
    assert labels.tolist() == assign_folds(as_groups(values), folds, seed).tolist()


@given(st.integers(1, 300), st.integers(1, 12))
def test_folds_of_different_contents_are_even(count: int, folds: int) -> None:
    counts = np.bincount(assign_folds(as_groups(list(range(count))), folds, 1), minlength=folds)
    assert counts.max() - counts.min() <= 1


def test_sizes_are_exact_where_every_content_is_different() -> None:
    wanted = {"network_validation": 180, "classifier": 30, "selection": 41}
    parts = assign_parts(as_groups(list(range(1000))), wanted, seed=1)
    assert np.bincount(parts).tolist() == [749, 180, 30, 41]
    assert not assign_parts(as_groups(list(range(1000))), {}, seed=1).any()


def test_seeds_differ_and_folds_are_not_parts() -> None:
    groups = as_groups(list(range(1000)))
    wanted = {"selection": 500}
    parts = [assign_parts(groups, wanted, seed) == 3 for seed in range(4)]
    folds = [assign_folds(groups, 2, seed) == 1 for seed in range(4)]
    for i, first in enumerate(parts + folds):
        for second in (parts + folds)[:i]:
            assert 0.4 < np.mean(first == second) < 0.6


@pytest.mark.parametrize(
    "pairs, wanted, words",
    [
        (
            10,
            {"selection": 10},
            "10 pairs with 10 different contents are too few for parts of 10 for selection",
        ),
        (
            10,
            {"classifier": 5, "selection": 5},
            "5 for classifier, 5 for selection, and training; ask for less",
        ),
        (0, {"selection": 1}, "0 pairs"),
        (10, {"training": 3}, "no part is called 'training'"),
        (10, {"test": 3}, "network_validation, classifier, selection"),
    ],
)
def test_parts_that_cannot_be(pairs: int, wanted: dict[str, int], words: str) -> None:
    with pytest.raises(UserError, match=words):
        assign_parts(as_groups(list(range(pairs))), wanted, seed=1)


def test_a_frequent_content_cannot_leave_a_part_empty() -> None:
    with pytest.raises(UserError, match="20 pairs with 2 different contents are too few"):
        assign_parts(as_groups([1] * 10 + [2] * 10), {"network_validation": 2, "selection": 2}, seed=1)


@pytest.mark.parametrize("folds", [0, 256])
def test_folds_that_cannot_be(folds: int) -> None:
    with pytest.raises(UserError, match=f"{folds} folds were asked for; expected a number from 1 to 255"):
        assign_folds(as_groups([1, 2]), folds, 1)
    assert assign_folds(as_groups(list(range(1000))), 255, 1).max() == 254
    assert assign_folds(as_groups([]), 3, 1).size == 0


def test_mix_is_what_it_was() -> None:
    """It decides who is in which part: no library and no release may change it."""
    assert (
        mix(np.arange(3, dtype=np.uint64), 0).tolist() == mix(np.arange(3, dtype=np.uint64), 2**64).tolist()
    )
    assert mix(np.array([0, 1], dtype=np.uint64), 1).tolist() == [6685036501382267578, 4754066425326119843]
    one = pair_groups(np.array([1], np.uint64), np.array([2], np.uint64))
    other = pair_groups(np.array([2], np.uint64), np.array([1], np.uint64))
    assert one != other
