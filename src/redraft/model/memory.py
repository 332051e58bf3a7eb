"""Memories: sentences that a network attends to. Each has a lookup table and an encoder of its own."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from redraft.model.config import NetworkConfig
from redraft.model.dropout import Dropout
from redraft.model.transformer import Encoder, positions

PAD = 0


class ConvolutionMemory(nn.Module):
    """The paper's: lookup, one convolution of width 9, tanh; F_dual puts a linear layer after it."""

    def __init__(self, config: NetworkConfig, name: str) -> None:
        super().__init__()
        self.table = nn.Embedding(config.words(name), config.embedding, padding_idx=PAD)
        self.reach = config.memory_width // 2
        self.convolution = nn.Linear(config.memory_width * config.embedding, config.state)
        self.linear = nn.Linear(config.state, config.state) if config.memory_linear else nn.Identity()
        self.dropout = Dropout(config.dropout)

    def forward(self, ids: Tensor) -> Tensor:
        """ids (B, T) -> states (B, T, D)"""
        embedded = self.dropout(self.table(ids))  # (B, T, E), zero at padding
        padded = nn.functional.pad(embedded, (0, 0, self.reach, self.reach))
        windows = padded.unfold(1, 2 * self.reach + 1, 1)  # (B, T, E, W)
        flat = windows.transpose(2, 3).reshape(*ids.shape, -1)  # (B, T, W * E)
        states: Tensor = self.linear(torch.tanh(self.convolution(flat)))
        return states


class TransformerMemory(nn.Module):
    """Ours: lookup, positions, a few Transformer layers."""

    def __init__(self, config: NetworkConfig, name: str) -> None:
        super().__init__()
        self.table = nn.Embedding(config.words(name), config.width, padding_idx=PAD)
        self.encoder = Encoder(config)
        self.dropout = Dropout(config.dropout)
        self.scale = math.sqrt(config.width)

    def forward(self, ids: Tensor) -> Tensor:
        """ids (B, T) -> states (B, T, D)"""
        places = positions(ids.shape[1], self.table.embedding_dim, ids.device)
        embedded = self.table(ids) * self.scale + places
        states: Tensor = self.encoder(self.dropout(embedded), ids != PAD)
        return states


def make_memory(config: NetworkConfig, name: str) -> nn.Module:
    """The encoder of one memory."""
    return (
        ConvolutionMemory(config, name)
        if config.encoder == "convolution"
        else TransformerMemory(config, name)
    )
