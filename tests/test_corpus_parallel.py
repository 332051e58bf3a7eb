"""Sides that are read together: files of equal length, tables, and where a line was lost."""

from __future__ import annotations

import io
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft.corpus.drift import Drift
from redraft.corpus.parallel import SeparateFiles, Table, read_parallel
from redraft.corpus.toy import make_toy_corpus
from redraft.errors import UserError


def rows(corpus: SeparateFiles | Table, size: int = 3) -> list[tuple[str, ...]]:
    return [row for block in corpus.blocks(size) for row in zip(*block, strict=True)]


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="")
    return path


@pytest.fixture(scope="module")
def toy_lines() -> tuple[list[str], list[str]]:
    """500 sentences and their translations."""
    pairs = make_toy_corpus(500, 1, 1, seed=3).train
    return [german for german, _ in pairs], [english for _, english in pairs]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 100])
def test_two_and_three_files(tmp_path: Path, size: int) -> None:
    paths = {name: write(tmp_path / name, [f"{name} {i}" for i in range(4)]) for name in ("a", "b", "c")}
    assert list(read_parallel(paths)) == [(f"a {i}", f"b {i}", f"c {i}") for i in range(4)]
    corpus = SeparateFiles({side: paths[side] for side in "ba"})
    assert [len(block[0]) for block in corpus.blocks(size)] == [min(size, 4 - i) for i in range(0, 4, size)]
    assert corpus.sides == ("b", "a")
    assert [reader.lines for reader in corpus.readers.values()] == [4, 4]


def test_empty_files(tmp_path: Path) -> None:
    path = write(tmp_path / "empty", [])
    assert rows(SeparateFiles({"source": path, "reference": path})) == []
    assert rows(Table(path, ["source"])) == []


@pytest.mark.parametrize("size", [1, 7, 100, 1000])
@pytest.mark.parametrize("lost, side", [(200, 1), (200, 0), (60, 1), (450, 0)])
def test_a_lost_line_is_found(
    tmp_path: Path, toy_lines: tuple[list[str], list[str]], lost: int, side: int, size: int
) -> None:
    sides = [list(lines) for lines in toy_lines]
    del sides[side][lost - 1]
    paths = [write(tmp_path / name, lines) for name, lines in zip(("a.de", "b.en"), sides, strict=True)]
    with pytest.raises(UserError) as caught:
        rows(SeparateFiles({"source": paths[0], "reference": paths[1]}), size)
    message = str(caught.value)
    assert f"a.de has {len(sides[0])} lines, " in message
    assert f"b.en has {len(sides[1])} lines" in message
    (line,) = map(int, re.findall(r"lengths look wrong from line (\d+) on", message))
    assert lost - 5 <= line <= lost + 10


@pytest.mark.parametrize("size", [1, 100, 1000])
def test_a_file_that_ends_too_early_is_not_called_wrong_before(
    tmp_path: Path, toy_lines: tuple[list[str], list[str]], size: int
) -> None:
    paths = [write(tmp_path / "a.de", toy_lines[0]), write(tmp_path / "b.en", toy_lines[1][:300])]
    with pytest.raises(UserError, match=r"a.de has 500 lines, .*b.en has 300 lines, .* look at the ends"):
        rows(SeparateFiles({"source": paths[0], "reference": paths[1]}), size)


def test_the_shortest_of_three_is_what_counts(tmp_path: Path) -> None:
    paths = {str(count): write(tmp_path / str(count), ["x"] * count) for count in (3, 5, 4)}
    with pytest.raises(UserError, match=r"3 has 3 lines, .*5 has 5 lines, .*4 has 4 lines"):
        list(read_parallel(paths))


def test_one_empty_side(tmp_path: Path) -> None:
    paths = {"source": write(tmp_path / "a", ["x"]), "reference": write(tmp_path / "b", [])}
    with pytest.raises(UserError, match=r"a has 1 lines, .*b has 0 lines"):
        rows(SeparateFiles(paths))


def drift_of(sides: list[list[str]]) -> Drift:
    drift = Drift(len(sides))
    for start in range(0, len(sides[0]), 100):
        drift.see([side[start : start + 100] for side in sides])
    return drift


