"""Word embeddings of two languages in one space, by Hellinger PCA of a parallel corpus, and on disk.

A word's row holds square roots of the shares of context words in its sentence pairs, so that the distance of
two rows is the Hellinger distance of two distributions; a truncated SVD keeps what holds most of them.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import normalize

from redraft.errors import UserError
from redraft.files import write_file
from redraft.model.cooccurrence import HellingerMatrix, Sentences, hellinger_matrix
from redraft.text.vocabulary import NUMBER, PAD, SPECIALS, UNKNOWN

FORMAT = "redraft-embeddings"
VERSION = 1
DEVIATION = 0.1  # standard deviation of all numbers in the tables

# Block Lanczos on the columns. On Europarl, 12 blocks of 64 find all but 2 in 100,000 of what the best 256
# components hold; 6 of 128 cost more and leave 70; narrower blocks are slower to multiply.
KRYLOV_BLOCKS = 12
BLOCKS_PER_DIMENSIONS = 4


@dataclass(frozen=True)
class Neighbour:
    """A word and the cosine of its angle to another."""

    word: str
    cosine: float


@dataclass(frozen=True)
class Neighbours:
    """The words nearest to a word of one language, in that language and in the other."""

    language: str
    within: list[Neighbour]
    across: list[Neighbour]


@dataclass(frozen=True)
class WordVectors:
    """One language's words and their rows; the special symbols stand first, as in a vocabulary."""

    language: str
    words: tuple[str, ...]
    vectors: Tensor  # (V, d)

    @cached_property
    def places(self) -> dict[str, int]:
        """The row of each word."""
        return {word: place for place, word in enumerate(self.words)}

    def select(self, words: Sequence[str]) -> Tensor:
        """The rows of another vocabulary's words, to start a network with; others get that of `<unk>`."""
        return self.vectors[[self.places.get(word, UNKNOWN) for word in words]]  # (len(words), d)

    def nearest(self, vector: Tensor, count: int, without: str | None = None) -> list[Neighbour]:
        """The words nearest to a vector by cosine, equally near ones by id; of the symbols only `<num>`."""
        cosines = self._directions @ normalize(vector, dim=0)  # (V,)
        cosines[[place for place in range(len(SPECIALS)) if place != NUMBER]] = -2
        if without in self.places:
            cosines[self.places[without]] = -2
        found = torch.sort(cosines, descending=True, stable=True).indices[:count].tolist()
        return [Neighbour(self.words[place], float(cosines[place])) for place in found if cosines[place] > -2]

    @cached_property
    def _directions(self) -> Tensor:
        return normalize(self.vectors, dim=1)


