"""Parallel text to a prepared corpus: one pass over the text on all cores, then arithmetic on arrays.

The text is cut into shards of a fixed number of lines and joined again in order, and nothing depends on which
process does what: the same input gives the same bytes with one process or with twenty.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from redraft import __version__
from redraft.corpus.analysing import REFERENCE, SOURCE, Analysed, Analysis, analyse
from redraft.corpus.cleaning import DUPLICATE, REASONS, first_occurrences
from redraft.corpus.parallel import Corpus
from redraft.corpus.prepared import FORMAT, MANIFEST, RARE_FORMAT, VERSION, Ids, PreparedCorpus
from redraft.corpus.splits import PARTS, Groups, assign_folds, assign_parts
from redraft.errors import UserError
from redraft.files import hash_file, write_folder, write_json
from redraft.text import Vocabulary, get_language
from redraft.text.interning import NUMBER_ID
from redraft.text.vocabulary import NUMBER, NUMBER_WORD, SPECIALS, UNKNOWN, rank
from redraft.workers import Shard, Workers

SHARD_LINES = 10_000  # decides nothing but memory and how evenly the work is spread
CHUNK_LINES = 100_000
_SIDE = re.compile(r"(source|draft|reference)[0-9]{0,3}")


@dataclass(frozen=True)
class VocabularyRules:
    """How large the vocabularies are; one that exists already may be used instead of a new one."""

    source_size: int = 170_000  # the paper's sizes, German and English
    target_size: int = 120_000
    minimum_count: int = 2  # words seen once become <unk>, so that the networks learn what <unk> is like
    source: Vocabulary | None = None
    target: Vocabulary | None = None


@dataclass(frozen=True)
class Settings:
    """Everything that decides what a prepared corpus contains, besides the text."""

    analysis: Analysis
    vocabulary: VocabularyRules = field(default_factory=VocabularyRules)
    parts: Mapping[str, int] = field(default_factory=dict)
    folds: int = 10
    seed: int = 1


def prepare(
    corpus: Corpus,
    output: str | Path,
    settings: Settings,
    workers: Workers,
    replace: bool = False,
    report: Callable[[int], None] = lambda _lines: None,
) -> PreparedCorpus:
    """Write the folder `output`, which appears only when it is complete, and open it."""
    check_sides(settings.analysis.sides)
    _check_languages(settings)
    with write_folder(output, replace, proof=MANIFEST) as folder:
        gathered = _Gathered(folder, settings.analysis.sides)
        run = workers.run(partial(analyse, settings.analysis), make_shards(corpus, SHARD_LINES))
        for analysed in run:
            gathered.add(analysed)
            report(analysed.lines)
        gathered.close()
        _check_pairs(gathered, corpus)
        _finish(folder, gathered, corpus, settings)
    return PreparedCorpus.open(output)


def make_shards(corpus: Corpus, lines: int) -> Iterator[Shard[tuple[str, ...]]]:
    """The corpus in pieces of a fixed number of lines, one string for each side."""
    name = " + ".join(reader.name for reader in corpus.readers.values())
    first = 1
    for block in corpus.blocks(lines):
        yield Shard(name, first, tuple("\n".join(side) for side in block))
        first += len(block[0])


def check_sides(sides: tuple[str, ...]) -> None:
    """Refuse sides that cannot be prepared: what a side is for follows from its name."""
    for side in sides:
        if not _SIDE.fullmatch(side):
            expected = "a side is called source, draft or reference, or one of these with a number (draft2)"
            raise UserError(f"no side can be called {side!r}; {expected}")
    missing = [side for side in (SOURCE, REFERENCE) if side not in sides]
    if missing:
        found = f"the corpus has {', '.join(sides)} but no {missing[0]}"
        raise UserError(f"{found}; source and reference are both needed")


class _Gathered:
    """Results of the shards, in order: ids in provisional numbers on disk, facts of pairs in memory."""

    def __init__(self, folder: Path, sides: tuple[str, ...]) -> None:
        self.folder = folder
        self.sides = sides
        self.lexicons: dict[str, dict[str, int]] = {_language_side(side): {} for side in sides}
        self.lengths: dict[str, list[NDArray[np.int64]]] = {side: [] for side in sides}
        self.read = 0
        self.removed = np.zeros(len(REASONS), dtype=np.int64)
        self._lines: list[NDArray[np.int64]] = []
        self._exact: list[Groups] = []
        self._groups: list[Groups] = []

    def raw(self, side: str) -> Path:
        """Where a side's provisional ids wait for their final numbers."""
        return self.folder / f"{side}.provisional"

    def add(self, analysed: Analysed) -> None:
        """Append one shard."""
        for side, part in analysed.sides.items():
            lexicon = self.lexicons[_language_side(side)]
            for word in part.types:
                if word not in lexicon:
                    lexicon[word] = len(SPECIALS) + len(lexicon)
            numbers = np.array([*map(lexicon.__getitem__, part.types), NUMBER], dtype=np.int32)
            assert NUMBER_ID == -1  # for it stands last
            with open(self.raw(side), "ab") as stream:
                stream.write(numbers[part.ids].tobytes())
            self.lengths[side].append(part.lengths)
        self._lines.append(analysed.kept + self.read + 1)
        self._exact.append(analysed.exact)
        self._groups.append(analysed.groups)
        self.removed += analysed.removed
        self.read += analysed.lines

    def close(self) -> None:
        """No more shards will come."""
        empty = [np.zeros(0, dtype=np.int64)]
        self.all_lengths = {side: np.concatenate(parts or empty) for side, parts in self.lengths.items()}
        self.lines = np.concatenate(self._lines or empty)
        self.exact = np.concatenate([np.zeros(0, dtype=np.uint64), *self._exact])
        self.groups = np.concatenate([np.zeros(0, dtype=np.uint64), *self._groups])

    def chunks(self, side: str, keep: NDArray[np.bool_]) -> Iterator[tuple[slice, Ids]]:
        """The ids of the kept pairs, piece by piece, each with the pairs it comes from."""
        lengths = self.all_lengths[side]
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        ids: Ids = (
            np.memmap(self.raw(side), dtype=np.int32, mode="r") if offsets[-1] else np.zeros(0, np.int32)
        )
        for start in range(0, lengths.size, CHUNK_LINES):
            pairs = slice(start, min(start + CHUNK_LINES, lengths.size))
            piece = ids[offsets[pairs.start] : offsets[pairs.stop]]
            yield pairs, piece[np.repeat(keep[pairs], lengths[pairs])]


