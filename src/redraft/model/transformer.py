"""Transformer blocks for memories and towers: pre-norm; plain products or the fused kernel by device."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from redraft.model.config import NetworkConfig
from redraft.model.dropout import Dropout, dropout


def positions(length: int, width: int, device: torch.device) -> Tensor:
    """Sinusoids (T, width): any length, nothing to learn."""
    places = torch.arange(length, device=device, dtype=torch.float32)[:, None]
    even = torch.arange(0, width, 2, device=device, dtype=torch.float32)
    rates = torch.exp(even * (-math.log(10_000.0) / width))
    table = torch.zeros(length, width, device=device)
    table[:, 0::2] = torch.sin(places * rates)
    table[:, 1::2] = torch.cos(places * rates)
    return table


class MultiHead(nn.Module):
    """Multi-head attention of queries (B, Q, D) over states (B, T, D)."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key_value = nn.Linear(width, 2 * width)
        self.output = nn.Linear(width, width)
        self.dropout = dropout

    def forward(self, queries: Tensor, states: Tensor, mask: Tensor) -> Tensor:
        """mask: true where attention is allowed; broadcasts to (B, heads, Q, T)."""
        batch, count, width = queries.shape
        asked = self._split(self.query(queries))
        keys, values = (self._split(part) for part in self.key_value(states).chunk(2, dim=-1))
        rate = self.dropout if self.training else 0.0
        if queries.is_cuda:
            fused = nn.functional.scaled_dot_product_attention
            mixed = fused(asked, keys, values, attn_mask=mask, dropout_p=rate)
        else:  # for short sentences plain products are the faster ones on a CPU, above all backward
            scores = asked @ keys.transpose(-1, -2) * (1 / math.sqrt(width // self.heads))  # (B, H, Q, T)
            weights = torch.softmax(scores.masked_fill(~mask, -1e4), dim=-1)
            mixed = dropout(weights, rate, self.training) @ values
        merged: Tensor = self.output(mixed.transpose(1, 2).reshape(batch, count, width))
        return merged

    def _split(self, values: Tensor) -> Tensor:
        batch, length, width = values.shape
        return values.view(batch, length, self.heads, width // self.heads).transpose(1, 2)


class FeedForward(nn.Module):
    """Two linear layers with a GELU between them."""

    def __init__(self, width: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.widen = nn.Linear(width, inner)
        self.narrow = nn.Linear(inner, width)
        self.dropout = Dropout(dropout)

    def forward(self, states: Tensor) -> Tensor:
        """(B, T, D) -> (B, T, D)"""
        narrowed: Tensor = self.narrow(self.dropout(nn.functional.gelu(self.widen(states))))
        return narrowed


class Layer(nn.Module):
    """Self-attention, attention over memories where there are any, feed-forward; each behind a norm."""

    def __init__(self, config: NetworkConfig, crosses: bool) -> None:
        super().__init__()
        width, dropout = config.width, config.dropout
        self.own_norm = nn.LayerNorm(width)
        self.own = MultiHead(width, config.heads, dropout)
        if crosses:
            self.cross_norm = nn.LayerNorm(width)
            self.cross = MultiHead(width, config.heads, dropout)
        self.forward_norm = nn.LayerNorm(width)
        self.feed_forward = FeedForward(width, config.feed_forward, dropout)
        self.dropout = Dropout(dropout)

    def forward(
        self, states: Tensor, mask: Tensor, memory: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        """states (B, T, D); masks true where attention is allowed."""
        normed = self.own_norm(states)
        states = states + self.dropout(self.own(normed, normed, mask))
        if memory is not None:
            states = states + self.dropout(self.cross(self.cross_norm(states), memory, memory_mask))
        fed: Tensor = self.dropout(self.feed_forward(self.forward_norm(states)))
        return states + fed


class Encoder(nn.Module):
    """A stack of layers over a whole sentence."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(config, crosses=False) for _ in range(config.encoder_layers))
        self.norm = nn.LayerNorm(config.width)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """states (B, T, D), mask (B, T) true at real tokens"""
        for layer in self.layers:
            states = layer(states, mask[:, None, None])
        normed: Tensor = self.norm(states)
        return normed
