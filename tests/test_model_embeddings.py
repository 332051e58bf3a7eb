"""Embeddings: matrix and SVD by hand and by a dense SVD, always the same bytes, files whole or refused."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.torch import save_file
from torch import Tensor

from redraft.cli import main
from redraft.errors import UserError
from redraft.model import cooccurrence
from redraft.model.cooccurrence import DenseBlock, SparseBlock, hellinger_matrix
from redraft.model.embeddings import Embeddings, WordVectors, hellinger_pca
from redraft.text.vocabulary import END, NULL, NUMBER, PAD, SPECIALS, START, UNKNOWN
from sessions import ROOT, run_sessions

FIRST = len(SPECIALS)  # the id of the first word that is no symbol
A, B, X, Y, Z = FIRST, FIRST + 1, FIRST, FIRST + 1, FIRST + 2


@dataclass(frozen=True)
class Text:
    """Sentences of ids in the shape in which a prepared corpus has them."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]


def text(*sentences: list[int]) -> Text:
    ids = np.array([word for sentence in sentences for word in sentence], dtype=np.int32)
    return Text(ids, np.cumsum([0, *map(len, sentences)], dtype=np.int64))


def whole(source: Text, target: Text, sizes: tuple[int, int], context_words: int = 100) -> Tensor:
    matrix = hellinger_matrix(source, target, *sizes, context_words)
    return matrix.times(torch.eye(matrix.columns))


def by_definition(source: Text, target: Text, sizes: tuple[int, int], context_words: int) -> Tensor:
    """The matrix of the design, counted pair by pair."""
    pairs = []
    for sentence in range(len(source.offsets) - 1):
        pair = set()
        for side, size, shift in ((source, sizes[0], 0), (target, sizes[1], sizes[0])):
            words = side.ids[side.offsets[sentence] : side.offsets[sentence + 1]].tolist()
            pair |= {shift + (word if word < size else UNKNOWN) for word in words}
        pairs.append(pair)
    columns = []
    for side, size, shift in ((source, sizes[0], 0), (target, sizes[1], sizes[0])):
        counts = {word: side.ids.tolist().count(word) for word in [NUMBER, *range(FIRST, size)]}
        frequent = sorted((word for word in counts if counts[word]), key=lambda word: (-counts[word], word))
        columns += [shift + word for word in sorted(frequent[:context_words])]
    counts = np.zeros((sum(sizes), len(columns)))
    for pair in pairs:
        for word in pair:
            counts[word] += [column in pair for column in columns]
    totals = counts.sum(axis=1, keepdims=True)
    return torch.from_numpy(np.sqrt(counts / np.maximum(totals, 1))).float()


def make_topics() -> tuple[Text, Text, tuple[int, int]]:
    """Sentences of one topic each, translated word by word into words with the same ids.

    Topic t has 60 - 4t words: a topic's singular value grows with its words, and these must lie apart.
    """
    random = np.random.default_rng(1)
    sizes = np.arange(60, 12, -4)
    starts = FIRST + np.cumsum(sizes) - sizes
    lines = [
        (starts[topic] + random.zipf(1.3, random.integers(1, 15)) % sizes[topic]).tolist()
        for topic in random.integers(len(sizes), size=1500)
    ]
    size = FIRST + int(sizes.sum())
    return text(*lines), text(*lines), (size, size)


# Pairs of a small corpus: "a b | x", "a | x y", "b b | y".
SOURCE = text([A, B], [A], [B, B])
TARGET = text([X], [X, Y], [Y])


def test_counts_by_hand() -> None:
    rows = whole(SOURCE, TARGET, (FIRST + 2, FIRST + 2))
    expected = torch.tensor([[2, 1, 2, 1], [1, 2, 1, 1], [2, 1, 2, 1], [1, 1, 1, 2]], dtype=torch.float32)
    found = rows[[A, B, FIRST + 2 + X, FIRST + 2 + Y]]
    torch.testing.assert_close(found, (expected / torch.tensor([[6.0], [5], [6], [5]])).sqrt())
    assert rows.any(dim=1).sum() == 4  # no other word has a row