def _check_languages(settings: Settings) -> None:
    """Vocabularies that are given were made from tokens of their language, by its rules."""
    analysis = settings.analysis
    for name, vocabulary, code in (
        ("source", settings.vocabulary.source, analysis.source_language),
        ("target", settings.vocabulary.target, analysis.target_language),
    ):
        if vocabulary is not None and get_language(vocabulary.language) is not get_language(code):
            given = f"the {name} vocabulary is for language {vocabulary.language!r}, the corpus for {code!r}"
            raise UserError(f"{given}; say --{name}-language {vocabulary.language} or use another vocabulary")


def _language_side(side: str) -> str:
    """Which of the two lexicons a side's words belong to."""
    return SOURCE if side.startswith(SOURCE) else "target"


def _check_pairs(gathered: _Gathered, corpus: Corpus) -> None:
    """Nothing can be learned from nothing, so an empty corpus is an error."""
    if gathered.lines.size:
        return
    names = ", ".join(dict.fromkeys(reader.name for reader in corpus.readers.values()))
    if not gathered.read:
        raise UserError(f"{names}: no lines at all; is it the right file?")
    counts = zip(REASONS, gathered.removed.tolist(), strict=True)
    why = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in counts if count)
    raise UserError(f"{names}: cleaning leaves none of {gathered.read} pairs ({why}); is it parallel text?")


def _finish(folder: Path, gathered: _Gathered, corpus: Corpus, settings: Settings) -> None:
    """Remove duplicates, assign parts and folds, number the words and write everything."""
    keep = np.ones(gathered.lines.size, dtype=np.bool_)
    cleaning = settings.analysis.cleaning
    if cleaning is not None and cleaning.duplicates:
        keep = first_occurrences(gathered.exact)
        gathered.removed[DUPLICATE - 1] = np.count_nonzero(~keep)
    groups = gathered.groups[keep]
    parts = assign_parts(groups, settings.parts, settings.seed)
    arrays = {
        "lines": gathered.lines[keep],
        "groups": groups,
        "parts": parts,
        "folds": assign_folds(groups, settings.folds, settings.seed),
    }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    training = np.zeros(keep.size, dtype=np.bool_)
    training[np.flatnonzero(keep)[parts == 0]] = True
    numbering = {
        name: _number_words(folder, name, gathered, keep, training, settings) for name in gathered.lexicons
    }
    for side in gathered.sides:
        _write_side(folder, side, gathered, keep, numbering[_language_side(side)])
        gathered.raw(side).unlink(missing_ok=True)
    _write_manifest(folder, gathered, corpus, settings, pairs=int(np.count_nonzero(keep)))


