"""Every choice about the networks, with the reason behind it. What the paper gives is marked so."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from redraft.errors import UserError

Context = Literal["window", "towers"]
Attention = Literal["dot", "mlp"]
MemoryEncoder = Literal["convolution", "transformer"]


@dataclass(frozen=True)
class NetworkConfig:
    """One family of networks: what it attends to, how it sees the target, and how large everything is."""

    source_words: int  # size of the source vocabulary, specials included
    target_words: int  # size of the target vocabulary, specials included
    memories: tuple[str, ...] = ("source",)  # F; ("source", "draft") is F_dual; draft2, source2 work too
    context: Context = "window"
    null: bool = True  # gap slots and the null word; off: the paper's substitutions only
    left_only: bool = False  # mask what stands to the right (paper: perplexity 13.9 against 5.4)

    # The window and its convolutional memories (sections 3 to 5.1 of the paper).
    attention: Attention = "dot"  # paper: dot for F, MLP for F_dual
    embedding: int = 256  # paper
    state: int = 512  # paper: dim S = dim T
    hidden: int = 512  # paper: 512 for F, 1024 for F_dual
    reach: int = 4  # paper: k words to the left and k to the right
    memory_width: int = 9  # paper: the source window
    memory_linear: bool = False  # F: one convolution; F_dual: a linear layer after it ("2-layer")
    lookup: bool = True  # paper: feed the MLP with the context's embeddings (better than the query vector)

    # The towers and their Transformer memories (ours).
    width: int = 256
    encoder_layers: int = 3
    tower_layers: int = 4
    heads: int = 4
    feed_forward: int = 1024

    memory_encoder: MemoryEncoder | None = None  # None: convolution for windows, transformer for towers
    dropout: float = 0.2  # chosen on validation data; the paper does not say
    initial_range: float = 0.1  # standard deviation of tables that are not pre-computed

    def __post_init__(self) -> None:
        if not self.memories or len(set(self.memories)) != len(self.memories):
            raise UserError(f"memories {self.memories}: expected different names, such as source, draft")
        for name in self.memories:
            if not name.startswith(("source", "draft")):
                raise UserError(f"memory {name!r}: expected a name that begins with source or draft")
        if self.context == "towers" and self.width % self.heads:
            raise UserError(f"width {self.width} is not a multiple of {self.heads} heads")

    @property
    def encoder(self) -> MemoryEncoder:
        """The kind of memory encoder in use."""
        return self.memory_encoder or ("convolution" if self.context == "window" else "transformer")

    def words(self, side: str) -> int:
        """The vocabulary size of a side."""
        return self.source_words if side.startswith("source") else self.target_words

    def to_json(self) -> dict[str, Any]:
        """Plain values for config.json."""
        return asdict(self) | {"memories": list(self.memories)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> NetworkConfig:
        """Read what `to_json` wrote; unknown keys are refused by name."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(data) - known)
        if unknown:
            raise UserError(
                f"network configuration: unknown setting {unknown[0]!r}; written by a newer redraft?"
            )
        missing = sorted({"source_words", "target_words"} - set(data))
        if missing:
            raise UserError(f"network configuration: no {missing[0]!r}; the file is damaged")
        return cls(**(data | {"memories": tuple(data.get("memories", ("source",)))}))


def single(source_words: int, target_words: int, **changes: Any) -> NetworkConfig:
    """F of the paper: attends to the source, dot product, one convolution."""
    settings: dict[str, Any] = {
        "memories": ("source",),
        "attention": "dot",
        "hidden": 512,
        "memory_linear": False,
    }
    return NetworkConfig(source_words, target_words, **(settings | changes))


def dual(source_words: int, target_words: int, **changes: Any) -> NetworkConfig:
    """F_dual of the paper: attends to source and draft, MLP attention, two-layer memories, hidden size 1024."""
    settings: dict[str, Any] = {
        "memories": ("source", "draft"),
        "attention": "mlp",
        "hidden": 1024,
        "memory_linear": True,
    }
    return NetworkConfig(source_words, target_words, **(settings | changes))


def towers(source_words: int, target_words: int, **changes: Any) -> NetworkConfig:
    """The deep context over source and draft."""
    settings: dict[str, Any] = {"memories": ("source", "draft"), "context": "towers", "dropout": 0.3}
    return NetworkConfig(source_words, target_words, **(settings | changes))
