"""The network: memories, a context that sees them and the target, and a softmax over the target vocabulary.

F, F_dual, multi-draft and multi-source are this network with different lists of memories.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from redraft.model.config import NetworkConfig
from redraft.model.memory import PAD, make_memory
from redraft.model.softmax import best_words, chunked_loss
from redraft.model.towers import TowersContext
from redraft.model.window import WindowContext

UNKNOWN, START, END, NUMBER, NULL = 1, 2, 3, 4, 5


@dataclass(frozen=True)
class Batch:
    """Sentences padded to a common length. Targets and weights may be left out where nothing is learned."""

    memories: dict[str, Tensor]  # name -> ids (B, T)
    target: Tensor  # the sentence whose slots are asked about (B, n)
    lengths: Tensor  # (B,)
    token_targets: Tensor | None = None  # what belongs at each token (B, n); the token itself in a reference
    gap_targets: Tensor | None = None  # what belongs into each gap (B, n + 1); <null> in a reference

    def to(self, device: torch.device) -> Batch:
        """The same batch on another device."""

        def move(tensor: Tensor | None) -> Tensor | None:
            return None if tensor is None else tensor.to(device, non_blocking=True)

        return Batch(
            {name: ids.to(device, non_blocking=True) for name, ids in self.memories.items()},
            self.target.to(device, non_blocking=True),
            self.lengths.to(device, non_blocking=True),
            move(self.token_targets),
            move(self.gap_targets),
        )


@dataclass(frozen=True)
class Loss:
    """What one batch costs: the weighted sum to minimise, and figures for people (sums over slots)."""

    total: Tensor  # scalar, differentiable
    weight: Tensor  # sum of the weights
    token_log_probability: Tensor
    tokens: Tensor
    gap_log_probability: Tensor
    gaps: Tensor


@dataclass(frozen=True)
class Proposals:
    """For token slots (B, n) and gap slots (B, n + 1): the best word, its log-probability, the current word's."""

    words: Tensor
    best: Tensor
    current: Tensor


class Network(nn.Module):
    """Estimates, for every slot of a target sentence, which word belongs there."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.encoders = nn.ModuleDict({name: make_memory(config, name) for name in config.memories})
        self.context = WindowContext(config) if config.context == "window" else TowersContext(config)
        self.bias = nn.Parameter(torch.zeros(config.target_words))
        if config.context == "window":
            self.output = nn.Parameter(torch.empty(config.target_words, self.context.output_size))
        self._initialise()

    def _initialise(self) -> None:
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
            elif isinstance(module, nn.Embedding):
                scale = self.config.initial_range
                if self.config.context == "towers":  # scaled up where it is looked up, tied to the softmax
                    scale = self.config.width**-0.5
                nn.init.normal_(module.weight, std=scale)
                if module.padding_idx is not None:
                    nn.init.zeros_(module.weight[module.padding_idx])
        if self.config.context == "window":
            nn.init.xavier_uniform_(self.output)

    @property
    def memories(self) -> tuple[str, ...]:
        """The sides that a batch must have besides the target."""
        return self.config.memories

    @property
    def output_table(self) -> Tensor:
        """The weight of the softmax (V, H); the towers tie it to the target's lookup table."""
        return self.output if self.config.context == "window" else self.context.table.weight

    def load_embeddings(self, source: Tensor, target: Tensor) -> None:
        """Start every lookup table from pre-computed vectors (Hellinger PCA)."""
        with torch.no_grad():
            for name in self.config.memories:
                table = self.encoders[name].table
                assert isinstance(table, nn.Embedding)
                table.weight.copy_(source if name.startswith("source") else target)
                table.weight[PAD] = 0
            self.context.table.weight.copy_(target)

    def encode(self, memories: dict[str, Tensor]) -> dict[str, tuple[Tensor, Tensor]]:
        """Each memory's states (B, T, D) and mask (B, T)."""
        masks = {name: memories[name] != PAD for name in self.memories}
        return {name: (self.encoders[name](memories[name]), mask) for name, mask in masks.items()}

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The vectors before the softmax, at token slots (B, n, H) and at gap slots (B, n + 1, H)."""
        hidden: tuple[Tensor, Tensor] = self.context(batch.target, batch.lengths, self.encode(batch.memories))
        return hidden

    def loss(self, batch: Batch, gap_weight: float) -> Loss:
        """The loss over the batch's targets; gaps count `gap_weight` times as much as tokens."""
        tokens, gaps = self(batch)
        token_mask, gap_mask = slot_masks(batch)
        assert batch.token_targets is not None
        hidden = [tokens[token_mask]]
        targets = [batch.token_targets[token_mask]]
        weights = [torch.ones_like(targets[0], dtype=torch.float32)]
        if self.config.null:
            assert batch.gap_targets is not None
            hidden.append(gaps[gap_mask])
            targets.append(batch.gap_targets[gap_mask])
            weights.append(torch.full_like(targets[1], gap_weight, dtype=torch.float32))
        weight = torch.cat(weights)
        total, log_probabilities = chunked_loss(
            torch.cat(hidden), self.output_table, self.bias, torch.cat(targets), weight
        )
        count = targets[0].numel()
        return Loss(
            total,
            weight.sum(),
            log_probabilities[:count].sum(),
            token_mask.sum(),
            log_probabilities[count:].sum(),
            gap_mask.sum() if self.config.null else token_mask.new_zeros((), dtype=torch.long),
        )

    @torch.no_grad()
    def propose(self, batch: Batch, deletions: bool = True) -> tuple[Proposals, Proposals]:
        """What the network would put at every token slot and every gap slot of the batch's target.

        `<pad>`, `<unk>`, `<s>` and `</s>` are never proposed, and `<null>` at tokens only with `deletions`.
        """
        tokens, gaps = self(batch)
        never = [PAD, UNKNOWN, START, END]
        at_tokens = self._propose(
            tokens, batch.target, never if deletions and self.config.null else [*never, NULL]
        )
        standing = torch.full(gaps.shape[:2], NULL, dtype=torch.long, device=gaps.device)
        return at_tokens, self._propose(gaps, standing, never)

    def _propose(self, hidden: Tensor, current: Tensor, excluded: list[int]) -> Proposals:
        flat = hidden.reshape(-1, hidden.shape[-1])
        never = torch.tensor(excluded, device=hidden.device)
        found = best_words(flat, self.output_table, self.bias, current.reshape(-1), never)
        return Proposals(*(values.view(current.shape) for values in found))


def slot_masks(batch: Batch) -> tuple[Tensor, Tensor]:
    """Which token slots (B, n) and which gap slots (B, n + 1) are real."""
    places = torch.arange(batch.target.shape[1] + 1, device=batch.target.device)
    return places[:-1] < batch.lengths[:, None], places <= batch.lengths[:, None]
