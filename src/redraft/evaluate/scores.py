"""BLEU, chrF and TER of a corpus through sacreBLEU. A score carries the signature that says how it was made.

To add a metric of sacreBLEU, add a line to `KINDS` and its name to `plan.METRICS`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics import BLEU, CHRF, TER

from redraft.evaluate.plan import Setting
from redraft.evaluate.sides import Side

Statistics = NDArray[np.float64]


@dataclass(frozen=True)
class Kind:
    """A metric of sacreBLEU and its options in either setting."""

    make: Any
    cased: dict[str, Any]
    paper: dict[str, Any]
    higher_is_better: bool = True


KINDS: dict[str, Kind] = {
    # `force` only silences the remark that lines look tokenised.
    "bleu": Kind(BLEU, {"force": True}, {"force": True, "lowercase": True, "tokenize": "none"}),
    "chrf": Kind(CHRF, {}, {"lowercase": True}),
    "ter": Kind(TER, {}, {}, higher_is_better=False),  # ignores case by default
}


@dataclass(frozen=True)
class Score:
    """A figure that says how it was made."""

    metric: str
    value: float
    signature: str

    def __str__(self) -> str:
        return f"{self.metric}|{self.signature} = {self.value:.2f}"


@dataclass(frozen=True)
class Lengths:
    """How long a translation is beside the references nearest to it in length, counted as BLEU does."""

    words: int
    reference_words: int
    ratio: float  # of words to reference words
    brevity_penalty: float  # the factor by which BLEU punishes a translation that is too short


class Measure:
    """One metric in one setting against fixed references, which are counted once for all systems."""

    def __init__(self, metric: str, references: Sequence[Side], setting: Setting, words: str) -> None:
        """`words` says in the signature how the tokens of the `paper` setting were made."""
        kind = KINDS[metric]
        self.metric = metric
        self.setting = setting
        self.higher_is_better = kind.higher_is_better
        options = kind.paper if setting is Setting.paper else kind.cased
        self._peer = kind.make(references=[self._text(side) for side in references], **options)
        note = f"|words:{words}" if setting is Setting.paper else ""
        self.signature = f"{self._peer.get_signature().format()}{note}"

    def count(self, side: Side) -> Statistics:
        """The counts from which the metric is made: (sentences, counts), so that they can be resampled."""
        return np.array(self._peer._extract_corpus_statistics(self._text(side), None), np.float64)

    def value(self, totals: Statistics) -> float:
        """The metric from summed counts: (counts,)."""
        return float(self._peer._compute_score_from_stats(totals.tolist()).score)

    def score(self, statistics: Statistics) -> Score:
        """The score of a corpus from the counts of its sentences."""
        return Score(self.metric, self.value(statistics.sum(axis=0)), self.signature)

    def gain(self, before: Statistics, after: Statistics) -> float:
        """By how much summed counts got better: positive is good, for TER too."""
        change = self.value(after) - self.value(before)
        return change if self.higher_is_better else 0.0 - change  # no minus zero

    def _text(self, side: Side) -> list[str]:
        return [" ".join(words) for words in side.words] if self.setting is Setting.paper else side.lines


def measure_lengths(bleu_statistics: Statistics) -> Lengths:
    """The lengths in the counts of a BLEU measure, which begin with them."""
    words, reference_words = (int(total) for total in bleu_statistics[:, :2].sum(axis=0))
    penalty = 1.0 if words >= reference_words else math.exp(1 - reference_words / words) if words else 0.0
    return Lengths(words, reference_words, words / reference_words if reference_words else 0.0, penalty)