def test_columns_are_the_most_frequent_words() -> None:
    # b stands there three times, a twice; x and y twice each, so the lower id is taken.
    rows = whole(SOURCE, TARGET, (FIRST + 2, FIRST + 2), context_words=1)
    expected = torch.tensor([[1, 2], [2, 1], [1, 2], [1, 1]], dtype=torch.float32)
    found = rows[[A, B, FIRST + 2 + X, FIRST + 2 + Y]]
    torch.testing.assert_close(found, (expected / torch.tensor([[3.0], [3], [3], [2]])).sqrt())


def test_symbols_in_the_matrix() -> None:
    # <num> is a word and a context; what lies beyond the vocabulary is <unk>: a word, but no context.
    rows = whole(text([NUMBER, A, 900]), text([X]), (FIRST + 1, FIRST + 1))
    third = torch.tensor([1 / 3] * 3).sqrt()
    for word in (NUMBER, UNKNOWN, A, FIRST + 1 + X):
        torch.testing.assert_close(rows[word], third)
    assert rows.any(dim=1).sum() == 4


ids = st.integers(NUMBER, FIRST + 6)
sentences = st.lists(st.lists(ids, max_size=5), min_size=1, max_size=12)


@given(source=sentences, target=sentences, context_words=st.integers(1, 5), small=st.booleans())
def test_matrix_is_the_definition(
    source: list[list[int]], target: list[list[int]], context_words: int, small: bool
) -> None:
    size = min(len(source), len(target))
    sides = text(*source[:size]), text(*target[:size])
    with pytest.MonkeyPatch.context() as patch:
        if small:  # many turns and many blocks
            patch.setattr(cooccurrence, "DENSE_PAIRS", 4)
            patch.setattr(cooccurrence, "SPARSE_PAIRS", 4)
            patch.setattr(cooccurrence, "LINE", 2)
        matrix = hellinger_matrix(*sides, FIRST + 5, FIRST + 7, context_words)
    expected = by_definition(*sides, (FIRST + 5, FIRST + 7), context_words)
    torch.testing.assert_close(matrix.times(torch.eye(matrix.columns)), expected)
    torch.testing.assert_close(matrix.gram_times(torch.eye(matrix.columns)), expected.T @ expected)


def test_frequent_rows_are_dense_and_rare_ones_sparse() -> None:
    source, target, sizes = make_topics()
    matrix = hellinger_matrix(source, target, *sizes, 1000)
    assert [type(block) for _, block in matrix.blocks] == [DenseBlock, SparseBlock]
    torch.testing.assert_close(
        matrix.times(torch.eye(matrix.columns)), by_definition(source, target, sizes, 1000)
    )


def test_singular_values_by_hand() -> None:
    # Two groups of words that never meet: "a | x" and "b | y z". Rows of a group are the same unit vector, so
    # the singular values are the roots of 3 and 2, and U S has ones and zeros. Half of its numbers are one:
    # the root of their mean square is the root of 0.5, and a seventh of that is 0.1.
    source, target = hellinger_pca(text([A], [B]), text([X], [Y, Z]), FIRST + 2, FIRST + 3, dimensions=2)
    larger, smaller = [0.02**0.5, 0.0], [0.0, 0.02**0.5]
    torch.testing.assert_close(source[[A, B]], torch.tensor([smaller, larger]))
    torch.testing.assert_close(target[[X, Y, Z]], torch.tensor([smaller, larger, larger]))


