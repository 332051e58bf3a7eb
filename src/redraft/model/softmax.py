"""The softmax over a large vocabulary in chunks of rows: no matrix of slots x vocabulary ever exists.

Forward and backward are one pass: while a chunk's probabilities are at hand, its gradients are too.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

CPU_LOGITS = 1 << 23  # logits of a chunk: 32 MiB in fp32; smaller ones add up the table's gradient too often
GPU_LOGITS = 1 << 27


def chunk_rows(words: int, device: torch.device) -> int:
    """How many slots a chunk has, for a vocabulary of this size."""
    return max(64, (GPU_LOGITS if device.type == "cuda" else CPU_LOGITS) // words)


class _ChunkedLoss(torch.autograd.Function):
    @staticmethod
    def forward(
        context: Any, hidden: Tensor, weight: Tensor, bias: Tensor, targets: Tensor, weights: Tensor
    ) -> tuple[Tensor, Tensor]:
        """hidden (S, H), weight (V, H), bias (V,), targets (S,), weights (S,) -> loss, log-probabilities (S,)"""
        needs_gradient = any(context.needs_input_grad[:3])
        # Inside autocast nothing is cast for us here: products run in the type of `hidden`, sums in fp32.
        table = weight.to(hidden.dtype)
        size = hidden.shape[0]
        log_probabilities = torch.empty(size, dtype=torch.float32, device=hidden.device)
        hidden_gradient = torch.empty_like(hidden) if needs_gradient else None
        weight_gradient = torch.zeros_like(weight, dtype=torch.float32) if needs_gradient else None
        bias_gradient = torch.zeros_like(bias, dtype=torch.float32) if needs_gradient else None
        rows = chunk_rows(weight.shape[0], hidden.device)
        for start in range(0, size, rows):
            part = slice(start, min(start + rows, size))
            logits = (hidden[part] @ table.t()).float()
            logits += bias
            norms = torch.logsumexp(logits, dim=1)
            wanted = targets[part, None]
            log_probabilities[part] = logits.gather(1, wanted).squeeze(1) - norms
            if hidden_gradient is None or weight_gradient is None or bias_gradient is None:
                continue
            slope = logits.sub_(norms[:, None]).exp_()
            slope.scatter_add_(1, wanted, torch.full_like(wanted, -1, dtype=slope.dtype))
            slope *= weights[part, None]
            bias_gradient += slope.sum(dim=0)
            slope = slope.to(hidden.dtype)
            hidden_gradient[part] = slope @ table
            if slope.dtype == torch.float32:
                weight_gradient.addmm_(slope.t(), hidden[part])
            else:
                weight_gradient += (slope.t() @ hidden[part]).float()
        context.save_for_backward(hidden_gradient, weight_gradient, bias_gradient)
        context.mark_non_differentiable(log_probabilities)
        return -(log_probabilities * weights).sum(), log_probabilities

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        scale = gradients[0]
        hidden, weight, bias = context.saved_tensors
        # In place: these are ours alone, and a second table of this size costs more than the product.
        return hidden.mul_(scale.to(hidden.dtype)), weight.mul_(scale), bias.mul_(scale), None, None


def chunked_loss(
    hidden: Tensor, weight: Tensor, bias: Tensor, targets: Tensor, weights: Tensor
) -> tuple[Tensor, Tensor]:
    """The weighted sum of negative log-probabilities of the targets, and those log-probabilities themselves."""
    both: tuple[Tensor, Tensor] = _ChunkedLoss.apply(  # type: ignore[no-untyped-call]
        hidden, weight, bias, targets, weights
    )
    return both


def best_words(
    hidden: Tensor, weight: Tensor, bias: Tensor, current: Tensor, excluded: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """For every slot the most probable word that is allowed, its log-probability, and that of the current word.

    `excluded` holds ids that are never proposed; the probabilities are not renormalised for it.
    """
    size = hidden.shape[0]
    words = torch.empty(size, dtype=torch.long, device=hidden.device)
    best = torch.empty(size, dtype=torch.float32, device=hidden.device)
    standing = torch.empty_like(best)
    table = weight.to(hidden.dtype)
    rows = chunk_rows(weight.shape[0], hidden.device)
    for start in range(0, size, rows):
        part = slice(start, min(start + rows, size))
        logits = (hidden[part] @ table.t()).float() + bias
        norms = torch.logsumexp(logits, dim=1)
        standing[part] = logits.gather(1, current[part, None]).squeeze(1) - norms
        logits[:, excluded] = float("-inf")
        top = logits.max(dim=1)
        best[part] = top.values - norms
        words[part] = top.indices
    return words, best, standing
