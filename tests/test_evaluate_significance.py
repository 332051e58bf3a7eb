"""Significance: the p-values of sacreBLEU for the same seed, and an interval that says by how much."""

from __future__ import annotations

import random

import pytest
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

from redraft.evaluate.plan import Setting, Test
from redraft.evaluate.scores import Measure
from redraft.evaluate.sides import Side
from redraft.evaluate.significance import Comparison, compare

PEERS = {"bleu": BLEU, "chrf": CHRF, "ter": TER}
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def make_lines(seed: int, count: int = 40) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=chance.randint(3, 9))) for _ in range(count)]


def spoil(lines: list[str], seed: int, share: float) -> list[str]:
    chance = random.Random(seed)
    return [
        " ".join(w if chance.random() > share else chance.choice(WORDS) for w in s.split()) for s in lines
    ]


REFERENCE = make_lines(1)
WORSE, BETTER = spoil(REFERENCE, 2, 0.35), spoil(REFERENCE, 3, 0.28)


def run(
    metric: str, first: list[str], second: list[str], test: Test, seed: int = 7, samples: int = 200
) -> Comparison:
    def side(lines: list[str]) -> Side:
        return Side("lines", lines, [line.split() for line in lines])

    measure = Measure(metric, [side(REFERENCE)], Setting.cased, "")
    return compare(measure, measure.count(side(first)), measure.count(side(second)), test, seed, samples)


@pytest.mark.parametrize("metric", PEERS)
@pytest.mark.parametrize("test, peer_test", [(Test.bootstrap, "bs"), (Test.randomisation, "ar")])
def test_p_value_is_sacrebleus(
    metric: str, test: Test, peer_test: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    systems = [("worse", WORSE), ("better", BETTER)]
    _, scores = PairedTest(systems, {"peer": PEERS[metric]()}, [REFERENCE], peer_test, n_samples=200)()
    (expected,) = (results[1].p_value for name, results in scores.items() if name != "System")
    comparison = run(metric, WORSE, BETTER, test)
    assert comparison.p_value == pytest.approx(expected, abs=1e-12)
    assert 1 / 201 < comparison.p_value < 1  # so that the test can tell one random stream from another


@pytest.mark.parametrize("test", [Test.bootstrap, Test.randomisation])
def test_the_sign_and_the_size_of_a_difference(test: Test) -> None:
    far = run("bleu", spoil(REFERENCE, 4, 0.8), BETTER, test)
    back = run("bleu", BETTER, spoil(REFERENCE, 4, 0.8), test)
    assert 0 < far.low < far.gain < far.high
    assert far.p_value == back.p_value == 1 / 201
    assert (back.gain, back.low, back.high) == pytest.approx((-far.gain, -far.high, -far.low))
    assert run("bleu", WORSE, spoil(REFERENCE, 5, 0.35), test).p_value > 0.05


@pytest.mark.parametrize("test", [Test.bootstrap, Test.randomisation])
def test_a_system_does_not_differ_from_itself(test: Test) -> None:
    same = run("bleu", BETTER, BETTER, test)
    assert (same.gain, same.p_value, same.low, same.high) == (0, 1, 0, 0)


def test_the_seed_decides() -> None:
    assert run("bleu", WORSE, BETTER, Test.bootstrap, 1) == run("bleu", WORSE, BETTER, Test.bootstrap, 1)
    assert run("bleu", WORSE, BETTER, Test.bootstrap, 1) != run("bleu", WORSE, BETTER, Test.bootstrap, 2)