@dataclass(frozen=True)
class Embeddings:
    """The words of both languages in one space, and how they came there."""

    source: WordVectors
    target: WordVectors
    settings: Mapping[str, int]  # dimensions, context_words, seed, pairs

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write one file that `load` reads back; the same embeddings give the same bytes."""
        from safetensors.torch import save

        tensors = {
            "source": self.source.vectors,
            "target": self.target.vectors,
            "source_words": _pack(self.source.words),
            "target_words": _pack(self.target.words),
        }
        facts: dict[str, Any] = {
            "version": VERSION,
            "source_language": self.source.language,
            "target_language": self.target.language,
            "settings": dict(self.settings),
        }
        facts["sha256"] = _hash(facts, tensors)
        with write_file(path, binary=True) as stream:
            # One key: safetensors writes several in an order that changes from run to run.
            stream.write(save(tensors, {FORMAT: json.dumps(facts)}))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Embeddings:
        """Read a file; anything damaged, foreign or newer is refused, and the message says what."""
        facts, tensors = _read(path)
        source, target = (
            WordVectors(facts[f"{side}_language"], _unpack(tensors[f"{side}_words"]), tensors[side])
            for side in ("source", "target")
        )
        return cls(source, target, facts["settings"])

    def neighbours(self, word: str, count: int) -> list[Neighbours]:
        """What is near a normalised word: one entry for each language that has it, none where neither has."""
        return [
            Neighbours(
                own.language,
                own.nearest(own.vectors[own.places[word]], count, without=word),
                other.nearest(own.vectors[own.places[word]], count),
            )
            for own, other in ((self.source, self.target), (self.target, self.source))
            if word in own.places
        ]


def hellinger_pca(
    source: Sentences,
    target: Sentences,
    source_words: int,
    target_words: int,
    dimensions: int = 256,
    context_words: int = 10_000,
    seed: int = 1,
) -> tuple[Tensor, Tensor]:
    """Tables (V_s, d) and (V_t, d) for the words of both vocabularies, in one space.

    An id beyond its vocabulary counts as `<unk>`, as a network sees it. `<num>` and `<unk>` are words like
    others; an `<unk>` that never occurs is the mean of the rarest words. `<pad>` is zero. Whatever else never
    occurs (`<s>`, `</s>`, `<null>`) is drawn at random. Components beyond the number of columns are zero.

    All of it runs on one thread, so that the bytes do not depend on the number of cores.
    """
    with _one_thread():
        matrix = hellinger_matrix(source, target, source_words, target_words, context_words)
        if not matrix.blocks:
            raise UserError(
                "no sentence pair holds a word of the vocabularies; there is nothing to make embeddings of"
            )
        table = torch.zeros(source_words + target_words, dimensions)  # (R, d)
        directions = find_directions(matrix, dimensions, seed)  # (C, <= d)
        table[:, : directions.shape[1]] = matrix.times(directions)
        occurs = table.any(dim=1)
        # About zero, not about the mean, which depends on the signs of singular vectors, and they are free.
        table *= DEVIATION / table[occurs].square().mean().sqrt()
        generator = torch.Generator().manual_seed(seed)
        random = torch.randn(int((~occurs).sum()), dimensions, generator=generator) * DEVIATION
        table[~occurs] = random
        sides = table[:source_words], table[source_words:]
        frequencies = matrix.sentences[:source_words], matrix.sentences[source_words:]
        for side, frequency in zip(sides, frequencies, strict=True):
            _place_symbols(side, frequency)
    return sides


def find_directions(matrix: HellingerMatrix, dimensions: int, seed: int) -> Tensor:
    """The leading right singular vectors of the matrix (C, at most `dimensions`), the largest first."""
    width = -(-dimensions // BLOCKS_PER_DIMENSIONS)
    if matrix.columns <= width * KRYLOV_BLOCKS:
        basis = torch.eye(matrix.columns)
        images = matrix.gram_times(basis)  # few columns: the whole
    else:
        basis, images = _explore(matrix, width, seed)
    projected = basis.double().T @ images.double()
    _, vectors = torch.linalg.eigh((projected + projected.T) / 2)
    directions: Tensor = (basis.double() @ vectors.flip(1)[:, :dimensions]).float()
    strongest = directions.abs().argmax(dim=0, keepdim=True)
    return directions * directions.gather(0, strongest).sign()  # so the signs are always the same


def _explore(matrix: HellingerMatrix, width: int, seed: int) -> tuple[Tensor, Tensor]:
    """An orthonormal basis (C, K) of a Krylov space of the Gram matrix, and that matrix times it (C, K)."""
    basis = torch.empty(matrix.columns, width * KRYLOV_BLOCKS)
    images = torch.empty_like(basis)
    generator = torch.Generator().manual_seed(seed)
    fresh = torch.randn(matrix.columns, width, generator=generator)
    for start in range(0, basis.shape[1], width):
        fresh = _orthonormalise(fresh, basis[:, :start], generator)
        basis[:, start : start + width] = fresh
        fresh = matrix.gram_times(fresh)
        images[:, start : start + width] = fresh
    return basis, images


def _orthonormalise(fresh: Tensor, known: Tensor, generator: torch.Generator) -> Tensor:
    """Columns at right angles to each other and to known ones; random where that is impossible."""
    for _ in range(3):  # once leaves rounding errors that grow, and what is drawn needs two turns of its own
        lengths = fresh.norm(dim=0)
        fresh, triangle = torch.linalg.qr(fresh - known @ (known.T @ fresh))
        spanned = triangle.diagonal().abs() <= 1e-5 * lengths
        fresh[:, spanned] = torch.randn(len(fresh), int(spanned.sum()), generator=generator)
    return fresh


def _place_symbols(table: Tensor, frequency: Tensor) -> None:
    """Give `<pad>` and an `<unk>` that was not seen their rows, in place."""
    seen = frequency > 0
    seen[: len(SPECIALS)] = False
    if len(table) > UNKNOWN and frequency[UNKNOWN] == 0 and seen.any():
        rarest = seen & (frequency == frequency[seen].min())
        table[UNKNOWN] = table[rarest].mean(dim=0)
    table[PAD : PAD + 1] = 0


@contextmanager
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _pack(words: Sequence[str]) -> Tensor:
    return torch.frombuffer(bytearray("\n".join(words).encode()), dtype=torch.uint8)


def _unpack(packed: Tensor) -> tuple[str, ...]:
    return tuple(packed.numpy().tobytes().decode().split("\n"))


def _hash(facts: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> str:
    """SHA-256 over all that a file says, its own hash aside."""
    digest = hashlib.sha256(json.dumps({**facts, "sha256": None}, sort_keys=True).encode())
    for name in sorted(tensors):
        digest.update(f"{name} {tensors[name].dtype} {list(tensors[name].shape)}\n".encode())
        digest.update(np.ascontiguousarray(tensors[name].numpy()).data)
    return digest.hexdigest()


def _read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The facts and the tensors of a file, both as they were when it was written."""
    from safetensors import SafetensorError, safe_open

    if not Path(path).is_file():
        raise UserError(f"{path}: no such file; make it with `redraft embeddings {path} --corpus CORPUS`")
    try:
        with safe_open(path, framework="pt") as file:
            facts = json.loads((file.metadata() or {}).get(FORMAT, "{}"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - it is no dict
    except (SafetensorError, json.JSONDecodeError) as error:
        raise UserError(f"{path}: is no embeddings file or was cut short ({error}); make it again") from error
    if "version" not in facts:
        raise UserError(f"{path}: holds no embeddings of redraft; make them with `redraft embeddings`")
    if facts["version"] != VERSION:
        newer = isinstance(facts["version"], int) and facts["version"] > VERSION
        advice = "it needs a newer redraft" if newer else "make it again"
        raise UserError(
            f"{path}: embeddings version {facts['version']!r}, this redraft reads version {VERSION}; {advice}"
        )
    if facts.get("sha256") != _hash(facts, tensors):
        raise UserError(f"{path}: its contents are not those that were written; make it again")
    return facts, tensors
