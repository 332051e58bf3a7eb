"""The text that drafters learn from and draft: lower-cased tokens, and the folds that may be left out.

Drafts are made for the networks, so they are what the networks see: lower-cased tokens joined by blanks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from redraft.corpus.parallel import read_parallel
from redraft.corpus.splits import Groups, Labels, assign_folds, pair_groups
from redraft.errors import UserError
from redraft.files import write_file
from redraft.text import Block, Language, get_language, tokenize_block, words_of
from redraft.text.characters import characters
from redraft.text.interning import INVISIBLE, hash_lines
from redraft.text.normalize import compose

BLOCK_LINES = 1000
_NOTHING = dict.fromkeys(INVISIBLE)  # for str.translate


@dataclass(frozen=True)
class TokenSettings:
    """How lines become tokens."""

    source_language: str = ""
    target_language: str = ""
    given: bool = False  # white-space tokens as they are

    @property
    def source(self) -> Language:
        """The rules of the source language."""
        return get_language(self.source_language)

    @property
    def target(self) -> Language:
        """The rules of the target language."""
        return get_language(self.target_language)

    def split(self, lines: Iterable[str], language: Language) -> Iterator[list[str]]:
        """The lower-cased tokens of each line."""
        for block in self._blocks(lines, language):
            yield from _lower(block)

    def _blocks(self, lines: Iterable[str], language: Language) -> Iterator[Block]:
        stream = iter(lines)
        while chunk := list(islice(stream, BLOCK_LINES)):
            yield tokenize_block([compose(line) for line in chunk], language, self.given)


def _lower(block: Block) -> Iterator[list[str]]:
    """Lower-case as the vocabularies do it, so that a draft's words are theirs; numbers stay as they are."""
    for words in words_of(block._replace(codes=characters().lower[block.codes])):
        yield [word if word.isascii() else word.translate(_NOTHING) or word for word in words]


@dataclass(frozen=True)
class TrainingText:
    """Parallel text on disk as tokens: line i of both files belongs together, and folds[i] is its fold."""

    folder: Path
    tokens: TokenSettings

    @classmethod
    def write(
        cls, folder: Path, source: str, reference: str, tokens: TokenSettings, folds: int = 1, seed: int = 1
    ) -> TrainingText:
        """Tokenise two files into a folder; pairs that say the same share a fold.

        The same means: without case, blanks and punctuation.
        """
        text = cls(folder, tokens)
        languages = tokens.source, tokens.target
        groups: list[Groups] = [np.empty(0, dtype=np.uint64)]
        usable = False
        rows = read_parallel({"source": source, "reference": reference})
        with write_file(text.source) as sources, write_file(text.reference) as references:
            while chunk := list(islice(rows, BLOCK_LINES)):
                hashes, lengths = [], []
                for lines, language, stream in zip(
                    zip(*chunk, strict=True), languages, (sources, references), strict=True
                ):
                    (block,) = tokens._blocks(lines, language)
                    stream.writelines(" ".join(words) + "\n" for words in _lower(block))
                    hashes.append(_loose_hashes(block))
                    lengths.append(np.diff(block.line_ends, prepend=0))
                groups.append(pair_groups(*hashes))
                usable = usable or bool((lengths[0] * lengths[1]).any())
        if not usable:
            raise UserError(
                f"{source}: no line has words here and in {reference}; there is nothing to learn from"
            )
        labels = assign_folds(np.concatenate(groups), folds, seed)
        np.save(folder / "folds.npy", labels, allow_pickle=False)
        return text

    @property
    def source(self) -> Path:
        """Source sentences, tokens joined by blanks."""
        return self.folder / "source.txt"

    @property
    def reference(self) -> Path:
        """Their translations."""
        return self.folder / "reference.txt"

    def folds(self) -> Labels:
        """The fold of every pair."""
        return np.load(self.folder / "folds.npy", allow_pickle=False)  # type: ignore[no-any-return]

    def pairs(self, left_out: int | None = None) -> Iterator[tuple[list[str], list[str]]]:
        """The pairs with words on both sides, in order: all of them, or those outside a fold."""
        folds = self.folds().tolist()
        rows = read_parallel({"source": self.source, "reference": self.reference})
        for fold, (source, reference) in zip(folds, rows, strict=True):
            if fold != left_out and source and reference:
                yield source.split(" "), reference.split(" ")


def _loose_hashes(block: Block) -> Groups:
    """A hash of each line without case, blanks and punctuation."""
    table = characters()
    return hash_lines(block.codes, block.starts, block.ends, block.line_ends, table.flags, table.lower)[1]
