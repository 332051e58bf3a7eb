"""The deep context: one causal Transformer reads from the left, one from the right, and the slots join them.

The left state at boundary b has read the words before it, the right state those after it. The slot of token i
joins the left state of boundary i with the right state of boundary i + 1, the gap at b joins both states of
boundary b: the same network without any mark, so that only the two states tell whether a word belongs there.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from redraft.model.config import NetworkConfig
from redraft.model.dropout import Dropout
from redraft.model.transformer import Layer, positions
from redraft.model.window import END, START, at_slots


class Tower(nn.Module):
    """A causal Transformer that attends to the memories in every layer."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(config, crosses=True) for _ in range(config.tower_layers))
        self.norm = nn.LayerNorm(config.width)

    def forward(self, states: Tensor, mask: Tensor, memory: Tensor, memory_mask: Tensor) -> Tensor:
        """states (B, n + 1, D) -> (B, n + 1, D)"""
        for layer in self.layers:
            states = layer(states, mask, memory, memory_mask)
        normed: Tensor = self.norm(states)
        return normed


class TowersContext(nn.Module):
    """A vector for every token slot and every gap slot from two towers."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.table = nn.Embedding(config.target_words, config.width)
        self.kinds = nn.Embedding(len(config.memories), config.width)  # which memory a state comes from
        self.left = Tower(config)
        self.right = Tower(config)
        self.join_left = nn.Linear(config.width, 2 * config.width)
        self.join_right = nn.Linear(config.width, 2 * config.width, bias=False)
        self.out = nn.Linear(2 * config.width, config.width)
        self.norm = nn.LayerNorm(config.width)
        self.dropout = Dropout(config.dropout)
        self.scale = math.sqrt(config.width)

    @property
    def output_size(self) -> int:
        """The size of what `forward` returns."""
        return self.config.width

    def forward(
        self, target: Tensor, lengths: Tensor, memories: dict[str, tuple[Tensor, Tensor]]
    ) -> tuple[Tensor, Tensor]:
        """target (B, n), lengths (B,), memories name -> states (B, T, D) and mask (B, T).

        Returns a vector for token slots (B, n, D) and for gap slots (B, n + 1, D).
        """
        marked = [memories[name][0] + self.kinds.weight[i] for i, name in enumerate(self.config.memories)]
        memory = torch.cat(marked, dim=1)
        seen = torch.cat([memories[name][1] for name in self.config.memories], dim=1)
        memory_mask = seen[:, None, None]  # (B, 1, 1, T)
        size = target.shape[1] + 1
        causal = torch.ones(size, size, dtype=torch.bool, device=target.device).tril()[None, None]
        start = target.new_full((target.shape[0], 1), START)
        end = target.new_full((target.shape[0], 1), END)
        forwards = self._embed(torch.cat([start, target], dim=1))
        flip = _flip(size, lengths)  # boundary b of a sentence of n words <-> place n - b
        backwards = self._embed(torch.cat([end, _reverse(target, lengths)], dim=1))
        left = self.left(forwards, causal, memory, memory_mask)
        right = self.right(backwards, causal, memory, memory_mask)
        right = right.gather(1, flip[:, :, None].expand_as(right))
        if self.config.left_only:
            right = torch.zeros_like(right)
        halves = self.join_left(left), self.join_right(right)
        slots = self._finish(at_slots(halves, self.config.null))
        return slots[:, : target.shape[1]], slots[:, target.shape[1] :]

    def _embed(self, ids: Tensor) -> Tensor:
        embedded = self.table(ids) * self.scale + positions(ids.shape[1], self.config.width, ids.device)
        dropped: Tensor = self.dropout(embedded)
        return dropped

    def _finish(self, joined: Tensor) -> Tensor:
        finished: Tensor = self.norm(self.out(self.dropout(nn.functional.gelu(joined))))
        return finished


def _flip(size: int, lengths: Tensor) -> Tensor:
    """For boundaries 0 to n of each sentence the places n to 0; beyond it the places stay."""
    places = torch.arange(size, device=lengths.device)[None]
    flipped = lengths[:, None] - places
    return torch.where(flipped >= 0, flipped, places)


def _reverse(target: Tensor, lengths: Tensor) -> Tensor:
    """Each sentence's words in reverse, padding still behind them."""
    places = torch.arange(target.shape[1], device=target.device)[None]
    flipped = lengths[:, None] - 1 - places
    return torch.where(flipped >= 0, target.gather(1, flipped.clamp(min=0)), target)
