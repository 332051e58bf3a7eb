"""A prepared corpus on disk: memory-mapped id arrays, vocabularies and a manifest that vouches for them.

    manifest.json                      settings, hashes of inputs and files, counts, versions
    source.json, target.json           vocabularies
    source.rare.json, target.rare.json words beyond the vocabularies
    SIDE.ids.npy, SIDE.offsets.npy     tokens of sentence i: ids[offsets[i]:offsets[i + 1]]
    lines.npy, groups.npy              where each pair stood in the input (from 1), and what content it has
    parts.npy, folds.npy               which part and which fold each pair belongs to

Ids below the size of the vocabulary are its words; higher ones are rare words in falling order of count, so that
`known` makes every one of them `<unk>` and exact comparisons before that mapping stay possible.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from redraft.corpus.splits import PARTS
from redraft.errors import UserError
from redraft.files import hash_file, read_json
from redraft.text.vocabulary import UNKNOWN, Vocabulary

FORMAT = "redraft-corpus"
VERSION = 1
MANIFEST = "manifest.json"
RARE_FORMAT = "redraft-rare-words"

Ids = NDArray[np.int32]


@dataclass(frozen=True)
class Side:
    """One side of the corpus: all tokens in a row, and where each sentence begins and ends."""

    ids: Ids  # (tokens,)
    offsets: NDArray[np.int64]  # (sentences + 1,)

    def __getitem__(self, sentence: int) -> Ids:
        """The ids of one sentence, rare words included."""
        return self.ids[self.offsets[sentence] : self.offsets[sentence + 1]]

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens of every sentence."""
        return np.diff(self.offsets)


class PreparedCorpus:
    """An opened folder. Arrays are mapped, not read: opening a large corpus costs nothing."""

    def __init__(self, path: str | os.PathLike[str], manifest: dict[str, Any]) -> None:
        self.path = Path(path)
        self.manifest = manifest
        self.side_names: tuple[str, ...] = tuple(manifest["sides"])

    @classmethod
    def open(cls, path: str | os.PathLike[str], verify: bool = False) -> PreparedCorpus:
        """Open a folder that `redraft prepare` wrote. Incomplete, damaged or newer ones are refused by name.

        Sizes of all files are compared with the manifest; with `verify` their hashes are too.
        """
        folder = Path(path)
        if not folder.is_dir():
            raise UserError(f"{folder}: no such folder; make it with `redraft prepare --output {folder}`")
        if not (folder / MANIFEST).is_file():
            raise UserError(f"{folder}: has no {MANIFEST}, so it is no prepared corpus; make it with `redraft prepare`")
        manifest = read_json(folder / MANIFEST)
        _check_manifest(folder / MANIFEST, manifest)
        for name, facts in manifest["files"].items():
            _check_file(folder / name, facts, verify)
        return cls(folder, manifest)

    def __len__(self) -> int:
        return int(self.manifest["pairs"])

    @cached_property
    def source_vocabulary(self) -> Vocabulary:
        """The vocabulary of the source language."""
        return Vocabulary.load(self.path / "source.json")

    @cached_property
    def target_vocabulary(self) -> Vocabulary:
        """The vocabulary of drafts and references."""
        return Vocabulary.load(self.path / "target.json")

    def vocabulary(self, side: str) -> Vocabulary:
        """The vocabulary of a side."""
        return self.source_vocabulary if side.startswith("source") else self.target_vocabulary

    def rare_words(self, side: str) -> list[str]:
        """The words beyond a side's vocabulary; word i has id len(vocabulary) + i."""
        name = "source" if side.startswith("source") else "target"
        data = read_json(self.path / f"{name}.rare.json")
        if not isinstance(data, dict) or data.get("format") != RARE_FORMAT:
            raise UserError(f"{self.path / name}.rare.json: is no list of rare words; prepare the corpus again")
        return list(data["words"])

    def side(self, name: str) -> Side:
        """One side's arrays, mapped into memory."""
        if name not in self.side_names:
            raise UserError(f"{self.path}: has no side {name!r}; it has {', '.join(self.side_names)}")
        return Side(self.array(f"{name}.ids"), self.array(f"{name}.offsets"))

    def known(self, side: str, ids: Ids) -> Ids:
        """Ids as a network sees them: words beyond the vocabulary are `<unk>`."""
        return np.where(ids < len(self.vocabulary(side)), ids, UNKNOWN).astype(np.int32)

    def array(self, name: str) -> NDArray[Any]:
        """One of the arrays by its name: lines, groups, parts, folds, SIDE.ids, SIDE.offsets."""
        return np.load(self.path / f"{name}.npy", mmap_mode="r", allow_pickle=False)  # type: ignore[no-any-return]

    def part(self, name: str) -> NDArray[np.int64]:
        """The sentences of one part (training, network_validation, classifier, selection)."""
        if name not in PARTS:
            raise UserError(f"no part is called {name!r}; there are {', '.join(PARTS)}")
        return np.flatnonzero(self.array("parts") == PARTS.index(name))

    def fold(self, number: int) -> NDArray[np.int64]:
        """The sentences of one fold, from 0."""
        return np.flatnonzero(self.array("folds") == number)


def _check_manifest(path: Path, manifest: Any) -> None:
    kind = manifest.get("format") if isinstance(manifest, dict) else None
    if kind != FORMAT:
        raise UserError(f'{path}: is no prepared corpus (expected "format": "{FORMAT}", found {kind!r})')
    if manifest.get("version") != VERSION:
        found = manifest.get("version")
        newer = isinstance(found, int) and found > VERSION
        advice = "it needs a newer redraft" if newer else "prepare it again"
        raise UserError(f"{path}: corpus version {found!r}, this redraft reads version {VERSION}; {advice}")
    for key, kind_wanted in (("sides", list), ("pairs", int), ("files", dict)):
        if not isinstance(manifest.get(key), kind_wanted):
            raise UserError(f"{path}: has no {key!r}; it was changed or damaged, prepare the corpus again")


def _check_file(path: Path, facts: dict[str, Any], verify: bool) -> None:
    if not path.is_file():
        raise UserError(f"{path}: is missing; prepare the corpus again")
    size = path.stat().st_size
    if size != facts["bytes"]:
        raise UserError(f"{path}: {size} bytes, the manifest says {facts['bytes']}; prepare the corpus again")
    if verify and hash_file(path) != facts["sha256"]:
        raise UserError(f"{path}: its contents are not those of the manifest; prepare the corpus again")
