"""What a trained network is worth: perplexity, how much it copies, what the detector finds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from redraft.evaluate.detection import Detection, best_threshold, count_detection
from redraft.model.detector import Detector
from redraft.model.network import Network, slot_masks
from redraft.training.data import Sentences, Task
from redraft.training.loop import autocast, evaluation_batches, validation_loss
from redraft.training.states import Ids


@dataclass(frozen=True)
class Perplexity:
    """Over the words of references, and over their gaps."""

    words: float
    gaps: float


def measure_perplexity(
    network: Network, sentences: Sentences, device: torch.device, bf16: bool = False
) -> Perplexity:
    """The perplexity of the references' words, each seen from all others."""
    words, gaps = validation_loss(network, sentences, device, Task(), bf16)
    return Perplexity(math.exp(min(words, 50)), math.exp(min(gaps, 50)))


@torch.no_grad()
def measure_copying(
    network: Network, sentences: Sentences, device: torch.device, bf16: bool = False
) -> float:
    """The share of draft words that are the network's best word at their own slot (with the draft as context)."""
    network.eval()
    words = replace_target(sentences, "draft")
    same = total = 0
    for _, batch in evaluation_batches(words, network.memories, Task()):
        moved = batch.to(device)
        with autocast(device, bf16):
            tokens, _ = network.propose(moved)
        mask, _ = slot_masks(moved)
        same += int((tokens.words == moved.target)[mask].sum())
        total += int(mask.sum())
    return same / max(total, 1)


def replace_target(sentences: Sentences, side: str) -> Sentences:
    """The same sentences with another side in the place of the reference: what is asked about in refining."""
    return replace(sentences, sides={**sentences.sides, "reference": sentences.sides[side]})


@dataclass(frozen=True)
class Judged:
    """Every draft word of a set: the probability that it is a mistake, and whether it is one."""

    probabilities: NDArray[np.float64]
    mistakes: NDArray[np.bool_]

    def best(self) -> tuple[float, Detection]:
        """The threshold with the highest F1, and what it finds here."""
        return best_threshold(self.probabilities, self.mistakes)

    def at(self, threshold: float) -> Detection:
        """What a threshold finds."""
        return count_detection(self.probabilities >= threshold, self.mistakes)


@torch.no_grad()
def judge_drafts(detector: Detector, sentences: Sentences, device: torch.device) -> Judged:
    """Let a detector judge every draft word."""
    detector.eval()
    probabilities: list[NDArray[np.float64]] = []
    mistakes: list[NDArray[np.bool_]] = []
    for _, batch in evaluation_batches(sentences, detector.memories, Task("detect")):
        moved = batch.to(device)
        mask, _ = slot_masks(moved)
        assert moved.token_targets is not None
        probabilities.append(1 - detector.probabilities(moved)[mask].double().cpu().numpy())
        mistakes.append((moved.token_targets[mask] == 0).cpu().numpy())
    return Judged(np.concatenate(probabilities), np.concatenate(mistakes))


@torch.no_grad()
def find_mistakes(
    detector: Detector, sources: Sequence[Ids], drafts: Sequence[Ids], device: torch.device
) -> list[NDArray[np.float64]]:
    """For every draft the probability of each word that it is a mistake, in the order of the drafts."""
    unknown = [np.zeros(len(words), dtype=np.int32) for words in drafts]
    sides = {"source": sources, "draft": drafts, "labels": unknown}
    sentences = Sentences(sides, np.arange(1, len(drafts) + 1))
    found = [np.zeros(0)] * len(drafts)
    for chosen, batch in evaluation_batches(sentences, detector.memories, Task("detect")):
        probabilities = 1 - detector.probabilities(batch.to(device)).double().cpu().numpy()
        for row, sentence in enumerate(chosen.tolist()):
            found[sentence] = probabilities[row, : len(drafts[sentence])]
    return found


class Statistics:
    """f_stat: a word is as likely a mistake as it was in the training drafts, counted token by token.

    Counted on exact words, not on ids: otherwise all unknown words would be one, and a telling one. A word never
    seen counts as correct; f_stat itself marks those above 0.5.
    """

    def __init__(self, drafts: Iterable[Sequence[str]], labels: Iterable[Ids]) -> None:
        self._seen: Counter[str] = Counter()
        self._wrong: Counter[str] = Counter()
        for words, correct in zip(drafts, labels, strict=True):
            self._seen.update(words)
            self._wrong.update(word for word, label in zip(words, correct.tolist(), strict=True) if not label)

    def judge(self, drafts: Iterable[Sequence[str]], labels: Iterable[Ids]) -> Judged:
        """Judge the words of other drafts."""
        rates = [self._wrong[word] / max(1, self._seen[word]) for words in drafts for word in words]
        return Judged(np.array(rates), np.concatenate([*labels, np.zeros(0, np.int32)]) == 0)
