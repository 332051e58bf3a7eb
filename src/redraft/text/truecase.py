"""How words are cased: a small model learned from cased text, for words that a network proposes.

It knows the word, the words and cases around it and whether it begins the sentence. Words that it never saw
are judged by their ending and shape. Its file is a NumPy archive of a few megabytes.
"""

from __future__ import annotations

import json
import math
import os
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from redraft.errors import UserError
from redraft.files import write_file
from redraft.text.case_kernels import (
    ALWAYS_LOWER,
    ALWAYS_TITLE,
    AS_LOWER,
    AS_SPECIAL,
    AS_TITLE,
    CLASSES,
    NEVER_SEEN_INSIDE,
    NO_CASE,
    SPECIAL,
    UNKNOWN_WORD,
    Classes,
    Hashes,
    describe_tokens,
    predict_block,
    train_block,
)
from redraft.text.characters import characters, encode
from redraft.text.languages import get_language
from redraft.text.tokens import Block, tokenize_block

FORMAT = "redraft-truecase"
VERSION = 1

ROWS = 1 << 21  # of the weight table; half as many cost 0.1 % of English words, twice as many bring as much
RATE = 0.2
SMALLEST = 0.02  # weights nearer to zero are dropped before storing
KNOWN_COUNT = 3  # rarer words are treated as unknown, so that the model learns what unknown words are like
SPECIAL_COUNT = 2  # a special form is kept when it was seen this often
BLOCK_LINES = 20_000
# What zipfile, zlib, NumPy and json raise when they read what they did not write.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    RuntimeError,  # an encrypted member; a subclass of it: nesting without end
    MemoryError,  # a table that says it is huge
    SyntaxError,
)
PRIOR_BOUNDS = (0.005, 0.2, 0.6, 0.98)  # shares of Title that divide ALWAYS_LOWER .. ALWAYS_TITLE


