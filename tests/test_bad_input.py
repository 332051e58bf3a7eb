"""Bad inputs by name: each gives exit 1 or 2 and one clear line, and leaves nothing behind."""

from __future__ import annotations

import gzip
import io
import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest
import zstandard

from redraft.cli import main

PAIR = "prepare --source a.de --reference a.en --threads 1 --output=out"
TABLE = "prepare --threads 1 --output out --input"
EVALUATE = "evaluate --draft a.en --reference a.en"

# name: (command, exit code, words that tell what, where and what to do)
CASES: dict[str, tuple[str, int, tuple[str, ...]]] = {
    # The command line itself
    "unknown command": ("prepair", 2, ("No such command 'prepair'", "prepare")),
    "command that is nothing like any": ("xyzzy", 2, ("No such command 'xyzzy'",)),
    "unknown option": (f"{PAIR} --treads 2", 2, ("--treads", "--threads")),
    "unknown option before the command": ("--verbos toy", 2, ("--verbos",)),
    "option without its value": ("prepare --source", 2, ("--source", "requires an argument")),
    "missing option": ("toy", 2, ("--output",)),
    "missing argument": ("inspect", 2, ("argument", "corpus")),
    "argument too many": ("inspect a b", 2, ("unexpected extra argument", "b")),
    "number that is none": ("toy --output out --pairs many", 2, ("--pairs", "many", "integer")),
    "number out of range": ("toy --output out --pairs 0", 2, ("--pairs", "0", "greater than or equal to 1")),
    "number with a fraction": (f"{PAIR} --max-tokens 1.5", 2, ("--max-tokens", "1.5", "integer")),
    "ratio below one": (f"{PAIR} --max-ratio 0.5", 2, ("--max-ratio", "0.5", "greater than or equal to 1")),
    "ratio that is no number": (f"{PAIR} --max-ratio nan", 2, ("--max-ratio", "nan")),
    "ratio without end": (f"{PAIR} --max-ratio inf", 2, ("--max-ratio", "inf", "finite")),
    "too many folds": (f"{PAIR} --folds 256", 2, ("--folds", "256", "less than or equal to 255")),
    "negative seed": (f"{PAIR} --seed -1", 2, ("--seed", "-1", "greater than or equal to 0")),
    "choice that is none": (f"{PAIR} --tokens moses", 2, ("--tokens", "moses", "auto", "given")),
    # toy
    "toy: output exists": ("toy --output full", 1, ("full: exists already", "--force")),
    "toy: output is a file": ("toy --output a.de --force", 1, ("a.de: is a file", "name another output")),
    "toy: output below a file": (
        "toy --output a.de/toy",
        1,
        ("a.de/toy: cannot be written", "a.de is a file", "name another output"),
    ),
    # prepare: which files
    "prepare: no sides": ("prepare --output out", 2, ("--source and --reference", "--input")),
    "prepare: no reference": ("prepare --output out --source a.de", 2, ("--reference",)),
    "prepare: files and a table": (f"{PAIR} --input x.tsv", 2, ("--input", "give it or files for each side")),
    "prepare: draft and a table": (
        "prepare --output out --input x.tsv --draft a.en",
        2,
        ("--input", "give it or files"),
    ),
    "prepare: columns without a table": (
        f"{PAIR} --columns source,reference,draft",
        2,
        ("--columns", "--input"),
    ),
    "prepare: missing file": (f"{PAIR} --draft none.en", 1, ("none.en: no such file",)),
    "prepare: empty name": ("prepare --output out --source= --reference a.en", 1, ("empty file name",)),
    "prepare: folder for a file": (f"{PAIR} --draft full", 1, ("full: is a folder; name a file",)),
    "prepare: standard input twice": (
        "prepare --output out --source - --reference -",
        1,
        ("source and reference", "standard input", "files"),
    ),
    "prepare: output exists": (PAIR.replace("=out", "=full"), 1, ("full: exists already", "--force")),
    "prepare: output of somebody else": (
        PAIR.replace("=out", "=full --force"),
        1,
        ("full: is not replaced", "no manifest.json"),
    ),
    "prepare: output is a file": (
        PAIR.replace("=out", "=a.en --force"),
        1,
        ("a.en: is a file", "name another output"),
    ),
    "prepare: output in no place": (
        PAIR.replace("=out", "=/proc/none/out"),
        1,
        ("/proc/none/out: cannot be written",),
    ),
    # prepare: what is in them
    "prepare: nothing in the files": (
        "prepare --output out --source empty --reference empty",
        1,
        ("empty: no lines at all",),
    ),
    "prepare: sides of different length": (
        f"{PAIR} --draft short.en",
        1,
        ("a.de has 4 lines", "short.en has 2 lines", "line n"),
    ),
    "prepare: a lost line": (
        "prepare --output out --source long.de --reference lost.en --threads 1",
        1,
        ("long.de has 60 lines", "lost.en has 59 lines", "from line 3"),
    ),
    "prepare: Latin-1": (f"{PAIR} --draft latin.en", 1, ("latin.en:2: byte 6 (0xe9) is not UTF-8", "iconv")),
    "prepare: UTF-16": (f"{PAIR} --draft utf16.en", 1, ("utf16.en:1: looks like UTF-16", "iconv -f UTF-16")),
    "prepare: gzip cut short": (
        f"{PAIR} --draft cut.gz",
        1,
        ("cut.gz: the gzip data end too early", "cut short"),
    ),
    "prepare: zstd cut short": (
        f"{PAIR} --draft cut.zst",
        1,
        ("cut.zst: the zstd data end too early", "cut short"),
    ),
    "prepare: damaged gzip": (
        f"{PAIR} --draft damaged.gz",
        1,
        ("damaged.gz: damaged gzip data after line", "again"),
    ),
    "prepare: damaged zstd": (
        f"{PAIR} --draft damaged.zst",
        1,
        ("damaged.zst: damaged zstd data after line", "again"),
    ),
    "prepare: column missing": (
        f"{TABLE} bad.tsv",
        1,
        ("bad.tsv:2: 1 columns, expected 2 (source, reference)", "--columns"),
    ),
    "prepare: columns of another table": (
        f"{TABLE} good.tsv --columns source,draft,reference",
        1,
        ("good.tsv:1: 2 columns, expected 3",),
    ),
    "prepare: column without a meaning": (
        f"{TABLE} good.tsv --columns german,english",
        1,
        ("'german'", "source, draft or reference"),
    ),
    "prepare: no source column": (f"{TABLE} good.tsv --columns draft,reference", 1, ("no source",)),
    "prepare: column named twice": (
        f"{TABLE} good.tsv --columns source,source",
        1,
        ("'source' is named twice",),
    ),
    "prepare: not JSON": (f"{TABLE} bad.jsonl", 1, ("bad.jsonl:2: is not JSON", "character 15")),
    "prepare: JSON that is no object": (
        f"{TABLE} list.jsonl",
        1,
        ("list.jsonl:1: expected a JSON object", "list"),
    ),
    "prepare: field missing": (
        f"{TABLE} fields.jsonl",
        1,
        ("fields.jsonl:1: no text in field 'source'", "de, en", "--columns"),
    ),
    "prepare: field that is no text": (
        f"{TABLE} number.jsonl",
        1,
        ("number.jsonl:1: no text in field 'reference'",),
    ),
    "prepare: half a character in JSON": (
        f"{TABLE} half.jsonl",
        1,
        ("half.jsonl:1: field 'source' holds half a character",),
    ),
    "prepare: nothing left by cleaning": (
        "prepare --output out --threads 1 --source a.de --reference a.de",
        1,
        ("cleaning leaves none of 4 pairs (4 identical)",),
    ),
    "prepare: parts too large": (
        f"{PAIR} --selection 3 --classifier 2",
        1,
        ("4 pairs", "2 for classifier, 3 for selection", "ask for less"),
    ),
    "prepare: no vocabularies there": (
        f"{PAIR} --vocabulary full",
        1,
        ("full: has no source.json", "no vocabularies"),
    ),
    "prepare: no vocabulary": (
        f"{PAIR} --vocabulary badwords",
        1,
        ("badwords/source.json: is no vocabulary",),
    ),
    # inspect
    "inspect: no such folder": ("inspect none", 1, ("none: no such folder", "redraft prepare")),
    "inspect: a file": ("inspect a.de", 1, ("a.de: is a file, and a prepared corpus is a folder",)),
    "inspect: no corpus": ("inspect full", 1, ("full: has no manifest.json", "redraft prepare")),
    "inspect: manifest cut short": ("inspect cut", 1, ("cut/manifest.json:", "is not JSON", "cut short")),
    "inspect: manifest of something else": (
        "inspect foreign",
        1,
        ("foreign/manifest.json: is no prepared corpus", "found 'x'"),
    ),
    "inspect: newer version": (
        "inspect newer",
        1,
        ("newer/manifest.json: corpus version 99", "newer redraft"),
    ),
    "inspect: file missing": ("inspect missing", 1, ("missing/folds.npy: is missing", "again")),
    "inspect: file cut short": (
        "inspect short",
        1,
        ("short/source.ids.npy: 20 bytes, the manifest says", "again"),
    ),
    "inspect: changed bytes": (
        "inspect --verify changed",
        1,
        ("changed/groups.npy: its contents are not those",),
    ),
    # evaluate
    "evaluate: no draft": ("evaluate --reference a.en", 2, ("--draft",)),
    "evaluate: missing file": (f"{EVALUATE} --refined none.en", 1, ("none.en: no such file",)),
    "evaluate: sides of different length": (
        f"{EVALUATE} --refined short.en",
        1,
        ("a.en has 4 lines", "short.en has 2 lines"),
    ),
    "evaluate: empty files": (
        "evaluate --draft empty --reference empty",
        1,
        ("empty: has no lines", "nothing to measure"),
    ),
    "evaluate: unknown metric": (
        f"{EVALUATE} --metrics bleu,meteor",
        2,
        ("--metrics", "meteor", "bleu, chrf, ter"),
    ),
    "evaluate: unknown test": (f"{EVALUATE} --test t", 2, ("--test", "'t'", "bootstrap")),
    "evaluate: no samples": (f"{EVALUATE} --refined a.en --samples 0", 2, ("--samples", "0")),
    "evaluate: not UTF-8": (f"{EVALUATE} --refined latin.en", 1, ("latin.en:2: byte 6", "iconv")),
    # tokenize, detokenize, truecase
    "tokenize: missing file": ("tokenize none.de", 1, ("none.de: no such file",)),
    "tokenize: not UTF-8": ("tokenize latin.en", 1, ("latin.en:2: byte 6 (0xe9) is not UTF-8", "iconv")),
    "detokenize: missing file": ("detokenize none.de", 1, ("none.de: no such file",)),
    "detokenize: no model": ("detokenize a.de --truecase none", 1, ("none: cannot be read",)),
    "detokenize: model of another kind": (
        "detokenize a.de --truecase a.en",
        1,
        ("a.en: is no truecase model",),
    ),
    "truecase: no text": ("truecase --output model", 2, ("TEXT",)),
    "truecase: standard input": ("truecase - --output model", 1, ("read twice", "name files")),
    "truecase: nothing to learn": ("truecase empty --output model", 1, ("empty: no word", "give more text")),
    "truecase: output is a folder": (
        "truecase long.de --output full",
        1,
        ("full: is a folder; name a file",),
    ),
    "truecase: output in no place": (
        "truecase long.de --output none/model",
        1,
        ("none/model: cannot be written",),
    ),
}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that the cases name."""
    folder = tmp_path_factory.mktemp("inputs")
    german = ["Das Haus ist alt.", "Wo ist das Café?", "Ja, wir sind da.", "Das waren 3 Tage."]
    english = ["The house is old.", "Where is the café?", "Yes, we are here.", "That was 3 days."]
    text = "\n".join(english) + "\n"
    many = [f"Der Satz {'sehr ' * (7 * number % 23)}lang" for number in range(60)]
    fields = json.dumps({"de": "a", "en": "b"})
    good = json.dumps({"source": "a", "reference": "b"})
    files: dict[str, bytes | str] = {
        "a.de": "\n".join(german) + "\n",
        "a.en": text,
        "short.en": "\n".join(english[:2]) + "\n",
        "long.de": "\n".join(many) + "\n",
        "lost.en": "\n".join(many[:30] + many[31:]) + "\n",
        "empty": "",
        "latin.en": "a\nWhere\u00e9\n".encode("latin-1"),
        "utf16.en": text.encode("utf-16"),
        "cut.gz": gzip.compress(text.encode())[:-9],
        "cut.zst": zstandard.compress(text.encode())[:-9],
        "damaged.gz": gzip.compress(text.encode())[:30] + bytes(100),
        "damaged.zst": zstandard.compress(text.encode())[:12] + b"\xff" * 100,
        "good.tsv": "a\tb\nc\td\n",
        "bad.tsv": "a\tb\nc\n",
        "bad.jsonl": f'{good}\n{{"source": "a"\n',
        "list.jsonl": "[]\n",
        "fields.jsonl": f"{fields}\n",
        "number.jsonl": '{"source": "a", "reference": 7}\n',
        "half.jsonl": '{"source": "\\ud83d", "reference": "x"}\n',
        "full/thesis.tex": "years of work",
        "badwords/source.json": "[]",
        "badwords/target.json": "[]",
        "cut/manifest.json": '{"format": "redraft-corpus",\n',
        "foreign/manifest.json": '{"format": "x"}',
        "newer/manifest.json": '{"format": "redraft-corpus", "version": 99}',
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(shlex.split(PAIR)) == 0
    for name in ("missing", "short", "changed"):
        shutil.copytree(folder / "out", folder / name)
    (folder / "missing" / "folds.npy").unlink()
    (folder / "short" / "source.ids.npy").write_bytes(bytes(20))
    groups = bytearray((folder / "changed" / "groups.npy").read_bytes())
    groups[-1] ^= 1
    (folder / "changed" / "groups.npy").write_bytes(groups)
    shutil.rmtree(folder / "out")
    return folder


def listing(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", CASES)
def test_bad_input(
    name: str, inputs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, code, telling = CASES[name]
    monkeypatch.chdir(inputs)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    before = listing(inputs)
    capsys.readouterr()
    assert main(shlex.split(command)) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert printed.err.startswith("redraft: ")
    assert [words for words in telling if words not in printed.err] == []
    assert listing(inputs) == before
