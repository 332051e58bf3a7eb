"""A prepared corpus as sentences for training: ids as the networks know them, and labels for the detector."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from redraft.corpus.prepared import PreparedCorpus
from redraft.training.data import Sentences
from redraft.training.states import Ids


def load_sentences(corpus: PreparedCorpus, part: str) -> Sentences:
    """All sides of one part. With drafts there are labels too: 1 where a draft word's type is in the reference.

    Labels are judged on exact words, before rare ones become <unk>.
    """
    chosen = corpus.part(part)
    sides: dict[str, list[Ids]] = {}
    exact: dict[str, list[Ids]] = {}
    for name in corpus.side_names:
        side = corpus.side(name)
        ids = np.asarray(side.ids)
        known = corpus.known(name, ids)
        bounds = [(side.offsets[i], side.offsets[i + 1]) for i in chosen]
        sides[name] = [known[start:end] for start, end in bounds]
        exact[name] = [ids[start:end] for start, end in bounds]
    if "draft" in exact and "reference" in exact:
        sides["labels"] = [label_words(d, r) for d, r in zip(exact["draft"], exact["reference"], strict=True)]
    return Sentences(sides, np.asarray(corpus.array("lines"))[chosen])


def spell(corpus: PreparedCorpus, side: str, part: str) -> list[list[str]]:
    """The words of one side of one part, rare ones included."""
    words = [*corpus.vocabulary(side).words, *corpus.rare_words(side)]
    arrays = corpus.side(side)
    return [[words[i] for i in arrays[sentence].tolist()] for sentence in corpus.part(part).tolist()]


def label_words(draft: Ids, reference: Ids) -> Ids:
    """1 for every draft word whose type occurs in the reference, 0 for the others."""
    return np.isin(draft, reference).astype(np.int32)


def shorten(sentences: Sentences, count: int) -> Sentences:
    """The first sentences, for quick looks."""
    chosen: NDArray[np.int64] = np.arange(min(count, len(sentences)))
    return sentences.take(chosen)
