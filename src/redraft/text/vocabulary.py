"""Vocabularies: words by falling count, the special symbols first, JSON on disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from redraft.errors import UserError, located
from redraft.files import read_json, write_json

PAD, UNKNOWN, START, END, NUMBER, NULL = range(6)
SPECIALS = ("<pad>", "<unk>", "<s>", "</s>", "<num>", "<null>")
NUMBER_WORD, UNKNOWN_WORD = SPECIALS[NUMBER], SPECIALS[UNKNOWN]

FORMAT = "redraft-vocabulary"
VERSION = 1


@dataclass(frozen=True)
class Vocabulary:
    """Words with fixed ids. Words 0 to 5 are the special symbols; the rest stand by count, then by word."""

    language: str
    words: tuple[str, ...]
    counts: tuple[int, ...]

    @classmethod
    def build(
        cls, counts: Mapping[str, int], language: str, size: int | None = None, minimum_count: int = 1
    ) -> Vocabulary:
        """The commonest words: at most `size` besides the specials, each at least `minimum_count` times.

        Text that looks like a special symbol (an HTML <s>, say) never becomes one.
        """
        ranked = rank(counts)
        kept = [(word, count) for word, count in ranked if count >= minimum_count][:size]
        numbers = counts.get(NUMBER_WORD, 0)
        return cls(
            language,
            (*SPECIALS, *(word for word, _ in kept)),
            (
                *(numbers if special == NUMBER_WORD else 0 for special in SPECIALS),
                *(count for _, count in kept),
            ),
        )

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def _ids(self) -> dict[str, int]:
        ids = {word: index for index, word in enumerate(self.words)}
        # Text that reads "<s>" is an unknown word, not a sentence start; only numbers map to a symbol.
        return ids | {special: UNKNOWN for special in SPECIALS if special != NUMBER_WORD}

    def id(self, word: str) -> int:
        """The id of a normalised word, or that of `<unk>`."""
        return self._ids.get(word, UNKNOWN)

    def ids(self, words: Iterable[str]) -> list[int]:
        """The ids of normalised words."""
        get = self._ids.get
        return [get(word, UNKNOWN) for word in words]

    def coverage(self, counts: Mapping[str, int]) -> float:
        """The share of a corpus's running words that are known; 1 for an empty corpus."""
        total = sum(counts.values())
        known = sum(count for word, count in counts.items() if self.id(word) != UNKNOWN)
        return known / total if total else 1.0

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write JSON that `load` reads back."""
        head = {"format": FORMAT, "version": VERSION, "language": self.language}
        write_json(path, head | {"words": self.words, "counts": self.counts})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Vocabulary:
        """Read a vocabulary; anything damaged, foreign or newer is refused, and the message says what."""
        data = read_json(path)
        _check_head(path, data)
        words, counts = data.get("words"), data.get("counts")
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise UserError(f"{path}: 'words' is not a list of strings; the file is damaged, make it again")
        if not isinstance(counts, list) or not all(type(count) is int and count >= 0 for count in counts):
            raise UserError(
                f"{path}: 'counts' is not a list of whole numbers; the file is damaged, make it again"
            )
        if len(words) != len(counts):
            raise UserError(
                f"{path}: {len(words)} words but {len(counts)} counts; the file is damaged, make it again"
            )
        _check_words(path, words)
        language = data.get("language")
        if not isinstance(language, str):
            raise UserError(f"{path}: 'language' is {language!r}, expected a language code; make it again")
        return cls(language, tuple(words), tuple(counts))


def rank(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Words with their counts, commonest first, equal counts by word; special symbols left out."""
    items = ((word, count) for word, count in counts.items() if word not in SPECIALS)
    return sorted(items, key=lambda item: (-item[1], item[0]))


def _check_head(path: str | os.PathLike[str], data: Any) -> None:
    kind = data.get("format") if isinstance(data, dict) else None
    if kind != FORMAT:
        raise UserError(f'{path}: is no vocabulary (expected "format": "{FORMAT}", found {kind!r})')
    version = data.get("version")
    if type(version) is not int or version != VERSION:
        newer = type(version) is int and version > VERSION
        advice = "it needs a newer redraft" if newer else "make it again"
        raise UserError(
            f"{path}: vocabulary version {version!r}, this redraft reads version {VERSION}; {advice}"
        )


def _check_words(path: str | os.PathLike[str], words: list[str]) -> None:
    for index, special in enumerate(SPECIALS):
        if index >= len(words) or words[index] != special:
            found = words[index] if index < len(words) else "nothing"
            raise UserError(f"{path}: special symbol {special} must be word {index}, found {found!r}")
    seen: dict[str, int] = {}
    for index, word in enumerate(words):
        if word in seen:
            raise located(path, None, f"word {word!r} stands twice, at {seen[word]} and {index}; remove one")
        seen[word] = index
