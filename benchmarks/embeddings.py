"""Embeddings of all words of Europarl: time and memory, how they grow, neighbours, ranks of known translations.

python benchmarks/embeddings.py [--write] [--cache FOLDER]

Every figure of time and memory is that of a process of its own: reading the corpus, counting, the SVD, writing.
It has one thread, so its processor time is what it takes on the clock where nothing else runs; both are given.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import torch
from torch.nn.functional import normalize

from measure import machine, measure
from redraft.corpus.prepared import PreparedCorpus
from redraft.files import write_json
from redraft.model.embeddings import Embeddings, WordVectors, hellinger_pca

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data" / "europarl"
REDRAFT = (sys.executable, "-c", "import sys; from redraft.cli import main; sys.exit(main())")
ALL = 1_000_000  # more than there are words
GROWTH = (5_000, 10_000, 20_000, 50_000, 100_000, ALL)
SHOWN = 5

WORDS = {
    "de": "haus krieg fischerei nicht gehen wir europa schnell türkei grün wasser freitag",
    "en": "house war fisheries should quickly women china climate",
}
PAIRS = """
haus house, frau woman, kind child, wasser water, mensch human, tag day, jahr year, woche week, frage question,
antwort answer, arbeit work, land country, stadt city, krieg war, frieden peace, recht law, freiheit freedom,
sprache language, schule school, buch book, geld money, markt market, handel trade, steuer tax, haushalt budget,
präsident president, parlament parliament, kommission commission, bericht report, fischerei fisheries,
landwirtschaft agriculture, verkehr transport, umwelt environment, energie energy, gesundheit health,
forschung research, bildung education, kultur culture, gut good, schlecht bad, neu new, alt old, klein small,
deutschland germany, frankreich france, türkei turkey, nicht not, heute today, immer always, drei three
"""


def prepare(cache: Path) -> Path:
    """The corpus with every word in its vocabulary, made once and kept."""
    folder = cache / "europarl"
    if not folder.is_dir():
        sides = [
            "--source",
            DATA / "europarl_train600k.de.zst",
            "--reference",
            DATA / "europarl_train600k.en.zst",
        ]
        sizes = ["--source-words", str(ALL), "--target-words", str(ALL), "--min-count", "1"]
        measure([*REDRAFT, "prepare", *sides, *sizes, "--output", folder])
    return folder


def make(folder: Path, limit: int, output: Path) -> None:
    """Embeddings of the `limit` most frequent words of each language; the others are `<unk>`."""
    corpus = PreparedCorpus.open(folder)
    words = [corpus.vocabulary(side).words[:limit] for side in ("source", "target")]
    tables = hellinger_pca(corpus.side("source"), corpus.side("reference"), *map(len, words))
    sides = [WordVectors(*side) for side in zip(("de", "en"), words, tables, strict=True)]
    Embeddings(*sides, {"pairs": len(corpus)}).save(output)


def grow(folder: Path, cache: Path) -> Iterator[dict[str, object]]:
    """Time and peak memory for growing vocabularies."""
    for limit in GROWTH:
        load = os.getloadavg()[0]
        command = [sys.executable, __file__, "--cache", cache, "--limit", str(limit)]
        figures = measure(command)
        loaded = Embeddings.load(cache / f"{limit}.safetensors")
        yield {
            "german_words": len(loaded.source.words),
            "english_words": len(loaded.target.words),
            "seconds": round(figures.wall_seconds, 1),
            "cpu_seconds": round(figures.cpu_seconds, 1),
            "peak_mib": round(figures.peak_mib),
            "file_mib": round((cache / f"{limit}.safetensors").stat().st_size / 2**20),
            "load_before": round(load, 1),
        }


def rank(embeddings: Embeddings) -> dict[str, object]:
    """Where the translation of a word stands among all words of the other language, by cosine, from 1."""
    pairs = [pair.split() for pair in PAIRS.replace("\n", " ").split(",")]
    source, target = embeddings.source, embeddings.target
    ranks = {}
    for name, weights in (
        ("as they are", torch.ones(source.vectors.shape[1])),
        (
            "every component scaled to the same length",
            1 / torch.cat([source.vectors, target.vectors]).norm(dim=0),
        ),
    ):
        german, english = (normalize(side.vectors * weights, dim=1) for side in (source, target))
        across = [
            rank_one(english, german[source.places[word]], target.places[translation])
            for word, translation in pairs
        ]
        back = [
            rank_one(german, english[target.places[translation]], source.places[word])
            for word, translation in pairs
        ]
        ranks[name] = {"german_to_english": sum_up(across), "english_to_german": sum_up(back)}
    chance = {
        "german_to_english": round((1 + len(target.words)) / 2),
        "english_to_german": round((1 + len(source.words)) / 2),
    }
    return {"pairs": len(pairs), "mean_rank_by_chance": chance, **ranks}


def rank_one(table: torch.Tensor, vector: torch.Tensor, place: int) -> int:
    """The rank of one row among all."""
    cosines = table @ vector
    return 1 + int((cosines > cosines[place]).sum())


def sum_up(ranks: list[int]) -> dict[str, float]:
    """Mean and median, and how many are among the first."""
    return {
        "mean": round(statistics.mean(ranks), 1),
        "median": statistics.median(ranks),
        "first": sum(rank == 1 for rank in ranks),
        "first_ten": sum(rank <= 10 for rank in ranks),
    }


def list_neighbours(embeddings: Embeddings) -> list[dict[str, object]]:
    """The nearest words of both languages for a few words."""
    return [
        {"word": word, "language": language}
        | {side: " ".join(found.word for found in getattr(near, side)) for side in ("within", "across")}
        for language, words in WORDS.items()
        for word in words.split()
        for near in embeddings.neighbours(word, SHOWN)
        if near.language == language
    ]


def main() -> None:
    """Measure, print, and keep the figures with --write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = Path(tempfile.gettempdir()) / "redraft-embeddings"
    parser.add_argument("--write", action="store_true", help="keep the figures in results/embeddings.json")
    parser.add_argument("--cache", type=Path, default=default, help=f"corpus and files (default {default})")
    parser.add_argument(
        "--limit", type=int, help="only make embeddings of so many words; used by the script itself"
    )
    options = parser.parse_args()
    if options.limit:
        make(options.cache / "europarl", options.limit, options.cache / f"{options.limit}.safetensors")
        return
    if not DATA.is_dir():
        sys.exit(f"needs Europarl in {DATA}")
    options.cache.mkdir(parents=True, exist_ok=True)
    folder = prepare(options.cache)
    growth = list(grow(folder, options.cache))
    embeddings = Embeddings.load(options.cache / f"{ALL}.safetensors")
    figures = {
        "corpus": "Europarl, German and English",
        "pairs": embeddings.settings["pairs"],
        "dimensions": embeddings.source.vectors.shape[1],
        "threads": 1,
        "limits": {"seconds": 90, "peak_mib": 3072},
        "growth": growth,
        "translations": rank(embeddings),
        "neighbours": list_neighbours(embeddings),
        **machine(("redraft", "numpy", "torch", "safetensors")),
    }
    print(json.dumps(figures, indent=1, ensure_ascii=False))
    if options.write:
        write_json(ROOT / "results" / "embeddings.json", figures)


if __name__ == "__main__":
    main()
