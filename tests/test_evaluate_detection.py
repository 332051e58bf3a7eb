"""Detection, calibration and perplexity, with figures worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.evaluate.calibration import Bin, measure_calibration
from redraft.evaluate.detection import Detection, best_threshold, count_detection
from redraft.evaluate.perplexity import Likelihood

judged = st.lists(
    st.tuples(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.booleans()), min_size=1, max_size=30
)


def test_hand_worked_counts() -> None:
    detection = count_detection([1, 1, 1, 0, 0, 0, 0, 0, 0, 0], [1, 1, 0, 1, 1, 0, 0, 0, 0, 0])
    assert detection == Detection(found=2, false_alarms=1, missed=2, passed=5)
    assert detection.accuracy == 70
    assert detection.precision == pytest.approx(200 / 3)
    assert detection.recall == 50
    assert detection.f1 == pytest.approx(400 / 7)
    assert detection.matthews == pytest.approx((2 * 5 - 1 * 2) / math.sqrt(3 * 7 * 4 * 6))


def test_baselines_as_the_paper_prints_them() -> None:
    mistakes = np.arange(25) < 8  # 32 % as in table 1
    nothing, everything = count_detection(np.zeros(25), mistakes), count_detection(np.ones(25), mistakes)
    assert (nothing.accuracy, nothing.recall, nothing.precision, nothing.f1) == (68, 0, 100, 0)
    assert (everything.accuracy, everything.recall, everything.precision) == (32, 100, 32)
    assert everything.f1 == pytest.approx(48.48, abs=0.01)
    assert nothing.matthews == everything.matthews == 0


def test_where_there_is_no_mistake() -> None:
    clean, alarmed = count_detection([0, 0], [0, 0]), count_detection([1, 0], [0, 0])
    assert (clean.precision, clean.recall, clean.f1) == (100, 100, 100)
    assert (alarmed.precision, alarmed.recall, alarmed.f1) == (0, 100, 0)


@given(judged)
def test_matthews_is_the_correlation_coefficient(tokens: list[tuple[float, bool]]) -> None:
    marked, mistakes = np.array([p > 0.5 for p, _ in tokens]), np.array([m for _, m in tokens])
    value = count_detection(marked, mistakes).matthews
    if marked.std() and mistakes.std():
        assert value == pytest.approx(np.corrcoef(marked, mistakes)[0, 1])
        assert count_detection(~marked, mistakes).matthews == pytest.approx(-value)
    else:
        assert value == 0


@given(judged)
def test_no_threshold_has_a_higher_f1(tokens: list[tuple[float, bool]]) -> None:
    probabilities, mistakes = np.array([p for p, _ in tokens]), np.array([m for _, m in tokens])
    if not mistakes.any():
        with pytest.raises(ValueError, match="without a mistake"):
            best_threshold(probabilities, mistakes)
        return
    threshold, best = best_threshold(probabilities, mistakes)
    others = {t: count_detection(probabilities >= t, mistakes).f1 for t in np.linspace(0, 1, 9)}
    assert best == count_detection(probabilities >= threshold, mistakes)
    assert best.f1 == pytest.approx(max(others.values()))
    assert all(f1 < best.f1 for t, f1 in others.items() if t > threshold)


def test_threshold_worked_out_by_hand() -> None:
    # From 0.9 down F1 is 2/4, 4/5, 4/6, 6/7, 6/8: the fourth is the best.
    threshold, best = best_threshold([0.9, 0.8, 0.7, 0.6, 0.5], [1, 1, 0, 1, 0])
    assert (threshold, best) == (0.6, Detection(found=3, false_alarms=1, missed=0, passed=1))


def test_detection_refuses_arrays_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="2 tokens were judged and the truth is known of 1"):
        count_detection([1, 0], [1])
    with pytest.raises(ValueError, match="2 probabilities for 1 tokens"):
        best_threshold([0.1, 0.2], [1])


def test_calibration_worked_out_by_hand() -> None:
    result = measure_calibration([0.9, 0.1, 0.1, 0.9], [1, 0, 0, 0], seed=1, bins=2)
    assert result.bins == [
        Bin(2, 0.1, 0.1, pytest.approx(0.1), 0.0),
        Bin(2, 0.9, 0.9, pytest.approx(0.9), 0.5),
    ]
    assert result.error == pytest.approx((0.1 + 0.4) / 2)
    assert result.low <= result.error <= result.high


def test_what_is_right_as_often_as_said_has_no_error() -> None:
    probabilities = np.repeat([0.2, 0.5, 0.8], 10)
    outcomes = np.concatenate([np.arange(10) < hits for hits in (2, 5, 8)])
    assert measure_calibration(probabilities, outcomes, seed=1, bins=3).error == pytest.approx(0)


@given(judged, st.integers(1, 12))
def test_bins_hold_everything_once_and_keep_equals_together(
    tokens: list[tuple[float, bool]], bins: int
) -> None:
    probabilities, outcomes = np.array([p for p, _ in tokens]), np.array([o for _, o in tokens])
    result = measure_calibration(probabilities, outcomes, seed=1, bins=bins, samples=0)
    assert sum(b.count for b in result.bins) == len(tokens)
    assert len(result.bins) <= bins
    assert all(one.highest < two.lowest for one, two in zip(result.bins, result.bins[1:], strict=False))
    assert sum(b.count * b.frequency for b in result.bins) == pytest.approx(outcomes.sum())
    expected = sum(b.count * abs(b.frequency - b.probability) for b in result.bins) / len(tokens)
    assert result.error == pytest.approx(expected)
    backwards = measure_calibration(probabilities[::-1], outcomes[::-1], seed=1, bins=bins, samples=0)
    assert backwards.error == pytest.approx(result.error)


def test_bins_of_different_values_have_equal_counts() -> None:
    values = np.random.default_rng(1).permutation(100) / 100
    assert [b.count for b in measure_calibration(values, values > 0.5, seed=1, samples=0).bins] == [10] * 10


def test_more_data_narrow_the_interval_and_the_seed_decides() -> None:
    generator = np.random.default_rng(1)
    values = generator.random(4000)
    outcomes = generator.random(4000) < values**2
    few = measure_calibration(values[:200], outcomes[:200], seed=3, samples=200)
    many = measure_calibration(values, outcomes, seed=3, samples=200)
    assert many.high - many.low < (few.high - few.low) / 2
    assert many.low < 1 / 6 < many.high  # the mean of p - p * p
    assert many == measure_calibration(values, outcomes, seed=3, samples=200)
    assert many != measure_calibration(values, outcomes, seed=4, samples=200)


def test_calibration_refuses_what_is_no_probability() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        measure_calibration([0.5, 1.5], [1, 0], seed=1)
    with pytest.raises(ValueError, match="between 0 and 1"):
        measure_calibration([0.5, math.nan], [1, 0], seed=1)
    with pytest.raises(ValueError, match="1 probabilities and 2 outcomes"):
        measure_calibration([0.5], [1, 0], seed=1)
    with pytest.raises(ValueError, match="0 probabilities and 0 outcomes"):
        measure_calibration([], [], seed=1)


def test_perplexity_of_equally_likely_words() -> None:
    assert Likelihood(5 * math.log(1 / 8), 5).perplexity == pytest.approx(8)
    parts = [Likelihood(math.log(0.5), 1), Likelihood(2 * math.log(0.25), 2)]
    assert sum(parts, Likelihood()).perplexity == pytest.approx(2 ** (5 / 3))


def test_perplexity_at_its_limits() -> None:
    assert Likelihood(-1e6, 1).perplexity == math.inf
    with pytest.raises(ValueError, match="at least one prediction, not 0"):
        _ = Likelihood().perplexity
