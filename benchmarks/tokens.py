"""Our tokens beside sacremoses on newstest2013: which lines differ and why, and tokens a second on one core.

python benchmarks/tokens.py [--write]

Also beside a pattern of the `regex` package (and of `tokenizers`, where that is installed), the other ways
to write a tokeniser; and how many lines of Multi30k, which comes tokenised, would change if they were
tokenised again: that is what `--tokens given` is for.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import regex
from sacremoses import MosesTokenizer

from measure import machine
from redraft.files import write_json
from redraft.text import get_language, tokenize, tokenize_block, words_of
from redraft.text.protected import find_protected

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
LANGUAGES = ("de", "en")
# What one would write first: it is no Moses, and only shows what the matching alone costs.
PATTERN = r"\p{N}+(?:[.,]\p{N}+)*|\p{L}[\p{L}\p{M}\p{N}-]*|'\p{L}+|\.{2,}|\S"


def read(path: str) -> list[str]:
    """The lines of a file of the data folder."""
    return (DATA / path).read_text("utf-8").split("\n")[:-1]


def name_cause(line: str, ours: list[str], theirs: list[str]) -> str:
    """Why a line's tokens differ, from the tokens that only one side has."""
    only_ours, only_theirs = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
    protected = {line[start:end] for start, end in find_protected(line)}
    if any("://" in word or word.startswith("www.") for word in protected & only_ours.keys()):
        return "URL"
    if protected & only_ours.keys():
        return "other protected text"
    different = only_ours + only_theirs
    if any(len(word) > 1 and word.endswith(".") and different[word[:-1]] for word in different):
        return "abbreviation"
    if any(not word.isascii() for word in different):
        return "class of a character"
    return "other"


def compare(language: str) -> dict[str, object]:
    """Agreement and speed on one side of newstest2013."""
    lines = read(f"newstest/newstest2013.{language}")
    rules, moses = get_language(language), MosesTokenizer(language)
    theirs = [moses.tokenize(line, escape=False) for line in lines]
    ours = words_of(tokenize_block(lines, rules))
    assert ours == [tokenize(line, rules).words for line in lines]
    causes = Counter(
        name_cause(line, own, other)
        for line, own, other in zip(lines, ours, theirs, strict=True)
        if own != other
    )
    count = sum(map(len, ours))
    seconds = {
        "offsets": processor_seconds(lambda: tokenize_block(lines, rules)),
        "strings": processor_seconds(lambda: words_of(tokenize_block(lines, rules))),
        "line by line": processor_seconds(lambda: [tokenize(line, rules).words for line in lines]),
        "sacremoses": processor_seconds(lambda: [moses.tokenize(line, escape=False) for line in lines]),
        "regex": time_regex(lines),
        "tokenizers": time_tokenizers(lines),
    }
    speed = {name: round(count / taken) for name, taken in seconds.items() if taken}
    return {
        "lines": len(lines),
        "tokens": count,
        "same_percent": round(100 * (1 - sum(causes.values()) / len(lines)), 2),
        "different_lines_by_cause": dict(sorted(causes.items())),
        "tokens_per_second": speed,
        "ratio_to_sacremoses": ratios(speed, "sacremoses"),
        "ratio_to_regex": ratios(speed, "regex"),
    }


def processor_seconds(work: Callable[[], object]) -> float:
    """Processor time of the fastest of five runs: what else the machine does counts little."""
    times = []
    for _ in range(5):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def ratios(speed: dict[str, int], peer: str) -> dict[str, float]:
    """How many times as fast as a peer our three ways are."""
    return {way: round(speed[way] / speed[peer], 1) for way in ("offsets", "strings", "line by line")}


def time_regex(lines: list[str]) -> float:
    """Seconds for the pattern with the `regex` package."""
    find = regex.compile(PATTERN).findall
    return processor_seconds(lambda: [find(line) for line in lines])


def time_tokenizers(lines: list[str]) -> float | None:
    """Seconds for the same pattern with the `tokenizers` package, if it is installed."""
    if find_spec("tokenizers") is None:
        return None
    from tokenizers import Regex, pre_tokenizers

    split = pre_tokenizers.Split(Regex(PATTERN), "isolated").pre_tokenize_str
    return processor_seconds(lambda: [[word for word, _ in split(line) if word != " "] for line in lines])


def count_changed(language: str) -> dict[str, object]:
    """How many lines of Multi30k's training set would be other tokens if they were tokenised again."""
    lines = read(f"multi30k/train.{language}")
    again = words_of(tokenize_block(lines, get_language(language)))
    changed = [line.split() != words for line, words in zip(lines, again, strict=True)]
    return {"lines": len(lines), "changed_percent": round(100 * sum(changed) / len(lines), 2)}


def main() -> None:
    """Measure, print, and keep the figures with --write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="keep the figures in results/tokens.json")
    options = parser.parse_args()
    packages = ("redraft", "numpy", "numba", "sacremoses", "regex", "tokenizers")
    figures = {
        "newstest2013": {language: compare(language) for language in LANGUAGES},
        "multi30k, tokenised again": {language: count_changed(language) for language in LANGUAGES},
        **machine(packages),
    }
    print(json.dumps(figures, indent=1))
    if options.write:
        write_json(ROOT / "results" / "tokens.json", figures)


if __name__ == "__main__":
    main()
