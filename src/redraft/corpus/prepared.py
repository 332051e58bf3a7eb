"""A prepared corpus on disk: memory-mapped id arrays, vocabularies and a manifest that vouches for them.

    manifest.json                      settings, hashes of inputs and files, counts, versions
    source.json, target.json           vocabularies
    source.rare.json, target.rare.json words beyond the vocabularies
    SIDE.ids.npy, SIDE.offsets.npy     tokens of sentence i: ids[offsets[i]:offsets[i + 1]]
    lines.npy, groups.npy              where each pair stood in the input (from 1), and what content it has
    parts.npy, folds.npy               which part and which fold each pair belongs to

Ids below the size of the vocabulary are its words; higher ones are rare words in falling order of count.
`known` makes them all `<unk>`; before that, words can be compared exactly.
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
SIDE_ARRAYS = ("ids", "offsets")
_AGAIN = "prepare the corpus again"

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
        if folder.is_file():
            raise UserError(f"{folder}: is a file, and a prepared corpus is a folder; name that")
        if not folder.is_dir():
            raise UserError(f"{folder}: no such folder; make it with `redraft prepare --output {folder}`")
        if not (folder / MANIFEST).is_file():
            raise UserError(
                f"{folder}: has no {MANIFEST}, so it is no prepared corpus; make it with `redraft prepare`"
            )
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
        return self.source_vocabulary if _language_of(side) == "source" else self.target_vocabulary

    def rare_words(self, side: str) -> list[str]:
        """The words beyond a side's vocabulary; word i has id len(vocabulary) + i."""
        path = self.path / f"{_language_of(side)}.rare.json"
        data = read_json(path)
        if not isinstance(data, dict) or data.get("format") != RARE_FORMAT or "words" not in data:
            raise UserError(f"{path}: is no list of rare words; prepare the corpus again")
        return list(data["words"])

    def side(self, name: str) -> Side:
        """One side's arrays, mapped into memory."""
        if name not in self.side_names:
            raise UserError(f"{self.path}: has no side {name!r}; it has {', '.join(self.side_names)}")
        side = Side(self.array(f"{name}.ids"), self.array(f"{name}.offsets"))
        whole = side.offsets.shape == (len(self) + 1,) and side.ids.shape == (side.offsets[-1],)
        if not whole or side.offsets[0] != 0 or np.any(side.lengths < 0):
            raise UserError(f"{self.path}: ids and offsets of {name} do not fit together; {_AGAIN}")
        return side

    def known(self, side: str, ids: Ids) -> Ids:
        """Ids as a network sees them: words beyond the vocabulary are `<unk>`."""
        return np.where(ids < len(self.vocabulary(side)), ids, UNKNOWN).astype(np.int32)

    def array(self, name: str) -> NDArray[Any]:
        """One of the arrays by its name: lines, groups, parts, folds, SIDE.ids, SIDE.offsets."""
        path = self.path / f"{name}.npy"
        try:
            return np.load(path, mmap_mode="r", allow_pickle=False)  # type: ignore[no-any-return]
        except Exception as error:  # a damaged head raises whatever numpy's parser of it happens to raise
            raise UserError(f"{path}: is no array that numpy can read ({error}); {_AGAIN}") from error

    def part(self, name: str) -> NDArray[np.int64]:
        """The sentences of one part (training, network_validation, classifier, selection)."""
        if name not in PARTS:
            raise UserError(f"no part is called {name!r}; there are {', '.join(PARTS)}")
        parts = self.array("parts")
        if parts.shape != (len(self),) or parts.max(initial=0) >= len(PARTS):
            raise UserError(f"{self.path / 'parts.npy'}: holds what is no part; {_AGAIN}")
        return np.flatnonzero(parts == PARTS.index(name))

    def fold(self, number: int) -> NDArray[np.int64]:
        """The sentences of one fold, from 0."""
        return np.flatnonzero(self.array("folds") == number)


def _language_of(side: str) -> str:
    return "source" if side.startswith("source") else "target"


def _check_manifest(path: Path, manifest: Any) -> None:
    kind = manifest.get("format") if isinstance(manifest, dict) else None
    if kind != FORMAT:
        raise UserError(f'{path}: is no prepared corpus (expected "format": "{FORMAT}", found {kind!r})')
    if manifest.get("version") != VERSION:
        found = manifest.get("version")
        newer = isinstance(found, int) and found > VERSION
        advice = "it needs a newer redraft" if newer else "prepare it again"
        raise UserError(f"{path}: corpus version {found!r}, this redraft reads version {VERSION}; {advice}")
    for key, wanted in (("sides", list), ("read", int), ("pairs", int), ("removed", dict), ("files", dict)):
        if not isinstance(manifest.get(key), wanted):
            raise UserError(f"{path}: {key!r} is missing or damaged; {_AGAIN}")
    missing = sorted(_needed_files(manifest["sides"]) - set(manifest["files"]))
    if missing:
        raise UserError(f"{path}: does not list {missing[0]}, which a corpus has; {_AGAIN}")


def _needed_files(sides: list[Any]) -> set[str]:
    arrays = [
        "lines",
        "groups",
        "parts",
        "folds",
        *(f"{side}.{kind}" for side in sides for kind in SIDE_ARRAYS),
    ]
    texts = [f"{language}{kind}" for language in ("source", "target") for kind in (".json", ".rare.json")]
    return {*(f"{array}.npy" for array in arrays), *texts}


def _check_file(path: Path, facts: Any, verify: bool) -> None:
    if not isinstance(facts, dict) or not {"bytes", "sha256"} <= set(facts):
        raise UserError(f"{path.parent / MANIFEST}: what it says of {path.name} is damaged; {_AGAIN}")
    if not path.is_file():
        raise UserError(f"{path}: is missing; {_AGAIN}")
    size = path.stat().st_size
    if size != facts["bytes"]:
        raise UserError(f"{path}: {size} bytes, the manifest says {facts['bytes']}; {_AGAIN}")
    if verify and hash_file(path) != facts["sha256"]:
        raise UserError(f"{path}: its contents are not those of the manifest; {_AGAIN}")
