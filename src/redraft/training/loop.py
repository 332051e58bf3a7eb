"""The training loop: batches in, the best and the last weights out, resumable to the byte on a CPU."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import Tensor

from redraft.corpus.batches import Batches, Position
from redraft.errors import UserError
from redraft.model.detector import Detector
from redraft.model.network import Batch, Network
from redraft.training.checkpoints import load_checkpoint, save_checkpoint
from redraft.training.data import Background, Feeder, Sentences, Task, make_batch
from redraft.training.settings import Recipe


@dataclass
class Progress:
    """Where a run stands."""

    step: int = 0
    position: Position = field(default_factory=Position)
    best: float = math.inf  # validation loss per token
    best_step: int = 0
    bad: int = 0  # validations since the best one
    rate_factor: float = 1.0  # what the plateau schedule has made of the rate
    seconds: float = 0.0  # spent training so far, validation included
    losses: list[float] = field(default_factory=list)  # training loss at validations, to notice divergence

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Progress:
        """Read what `to_json` wrote."""
        return cls(**(data | {"position": Position(**data["position"])}))


@dataclass(frozen=True)
class Report:
    """What the loop tells at every validation."""

    step: int
    epoch: int
    seconds: float
    rate: float
    train_loss: float  # per token, since the last report
    validation_loss: float  # per token
    perplexity: float
    gap_perplexity: float
    slots_per_second: float
    waited: float  # share of the time that the device waited for data
    peak_bytes: int
    is_best: bool


Trainable = Network | Detector


class Trainer:
    """Trains one network. `folder` holds the best and the last checkpoint and the metrics."""

    def __init__(
        self,
        network: Trainable,
        training: Sentences,
        validation: Sentences,
        recipe: Recipe,
        folder: Path,
        seed: int,
        device: torch.device,
        say: Callable[[str], None] = lambda _message: None,
    ) -> None:
        self.network = network.to(device)
        self.recipe = recipe
        self.folder = folder
        self.device = device
        self.say = say
        self.progress = Progress()
        self.validation = validation
        self.task = Task("refine" if isinstance(network, Network) else "detect", recipe.states)
        self.feeder = Feeder(training, network.memories, recipe.budget, seed, self.task)
        self.optimiser = make_optimiser(network, recipe)
        self.average = (
            {name: value.detach().clone() for name, value in network.state_dict().items()}
            if recipe.average
            else None
        )
        torch.manual_seed(seed)

    def resume(self) -> bool:
        """Go on from the last checkpoint, if there is one."""
        return load_checkpoint(self, self.folder / "last")

    def load_best(self) -> None:
        """Give the network the best weights that were seen."""
        path = self.folder / "best" / "network.safetensors"
        if not path.is_file():
            raise UserError(
                f"{self.folder}: training ended before its first validation; give it more steps or time"
            )
        self.network.load_state_dict(load_file(path, device=str(self.device)))

    def run(
        self,
        report: Callable[[Report], None] = lambda _report: None,
        tick: Callable[[int], None] = lambda _steps: None,
    ) -> Progress:
        """Train until the steps, the time or the patience end; returns where it ended.

        `report` is called at every validation, `tick` after every step.
        """
        recipe, progress = self.recipe, self.progress
        self.folder.mkdir(parents=True, exist_ok=True)
        background = Background(self.feeder, progress.position, self.device)
        window = _Window()
        started = time.perf_counter() - progress.seconds
        halved = False
        try:
            for following, chosen, batch in background:
                if self._is_done(time.perf_counter() - started):
                    if window.steps:  # the time is over between two validations
                        progress.seconds = time.perf_counter() - started
                        report(self._validate(window, background))
                    break
                try:
                    self._step(batch.to(self.device), chosen, window)
                except torch.OutOfMemoryError:
                    if halved:
                        raise UserError(
                            "out of GPU memory, even with half of the batch; lower --budget"
                        ) from None
                    halved = True
                    self.say("out of GPU memory: going on with batches of half the size")
                    torch.cuda.empty_cache()
                    self._halve(batch, chosen, window)
                progress.step += 1
                tick(1)
                progress.position = following
                if progress.step % recipe.validate_every == 0 or progress.step == recipe.steps:
                    progress.seconds = time.perf_counter() - started
                    made = self._validate(window, background)
                    report(made)
                    window = _Window()
                    background.waited = 0.0
        finally:
            background.close()
        return progress

    def _is_done(self, seconds: float) -> bool:
        recipe, progress = self.recipe, self.progress
        out_of_time = bool(recipe.seconds) and seconds > recipe.seconds
        return progress.step >= recipe.steps or progress.bad >= recipe.patience or out_of_time

    def _step(self, batch: Any, chosen: NDArray[np.int64], window: _Window) -> None:
        self.network.train()
        rate = self._rate()
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        with autocast(self.device, self.recipe.bf16):
            loss = self.network.loss(batch, self.recipe.gap_weight)
        self.optimiser.zero_grad(set_to_none=True)
        (loss.total / loss.weight).backward()  # type: ignore[no-untyped-call]
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.clip)
        if not torch.isfinite(norm):
            self._explain_divergence(chosen, float(loss.total.detach()))
        self.optimiser.step()
        if self.average is not None:
            self._update_average()
        window.add(loss.token_log_probability, loss.tokens, loss.gaps)

    def _halve(self, batch: Any, chosen: NDArray[np.int64], window: _Window) -> None:
        """Do a batch that did not fit as two, and all later ones at half the budget."""
        half = len(chosen) // 2
        for part in (chosen[:half], chosen[half:]):
            if len(part):
                self._step(self.feeder.make(part, self.progress.position).to(self.device), part, window)

    def _rate(self) -> float:
        recipe, step = self.recipe, self.progress.step
        warm = min(1.0, (step + 1) / recipe.warm_up) if recipe.warm_up else 1.0
        if recipe.schedule == "plateau":
            return recipe.rate * warm * self.progress.rate_factor
        done = min(1.0, step / recipe.steps)
        return recipe.rate * warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done)))

    def _update_average(self) -> None:
        assert self.average is not None
        # Young averages forget faster, so that the first weights do not linger.
        decay = min(self.recipe.average, (1 + self.progress.step) / (10 + self.progress.step))
        values = [value.detach() for value in self.network.state_dict().values()]
        torch._foreach_lerp_(list(self.average.values()), values, 1 - decay)

    def _explain_divergence(self, chosen: NDArray[np.int64], loss: float) -> None:
        lines = self.feeder.sentences.lines[chosen]
        shown = ", ".join(str(line) for line in lines[:5].tolist())
        more = f" and {len(lines) - 5} more" if len(lines) > 5 else ""
        raise UserError(
            f"step {self.progress.step + 1}: the loss is {loss} on lines {shown}{more}; the best weights so far are "
            "kept. Try a lower --rate, a lower --clip, or without --bf16"
        )

    def _validate(self, window: _Window, background: Background) -> Report:
        recipe, progress = self.recipe, self.progress
        with self.averaged():
            loss, gap_loss = validation_loss(
                self.network, self.validation, self.device, self.task, recipe.bf16
            )
        train = window.loss()
        if not math.isfinite(loss):
            self._explain_divergence(np.zeros(0, dtype=np.int64), loss)
        is_best = loss < progress.best
        if is_best:
            progress.best, progress.best_step, progress.bad = loss, progress.step, 0
        else:
            progress.bad += 1
            if recipe.schedule == "plateau":
                progress.rate_factor *= recipe.shrink
        progress.losses.append(train)
        if len(progress.losses) > 4 and train > 2 * min(progress.losses):
            raise UserError(
                f"step {progress.step}: the training loss rose to {train:.3f} from {min(progress.losses):.3f}; "
                "the best weights so far are kept. Try a lower --rate"
            )
        if is_best:
            with self.averaged():
                save_checkpoint(self, self.folder / "best", weights_only=True)
        save_checkpoint(self, self.folder / "last")
        made = Report(
            step=progress.step,
            epoch=progress.position.epoch,
            seconds=progress.seconds,
            rate=self._rate(),
            train_loss=train,
            validation_loss=loss,
            perplexity=math.exp(min(loss, 50)),
            gap_perplexity=math.exp(min(gap_loss, 50)),
            slots_per_second=window.slots() / max(window.seconds(), 1e-9),
            waited=background.waited / max(window.seconds(), 1e-9),
            peak_bytes=peak_memory(self.device),
            is_best=is_best,
        )
        with open(self.folder / "metrics.jsonl", "a", encoding="utf-8") as stream:
            stream.write(json.dumps(asdict(made)) + "\n")
        return made

    def averaged(self) -> _Swapped:
        """While this block lasts the network has its averaged weights, if there are any."""
        return _Swapped(self.network, self.average)


class _Swapped:
    def __init__(self, network: Trainable, weights: dict[str, Tensor] | None) -> None:
        self.network, self.weights = network, weights
        self.kept: dict[str, Tensor] = {}

    def __enter__(self) -> None:
        if self.weights is not None:
            self.kept = {name: value.detach().clone() for name, value in self.network.state_dict().items()}
            self.network.load_state_dict(self.weights)

    def __exit__(self, *_: object) -> None:
        if self.weights is not None:
            self.network.load_state_dict(self.kept)


class _Window:
    """Figures between two reports, summed on the device."""

    def __init__(self) -> None:
        self._sums: list[tuple[Tensor, Tensor, Tensor]] = []
        self._started = time.perf_counter()

    def add(self, log_probability: Tensor, tokens: Tensor, gaps: Tensor) -> None:
        self._sums.append((log_probability.detach(), tokens, gaps))

    @property
    def steps(self) -> int:
        return len(self._sums)

    def seconds(self) -> float:
        return time.perf_counter() - self._started

    def loss(self) -> float:
        total = sum(float(log) for log, _, _ in self._sums)
        return -total / max(1, sum(int(tokens) for _, tokens, _ in self._sums))

    def slots(self) -> int:
        return sum(int(tokens) + int(gaps) for _, tokens, gaps in self._sums)


def make_optimiser(network: Trainable, recipe: Recipe) -> torch.optim.Optimizer:
    """SGD, or AdamW with decay on matrices that are no lookup tables."""
    if recipe.optimiser == "sgd":
        return torch.optim.SGD(network.parameters(), lr=recipe.rate)
    tables = {id(module.weight) for module in network.modules() if isinstance(module, torch.nn.Embedding)}
    decayed = [p for p in network.parameters() if p.ndim > 1 and id(p) not in tables]
    rest = [p for p in network.parameters() if p.ndim <= 1 or id(p) in tables]
    groups = [{"params": decayed, "weight_decay": recipe.decay}, {"params": rest, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=recipe.rate, betas=(0.9, 0.98), eps=1e-9, fused=True)


def autocast(device: torch.device, bf16: bool) -> Any:
    """Products in bfloat16 where asked for."""
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=bf16)


@torch.no_grad()
def validation_loss(
    network: Trainable,
    sentences: Sentences,
    device: torch.device,
    task: Task,
    bf16: bool = False,
    budget: int = 8192,
) -> tuple[float, float]:
    """Negative log-probability per token and per gap, without dropout."""
    network.eval()
    token = gap = 0.0
    tokens = gaps = 0
    for _, batch in evaluation_batches(sentences, network.memories, task, budget):
        with autocast(device, bf16):
            loss = network.loss(batch.to(device), 1.0)
        token += float(loss.token_log_probability)
        gap += float(loss.gap_log_probability)
        tokens += int(loss.tokens)
        gaps += int(loss.gaps)
    return -token / max(tokens, 1), -gap / max(gaps, 1)


def evaluation_batches(
    sentences: Sentences, memories: Sequence[str], task: Task, budget: int = 8192
) -> Iterator[tuple[NDArray[np.int64], Batch]]:
    """All sentences once, by length, as they are: which sentences, and the batch."""
    plain = replace(task, states=0.0)
    for chosen in Batches(sentences.lengths([task.target, *memories]), budget, seed=0).epoch(0):
        yield chosen, make_batch(sentences, chosen, memories, task=plain)


def peak_memory(device: torch.device) -> int:
    """The most memory that was in use, in bytes."""
    if device.type == "cuda":
        return int(torch.cuda.max_memory_allocated(device))
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