@dataclass(frozen=True)
class Truecase:
    """A learned model. `weights` are whole numbers; `scale` turns them into log-odds."""

    language: str
    weights: NDArray[np.int8]  # (ROWS, CLASSES)
    scale: float
    known: Hashes  # (words,), sorted
    priors: Classes  # (words,): what each known word is by itself
    special: dict[str, str]  # lower case to the commonest form that is neither lower nor Title

    @classmethod
    def learn(cls, read: Callable[[], Iterable[str]], language: str, given: bool = False) -> Truecase:
        """Learn from cased lines; `read` is called twice and must give the same lines each time.

        With `given` the lines are white-space tokens already.
        """
        known, priors, special = _count(_blocks(read(), language, given))
        weights = np.zeros((ROWS, CLASSES), dtype=np.float32)
        gradients = np.zeros_like(weights)
        for block in _blocks(read(), language, given):
            facts = _describe(block, known, priors)
            train_block(weights, gradients, *facts, block.line_ends, RATE)
        scale = float(np.abs(weights).max()) / 127 or 1.0
        rounded = np.where(np.abs(weights) < SMALLEST, 0, np.rint(weights / scale)).astype(np.int8)
        return cls(language, rounded, scale, known, priors, special)

    def apply(self, words: Sequence[str], fixed: Sequence[bool] | None = None) -> list[str]:
        """The words of one sentence in their proper case. Fixed words stay and guide their neighbours."""
        return self.apply_all([words], None if fixed is None else [fixed])[0]

    def apply_all(
        self, sentences: Sequence[Sequence[str]], fixed: Sequence[Sequence[bool]] | None = None
    ) -> list[list[str]]:
        """The same for many sentences at once."""
        words = [word for sentence in sentences for word in sentence]
        lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
        held = np.zeros(len(words), dtype=np.bool_)
        if fixed is not None:
            held[:] = [keep for sentence in fixed for keep in sentence]
        forms = [
            None if keep else self._special_form(word)
            for word, keep in zip(words, held.tolist(), strict=True)
        ]
        classes, initial, hashes, priors, endings = _describe(
            _as_block(words, lengths), self.known, self.priors
        )
        chosen = predict_block(
            self._log_odds,
            classes,
            initial,
            held,
            np.array([form is not None for form in forms], dtype=np.bool_),
            hashes,
            priors,
            endings,
            np.cumsum(lengths),
        )
        choices = zip(words, forms, chosen.tolist(), held.tolist(), strict=True)
        cased = iter([word if keep else _write(word, form, choice) for word, form, choice, keep in choices])
        return [list(islice(cased, length)) for length in lengths.tolist()]

    @cached_property
    def _log_odds(self) -> NDArray[np.float32]:
        """The weights as they are added up; made once, because a caller may ask sentence by sentence."""
        return self.weights.astype(np.float32) * np.float32(self.scale)

    def _special_form(self, word: str) -> str | None:
        """How a word could be written besides lower and Title: as seen, part by part, or in capitals."""
        lowered = word.lower()
        form = self.special.get(lowered)
        if form is None and "-" in lowered:
            parts = [self._part_form(part) for part in lowered.split("-")]
            if get_language(self.language).compounds_capital and parts[-1] != parts[-1].lower():
                parts[0] = parts[0] if parts[0] != parts[0].lower() else _title(parts[0])
            form = "-".join(parts)
        elif form is None and len(lowered) <= 5 and not self._prior(lowered):
            form = lowered.upper()
        if form is None or form.lower() != lowered or form in (lowered, _title(lowered)):
            return None
        return form

    def _part_form(self, part: str) -> str:
        """A part of a compound by itself; parts that are not known are mostly names and, in German, nouns."""
        if part in self.special and self._prior(part) in (SPECIAL, NEVER_SEEN_INSIDE, 0):
            return self.special[part]
        return part if ALWAYS_LOWER <= self._prior(part) < ALWAYS_TITLE - 1 else _title(part)

    def _prior(self, lowered: str) -> int:
        """What a word is by itself; 0 if it is not known."""
        if not lowered:
            return 0
        codes = encode(lowered)
        ends = np.array([codes.size], dtype=np.int64)
        table = characters()
        block = describe_tokens(
            codes, ends - codes.size, ends, np.ones(1, np.int64), table.flags, table.lower
        )
        prior = int(_look_up(block[2], self.known, self.priors)[0])
        return 0 if prior == UNKNOWN_WORD else prior

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write one file that `load` reads."""
        head = {"format": FORMAT, "version": VERSION, "language": self.language, "scale": self.scale}
        text = json.dumps(head | {"special": sorted(self.special.values())}, ensure_ascii=False)
        with write_file(path, binary=True) as stream:
            np.savez_compressed(
                stream,
                head=np.frombuffer(text.encode(), dtype=np.uint8),
                weights=self.weights,
                known=self.known,
                priors=self.priors,
            )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Truecase:
        """Read a model; anything damaged, foreign or newer is refused, and the message says what."""
        head, weights, known, priors = _read_archive(path)
        if head.get("format") != FORMAT or head.get("version") != VERSION:
            found = f"{head.get('format')} version {head.get('version')}"
            expected = f"{FORMAT} version {VERSION}"
            raise UserError(f"{path}: is {found}, this redraft reads {expected}; learn it again")
        language, scale, special = head.get("language"), head.get("scale"), head.get("special")
        if not (
            isinstance(language, str)
            and isinstance(scale, float)
            and math.isfinite(scale)
            and isinstance(special, list)
            and all(isinstance(form, str) for form in special)
        ):
            raise UserError(f"{path}: its head is damaged; learn it again")
        if not (
            weights.dtype == priors.dtype == np.int8
            and known.dtype == np.uint64
            and known.ndim == 1
            and weights.shape == (ROWS, CLASSES)
            and priors.shape == known.shape
            and bool(np.all(known[:-1] < known[1:]))
        ):
            raise UserError(f"{path}: its tables are not what a model has; it is damaged, learn it again")
        return cls(language, weights, scale, known, priors, {form.lower(): form for form in special})


def _read_archive(
    path: str | os.PathLike[str],
) -> tuple[dict[str, Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The head and the three tables of a file, not yet checked."""
    try:
        with open(path, "rb") as stream, np.load(stream, allow_pickle=False) as archive:
            head = json.loads(archive["head"].tobytes().decode("utf-8"))
            return {**head}, archive["weights"], archive["known"], archive["priors"]
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror or error})") from error
    except _DAMAGE as error:
        raise UserError(f"{path}: is no truecase model, or a damaged one; learn it again") from error


def _blocks(lines: Iterable[str], language: str, given: bool) -> Iterator[Block]:
    rules = get_language(language)
    rest = iter(lines)
    while piece := list(islice(rest, BLOCK_LINES)):
        yield tokenize_block(piece, rules, given)


