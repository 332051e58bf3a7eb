"""Batches: each sentence once an epoch, within the budget, the same wherever a run goes on."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.corpus.batches import Batches, Position
from redraft.errors import UserError

pytestmark = pytest.mark.kernel

lengths = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=1, max_size=150).map(np.array)
budgets = st.integers(1, 500)
seeds = st.integers(0, 2**40)


def cost(table: np.ndarray, batch: np.ndarray) -> int:
    """Slots of a batch, padding included."""
    return len(batch) * int(table[batch].max(axis=0).sum())


@given(lengths, budgets, seeds, st.integers(0, 5))
def test_an_epoch(table: np.ndarray, budget: int, seed: int, epoch: int) -> None:
    batches = Batches(table, budget, seed).epoch(epoch)
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(table)))
    for batch in batches:
        assert batch.size > 0
        assert batch.size == 1 or cost(table, batch) <= budget
    again = Batches(table, budget, seed).epoch(epoch)
    assert [batch.tolist() for batch in batches] == [batch.tolist() for batch in again]


@given(lengths, budgets, seeds, st.data())
def test_a_run_goes_on_where_it_stopped(
    table: np.ndarray, budget: int, seed: int, data: st.DataObject
) -> None:
    batches = Batches(table, budget, seed)
    whole = list(islice(batches.after(Position()), 2 * len(batches.epoch(0)) + 3))
    stop = data.draw(st.integers(0, len(whole) - 1))
    position = whole[stop - 1][0] if stop else Position()
    rest = islice(Batches(table, budget, seed).after(position), len(whole) - stop)
    for (next_position, batch), (expected_position, expected) in zip(rest, whole[stop:], strict=True):
        assert next_position == expected_position
        assert batch.tolist() == expected.tolist()


@given(lengths, budgets, seeds)
def test_positions_count_batches_and_epochs(table: np.ndarray, budget: int, seed: int) -> None:
    batches = Batches(table, budget, seed)
    first, second = batches.epoch(0), batches.epoch(1)
    stream = list(islice(batches.after(Position()), len(first) + len(second)))
    for (_, batch), expected in zip(stream, [*first, *second], strict=True):
        assert batch.tolist() == expected.tolist()
    assert stream[len(first) - 1][0] == Position(1, 0)
    assert stream[-1][0] == Position(2, 0)


def test_one_side() -> None:
    batches = Batches(np.array([3, 3, 3, 3, 9]), 6, seed=1).epoch(0)
    assert sorted(sorted(batch.tolist()) for batch in batches if 4 in batch.tolist()) == [[4]]
    assert sorted(map(len, batches)) == [1, 2, 2]


def test_the_budget_covers_all_sides() -> None:
    """Three pairs of 2 + 3 slots cost 15; with one of 2 + 4 among them, 18."""
    table = np.array([[2, 3], [2, 3], [2, 3]])
    assert len(Batches(table, 15, 1).epoch(0)) == 1
    assert len(Batches(table, 14, 1).epoch(0)) == 2
    table[0, 1] = 4
    assert len(Batches(table, 18, 1).epoch(0)) == 1
    assert len(Batches(table, 17, 1).epoch(0)) == 2


def test_padding_is_the_share_of_empty_slots() -> None:
    """Two sentences of 3 and 2 words in a batch: one of six slots is empty."""
    assert Batches(np.array([3, 2]), 6, 1).padding() == pytest.approx(1 / 6)
    assert Batches(np.array([3, 2]), 5, 1).padding() == 0.0
    assert Batches(np.array([0, 0]), 5, 1).padding() == 0.0


def test_epochs_and_seeds_differ() -> None:
    table = np.random.default_rng(1).integers(1, 40, (500, 2))
    seen = set()
    for seed in range(3):
        for epoch in range(3):
            batches = Batches(table, 1000, seed).epoch(epoch)
            seen.add(tuple(tuple(batch.tolist()) for batch in batches))
            widths = [int(table[batch].max(axis=0).sum()) for batch in batches]
            assert np.abs(np.corrcoef(widths, np.arange(len(widths)))[0, 1]) < 0.5  # not from short to long
    assert len(seen) == 9


def test_company_changes_from_epoch_to_epoch() -> None:
    """Sentences of the same length are not always together."""
    table = np.full(200, 10)
    batches = Batches(table, 100, seed=1)
    together = [{frozenset(batch.tolist()) for batch in batches.epoch(epoch)} for epoch in range(3)]
    assert not together[0] & together[1] & together[2]


@pytest.mark.parametrize("budget", [0, -5])
def test_budget_that_cannot_be(budget: int) -> None:
    with pytest.raises(UserError, match=f"a batch budget of {budget} slots; expected at least 1"):
        Batches(np.array([1]), budget, 1)


def test_no_sentences() -> None:
    batches = Batches(np.zeros((0, 2), dtype=np.int64), 10, 1)
    assert batches.epoch(0) == []
    assert batches.padding() == 0.0
    with pytest.raises(UserError, match="no sentences to make batches of"):
        next(batches.after(Position()))