def test_drift_needs_no_like_lengths() -> None:
    """A script with a third of the characters is no mistake; nor are sides that are all the same."""
    chance = random.Random(1)
    sizes = [chance.randrange(10, 200) for _ in range(2000)]
    sides = [["x" * size for size in sizes], ["x" * (size // 3 + chance.randrange(3)) for size in sizes]]
    assert drift_of(sides).start is None
    assert drift_of([["x"] * 50, ["xxx"] * 50]).start is None
    shifted = [sides[0][:1000] + sides[0][1001:], sides[1][:-1]]
    start = drift_of(shifted).start
    assert start is not None
    assert abs(start - 1001) < 10


def test_drift_forgets_what_does_not_last() -> None:
    chance = random.Random(1)
    lines = ["x" * chance.randrange(10, 200) for _ in range(2000)]
    odd = lines[:500] + lines[501:550] + [lines[500]] + lines[550:]
    assert drift_of([lines, odd]).start is None


TSV = "eins\tone\n\t\nzwei\ttwo\n"
FIRST, EMPTY = '{"source": "eins", "reference": "one"}', '{"source":"","reference":""}'
JSONL = f'{FIRST}\n{EMPTY}\n{{"reference":"two","source":"zwei","id":7}}\n'


@pytest.mark.parametrize(
    "name, content",
    [
        ("pairs.tsv", TSV),
        ("pairs.tab.gz", TSV),
        ("pairs.txt", TSV),
        ("pairs.tsv", TSV.replace("\n", "\r\n")),
        ("pairs.jsonl", JSONL),
        ("pairs.ndjson", JSONL[:-1]),
        ("pairs", f"  {JSONL}"),
        ("pairs.jsonl", JSONL.replace("zwei", "\\u007awei")),
    ],
)
@pytest.mark.parametrize("piped", [False, True])
def test_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str, piped: bool
) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8", newline="")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    table = Table("-" if piped else path, ["source", "reference"])
    assert rows(table) == [("eins", "one"), ("", ""), ("zwei", "two")]
    assert table.readers["input"].lines == 3


def test_text_in_braces_is_no_json(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs", ["{name} fehlt\t{name} is missing"])
    assert rows(Table(path, ["source", "reference"])) == [("{name} fehlt", "{name} is missing")]


def test_a_segment_of_a_table_is_one_line(tmp_path: Path) -> None:
    record = {"source": "eins\nzwei", "reference": "one\u2028\ttwo 🙂"}
    path = write(tmp_path / "pairs.jsonl", [json.dumps(record)])
    assert rows(Table(path, ["source", "reference"])) == [("eins zwei", "one\u2028\ttwo 🙂")]


@pytest.mark.parametrize(
    "row, words",
    [
        ("only one", r"1 columns, expected 2 \(source, reference\); name them with --columns"),
        ("one\ttwo\tthree", "3 columns, expected 2"),
        ("", "1 columns, expected 2"),
    ],
)
def test_bad_rows_of_tsv(tmp_path: Path, row: str, words: str) -> None:
    path = write(tmp_path / "a.tsv", ["eins\tone", row])
    with pytest.raises(UserError, match=f"a.tsv:2: {words}"):
        rows(Table(path, ["source", "reference"]))


@pytest.mark.parametrize(
    "row, words",
    [
        ("", r"is not JSON \(Expecting value at character 1\)"),
        ('{"source": "x", "reference"}', r"is not JSON \(.*delimiter at character 28\)"),
        ('{"source": "x"', r"is not JSON \(.*\)"),
        ("[1]", "expected a JSON object with source, reference, found list"),
        ('{"source": "x"}', r"no text in field 'reference' \(fields: source\); name the fields"),
        ('{"source": 7, "reference": "x"}', "no text in field 'source'"),
        ('{"source": null, "reference": "x"}', "no text in field 'source'"),
        ("{}", r"no text in field 'source' \(fields: nothing\)"),
        ('{"source": "\\ud800", "reference": "x"}', "field 'source' holds half a character"),
        ("[" * 100_000, "is not JSON that can be read"),
        ("1" * 5000, "is not JSON that can be read"),
    ],
)
def test_bad_rows_of_jsonl(tmp_path: Path, row: str, words: str) -> None:
    path = write(tmp_path / "a.jsonl", [FIRST, row])
    with pytest.raises(UserError, match=f"a.jsonl:2: {words}"):
        rows(Table(path, ["source", "reference"]))


def test_columns_need_names_of_their_own() -> None:
    with pytest.raises(UserError, match="the column 'source' is named twice"):
        Table("x", ["source", "reference", "source"])


def test_only_one_side_from_standard_input() -> None:
    with pytest.raises(UserError, match="source and reference cannot both come from standard input"):
        SeparateFiles({"source": "-", "draft": "x", "reference": "-"})


def test_reading_stops_where_nobody_reads_on(tmp_path: Path) -> None:
    path = write(tmp_path / "a", ["x"] * 10)
    blocks: Iterator[tuple[list[str], ...]] = SeparateFiles({"a": path, "b": path}).blocks(4)
    assert next(blocks) == (["x"] * 4, ["x"] * 4)
