"""The error detector (section 2 of the paper): is a draft word one that the reference has, given the source?

Two kinds behind one interface: the paper's f, and one on the deep context, which sees both whole sentences.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

import torch
from torch import Tensor, nn

from redraft.errors import UserError
from redraft.model.config import NetworkConfig
from redraft.model.dropout import Dropout
from redraft.model.memory import PAD, TransformerMemory
from redraft.model.network import Batch, Loss, Network, slot_masks
from redraft.model.towers import TowersContext


@dataclass(frozen=True)
class DetectorConfig:
    """Settings of a detector, with their reasons."""

    source_words: int
    target_words: int
    kind: Literal["paper", "deep"] = "paper"
    embedding: int = 256  # paper
    size: int = 256  # paper: output of both convolutions
    width: int = 5  # paper: words that a convolution spans; two of them see 9
    scaled: bool = (
        True  # learn a scale and a bias in front of the sigmoid; the bare dot product trains slower
    )
    dropout: float = 0.3  # chosen on validation data; without it f learns the training words by heart
    deep_width: int = 256
    deep_encoder_layers: int = 3  # as the towers of a refiner, so that it can start from one
    deep_tower_layers: int = 4
    deep_heads: int = 4

    def to_json(self) -> dict[str, Any]:
        """Plain values for config.json."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> DetectorConfig:
        """Read what `to_json` wrote; unknown keys are refused by name."""
        unknown = sorted(set(data) - {field.name for field in fields(cls)})
        if unknown:
            raise UserError(
                f"detector configuration: unknown setting {unknown[0]!r}; written by a newer redraft?"
            )
        return cls(**data)

    def deep_network(self) -> NetworkConfig:
        """The towers that the deep detector stands on."""
        return NetworkConfig(
            self.source_words,
            self.target_words,
            memories=("source",),
            context="towers",
            null=False,
            width=self.deep_width,
            encoder_layers=self.deep_encoder_layers,
            tower_layers=self.deep_tower_layers,
            heads=self.deep_heads,
            feed_forward=4 * self.deep_width,
            dropout=self.dropout,
        )


class Detector(nn.Module):
    """Gives the log-odds that each draft word is correct."""

    def __init__(self, config: DetectorConfig) -> None:
        super().__init__()
        self.config = config
        self.scorer: _PaperScorer | _DeepScorer = (
            _PaperScorer(config) if config.kind == "paper" else _DeepScorer(config)
        )

    @property
    def memories(self) -> tuple[str, ...]:
        """The sides that a batch must have besides the draft."""
        return ("source",)

    def forward(self, batch: Batch) -> Tensor:
        """Log-odds that the words are correct (B, n)."""
        scores: Tensor = self.scorer(batch)
        return scores.float()

    def loss(self, batch: Batch, gap_weight: float = 0.0) -> Loss:
        """Cross-entropy of the labels in `token_targets`: 1 where the word's type is in the reference."""
        assert batch.token_targets is not None
        mask, _ = slot_masks(batch)
        labels = batch.token_targets[mask].float()
        losses = nn.functional.binary_cross_entropy_with_logits(self(batch)[mask], labels, reduction="none")
        total, count = losses.sum(), mask.sum()
        nothing = torch.zeros((), device=total.device)
        return Loss(total, count.float(), -total.detach(), count, nothing, nothing.long())

    @torch.no_grad()
    def probabilities(self, batch: Batch) -> Tensor:
        """The probability that each word is correct (B, n)."""
        return torch.sigmoid(self(batch))

    def load_embeddings(self, source: Tensor, target: Tensor) -> None:
        """Start the lookup tables from pre-computed vectors (Hellinger PCA)."""
        with torch.no_grad():
            for table, vectors in zip(self.scorer.tables(), (source, target), strict=True):
                table.weight.copy_(vectors)
                if table.padding_idx is not None:
                    table.weight[table.padding_idx] = 0

    def start_from(self, refiner: Network) -> None:
        """Start a deep detector from a refiner's towers: what belongs at a slot tells what does not."""
        if not isinstance(self.scorer, _DeepScorer) or refiner.config.context != "towers":
            raise UserError("only a deep detector can start from a refiner, and only from one with towers")
        source = next(name for name in refiner.memories if name.startswith("source"))
        place = refiner.memories.index(source)
        state = refiner.context.state_dict()
        state["kinds.weight"] = state["kinds.weight"][place : place + 1]
        try:
            self.scorer.context.load_state_dict(state)
            self.scorer.memory.load_state_dict(refiner.encoders[source].state_dict())
        except RuntimeError as error:
            raise UserError(
                "the refiner's towers have other sizes than the detector's; make them equal"
            ) from error


