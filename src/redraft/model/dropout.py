"""Dropout whose masks are cheap on a CPU, where drawing them with torch takes a third of a training step.

A mask is cut from random bytes of a fast generator, which is seeded from torch's own for every mask: so everything
that is random still follows from torch's seed, and a checkpoint needs no other state.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn


class Dropout(nn.Module):
    """Sets a share of the numbers to zero while training and scales the others up."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, values: Tensor) -> Tensor:
        """Any shape."""
        return dropout(values, self.rate, self.training)


def dropout(values: Tensor, rate: float, training: bool) -> Tensor:
    """The function behind the module. On a CPU the rate is rounded to a 256th."""
    if not training or rate == 0.0:
        return values
    if values.is_cuda:
        return nn.functional.dropout(values, rate)
    return values * draw_mask(values.shape, rate, values.dtype)


def draw_mask(shape: torch.Size, rate: float, dtype: torch.dtype) -> Tensor:
    """Zeros and, where a number is kept, what makes up for those that are not."""
    limit = min(255, max(1, round(256 * rate)))
    seed = int(torch.randint(2**62, (1,)))
    drawn = np.random.Generator(np.random.SFC64(seed)).bytes(shape.numel())
    kept = torch.frombuffer(bytearray(drawn), dtype=torch.uint8) >= limit
    return kept.to(dtype).mul_(256 / (256 - limit)).view(shape)
