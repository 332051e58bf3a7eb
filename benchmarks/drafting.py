"""Drafts by jackknife: how good they are and how long they take, for each kind of drafter.

python benchmarks/drafting.py [--cache FOLDER] [--threads 1] [--only toy-dictionary ...] [--write]

BLEU is that of the training drafts (sacreBLEU, lower-cased, not tokenised again), beside that of drafts that
Moses2 made in ten folds. What is finished is kept in the cache, and what was stopped goes on.
Seconds count all runs of a jackknife, stopped ones too (save those that were ended by SIGKILL).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sacrebleu.metrics import BLEU

from measure import machine
from redraft.corpus.reading import read_lines
from redraft.drafting import TokenSettings, TrainingText
from redraft.drafting.alignment import align
from redraft.files import read_json, write_json

ROOT = Path(__file__).resolve().parents[1]
MULTI30K = ROOT.parent / "shared" / "data" / "multi30k"
REDRAFT = str(Path(sys.executable).with_name("redraft"))
PACKAGES = ("redraft", "numpy", "sacrebleu", "sil-machine", "sil-thot")
PEER = "Moses2, ten folds, tuned (drafts that are there)"

# name: corpus, kind of drafter, folds
TASKS = {
    "toy-dictionary": ("toy", "dictionary", 10),
    "multi30k-dictionary": ("multi30k", "dictionary", 10),
    "multi30k-thot": ("multi30k", "thot", 3),
}


def run_task(name: str, cache: Path, threads: int) -> dict[str, object]:
    """Make or finish one jackknife and measure its drafts."""
    corpus, kind, folds = TASKS[name]
    folder = make_toy(cache) if corpus == "toy" else MULTI30K
    test = "test" if corpus == "toy" else "test_2016_flickr"
    given = "auto" if corpus == "toy" else "given"
    output = cache / name
    command = [
        *(REDRAFT, "jackknife", "--drafter", kind, "--folds", str(folds)),
        *("--source", str(folder / "train.de"), "--reference", str(folder / "train.en")),
        *("--also", str(folder / f"{test}.de"), "--tokens", given, "--threads", str(threads)),
        *("--output", str(output)),
    ]
    if not output.exists():
        with add_seconds(cache / f"{name}.seconds.json"):
            subprocess.run(command, check=True)
    seconds = read_json(cache / f"{name}.seconds.json")
    tokens = TokenSettings("de", "en", given == "given")
    return {
        "corpus": corpus,
        "folds": folds,
        "sentences": sum(1 for _line in read_lines(output / "train.draft")),
        "bleu_train": score(output / "train.draft", folder / "train.en", tokens),
        f"bleu_{test}": score(output / f"{test}.draft", folder / f"{test}.en", tokens),
        "processes": threads,
        "wall_seconds": round(seconds["wall"]),
        "cpu_seconds": round(seconds["cpu"]),
    }


def make_toy(cache: Path) -> Path:
    """The toy pair, from its default seed."""
    folder = cache / "toy"
    if not folder.exists():
        subprocess.run([REDRAFT, "toy", "--output", str(folder)], check=True)
    return folder


@contextmanager
def add_seconds(path: Path) -> Iterator[None]:
    """Add what the programs that are started in the block take, whether they finish or are stopped."""
    before = read_json(path) if path.exists() else {"wall": 0.0, "cpu": 0.0}
    usage, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    try:
        yield
    finally:
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - usage.ru_utime - usage.ru_stime
        write_json(path, {"wall": before["wall"] + time.perf_counter() - start, "cpu": before["cpu"] + cpu})


def score(drafts: Path, references: Path, tokens: TokenSettings) -> float:
    """BLEU of drafts against references that have been made tokens."""
    wanted = [" ".join(words) for words in tokens.split(read_lines(references), tokens.target)]
    metric = BLEU(lowercase=True, tokenize="none", force=True)
    return round(metric.corpus_score(list(read_lines(drafts)), [wanted]).score, 2)


def time_alignment(folder: Path, given: bool) -> dict[str, object]:
    """FastAlign in both directions over all pairs of a corpus."""
    with tempfile.TemporaryDirectory() as temporary:
        tokens = TokenSettings("de", "en", given)
        source, reference = str(folder / "train.de"), str(folder / "train.en")
        pairs = list(TrainingText.write(Path(temporary), source, reference, tokens).pairs())
    start, cpu = time.perf_counter(), time.process_time()
    links = sum(len(links) for _pair, links in align(pairs))
    return {
        "pairs": len(pairs),
        "links": links,
        "wall_seconds": round(time.perf_counter() - start, 1),
        "cpu_seconds": round(time.process_time() - cpu, 1),
    }


def main() -> None:
    """Run what is missing, print, and keep the figures with --write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "redraft-drafting")
    parser.add_argument("--threads", type=int, default=1, help="processes of a jackknife (default 1)")
    parser.add_argument("--only", nargs="+", choices=TASKS, default=list(TASKS), help="which jackknives")
    parser.add_argument("--write", action="store_true", help="keep the figures in results/drafting.json")
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    if not MULTI30K.is_dir():
        print("../shared/data/multi30k is not there: the toy pair alone is measured", file=sys.stderr)
    present = [name for name in options.only if MULTI30K.is_dir() or TASKS[name][0] == "toy"]
    figures: dict[str, object] = {
        "jackknife": {name: run_task(name, options.cache, options.threads) for name in present},
        "fast_align_both_directions": {"toy": time_alignment(make_toy(options.cache), given=False)},
        "load_average_at_the_end": round(os.getloadavg()[0], 1),
    }
    if MULTI30K.is_dir():
        given = TokenSettings("de", "en", given=True)
        peer = {
            f"bleu_{name}": score(MULTI30K / f"{name}.draft", MULTI30K / f"{name}.en", given)
            for name in ("train", "test_2016_flickr")
        }
        figures["fast_align_both_directions"] |= {"multi30k": time_alignment(MULTI30K, given=True)}
        figures["peer"] = {PEER: peer}
    figures |= machine(PACKAGES)
    print(json.dumps(figures, indent=1))
    if options.write:
        write_json(ROOT / "results" / "drafting.json", figures)


if __name__ == "__main__":
    main()
