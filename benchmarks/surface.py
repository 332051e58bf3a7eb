"""Text from tokens: how often blanks come back as they were, and how often words come back in their case.

python benchmarks/surface.py [--languages de,en] [--write]

Blanks: lines of news tests, tokenised and detokenised, against the lines themselves. Case: truecase models
learned from what may train a model that is shipped, and from the same with more news (research only); they
case lower-cased test lines (all words at once), and each word of a line whose other words are right (as
after one edit).
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections import Counter
from pathlib import Path

from measure import machine
from redraft.corpus.reading import read_lines
from redraft.files import write_json
from redraft.text import detokenize, get_language, tokenize, tokenize_block, words_of
from redraft.text.truecase import Truecase

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
TESTS = ("newstest2013", "newstest2017")  # no rule was written for the second one
SHIPPED = ("europarl/europarl_train600k", "web/train", "tatoeba/train")
RESEARCH = (*SHIPPED, "distilled/train", "distilled/back")
SEED = 1
QUOTES = frozenset("\"'’‘“”„‚«»`")


def read_test(name: str, language: str) -> list[str]:
    """The lines of a news test."""
    return (DATA / "newstest" / f"{name}.{language}").read_text("utf-8").split("\n")[:-1]


def read_training(names: tuple[str, ...], language: str) -> list[str]:
    """Every line once, shuffled, so that what is learned last is no corpus of its own."""
    files = [DATA / f"{name}.{language}.zst" for name in names]
    lines = list(dict.fromkeys(line for path in files for line in read_lines(path)))
    random.Random(SEED).shuffle(lines)
    return lines


def measure_spacing(lines: list[str], language: str) -> dict[str, object]:
    """The share of lines that come back, and what stands where the first blank is wrong in the others.

    Counted with and without lines whose white space tokens do not keep (no-break spaces, two blanks).
    """
    rules = get_language(language)
    causes: Counter[str] = Counter()
    for line in lines:
        text = detokenize(tokenize(line, rules).words, rules)
        blanks = " ".join(line.split())
        if text != blanks:
            causes[name_cause(blanks, text)] += 1
        elif text != line:
            causes["white space other than one blank"] += 1
    unlike = sum(causes.values()) - causes["white space other than one blank"]
    return {
        "lines": len(lines),
        "same_percent": round(100 * (1 - sum(causes.values()) / len(lines)), 2),
        "same_but_for_kinds_of_white_space_percent": round(100 * (1 - unlike / len(lines)), 2),
        "different_lines_by_cause": dict(causes.most_common()),
    }


def name_cause(line: str, text: str) -> str:
    """What stands beside the first blank that one side has and the other has not."""
    place = next(i for i, (a, b) in enumerate(zip(line + "\n", text + "\n", strict=False)) if a != b)
    longer = line if line[place : place + 1] == " " else text
    beside = longer[max(place - 1, 0)] + longer[place + 1 : place + 2]
    if QUOTES & set(beside):
        return "quotation mark or apostrophe"
    if "." in beside and ("..." in line or ".." in text):
        return "ellipsis"
    if set(".,;:!?)(") & set(beside):
        return "blank missing or too many at punctuation in the test itself"
    return "dash, slash or sign"


def measure_case(model: Truecase, lines: list[str], language: str) -> dict[str, object]:
    """The share of words whose case comes back."""
    sentences = words_of(tokenize_block(lines, get_language(language)))
    truth = [word for words in sentences for word in words]
    is_cased = [word.lower() != word.upper() for word in truth]
    restored = model.apply_all([[word.lower() for word in words] for words in sentences])
    at_once = [word for words in restored for word in words]
    alone: list[str] = []
    for words in sentences:
        copies = [[*words[:i], words[i].lower(), *words[i + 1 :]] for i in range(len(words))]
        held = [[j != i for j in range(len(words))] for i in range(len(words))]
        alone += [copy[i] for i, copy in enumerate(model.apply_all(copies, held))]
    return {
        name: {
            "all_tokens_percent": percent(truth, result, [True] * len(truth)),
            "words_with_letters_percent": percent(truth, result, is_cased),
            "capitalised_words_percent": percent(truth, result, [word != word.lower() for word in truth]),
        }
        for name, result in (("all words at once", at_once), ("one word, its neighbours right", alone))
    }


def percent(truth: list[str], result: list[str], counted: list[bool]) -> float:
    """The share of the counted words that are the same."""
    same = [a == b for a, b, wanted in zip(truth, result, counted, strict=True) if wanted]
    return round(100 * sum(same) / len(same), 2)


def learn(names: tuple[str, ...], language: str) -> tuple[Truecase, dict[str, object]]:
    """A model, as it comes back from its file, and what it took."""
    lines = read_training(names, language)
    start = time.perf_counter()
    model = Truecase.learn(lambda: lines, language)
    seconds = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        model.save(path)
        size = path.stat().st_size
        model = Truecase.load(path)
    facts = {"lines": len(lines), "seconds": round(seconds, 1), "mib": round(size / 2**20, 2)}
    return model, facts | {"known_words": int(model.known.size), "special_forms": len(model.special)}


def main() -> None:
    """Measure, print, and keep the figures with --write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--languages", default="de,en", help="languages to measure (default de,en)")
    parser.add_argument("--write", action="store_true", help="keep the figures in results/surface.json")
    options = parser.parse_args()
    languages = options.languages.split(",")
    tests = {language: {name: read_test(name, language) for name in TESTS} for language in languages}
    spacing = {
        language: {name: measure_spacing(lines, language) for name, lines in tests[language].items()}
        for language in languages
    }
    print(json.dumps(spacing, indent=1), flush=True)
    case: dict[str, dict[str, object]] = {}
    for title, names in (("may be shipped", SHIPPED), ("research only", RESEARCH)):
        case[title] = {"learned_from": [name.replace("/", " ") for name in names]}
        for language in languages:
            model, facts = learn(names, language)
            results = {name: measure_case(model, lines, language) for name, lines in tests[language].items()}
            case[title][language] = facts | results
            print(json.dumps({title: {language: case[title][language]}}, indent=1), flush=True)
    if options.write:
        figures = {"spacing": spacing, "case": case, "seed": SEED}
        write_json(ROOT / "results" / "surface.json", figures | machine(("redraft", "numpy", "numba")))


if __name__ == "__main__":
    main()
