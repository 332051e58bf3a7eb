"""Sentences for training as padded batches, fed by a background thread so that the device does not wait."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from redraft.corpus.batches import Batches, Position
from redraft.errors import UserError
from redraft.model.network import END, Batch
from redraft.training.states import Ids, State, align, mix_states, reference_state

AHEAD = 8  # batches that wait ready


@dataclass(frozen=True)
class Task:
    """What is asked about, and what the answers are.

    "refine": the words of references, or of states between draft and reference. "detect": which draft words are
    correct; the side "labels" says so.
    """

    kind: Literal["refine", "detect"] = "refine"
    states: float = (
        0.0  # share of sentences that are states between draft and reference; the rest is the reference
    )
    mended: tuple[float, float] = (
        0.0,
        1.0,
    )  # share of a draft's errors that is mended, drawn evenly between these

    def __post_init__(self) -> None:
        if not 0 <= self.states <= 1:
            raise UserError(f"a share of {self.states} training states; expected a number from 0 to 1")

    @property
    def target(self) -> str:
        """The side whose slots are asked about."""
        return "reference" if self.kind == "refine" else "draft"

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that it needs."""
        if self.kind == "detect":
            return ("draft", "labels")
        return ("reference", "draft") if self.states else ("reference",)


@dataclass(frozen=True)
class Sentences:
    """Sides by name ("source", "draft", "reference" ...), each a list of id arrays that a network knows."""

    sides: Mapping[str, Sequence[Ids]]
    lines: NDArray[np.int64]  # where each sentence stood in the input, for messages

    def __len__(self) -> int:
        return len(self.lines)

    def take(self, chosen: NDArray[np.int64]) -> Sentences:
        """Some of the sentences."""
        return Sentences(
            {name: [side[i] for i in chosen] for name, side in self.sides.items()}, self.lines[chosen]
        )

    def lengths(self, names: Sequence[str]) -> NDArray[np.int64]:
        """Lengths (sentences, sides)."""
        return np.array(
            [[len(side[i]) for i in range(len(self))] for side in (self.sides[n] for n in names)]
        ).T


class Feeder:
    """Endless batches of one training set, a function of the seed and the position alone."""

    def __init__(
        self, sentences: Sentences, memories: Sequence[str], budget: int, seed: int, task: Task | None = None
    ) -> None:
        self.task = task or Task()
        missing = sorted({*memories, *self.task.sides} - set(sentences.sides))
        if missing:
            raise UserError(
                f"the training data has no {missing[0]}, which training needs; give --{missing[0]}"
            )
        if len(sentences) == 0:
            raise UserError("no sentences to train on; the corpus is empty after cleaning")
        self.sentences = sentences
        self.memories = tuple(memories)
        self.seed = seed
        sides = [self.task.target, *memories]
        self.batches = Batches(sentences.lengths(sides), budget, seed)
        self._scripts: dict[int, Ids] = {}

    def after(self, position: Position) -> Iterator[tuple[Position, NDArray[np.int64], Batch]]:
        """Batches from a position on, each with the position that follows it and the sentences in it."""
        before = position
        for following, chosen in self.batches.after(position):
            yield following, chosen, self.make(chosen, before)
            before = following

    def make(self, chosen: NDArray[np.int64], position: Position) -> Batch:
        """The batch of these sentences; what is random in it depends on the seed and the position only."""
        if not self.task.states:
            return make_batch(self.sentences, chosen, self.memories, task=self.task)
        random = np.random.default_rng([self.seed, position.epoch, position.batch])
        states = [self._state(int(i), random) for i in chosen]
        return make_batch(self.sentences, chosen, self.memories, states)

    def _state(self, sentence: int, random: np.random.Generator) -> State:
        reference = self.sentences.sides["reference"][sentence]
        if random.random() >= self.task.states:
            return reference_state(reference)
        draft = self.sentences.sides["draft"][sentence]
        script = self._scripts.get(sentence)
        if script is None:
            script = self._scripts[sentence] = align(draft, reference)
        share = random.uniform(*self.task.mended)
        return mix_states(draft, reference, script, random.random(len(script)) < share)


def make_batch(
    sentences: Sentences,
    chosen: NDArray[np.int64],
    memories: Sequence[str],
    states: Sequence[State] | None = None,
    task: Task | None = None,
) -> Batch:
    """Pad some sentences. Without states the task's target side itself is asked about, and every word is to stay.

    Memories end with </s>, so that none is empty and attention has a place to rest.
    """
    if states is None:
        states = [_plain_state(sentences, int(i), task or Task()) for i in chosen]
    encoded = {
        name: _pad([np.append(sentences.sides[name][i], np.int32(END)) for i in chosen]) for name in memories
    }
    return Batch(
        encoded,
        _pad([state.words for state in states]),
        torch.tensor([len(state.words) for state in states]),
        _pad([state.token_targets for state in states]),
        _pad([state.gap_targets for state in states]),
    )


def _plain_state(sentences: Sentences, sentence: int, task: Task) -> State:
    """The target side as it is: its words stay, or are labelled."""
    words = sentences.sides[task.target][sentence]
    state = reference_state(words)
    return (
        state._replace(token_targets=sentences.sides["labels"][sentence]) if task.kind == "detect" else state
    )


def _pad(rows: Sequence[Ids]) -> torch.Tensor:
    """Rows of ids as one tensor, padded with <pad>."""
    widths = np.array([len(row) for row in rows])
    table = np.zeros((len(rows), max(1, widths.max(initial=0))), dtype=np.int64)
    table[np.arange(table.shape[1]) < widths[:, None]] = np.concatenate(rows) if len(rows) else []
    return torch.from_numpy(table)


class Background:
    """Runs an iterator in a thread, a few items ahead, and counts how long the consumer waited for it."""

    def __init__(self, feeder: Feeder, position: Position, device: torch.device) -> None:
        self.waited = 0.0
        self._queue: queue.Queue[tuple[Position, NDArray[np.int64], Batch] | BaseException] = queue.Queue(
            AHEAD
        )
        self._stopped = threading.Event()
        self._device = device
        self._thread = threading.Thread(target=self._fill, args=(feeder, position), daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[tuple[Position, NDArray[np.int64], Batch]]:
        while True:
            start = time.perf_counter()
            item = self._queue.get()
            self.waited += time.perf_counter() - start
            if isinstance(item, BaseException):
                raise item
            yield item

    def close(self) -> None:
        """End the thread."""
        self._stopped.set()
        while not self._queue.empty():
            self._queue.get_nowait()
        self._thread.join(timeout=5)

    def _fill(self, feeder: Feeder, position: Position) -> None:
        try:
            for following, chosen, batch in feeder.after(position):
                ready = _pin(batch) if self._device.type == "cuda" else batch
                if not self._put((following, chosen, ready)):
                    return
        except BaseException as error:  # arrives at the consumer
            self._put(error)

    def _put(self, item: tuple[Position, NDArray[np.int64], Batch] | BaseException) -> bool:
        while not self._stopped.is_set():
            try:
                self._queue.put(item, timeout=0.1)
                return True
            except queue.Full:
                continue
        return False


def _pin(batch: Batch) -> Batch:
    """Memory that is copied to a GPU while it computes."""

    def pin(tensor: torch.Tensor | None) -> torch.Tensor | None:
        return None if tensor is None else tensor.pin_memory()

    return Batch(
        {name: ids.pin_memory() for name, ids in batch.memories.items()},
        batch.target.pin_memory(),
        batch.lengths.pin_memory(),
        pin(batch.token_targets),
        pin(batch.gap_targets),
    )
