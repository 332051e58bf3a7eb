"""`dictionary`: word by word, from the table of a word alignment or from a user's own.

Rules, in this order: a word in a user's table is translated by it; a number is copied, its marks in the
style of the target language; a word in a learned table is translated by it; all else is copied. A translation
may have several words, or none: then the word is left out, unless nothing would be left of the sentence.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from redraft.corpus.reading import LineReader
from redraft.drafting.alignment import ITERATIONS, Link, Pair, align
from redraft.drafting.text import TokenSettings, TrainingText
from redraft.errors import located
from redraft.files import write_file
from redraft.text import Language, looks_like_number

TABLE = "table.tsv"

Translations = dict[str, tuple[str, ...]]  # by source word
Counts = Mapping[str, Counter[tuple[str, ...]]]


@dataclass(frozen=True)
class DictionaryDrafter:
    """Translates each word by itself. Drafts are lower-cased tokens joined by blanks."""

    table: Translations
    tokens: TokenSettings
    numbers: bool = False  # whether the table translates numbers too

    def draft(self, sources: Iterable[str]) -> Iterator[str]:
        """The best translation of every word, in the order of the source."""
        for words in self.tokens.split(sources, self.tokens.source):
            yield " ".join([part for word in words for part in self._translate(word)] or words)

    def _translate(self, word: str) -> tuple[str, ...]:
        if (
            any(map(str.isdigit, word))
            and looks_like_number(word)
            and not (self.numbers and word in self.table)
        ):
            return (convert_number(word, self.tokens.source, self.tokens.target),)
        return self.table.get(word, (word,))


@dataclass(frozen=True)
class DictionaryTrainer:
    """Learns a table: for each source word, what its words are most often aligned with."""

    iterations: int = ITERATIONS
    longest: int = 3  # words of one translation
    candidates: int = 5  # translations that the table keeps for a word; the first one is used

    name = "dictionary"
    packages = ("sil-thot",)

    def train(self, text: TrainingText, folder: Path, left_out: int | None = None) -> None:
        """Align the pairs and write the table."""
        counts = count_translations(align(text.pairs(left_out), self.iterations), self.longest)
        with write_file(folder / TABLE) as stream:
            for word in sorted(counts):
                total = counts[word].total()
                ranked = sorted(counts[word].items(), key=lambda item: (-item[1], item[0]))
                for translation, count in ranked[: self.candidates]:
                    stream.write(f"{word}\t{' '.join(translation)}\t{count / total:.6f}\n")

    def open(self, folder: Path, tokens: TokenSettings) -> DictionaryDrafter:
        """A drafter that uses the table."""
        return DictionaryDrafter(read_table(folder / TABLE), tokens)


def count_translations(aligned: Iterable[tuple[Pair, list[Link]]], longest: int) -> Counts:
    """How often each source word is aligned with which words.

    Links to neighbouring words make one translation of up to `longest` words; of links that are scattered,
    each makes a translation of its own. No link counts as the empty translation.
    """
    counts: defaultdict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for (source, target), links in aligned:
        places: list[list[int]] = [[] for _ in source]
        for place, linked in links:
            places[place].append(linked)
        for word, linked_places in zip(source, places, strict=True):
            counter = counts[word]
            if not linked_places:
                counter[()] += 1
            elif len(linked_places) <= longest and linked_places[-1] - linked_places[0] < len(linked_places):
                counter[tuple(target[linked_places[0] : linked_places[-1] + 1])] += 1
            else:
                for linked in linked_places:
                    counter[(target[linked],)] += 1
    return counts


def read_table(path: str | Path) -> Translations:
    """The best translation of every word: lines of word<TAB>translation[<TAB>probability].

    Where a word stands on several lines, the highest probability wins, and the first line among equals (a
    line without one counts as 1). Everything is lower-cased; an empty translation leaves the word out.
    """
    reader = LineReader(path)
    table: Translations = {}
    best: dict[str, float] = {}
    for line in reader:
        if not line.strip():
            continue
        cells = line.lower().split("\t")
        if len(cells) not in (2, 3):
            expected = "expected word<TAB>translation or word<TAB>translation<TAB>probability"
            raise located(reader.name, reader.lines, f"{len(cells)} columns, {expected}")
        word = cells[0].strip()
        if not word or " " in word:
            raise located(reader.name, reader.lines, f"{word!r} in the first column, expected one word")
        probability = _read_probability(cells[2], reader) if len(cells) == 3 else 1.0
        if probability > best.get(word, -1.0):
            best[word] = probability
            table[word] = tuple(cells[1].split())
    return table


def _read_probability(cell: str, reader: LineReader) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise located(reader.name, reader.lines, f"{cell!r} in the third column, expected a probability")
    return value


def convert_number(number: str, source: Language, target: Language) -> str:
    """A number with the marks of another language; dates, times and ordinals stay as they are."""
    marks = source.decimal_mark, source.thousands_mark
    wanted = target.decimal_mark, target.thousands_mark
    decimal, thousands = map(re.escape, marks)
    grouped = rf"\d{{1,3}}(?:{thousands}\d{{3}})+(?:{decimal}\d+)?|\d+{decimal}\d+"
    if marks == wanted or not re.fullmatch(rf"[-+±−–]?(?:{grouped})[%‰]?", number):
        return number
    return number.translate(str.maketrans("".join(marks), "".join(wanted)))
