"""The sides of an evaluation: a draft, a refined version or a reference, as lines and as our tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from redraft import __version__
from redraft.errors import UserError
from redraft.text import Language, tokenize_block, words_of

BLOCK = 4096  # lines tokenised at a time


@dataclass(frozen=True)
class Side:
    """One file of an evaluation. Words are as written; a measure lower-cases them where its setting does."""

    name: str
    lines: list[str]
    words: list[list[str]]  # our tokens of each line

    def __len__(self) -> int:
        return len(self.lines)

    def lowered(self) -> Side:
        """The same side in lower case."""
        lines = [line.lower() for line in self.lines]
        return Side(self.name, lines, [[word.lower() for word in line] for line in self.words])


def make_side(name: str, lines: list[str], language: Language, given: bool = False) -> Side:
    """Tokenise a side; with `given`, its white-space tokens are its words."""
    return Side(name, lines, [words for block in _blocks(lines) for words in _words(block, language, given)])


def check_sides(sides: list[Side]) -> None:
    """All sides have the same number of lines, and at least one."""
    first, *others = sides
    for other in others:
        if len(other) != len(first):
            raise UserError(
                f"{other.name} has {len(other)} lines and {first.name} has {len(first)}; "
                "line n of each must belong to sentence n"
            )
    if not len(first):
        raise UserError(f"{first.name}: has no lines, so there is nothing to measure")


def describe_words(language: Language, given: bool = False) -> str:
    """How tokens were made, for a signature: `given`, or our rules with their language and version."""
    return "given" if given else f"redraft-{language.code}-{__version__}"


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(lines), BLOCK):
        yield lines[start : start + BLOCK]


def _words(lines: list[str], language: Language, given: bool) -> list[list[str]]:
    return words_of(tokenize_block(lines, language, given))