# The matrix has 912 columns; the Krylov spaces have 36 and 900 dimensions, and 12 x 80 would be more than all.
@pytest.mark.parametrize("dimensions", [12, 300, 320], ids=["Krylov", "nearly all columns", "all columns"])
def test_agrees_with_dense_svd(dimensions: int) -> None:
    source, target, sizes = make_topics()
    table = torch.cat(hellinger_pca(source, target, *sizes, dimensions))
    rows = by_definition(source, target, sizes, 10_000).double()
    left, values, _ = torch.linalg.svd(rows, full_matrices=False)
    expected = left[:, :dimensions] * values[:dimensions]
    used = rows.any(dim=1)
    scale = expected[used].square().mean().sqrt() / 0.1
    found = table[used].double() * scale
    # Up to rotation: the inner products of all rows.
    difference = found @ found.T - (expected @ expected.T)[used][:, used]
    assert difference.norm() / (expected @ expected.T).norm() < 1e-3
    torch.testing.assert_close(found.norm(dim=0), values[:dimensions], rtol=1e-3, atol=1e-3)
    assert table[used].square().mean().sqrt().item() == pytest.approx(0.1, rel=1e-4)


def test_fewer_directions_than_asked_for() -> None:
    # Two groups of words: the matrix has rank 2, and its 80 columns are more than the 12 blocks of one.
    first, second = list(range(FIRST, FIRST + 15)), list(range(FIRST + 15, FIRST + 40))
    sides = text(first, second, first), text(first, second, first)
    table = torch.cat(hellinger_pca(*sides, FIRST + 40, FIRST + 40, dimensions=4))
    rows = table[[FIRST, FIRST + 14, FIRST + 15, 2 * FIRST + 40 + 15]]
    assert torch.isfinite(table).all()
    torch.testing.assert_close(rows[0] @ rows[1], rows[0] @ rows[0])
    torch.testing.assert_close(rows[2] @ rows[3], rows[0] @ rows[0])
    assert abs(rows[0] @ rows[2]) < 1e-3 * (rows[0] @ rows[0])


def test_more_dimensions_than_columns() -> None:
    source, _ = hellinger_pca(text([A], [B]), text([X], [Y, Z]), FIRST + 2, FIRST + 3, dimensions=9)
    assert source.shape == (FIRST + 2, 9)
    assert not source[[A, B], 5:].any()


def test_rows_of_symbols() -> None:
    # On the source side <unk> occurs; on the target side it does not, and x and z are the rarest words.
    size = FIRST + 3
    source, target = hellinger_pca(
        text([A, 99], [B], [B]), text([X, Y], [Y], [Y, Z]), size, size, dimensions=3
    )
    torch.testing.assert_close(source[UNKNOWN], source[A])  # they stand in the same pair
    torch.testing.assert_close(target[UNKNOWN], (target[X] + target[Z]) / 2)
    assert not source[PAD].any()
    assert not target[PAD].any()
    drawn = torch.cat([side[[START, END, NULL]] for side in (source, target)])
    assert len(torch.unique(drawn)) == drawn.numel()
    other, _ = hellinger_pca(text([A, 99], [B], [B]), text([X, Y], [Y], [Y, Z]), size, size, 3, seed=2)
    assert not torch.equal(other[START], source[START])
    torch.testing.assert_close(other[[UNKNOWN, A, B]], source[[UNKNOWN, A, B]])


def test_drawn_rows_are_as_long_as_others() -> None:
    source, _ = hellinger_pca(text([A], [B]), text([X], [Y]), 3000, FIRST + 2, dimensions=64)
    assert source[B + 1 :].std().item() == pytest.approx(0.1, rel=0.02)


def test_same_on_any_number_of_threads() -> None:
    source, target, sizes = make_topics()
    threads = torch.get_num_threads()
    tables = []
    try:
        for count in (1, 2, 2):
            torch.set_num_threads(count)
            tables.append(torch.cat(hellinger_pca(source, target, *sizes, 12)))
            assert torch.get_num_threads() == count
    finally:
        torch.set_num_threads(threads)
    assert torch.equal(tables[0], tables[1])
    assert torch.equal(tables[1], tables[2])


