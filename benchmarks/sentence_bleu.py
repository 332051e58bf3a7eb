"""One-edit variants scored per second on one core: our kernel on ids beside sacreBLEU from strings.

python benchmarks/sentence_bleu.py [--write]

Drafts are Europarl test sentences with a fifth of the words changed; the edits are one substitution a word,
by words of the reference and of other sentences in turn, one deletion a word and one insertion a gap.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sacrebleu.metrics import BLEU

from measure import machine
from redraft.evaluate.sentence_bleu import NOTHING, Edits, Sentences, number_words, score_edits, score_many
from redraft.files import write_json
from redraft.text import get_language, tokenize_block, words_of

ROOT = Path(__file__).resolve().parents[1]
EUROPARL = ROOT.parent / "shared" / "data" / "europarl" / "test.en"
PEER_SENTENCES = 150  # sacreBLEU is slow: it scores the variants of this many drafts


def make_task(chance: random.Random) -> tuple[list[str], Sentences, Sentences, Edits, np.ndarray]:
    """Words by number, drafts, references, edits, and where the edits of each draft begin."""
    lines = [line.lower() for line in EUROPARL.read_text("utf-8").split("\n")[:-1]]
    numbers: dict[str, int] = {}
    references = number_words(words_of(tokenize_block(lines, get_language("en"))), numbers)
    every = references.ids.tolist()
    drafts, edits, offsets = [], [], [0]
    words = list(numbers)
    for index in range(len(references)):
        reference = references[index].tolist()
        draft = [word if chance.random() > 0.2 else chance.choice(every) for word in reference]
        drafts.append([words[word] for word in draft])
        for place in range(len(draft)):
            candidate = chance.choice(reference if place % 2 else every)
            edits += [(place, place + 1, candidate), (place, place + 1, NOTHING), (place, place, candidate)]
        edits.append((len(draft), len(draft), chance.choice(reference or every)))
        offsets.append(len(edits))
    columns = Edits(*np.array(edits).T)
    return words, number_words(drafts, numbers), references, columns, np.array(offsets)


def time_ours(
    drafts: Sentences, references: Sentences, edits: Edits, offsets: np.ndarray
) -> tuple[float, float]:
    """Variants per second: all sentences in one call, and one call a sentence."""
    score_many(drafts, [references])  # compiles, or loads what was compiled
    batch = best_of_three(lambda: score_many(drafts, [references], edits, offsets))
    start, stop, replacement = (np.asarray(column) for column in (edits.start, edits.stop, edits.replacement))

    def one_by_one() -> None:
        for index in range(len(drafts)):
            own = slice(offsets[index], offsets[index + 1])
            score_edits(drafts[index], Edits(start[own], stop[own], replacement[own]), references[index])

    return len(start) / batch, len(start) / best_of_three(one_by_one)


def time_peer(
    words: list[str], drafts: Sentences, references: Sentences, edits: Edits, offsets: np.ndarray
) -> tuple[float, float, list[float]]:
    """Variants per second of sacreBLEU, through its interface and with references counted once; scores."""
    metric = BLEU(tokenize="none", effective_order=True)
    columns = zip(
        *(np.asarray(c).tolist() for c in (edits.start, edits.stop, edits.replacement)), strict=True
    )
    triples = list(columns)[: offsets[PEER_SENTENCES]]
    work: list[tuple[str, list[str]]] = []
    for index in range(PEER_SENTENCES):
        draft, reference = ([words[i] for i in side[index]] for side in (drafts, references))
        texts = []
        for start, stop, word in triples[offsets[index] : offsets[index + 1]]:
            texts.append(
                " ".join([*draft[:start], *([words[word]] if word != NOTHING else []), *draft[stop:]])
            )
        work.append((" ".join(reference), texts))
    scores = [metric.sentence_score(text, [reference]).score for reference, texts in work for text in texts]

    def through_interface() -> None:
        for reference, texts in work:
            for text in texts:
                metric.sentence_score(text, [reference])

    def reference_once() -> None:
        for reference, texts in work:
            counted = metric._extract_reference_info([reference])
            for text in texts:
                metric._compute_score_from_stats(metric._compute_segment_statistics(text, counted))

    count = len(scores)
    return count / best_of_three(through_interface), count / best_of_three(reference_once), scores


def best_of_three(work: Callable[[], object]) -> float:
    """Seconds of the fastest of three runs: the others were disturbed."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Measure, check that both sides agree, print, and keep the figures with --write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="keep the figures in results/sentence_bleu.json")
    options = parser.parse_args()
    words, drafts, references, edits, offsets = make_task(random.Random(1))
    batch, single = time_ours(drafts, references, edits, offsets)
    interface, once, scores = time_peer(words, drafts, references, edits, offsets)
    ours = score_many(drafts, [references], edits, offsets)[1][: len(scores)]
    figures = {
        "sentences": len(drafts),
        "words_per_sentence": round(len(drafts.ids) / len(drafts), 1),
        "variants": int(offsets[-1]),
        "ours_per_second": {"all sentences in one call": round(batch), "one call a sentence": round(single)},
        "sacrebleu_per_second": {"sentence_score": round(interface), "reference counted once": round(once)},
        "ratio_to_faster_sacrebleu": round(batch / max(interface, once), 1),
        "variants_compared": len(scores),
        "largest_difference": float(np.abs(ours - scores).max()),
        **machine(("redraft", "numpy", "numba", "sacrebleu")),
    }
    print(json.dumps(figures, indent=1))
    if options.write:
        write_json(ROOT / "results" / "sentence_bleu.json", figures)


if __name__ == "__main__":
    main()
