"""Attention of slots over one memory: dot product (section 3 of the paper) or MLP (section 5.1)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from redraft.model.config import Attention


class DotAttention(nn.Module):
    """alpha(i, j) proportional to exp(S^j . T^i); the summary is the weighted sum of S^j."""

    def forward(self, queries: Tensor, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """queries (B, Q, D), states (B, T, D), mask (B, T) true at tokens -> summary (B, Q, D), alpha (B, Q, T)"""
        scores = torch.bmm(queries, states.transpose(1, 2))  # (B, Q, T)
        return _summarise(scores, states, mask)


class MlpAttention(nn.Module):
    """alpha(i, j) proportional to exp(v . tanh(W T^i + U S^j)), as Bahdanau's."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.query = nn.Linear(size, size)
        self.key = nn.Linear(size, size, bias=False)
        self.score = nn.Linear(size, 1, bias=False)

    def forward(self, queries: Tensor, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """queries (B, Q, D), states (B, T, D), mask (B, T) true at tokens -> summary (B, Q, D), alpha (B, Q, T)"""
        keys = self.key(states)[:, None]  # (B, 1, T, D)
        asked = self.query(queries)[:, :, None]  # (B, Q, 1, D)
        scores = self.score(torch.tanh(asked + keys)).squeeze(-1)  # (B, Q, T)
        return _summarise(scores, states, mask)


def _summarise(scores: Tensor, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    scores = scores.float().masked_fill(~mask[:, None], float("-inf"))
    # A memory without a single token gives weights of zero, not NaN.
    alpha = torch.softmax(scores, dim=-1).nan_to_num(0.0).to(states.dtype)
    return torch.bmm(alpha, states), alpha


def make_attention(kind: Attention, size: int) -> nn.Module:
    """The attention of a configuration."""
    return DotAttention() if kind == "dot" else MlpAttention(size)
