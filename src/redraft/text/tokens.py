"""Text to tokens with character offsets, for one line or for a whole block of lines at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from redraft.text.characters import SPACE, Codes, characters, encode
from redraft.text.languages import Language
from redraft.text.protected import find_protected
from redraft.text.scanner import (
    ALONE,
    JOINS_NEXT,
    JOINS_PREVIOUS,
    Offsets,
    build_table,
    find_trigger_lines,
    scan,
)

_STYLES = {"alone": ALONE, "joins_next": JOINS_NEXT, "joins_previous": JOINS_PREVIOUS}


@dataclass(frozen=True)
class Tokens:
    """A line and its tokens: text[starts[i]:ends[i]] is token i, and all between tokens is white space."""

    text: str
    starts: list[int]
    ends: list[int]
    protected: frozenset[int]  # indices of the tokens that nobody may edit

    @property
    def words(self) -> list[str]:
        """The tokens as they stand in the text."""
        return [self.text[start:end] for start, end in zip(self.starts, self.ends, strict=True)]

    def __len__(self) -> int:
        return len(self.starts)


class Block(NamedTuple):
    """The tokens of many lines at once, as arrays over the code points of the joined lines."""

    codes: Codes  # (characters,)
    starts: Offsets  # (tokens,)
    ends: Offsets  # (tokens,)
    line_ends: Offsets  # (lines,): the number of tokens up to the end of each line


class WordList(NamedTuple):
    """Words as one array of code points, with a hash table: what compiled code can look a word up in."""

    codes: Codes
    offsets: Offsets
    table: Offsets

    @classmethod
    def of(cls, words: Iterable[str]) -> WordList:
        """Word i of the list keeps its number."""
        listed = list(words)
        offsets = np.cumsum([0, *map(len, listed)], dtype=np.int64)
        codes = encode("".join(listed))
        return cls(codes, offsets, build_table(codes, offsets))


def tokenize(line: str, language: Language, given: bool = False) -> Tokens:
    """The tokens of one line; with `given`, the white-space tokens as they are."""
    flat = line.replace("\n", " ")  # white space like any other, as in a block
    codes = encode(flat)
    stretches = _find_protected(codes, flat)
    block = _split(codes) if given else Block(codes, *_scan(codes, stretches, language))
    starts, ends = block.starts.tolist(), block.ends.tolist()
    protected = _protected_tokens(starts, ends, stretches.tolist()) if stretches.size else frozenset[int]()
    return Tokens(line, starts, ends, protected)


def tokenize_block(lines: list[str], language: Language, given: bool = False) -> Block:
    """The tokens of many lines; a newline inside a line counts as white space."""
    text = "\n".join(line.replace("\n", " ") if "\n" in line else line for line in lines)
    block = tokenize_text(text, language, given)
    return block._replace(line_ends=block.line_ends[: len(lines)])


def tokenize_text(text: str, language: Language, given: bool = False) -> Block:
    """The tokens of lines joined by newlines; with `given`, their white-space tokens."""
    codes = encode(text)
    return _split(codes) if given else Block(codes, *_scan(codes, _find_protected(codes, text), language))


def words_of(block: Block) -> list[list[str]]:
    """The tokens of a block as strings, line by line."""
    text = block.codes.tobytes().decode("utf-32-le", "surrogatepass")
    tokens = [text[start:end] for start, end in _spans(block)]
    bounds = [0, *block.line_ends.tolist()]
    return [tokens[first:last] for first, last in pairwise(bounds)]


def _spans(block: Block) -> Iterable[tuple[int, int]]:
    return zip(block.starts.tolist(), block.ends.tolist(), strict=True)


def _split(codes: Codes) -> Block:
    """White-space tokens."""
    space = (characters().flags[codes] & SPACE) != 0
    bounds = np.concatenate(([True], space, [True]))
    starts = np.flatnonzero(bounds[:-1] & ~bounds[1:])
    ends = np.flatnonzero(~bounds[:-1] & bounds[1:])
    newlines = np.append(np.flatnonzero(codes == ord("\n")), codes.size)
    return Block(codes, starts, ends, np.searchsorted(starts, newlines))


def _find_protected(codes: Codes, text: str) -> NDArray[np.int64]:
    """Protected stretches of a block, flat; only lines with a trigger character are looked at closely."""
    lines = find_trigger_lines(codes).tolist()
    found = [
        offset
        for start, end in zip(lines[::2], lines[1::2], strict=True)
        for span in find_protected(text, start, end)
        for offset in span
    ]
    return np.array(found, dtype=np.int64)


def _protected_tokens(starts: list[int], ends: list[int], stretches: list[int]) -> frozenset[int]:
    """The tokens of protected stretches. Given tokens may cut one in pieces: <a and href="x">."""
    first = {start: index for index, start in enumerate(starts)}
    last = {end: index for index, end in enumerate(ends)}
    found: set[int] = set()
    for start, end in zip(stretches[::2], stretches[1::2], strict=True):
        if start in first and end in last:
            found.update(range(first[start], last[end] + 1))
    return frozenset(found)


def _scan(codes: Codes, protected: Offsets, language: Language) -> tuple[Offsets, Offsets, Offsets]:
    always, abbreviations = _abbreviations(language)
    style = _STYLES[language.apostrophe]
    flags = characters().flags
    return scan(codes, flags, protected, style, *abbreviations, always, language.ordinal_period)


@cache
def _abbreviations(language: Language) -> tuple[int, WordList]:
    """The list: those that always keep their period, then those before a number; how many the first are."""
    before_number = language.abbreviations_before_number - language.abbreviations
    words = [*sorted(language.abbreviations), *sorted(before_number)]
    return len(language.abbreviations), WordList.of(words)
