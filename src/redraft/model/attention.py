"""Attention of slots over one memory: dot product (section 3 of the paper) or MLP (section 5.1)."""

from __future__ import annotations

from typing import Any

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
        scores = additive_scores(self.query(queries), self.key(states), self.score.weight.squeeze(0))
        return _summarise(scores, states, mask)


class _AdditiveScores(torch.autograd.Function):
    """v . tanh(q + k) for every query and key, a few sentences at a time.

    Every tanh is needed for one number only: keeping all of them for the backward pass would cost far more memory
    and time than working them out again.
    """

    @staticmethod
    def forward(context: Any, queries: Tensor, keys: Tensor, vector: Tensor) -> Tensor:
        """queries (B, Q, D), keys (B, T, D), vector (D,) -> scores (B, Q, T)"""
        vector = vector.to(queries.dtype)
        context.save_for_backward(queries, keys, vector)
        pieces = [
            torch.tanh(queries[part, :, None] + keys[part, None]) @ vector for part in _pieces(queries, keys)
        ]
        return torch.cat(pieces)

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        queries, keys, vector = context.saved_tensors
        slopes = gradients[0].to(queries.dtype)  # (B, Q, T)
        query_gradient, key_gradient = torch.empty_like(queries), torch.empty_like(keys)
        vector_gradient = torch.zeros(vector.shape, dtype=torch.float32, device=vector.device)
        for part in _pieces(queries, keys):
            bent = torch.tanh(queries[part, :, None] + keys[part, None])  # (b, Q, T, D)
            slope = slopes[part]
            vector_gradient += slope.reshape(1, -1).mm(bent.flatten(0, 2)).squeeze(0).float()
            inner = bent.square_().neg_().add_(1).mul_(slope[..., None])  # d tanh, without the vector
            query_gradient[part] = inner.sum(dim=2) * vector
            key_gradient[part] = inner.sum(dim=1) * vector
        return query_gradient, key_gradient, vector_gradient


CPU_ELEMENTS = 1 << 20  # numbers of a piece: 2 to 4 MiB, so that it stays in the cache
GPU_ELEMENTS = 1 << 28


def _pieces(queries: Tensor, keys: Tensor) -> list[slice]:
    """Sentences in groups whose queries times keys are not too many."""
    elements = GPU_ELEMENTS if queries.is_cuda else CPU_ELEMENTS
    count = max(1, elements // max(1, queries.shape[1] * keys.shape[1] * keys.shape[2]))
    return [slice(start, start + count) for start in range(0, queries.shape[0], count)]


def additive_scores(queries: Tensor, keys: Tensor, vector: Tensor) -> Tensor:
    """Scores (B, Q, T) of MLP attention from queries (B, Q, D) and keys (B, T, D)."""
    scores: Tensor = _AdditiveScores.apply(queries, keys, vector)  # type: ignore[no-untyped-call]
    return scores


def _summarise(scores: Tensor, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    scores = scores.float().masked_fill(~mask[:, None], float("-inf"))
    # A memory without a single token gives weights of zero, not NaN.
    alpha = torch.softmax(scores, dim=-1).nan_to_num(0.0).to(states.dtype)
    return torch.bmm(alpha, states), alpha


def make_attention(kind: Attention, size: int) -> nn.Module:
    """The attention of a configuration."""
    return DotAttention() if kind == "dot" else MlpAttention(size)
