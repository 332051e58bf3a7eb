"""What an evaluation can be asked for. It imports nothing heavy, so that the command line starts quickly."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

METRICS = ("bleu", "chrf", "ter")


class Setting(StrEnum):
    """What a metric gets to see."""

    cased = "cased"  # the lines as they are, sacreBLEU's defaults: the figure that `sacrebleu` prints
    paper = "paper"  # lower-cased tokens joined by blanks, not tokenised again: the paper's figure


class Test(StrEnum):
    """How the difference of two systems is tested."""

    __test__ = False  # nothing for pytest to collect

    bootstrap = "bootstrap"
    randomisation = "randomisation"
    none = "none"


@dataclass(frozen=True)
class Plan:
    """What is to be measured, and how."""

    settings: tuple[Setting, ...] = (Setting.cased,)
    metrics: tuple[str, ...] = ("bleu", "chrf")
    test: Test = Test.bootstrap
    samples: int | None = None  # None: as many as sacreBLEU draws for the test
    seed: int = 12345  # sacreBLEU's
    words: str = ""  # how tokens were made, for signatures
