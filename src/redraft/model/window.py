"""The paper's context: k words on either side of a slot, the word itself never.

Everything is computed per boundary between words (boundary b stands before token b): what the k words left of it
and the k words right of it contribute. The slot of token i joins the left of boundary i with the right of boundary
i + 1; the gap at b joins both sides of boundary b. So tokens and gaps share all work, and deleting a token
and asking at the gap it leaves gives exactly what was asked at the token.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from redraft.model.attention import make_attention
from redraft.model.config import NetworkConfig
from redraft.model.dropout import Dropout

START, END = 2, 3

Halves = tuple[Tensor, Tensor]  # left and right of every boundary: (B, n + 1, D) each


class WindowContext(nn.Module):
    """Queries into each memory and the embeddings of the context, joined by the hidden layer of the MLP."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        flat = config.reach * config.embedding
        self.table = nn.Embedding(config.target_words, config.embedding)
        self.queries = nn.ModuleList(_Query(flat, config.state) for _ in config.memories)
        self.attentions = nn.ModuleList(
            make_attention(config.attention, config.state) for _ in config.memories
        )
        summaries = len(config.memories) * config.state
        if config.lookup:
            self.lookup = _HalfPair(flat, config.hidden)
            self.summary = nn.Linear(summaries, config.hidden)
        else:  # the query vectors instead of the embeddings: the paper tried it, and it was worse
            self.summary = nn.Linear(2 * summaries, config.hidden)
        self.dropout = Dropout(config.dropout)

    @property
    def output_size(self) -> int:
        """The size of what `forward` returns."""
        return self.config.hidden

    def forward(
        self, target: Tensor, lengths: Tensor, memories: dict[str, tuple[Tensor, Tensor]]
    ) -> tuple[Tensor, Tensor]:
        """target (B, n), lengths (B,), memories name -> states (B, T, D) and mask (B, T).

        Returns the hidden layer at token slots (B, n, H) and at gap slots (B, n + 1, H).
        """
        left, right = self._halves(target, lengths)
        queries: list[Halves] = [query.split(left, right) for query in self.queries]  # type: ignore[operator]
        lookup = self.lookup.split(left, right) if self.config.lookup else None
        hidden = self._hidden(queries, lookup, memories)
        return hidden[:, : target.shape[1]], hidden[:, target.shape[1] :]

    def _halves(self, target: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """The embeddings of the k words left and right of each boundary: two times (B, n + 1, k * E)."""
        reach = self.config.reach
        batch, size = target.shape
        places = torch.arange(size, device=target.device)
        inside = torch.where(places < lengths[:, None], target, END)
        edges = target.new_full((batch, reach), START), target.new_full((batch, reach), END)
        ids = torch.cat([edges[0], inside, edges[1]], dim=1)  # (B, n + 2k): beyond the sentence <s> and </s>
        embedded = self.dropout(self.table(ids))
        windows = embedded.unfold(1, reach, 1).transpose(2, 3)  # (B, n + k + 1, k, E)
        flat = windows.reshape(batch, size + reach + 1, -1)
        left, right = flat[:, : size + 1], flat[:, reach:]
        return left, torch.zeros_like(right) if self.config.left_only else right

    def _hidden(
        self,
        queries: list[Halves],
        lookup: Halves | None,
        memories: dict[str, tuple[Tensor, Tensor]],
    ) -> Tensor:
        """The hidden layer at all slots, tokens first: (B, n + n + 1, H), or (B, n, H) without the null word."""
        gaps = self.config.null
        asked: list[Tensor] = [
            query.finish(at_slots(halves, gaps))  # type: ignore[operator]
            for query, halves in zip(self.queries, queries, strict=True)
        ]
        encoded = [memories[name] for name in self.config.memories]
        found: list[Tensor] = [
            attention(query, *memory)[0]
            for attention, query, memory in zip(self.attentions, asked, encoded, strict=True)
        ]
        if lookup is None:
            found += asked
        hidden = self.summary(torch.cat(found, dim=-1))
        if lookup is not None:
            hidden = hidden + at_slots(lookup, gaps)
        dropped: Tensor = self.dropout(torch.tanh(hidden))
        return dropped


def at_slots(halves: Halves, gaps: bool) -> Tensor:
    """Both halves of every slot, tokens before gaps: (B, n + 1, D) twice -> (B, n + n + 1, D), or (B, n, D).

    Token i has what stands left of boundary i and right of boundary i + 1, the gap at b both sides of boundary b.
    Both go through the same products together, so that equal slots have equal results to the last bit.
    """
    left, right = halves
    tokens = left[:, :-1] + right[:, 1:]
    return torch.cat([tokens, left + right], dim=1) if gaps else tokens


class _HalfPair(nn.Module):
    """A linear map of the whole window, applied to its halves once for every boundary and added up at the slots."""

    def __init__(self, size: int, output: int) -> None:
        super().__init__()
        self.left = nn.Linear(size, output)
        self.right = nn.Linear(size, output, bias=False)

    def split(self, left: Tensor, right: Tensor) -> Halves:
        """What each half contributes: (B, n + 1, k * E) twice -> (B, n + 1, out) twice"""
        return self.left(left), self.right(right)


class _Query(_HalfPair):
    """T^i: a convolution whose centre is masked, tanh, linear."""

    def __init__(self, size: int, output: int) -> None:
        super().__init__(size, output)
        self.linear = nn.Linear(output, output)

    def finish(self, joined: Tensor) -> Tensor:
        """(B, S, D) -> (B, S, D)"""
        query: Tensor = self.linear(torch.tanh(joined))
        return query