def _number_words(
    folder: Path,
    name: str,
    gathered: _Gathered,
    keep: NDArray[np.bool_],
    training: NDArray[np.bool_],
    settings: Settings,
) -> NDArray[np.int32]:
    """Make and write one language's vocabulary and rare words; returns the final id of every provisional one.

    Counts are those of the training part, and for the target language those of the references: drafts and
    held-out parts add words, but do not make them frequent.
    """
    size = len(SPECIALS) + len(gathered.lexicons[name])
    counts = np.zeros(size, dtype=np.int64)
    seen = np.zeros(size, dtype=np.bool_)
    for side in gathered.sides:
        if _language_side(side) != name:
            continue
        for _, ids in gathered.chunks(side, keep):
            seen[ids] = True
        if side.startswith((SOURCE, REFERENCE)):
            for _, ids in gathered.chunks(side, training):
                counts += np.bincount(ids, minlength=size)
    words = [*SPECIALS, *gathered.lexicons[name]]
    occurring = {words[i]: int(counts[i]) for i in np.flatnonzero(seen).tolist() if words[i] not in SPECIALS}
    vocabulary = _vocabulary(name, occurring | {NUMBER_WORD: int(counts[NUMBER])}, settings)
    vocabulary.save(folder / f"{name}.json")
    known = set(vocabulary.words)
    rare = [item for item in rank(occurring) if item[0] not in known]
    _write_rare(folder / f"{name}.rare.json", rare)
    final = {word: index for index, word in enumerate([*vocabulary.words, *(word for word, _ in rare)])}
    numbers = np.array([final.get(word, UNKNOWN) for word in words], dtype=np.int32)
    # Text that reads "<s>" has a provisional number of its own and must not become a symbol.
    for index in range(len(SPECIALS), size):
        if words[index] in SPECIALS:
            numbers[index] = UNKNOWN
    return numbers


def _vocabulary(name: str, counts: Mapping[str, int], settings: Settings) -> Vocabulary:
    rules = settings.vocabulary
    given = rules.source if name == SOURCE else rules.target
    if given is not None:
        return given
    size = rules.source_size if name == SOURCE else rules.target_size
    analysis = settings.analysis
    language = analysis.source_language if name == SOURCE else analysis.target_language
    return Vocabulary.build(counts, language, size, max(rules.minimum_count, 1))


def _write_rare(path: Path, rare: list[tuple[str, int]]) -> None:
    words, counts = [word for word, _ in rare], [count for _, count in rare]
    write_json(path, {"format": RARE_FORMAT, "version": VERSION, "words": words, "counts": counts})


def _write_side(
    folder: Path, side: str, gathered: _Gathered, keep: NDArray[np.bool_], numbers: NDArray[np.int32]
) -> None:
    """Write one side's arrays with final ids."""
    offsets = np.concatenate(([0], np.cumsum(gathered.all_lengths[side][keep])))
    np.save(folder / f"{side}.offsets.npy", offsets)
    # Not through a memory map: on a full disk that ends in a signal, and writing in an error that says so.
    with open(folder / f"{side}.ids.npy", "wb") as stream:
        header = {"descr": "<i4", "fortran_order": False, "shape": (int(offsets[-1]),)}
        np.lib.format.write_array_header_1_0(stream, header)
        for _, provisional in gathered.chunks(side, keep):
            stream.write(numbers[provisional].tobytes())


def _write_manifest(
    folder: Path, gathered: _Gathered, corpus: Corpus, settings: Settings, pairs: int
) -> None:
    """Describe the folder. There is no date and no path in it: the same input gives the same manifest."""
    analysis = settings.analysis
    files = sorted(path for path in folder.iterdir() if path.name != MANIFEST)
    described: dict[str, Any] = asdict(analysis)
    rules = asdict(settings.vocabulary)
    for name in ("source", "target"):
        rules[name] = "given" if getattr(settings.vocabulary, name) is not None else "made here"
    removed = {reason: int(count) for reason, count in zip(REASONS, gathered.removed, strict=True)}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "sides": list(analysis.sides),
        "source_language": analysis.source_language,
        "target_language": analysis.target_language,
        "read": gathered.read,
        "removed": removed,
        "pairs": pairs,
        "settings": {
            "analysis": described,
            "vocabulary": rules,
            "parts": {part: settings.parts.get(part, 0) for part in PARTS[1:]},
            "folds": settings.folds,
            "seed": settings.seed,
        },
        "inputs": {
            side: {"name": _printable_name(reader.name), "lines": reader.lines, "sha256": reader.sha256}
            for side, reader in corpus.readers.items()
        },
        "versions": {
            "redraft": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
        },
        "files": {path.name: {"bytes": path.stat().st_size, "sha256": hash_file(path)} for path in files},
    }
    write_json(folder / MANIFEST, manifest)


def _printable_name(path: str) -> str:
    """A file's name without its folder; bytes of it that are not UTF-8 are shown as U+FFFD."""
    return os.fsencode(Path(path).name).decode("utf-8", "replace")