def test_translations_are_near() -> None:
    source, target, sizes = make_topics()
    size = sizes[0]
    vectors = hellinger_pca(source, target, *sizes, 32)
    words = (*SPECIALS, *(f"w{i}" for i in range(FIRST, size)))
    sides = [WordVectors("xx", words, table) for table in vectors]
    ranks = []
    for word in words[FIRST:]:
        place = sides[0].places[word]
        if place in source.ids:
            near = [neighbour.word for neighbour in sides[1].nearest(sides[0].vectors[place], size)]
            ranks.append(near.index(word))
    assert np.mean(ranks) < 0.02 * size  # chance: half of the size


def test_refuses_text_that_is_not_parallel() -> None:
    with pytest.raises(UserError, match="2 source and 1 target sentences"):
        hellinger_pca(text([A], [B]), text([X]), FIRST + 2, FIRST + 2)


@pytest.mark.parametrize("sides", [(text(), text()), (text([]), text([])), (text([900]), text([900]))])
def test_refuses_a_corpus_without_words(sides: tuple[Text, Text]) -> None:
    with pytest.raises(UserError, match="nothing to make embeddings of"):
        hellinger_pca(*sides, FIRST, FIRST)


def make_vectors(language: str, words: dict[str, list[float]]) -> WordVectors:
    table = torch.tensor([[-1.0, -1.0]] * FIRST + list(words.values()))
    return WordVectors(language, (*SPECIALS, *words), table)


@pytest.fixture
def small() -> Embeddings:
    source = make_vectors("de", {"haus": [1.0, 0.0], "baum": [0.0, 1.0], "häuser": [3.0, 1.0]})
    target = make_vectors("en", {"house": [2.0, 0.0], "tree": [0.0, 2.0], "haus": [1.0, 1.0]})
    settings = {"dimensions": 2, "context_words": 10, "seed": 1, "pairs": 3}
    return Embeddings(source, target, settings)


def test_neighbours(small: Embeddings) -> None:
    german, english = small.neighbours("haus", 2)
    assert (german.language, english.language) == ("de", "en")
    assert [(near.word, round(near.cosine, 4)) for near in german.within] == [
        ("häuser", 0.9487),
        ("baum", 0.0),
    ]
    assert [(near.word, round(near.cosine, 4)) for near in german.across] == [
        ("house", 1.0),
        ("haus", 0.7071),
    ]
    assert [near.word for near in english.within] == ["house", "tree"]  # equally near: by id
    assert small.neighbours("wald", 2) == []


def test_select_for_another_vocabulary(small: Embeddings) -> None:
    rows = small.source.select(["<pad>", "häuser", "wald"])
    assert torch.equal(rows, small.source.vectors[[PAD, FIRST + 2, UNKNOWN]])


def test_file_round_trip(small: Embeddings, tmp_path: Path) -> None:
    small.save(tmp_path / "one")
    small.save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    loaded = Embeddings.load(tmp_path / "one")
    assert loaded.settings == small.settings
    for side, original in ((loaded.source, small.source), (loaded.target, small.target)):
        assert (side.language, side.words) == (original.language, original.words)
        assert torch.equal(side.vectors, original.vectors)


def test_damaged_files_are_refused_by_name(small: Embeddings, tmp_path: Path) -> None:
    path = tmp_path / "e.safetensors"
    small.save(path)
    whole_file = path.read_bytes()
    for length in (0, 4, 100, len(whole_file) - 1):
        path.write_bytes(whole_file[:length])
        with pytest.raises(UserError, match=r"e\.safetensors: is no embeddings file or was cut short"):
            Embeddings.load(path)
    for place in range(len(whole_file) - 1, 8, -7):  # in numbers, words and the header
        path.write_bytes(whole_file[:place] + bytes([whole_file[place] ^ 1]) + whole_file[place + 1 :])
        with pytest.raises(UserError, match=r"e\.safetensors: "):
            Embeddings.load(path)