class _PaperScorer(nn.Module):
    """sigma(max over source positions of S(x)^j . T(y)^i), each side a lookup and two convolutions with tanh."""

    def __init__(self, config: DetectorConfig) -> None:
        super().__init__()
        self.source_table = nn.Embedding(config.source_words, config.embedding, padding_idx=PAD)
        self.target_table = nn.Embedding(config.target_words, config.embedding, padding_idx=PAD)
        self.source = _TwoConvolutions(config)
        self.target = _TwoConvolutions(config)
        self.scale = nn.Parameter(torch.tensor(1.0), requires_grad=config.scaled)
        self.bias = nn.Parameter(torch.tensor(0.0), requires_grad=config.scaled)
        self.dropout = Dropout(config.dropout)
        for table in self.tables():
            nn.init.normal_(table.weight, std=0.1)
            nn.init.zeros_(table.weight[PAD])

    def tables(self) -> tuple[nn.Embedding, nn.Embedding]:
        return self.source_table, self.target_table

    def forward(self, batch: Batch) -> Tensor:
        source_ids = batch.memories["source"]
        source = self.source(self.dropout(self.source_table(source_ids)))  # (B, T, D)
        target = self.target(self.dropout(self.target_table(batch.target)))  # (B, n, D)
        scores = (target @ source.transpose(1, 2)).float()  # (B, n, T)
        best = scores.masked_fill((source_ids == PAD)[:, None], float("-inf")).amax(dim=-1)
        scored: Tensor = self.scale * best + self.bias
        return scored


class _TwoConvolutions(nn.Module):
    def __init__(self, config: DetectorConfig) -> None:
        super().__init__()
        around = config.width // 2
        self.first = nn.Conv1d(config.embedding, config.size, config.width, padding=around)
        self.second = nn.Conv1d(config.size, config.size, config.width, padding=around)
        self.dropout = Dropout(config.dropout)

    def forward(self, embedded: Tensor) -> Tensor:
        """(B, T, E) -> (B, T, D)"""
        hidden = self.dropout(torch.tanh(self.first(embedded.transpose(1, 2))))
        deeper: Tensor = torch.tanh(self.second(hidden)).transpose(1, 2)
        return deeper


class _DeepScorer(nn.Module):
    """Towers over the draft that attend to the source; the word itself joins what they expect at its slot."""

    def __init__(self, config: DetectorConfig) -> None:
        super().__init__()
        network = config.deep_network()
        self.memory = TransformerMemory(network, "source")
        self.context = TowersContext(network)
        width = network.width
        self.word = nn.Linear(width, width)
        self.join = nn.Sequential(
            nn.Linear(3 * width, width), nn.GELU(), Dropout(config.dropout), nn.Linear(width, 1)
        )
        for table in self.tables():
            nn.init.normal_(table.weight, std=width**-0.5)

    def tables(self) -> tuple[nn.Embedding, nn.Embedding]:
        return self.memory.table, self.context.table

    def forward(self, batch: Batch) -> Tensor:
        ids = batch.memories["source"]
        memories = {"source": (self.memory(ids), ids != PAD)}
        expected, _ = self.context(batch.target, batch.lengths, memories)  # (B, n, D)
        word = self.word(self.context.table(batch.target) * self.context.scale)
        scores: Tensor = self.join(torch.cat([expected, word, expected * word], dim=-1)).squeeze(-1)
        return scores