def _as_block(words: Sequence[str], lengths: NDArray[np.int64]) -> Block:
    ends = np.cumsum([len(word) for word in words], dtype=np.int64)
    starts = ends - np.array([len(word) for word in words], dtype=np.int64)
    return Block(encode("".join(words)), starts, ends, np.cumsum(lengths))


def _describe(
    block: Block, known: Hashes, priors: Classes
) -> tuple[Classes, NDArray[np.bool_], Hashes, Classes, Hashes]:
    """Classes, line beginnings, words (unknown ones by their shape), priors and endings of a block."""
    table = characters()
    classes, initial, words, shapes, endings = describe_tokens(*block, table.flags, table.lower)
    own = _look_up(words, known, priors)
    return classes, initial, np.where(own == UNKNOWN_WORD, shapes, words), own, endings


def _look_up(words: Hashes, known: Hashes, priors: Classes) -> Classes:
    """The prior of every word, UNKNOWN_WORD where it is not known."""
    if known.size == 0:
        return np.full(words.size, UNKNOWN_WORD, dtype=np.int8)
    places = np.minimum(np.searchsorted(known, words), known.size - 1)
    return np.where(known[places] == words, priors[places], UNKNOWN_WORD).astype(np.int8)


def _count(blocks: Iterable[Block]) -> tuple[Hashes, Classes, dict[str, str]]:
    """The first pass: which words are known, what they are by themselves, and their special forms."""
    hashes: list[Hashes] = []
    tables: list[NDArray[np.int64]] = []  # for every hash: seen at all, and inside sentences as each class
    forms: Counter[str] = Counter()
    table = characters()
    for block in blocks:
        classes, initial, words, _, _ = describe_tokens(*block, table.flags, table.lower)
        distinct, places = np.unique(words, return_inverse=True)
        inside = (classes != NO_CASE) & ~initial
        columns = [np.bincount(places, minlength=distinct.size)]
        columns += [
            np.bincount(places[inside & (classes == c)], minlength=distinct.size) for c in range(CLASSES)
        ]
        hashes.append(distinct)
        tables.append(np.stack(columns, axis=1))
        text = block.codes.tobytes().decode("utf-32-le", "surrogatepass")
        special = np.flatnonzero(inside & (classes == AS_SPECIAL)).tolist()
        forms.update(text[block.starts[i] : block.ends[i]] for i in special)
    if not hashes:
        return np.zeros(0, np.uint64), np.zeros(0, np.int8), {}
    known, places = np.unique(np.concatenate(hashes), return_inverse=True)
    counts = np.zeros((known.size, 1 + CLASSES), dtype=np.int64)
    np.add.at(counts, places, np.concatenate(tables))
    frequent = counts[:, 0] >= KNOWN_COUNT
    return known[frequent], _judge(counts[frequent, 1:]), _choose_special(forms)


def _judge(counts: NDArray[np.int64]) -> Classes:
    """What each word is by itself, from its counts as lower, Title and special inside sentences."""
    totals = np.maximum(counts.sum(axis=1), 1)
    priors = ALWAYS_LOWER + np.digitize(counts[:, AS_TITLE] / totals, PRIOR_BOUNDS)
    priors = np.where(counts[:, AS_SPECIAL] / totals > 0.5, SPECIAL, priors)
    return np.where(counts.sum(axis=1) == 0, NEVER_SEEN_INSIDE, priors).astype(np.int8)


def _choose_special(forms: Counter[str]) -> dict[str, str]:
    """For every word its commonest special form; of equally common ones the first by code points."""
    chosen: dict[str, str] = {}
    for form, count in sorted(forms.items(), key=lambda item: (-item[1], item[0])):
        if count >= SPECIAL_COUNT:
            chosen.setdefault(form.lower(), form)
    return chosen


def _write(word: str, special: str | None, choice: int) -> str:
    if choice == NO_CASE:
        return word
    lowered = word.lower()
    if choice == AS_LOWER:
        return lowered
    return special if choice == AS_SPECIAL and special is not None else _title(lowered)


def _title(lowered: str) -> str:
    """The first letter in upper case: 'Tis, but also (Haus."""
    for index, character in enumerate(lowered):
        if character.isalpha():
            upper = character.upper()
            # ß would become SS, and the µ of micro a Greek capital M.
            return (
                lowered[:index] + (upper if upper.lower() == character else character) + lowered[index + 1 :]
            )
    return lowered