def test_foreign_files_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "e.safetensors"
    with pytest.raises(UserError, match=r"e\.safetensors: no such file; make it with `redraft embeddings"):
        Embeddings.load(path)
    save_file({"weights": torch.zeros(2)}, path)
    with pytest.raises(UserError, match=r"e\.safetensors: holds no embeddings of redraft"):
        Embeddings.load(path)
    for version, advice in ((2, "it needs a newer redraft"), (0, "make it again")):
        save_file({"weights": torch.zeros(2)}, path, {"redraft-embeddings": json.dumps({"version": version})})
        with pytest.raises(UserError, match=rf"version {version}, this redraft reads version 1; {advice}"):
            Embeddings.load(path)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.de").write_text("das Haus\ndas Boot\nein Haus\nein Boot\n" * 5, "utf-8")
    (tmp_path / "x.en").write_text("the house\nthe boat\na house\na boat\n" * 5, "utf-8")
    corpus, file = tmp_path / "corpus", str(tmp_path / "e.safetensors")
    arguments = ["--source", f"{tmp_path}/x.de", "--reference", f"{tmp_path}/x.en", "--output", str(corpus)]
    assert main(["prepare", *arguments, "--no-clean", "--threads", "1"]) == 0
    capsys.readouterr()

    assert main(["embeddings", file, "--corpus", str(corpus), "--dimensions", "4"]) == 0
    output = capsys.readouterr()
    assert output.err == "making embeddings of 10 source and 10 target words from 20 pairs\n"
    assert output.out == "10 de and 10 en words; dimensions 4, context words 10,000, seed 1, pairs 20\n"
    first = Path(file).read_bytes()
    assert main(["embeddings", file, "--corpus", str(corpus), "--dimensions", "4"]) == 1
    assert "exists already" in capsys.readouterr().err
    assert main(["embeddings", file, "Haus", "--corpus", str(corpus), "--dimensions", "4", "--force"]) == 0
    assert Path(file).read_bytes() == first
    assert capsys.readouterr().out.splitlines()[:3] == [
        "haus (de)",
        "  de                              en",
        "  0.707 das                       1.000 house",
    ]
    assert main(["embeddings", file, "boat", "--count", "1", "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert (entry["word"], entry["language"]) == ("boat", "en")
    assert entry["across"] == [{"word": "boot", "cosine": pytest.approx(1)}]
    assert main(["embeddings", file, "Wald"]) == 1
    assert "does not have 'wald', neither in de nor in en" in capsys.readouterr().err


def test_embeddings_are_of_the_training_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"wort{i} haus" for i in range(30)]
    for language in ("de", "en"):
        (tmp_path / f"x.{language}").write_text("\n".join(lines) + "\n", "utf-8")
    corpus, file = tmp_path / "corpus", str(tmp_path / "e.safetensors")
    arguments = ["--source", f"{tmp_path}/x.de", "--reference", f"{tmp_path}/x.en", "--output", str(corpus)]
    settings = ["--no-clean", "--threads", "1", "--network-validation", "10", "--min-count", "1"]
    assert main(["prepare", *arguments, *settings]) == 0
    capsys.readouterr()
    assert main(["embeddings", file, "--corpus", str(corpus), "--json"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["pairs"] == 20
    assert "from 20 pairs" in output.err


def test_says_how_to_install_what_is_missing(tmp_path: Path) -> None:
    program = "import sys; sys.modules['torch'] = None; from redraft.cli import main; sys.exit(main())"
    run = subprocess.run(
        [sys.executable, "-c", program, "embeddings", str(tmp_path / "e")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert run.stderr == "redraft: embeddings need torch; install it: pip install 'redraft[train]'\n"


def test_page(tmp_path: Path) -> None:
    page = ROOT / "docs" / "embeddings.md"
    assert run_sessions(page, tmp_path) == 4
    written = page.read_text("utf-8")
    results = json.loads((ROOT / "results" / "embeddings.json").read_text("utf-8"))
    for row in results["growth"]:
        cells = f"| {row['german_words']:,} | {row['english_words']:,} | {row['seconds']:.0f} |"
        assert f"{cells} {row['cpu_seconds']:.0f} | {row['peak_mib']:,} |" in written
    for entry in results["neighbours"]:
        assert f"| {entry['word']} | {entry['within']} | {entry['across']} |" in written
