"""A toy corpus in three parts that share no pair, and the folder that holds it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from redraft.corpus.toy.dice import Dice
from redraft.corpus.toy.english import render_english
from redraft.corpus.toy.german import render_german
from redraft.corpus.toy.random_sentences import random_sentence

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ToyCorpus:
    """German and English sentences that translate each other."""

    train: list[Pair]
    val: list[Pair]
    test: list[Pair]

    def parts(self) -> dict[str, list[Pair]]:
        """The parts by the name of their files."""
        return {"train": self.train, "val": self.val, "test": self.test}


@dataclass(frozen=True, slots=True)
class PartSummary:
    """What one part holds; tokens are runs without white space, types are distinct ones."""

    name: str
    pairs: int
    distinct_pairs: int
    german_tokens: int
    english_tokens: int
    german_types: int
    english_types: int


def make_toy_corpus(pairs: int, val: int, test: int, seed: int) -> ToyCorpus:
    """The corpus for a seed. Test and val come first: they stay the same when more training pairs are wanted.

    Pairs that differ only in upper and lower case count as the same. Training pairs may repeat each other.
    """
    dice = Dice(seed)
    held_out: set[Pair] = set()
    test_pairs = _draw_new(dice, test, held_out)
    val_pairs = _draw_new(dice, val, held_out)
    train_pairs: list[Pair] = []
    while len(train_pairs) < pairs:
        pair = _draw(dice)
        if _folded(pair) not in held_out:
            train_pairs.append(pair)
    return ToyCorpus(train_pairs, val_pairs, test_pairs)


def _draw(dice: Dice) -> Pair:
    sentence = random_sentence(dice)
    return render_german(sentence), render_english(sentence)


def _draw_new(dice: Dice, count: int, seen: set[Pair]) -> list[Pair]:
    """Pairs that are not yet in `seen`, which takes them up."""
    drawn: list[Pair] = []
    while len(drawn) < count:
        pair = _draw(dice)
        if _folded(pair) not in seen:
            seen.add(_folded(pair))
            drawn.append(pair)
    return drawn


def _folded(pair: Pair) -> Pair:
    return pair[0].lower(), pair[1].lower()


def write_toy_corpus(corpus: ToyCorpus, folder: Path) -> None:
    """Write `train.de`, `train.en` and so on, one sentence per line."""
    for name, pairs in corpus.parts().items():
        _write_lines(folder / f"{name}.de", (german for german, _ in pairs))
        _write_lines(folder / f"{name}.en", (english for _, english in pairs))


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def summarise(corpus: ToyCorpus) -> list[PartSummary]:
    """Counts of each part."""
    return [_summarise_part(name, pairs) for name, pairs in corpus.parts().items()]


def _summarise_part(name: str, pairs: list[Pair]) -> PartSummary:
    german = [word for side, _ in pairs for word in side.split()]
    english = [word for _, side in pairs for word in side.split()]
    distinct = len({_folded(pair) for pair in pairs})
    return PartSummary(
        name, len(pairs), distinct, len(german), len(english), len(set(german)), len(set(english))
    )
