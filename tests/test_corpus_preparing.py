"""`redraft prepare`: ids worked out by hand, the same bytes on every run, damage that is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from redraft.cli import main
from redraft.corpus import preparing
from redraft.corpus.batches import Batches
from redraft.corpus.prepared import MANIFEST, PreparedCorpus
from redraft.corpus.reading import read_lines
from redraft.corpus.statistics import PADDING_BUDGET, describe
from redraft.errors import UserError
from redraft.files import hash_file
from redraft.text import get_language, tokenize_block
from redraft.text.vocabulary import NUMBER, SPECIALS, UNKNOWN

GERMAN = ["Das Haus ist alt.", "Das Haus hat 3 Türen.", "Ein <s> ist rot.", "Das  Haus ist alt ."]
ENGLISH = ["The house is old.", "The house has 3 doors.", "A <s> is red.", "The house is old."]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a toy corpus of 3,000 pairs and drafts that are the references of other sentences."""
    path = tmp_path_factory.mktemp("toy") / "toy"
    assert main(["toy", "--output", str(path), "--pairs", "3000", "--seed", "1"]) == 0
    lines = (path / "train.en").read_text("utf-8").split("\n")[:-1]
    (path / "train.draft").write_text("\n".join([*lines[1:], lines[0]]) + "\n", "utf-8")
    return path


def write(name: str, lines: list[str]) -> str:
    Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return name


def prepare(*options: object, output: str = "out") -> PreparedCorpus:
    assert main(["prepare", "--output", output, "--threads", "1", *map(str, options)]) == 0
    return PreparedCorpus.open(output, verify=True)


def tiny(*options: object) -> PreparedCorpus:
    return prepare("--source", write("a.de", GERMAN), "--reference", write("b.en", ENGLISH), *options)


def words(corpus: PreparedCorpus, side: str, sentence: int) -> list[str]:
    table = [*corpus.vocabulary(side).words, *corpus.rare_words(side)]
    return [table[i] for i in corpus.side(side)[sentence].tolist()]


def hashes(path: str | Path) -> dict[str, str]:
    return {file.name: hash_file(file) for file in Path(path).iterdir()}


def test_ids_by_hand(folder: Path) -> None:
    """Counts: "." 3; das, haus, ist 2; others 1, so rare. The last pair repeats the first but for blanks."""
    corpus = tiny()
    assert corpus.source_vocabulary.words == (*SPECIALS, ".", "das", "haus", "ist")
    assert corpus.source_vocabulary.counts == (0, 0, 0, 0, 1, 0, 3, 2, 2, 2)
    assert corpus.rare_words("source") == ["alt", "ein", "hat", "rot", "türen"]
    source = corpus.side("source")
    assert source.ids.dtype == np.int32
    assert source[0].tolist() == [7, 8, 9, 10, 6]
    assert source[1].tolist() == [7, 8, 12, NUMBER, 14, 6]
    assert source[2].tolist() == [11, UNKNOWN, 9, 13, 6]
    assert source.offsets.tolist() == [0, 5, 11, 16]
    assert source.lengths.tolist() == [5, 6, 5]
    assert words(corpus, "source", 1) == ["das", "haus", "hat", "<num>", "türen", "."]
    assert words(corpus, "reference", 1) == ["the", "house", "has", "<num>", "doors", "."]
    known = corpus.known("source", source[2])
    assert known.tolist() == [UNKNOWN, UNKNOWN, 9, UNKNOWN, 6]
    assert known.dtype == np.int32
    assert corpus.array("lines").tolist() == [1, 2, 3]
    assert corpus.part("training").tolist() == [0, 1, 2]
    assert corpus.part("selection").tolist() == []
    assert sorted(np.concatenate([corpus.fold(number) for number in range(10)]).tolist()) == [0, 1, 2]


@pytest.mark.parametrize("symbol", ["<s>", "</s>", "<unk>", "<null>", "<pad>", "<num>", "<S>"])
@pytest.mark.parametrize("tokens", ["auto", "given"])
def test_text_never_becomes_a_symbol(folder: Path, symbol: str, tokens: str) -> None:
    a = write("a.de", [f"Haus {symbol} Haus {symbol}"] * 3)
    b = write("b.en", [f"house {symbol} house", f"a {symbol} 7", f"{symbol} house x"])
    corpus = prepare("--source", a, "--reference", b, "--tokens", tokens)
    for side in ("source", "reference"):
        ids = corpus.side(side).ids
        assert set(ids[ids < len(SPECIALS)].tolist()) == (
            {UNKNOWN} if side == "source" else {UNKNOWN, NUMBER}
        )
        assert not set(SPECIALS) & set(corpus.rare_words(side))


def test_cleaning_is_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    german = [*GERMAN, "", "ja " * 30, "ja", "Bonn", "the house is not in the town, is it"]
    english = [*ENGLISH, "x", "yes", "yes " * 20, "Bonn", "the house is red"]
    pair = ("--source", write("a.de", german), "--reference", write("b.en", english), "--max-tokens", 25)
    corpus = prepare(*pair, "--json")
    removed = dict.fromkeys(
        ("empty", "too_long", "length_ratio", "identical", "wrong_language", "duplicate"), 1
    )
    summary = json.loads(capsys.readouterr().out)
    assert summary["removed"] == removed == corpus.manifest["removed"]
    assert (summary["read"], summary["pairs"], len(corpus)) == (9, 3, 3)
    corpus = prepare(*pair, "--no-clean", output="all")
    assert len(corpus) == 9
    assert not any(corpus.manifest["removed"].values())
    out = capsys.readouterr().out
    assert out.startswith("9 pairs read, 0 left out, 9 kept\n")


def test_only_empty_lines_without_cleaning(folder: Path) -> None:
    corpus = prepare(
        "--source", write("a.de", ["", ""]), "--reference", write("b.en", ["", ""]), "--no-clean"
    )
    assert len(corpus) == 2
    assert corpus.side("source").ids.size == 0
    assert corpus.side("source").lengths.tolist() == [0, 0]
    assert main(["inspect", "--verify", "out"]) == 0


def test_drafts_add_words_and_make_none_frequent(folder: Path) -> None:
    """Whether a draft word is right is judged before <unk>, so every word has an id of its own."""
    drafts = ["The hovel is old.", "The hovel has 3 gates.", "A hut is red.", "The hovel is old."]
    corpus = tiny("--draft", write("c.en", drafts))
    assert corpus.side_names == ("source", "draft", "reference")
    vocabulary = corpus.target_vocabulary
    assert vocabulary.words == (*SPECIALS, ".", "house", "is", "the")
    assert vocabulary.counts[6:] == (3, 2, 2, 2)
    assert corpus.rare_words("draft") == ["a", "doors", "has", "old", "red", "gates", "hovel", "hut"]
    assert corpus.rare_words("draft") == corpus.rare_words("reference")
    draft, reference = (corpus.side(side) for side in ("draft", "reference"))
    right = [np.isin(draft[i], reference[i]).tolist() for i in range(3)]
    assert right[0] == [True, False, True, True, True]
    assert right[1] == [True, False, True, True, False, True]
    # After <unk> all rare words are the same, and "gates" would seem to be right because of "doors".
    known = [corpus.known(side, corpus.side(side)[1]) for side in ("draft", "reference")]
    assert np.isin(*known).all() is np.True_
    assert words(corpus, "draft", 1) == ["the", "hovel", "has", "<num>", "gates", "."]


def test_words_of_held_out_parts_are_rare(folder: Path) -> None:
    german = [f"Wort{number} Wort{number} ist da" for number in range(40)]
    english = [f"word{number} word{number} is here" for number in range(40)]
    pair = ("--source", write("a.de", german), "--reference", write("b.en", english))
    corpus = prepare(*pair, "--selection", 10, "--classifier", 5, "--network-validation", 3)
    sizes = {
        part: corpus.part(part).size for part in ("training", "network_validation", "classifier", "selection")
    }
    assert sizes == {"training": 22, "network_validation": 3, "classifier": 5, "selection": 10}
    for part in sizes:
        for sentence in corpus.part(part).tolist():
            first = corpus.side("source")[sentence][0]
            assert (first < len(corpus.source_vocabulary)) == (part == "training")
    assert sorted(corpus.rare_words("source")) == sorted(
        f"wort{number}" for number in range(40) if corpus.array("parts")[number] != 0
    )


def test_vocabulary_limits(folder: Path) -> None:
    corpus = tiny("--source-words", 2, "--min-count", 1, "--target-words", 100)
    assert corpus.source_vocabulary.words == (*SPECIALS, ".", "das")
    assert corpus.rare_words("source") == ["haus", "ist", "alt", "ein", "hat", "rot", "türen"]
    assert corpus.rare_words("reference") == []


def test_vocabularies_of_another_corpus(folder: Path) -> None:
    first = tiny()
    german = write("x.de", ["Das Haus ist neu.", "Neu!"])
    english = write("x.en", ["The house is new.", "New!"])
    corpus = prepare("--source", german, "--reference", english, "--vocabulary", "out", output="new")
    assert corpus.source_vocabulary == first.source_vocabulary
    assert corpus.target_vocabulary == first.target_vocabulary
    assert corpus.side("source")[0].tolist() == [7, 8, 9, 10, 6]
    assert corpus.rare_words("source") == ["neu", "!"]
    assert corpus.manifest["settings"]["vocabulary"]["source"] == "given"


def test_the_language_of_given_vocabularies(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny()
    pair = ("--source", write("x", ["Das Haus."]), "--reference", write("y", ["The house."]))
    corpus = prepare(*pair, "--vocabulary", "out", output="new")
    assert corpus.manifest["source_language"] == "de"
    code = main(["prepare", *pair, "--vocabulary", "out", "--output", "no", "--source-language", "en"])
    assert code == 1
    assert "the source vocabulary is for language 'de', the corpus for 'en'" in capsys.readouterr().err


def test_tables_and_files_give_the_same(folder: Path) -> None:
    tiny()
    rows = list(zip(GERMAN, ENGLISH, strict=True))
    languages = ("--source-language", "de", "--target-language", "en")
    write("t.tsv", [f"{english}\t{german}" for german, english in rows])
    write(
        "t.jsonl", [json.dumps({"source": german, "reference": english, "id": 1}) for german, english in rows]
    )
    prepare("--input", "t.tsv", "--columns", "reference, source", *languages, output="tsv")
    prepare("--input", "t.jsonl", *languages, output="jsonl")
    for name in (
        "source.ids.npy",
        "reference.ids.npy",
        "source.json",
        "groups.npy",
        "parts.npy",
        "folds.npy",
    ):
        assert hashes("out")[name] == hashes("tsv")[name] == hashes("jsonl")[name]


def test_further_sides_by_number(folder: Path) -> None:
    write("t.tsv", ["das Haus\tthe house\ta house\tdas Heim", "rot\tred\tgreen\trot"])
    columns = ("--columns", "source,reference,draft2,source2")
    corpus = prepare("--input", "t.tsv", *columns, "--source-language", "de", "--target-language", "en")
    assert corpus.side_names == ("source", "reference", "draft2", "source2")
    assert words(corpus, "source2", 0) == ["das", "heim"]
    assert corpus.vocabulary("source2") is corpus.source_vocabulary
    assert "green" in corpus.rare_words("draft2")


@pytest.mark.parametrize("sides", [(), ("--draft",)])
def test_same_bytes_with_any_number_of_processes(
    folder: Path, toy: Path, monkeypatch: pytest.MonkeyPatch, sides: tuple[str, ...]
) -> None:
    pair = ["--source", f"{toy}/train.de", "--reference", f"{toy}/train.en"]
    pair += [part for side in sides for part in (side, f"{toy}/train.draft")]
    pair += ["--selection", "100", "--classifier", "50", "--seed", "3"]
    prepare(*pair, output="one")
    for lines, processes in ((10_000, 1), (700, 2), (333, 3)):
        monkeypatch.setattr(preparing, "SHARD_LINES", lines)
        prepare(*pair, "--threads", processes, "--force", output="many")
        assert hashes("many") == hashes("one")


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_borders_of_shards_do_not_matter(folder: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    tiny()
    monkeypatch.setattr(preparing, "SHARD_LINES", size)
    monkeypatch.setattr(preparing, "CHUNK_LINES", size)
    tiny("--force", "--output", "cut")
    assert hashes("cut") == hashes("out")


def test_the_order_of_lines_does_not_decide_parts(folder: Path, toy: Path) -> None:
    contents = {}
    for name, step in (("forth", 1), ("back", -1)):
        for side in ("de", "en"):
            write(f"{name}.{side}", (toy / f"train.{side}").read_text("utf-8").split("\n")[:-1][::step])
        pair = ("--source", f"{name}.de", "--reference", f"{name}.en")
        corpus = prepare(*pair, "--selection", 100, "--network-validation", 200, output=name)
        arrays = (corpus.array(array).tolist() for array in ("groups", "parts", "folds"))
        contents[name] = sorted(zip(*arrays, strict=True))
    assert contents["forth"] == contents["back"]


def test_manifest(folder: Path) -> None:
    manifest = tiny("--selection", 1, "--folds", 2, "--seed", 7).manifest
    assert manifest["inputs"] == {
        "source": {"name": "a.de", "lines": 4, "sha256": hash_file("a.de")},
        "reference": {"name": "b.en", "lines": 4, "sha256": hash_file("b.en")},
    }
    assert manifest["settings"]["parts"] == {"network_validation": 0, "classifier": 0, "selection": 1}
    assert (manifest["settings"]["folds"], manifest["settings"]["seed"]) == (2, 7)
    assert manifest["settings"]["analysis"]["cleaning"]["maximum_tokens"] == 175
    assert set(manifest["files"]) | {MANIFEST} == {path.name for path in Path("out").iterdir()}
    assert all(
        (Path("out") / name).stat().st_size == facts["bytes"] for name, facts in manifest["files"].items()
    )
    assert set(manifest["versions"]) == {"redraft", "python", "numpy", "numba"}
    assert str(folder) not in json.dumps(manifest)


def test_a_file_name_that_is_no_text(folder: Path) -> None:
    Path("a\udcff.de").write_text("Haus\n")
    corpus = prepare("--source", "a\udcff.de", "--reference", write("b.en", ["house"]))
    assert corpus.manifest["inputs"]["source"]["name"] == "a\ufffd.de"


def test_statistics(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of 16 German tokens, the five rare words and <s> are unknown."""
    corpus = tiny()
    (part,) = describe(corpus)
    source = part.sides[0]
    assert (source.side, source.sentences, source.tokens, source.types) == ("source", 3, 16, 11)
    assert source.unknown_rate == pytest.approx(6 / 16)
    assert source.coverage == pytest.approx(10 / 16)
    capsys.readouterr()
    assert main(["inspect", "out"]) == 0
    text = capsys.readouterr().out.splitlines()
    assert text[0] == "4 pairs read, 1 left out (1 duplicate), 3 kept"
    assert text[1].split() == ["part", "side", "sentences", "tokens", "types", "coverage", "unknown"]
    assert text[2].split() == ["training", "source", "3", "16", "11", "62.50%", "37.50%"]
    assert text[4].startswith("vocabularies: 10 source and 10 target words; padding in batches: ")
    assert main(["inspect", "--json", "out"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["vocabulary"] == {"source": 10, "target": 10}
    assert summary["parts"][0]["sides"][0]["tokens"] == 16


def test_messages_go_to_standard_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny("--json")
    printed = capsys.readouterr()
    assert json.loads(printed.out)["pairs"] == 3
    assert printed.err == "languages: de to en (change with --source-language, --target-language)\n"


def test_an_output_that_exists_is_an_error_before_anything_is_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("out").mkdir()
    assert main(["prepare", "--source", "missing", "--reference", "missing", "--output", "out"]) == 1
    assert capsys.readouterr().err == (
        "redraft: out: exists already; remove it, name another output or add --force\n"
    )


def test_force_replaces_only_a_corpus_and_only_when_done(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = hashes(tiny().path)
    write("bad.en", ["one line"])
    arguments = ["prepare", "--source", "a.de", "--output", "out", "--force"]
    assert main([*arguments, "--reference", "bad.en"]) == 1
    assert hashes("out") == before
    tiny("--force", "--seed", "5")
    assert PreparedCorpus.open("out").manifest["settings"]["seed"] == 5
    Path("mine").mkdir()
    write("mine/thesis.tex", ["years of work"])
    assert main([*arguments, "--reference", "b.en", "--output", "mine"]) == 1
    assert "has no manifest.json and so was not written by this command" in capsys.readouterr().err
    assert Path("mine/thesis.tex").exists()
    assert sorted(path.name for path in folder.iterdir() if path.name.startswith(".")) == []


@pytest.mark.parametrize(
    "german, english, options, words",
    [
        ([], [], (), "a.de, b.en: no lines at all; is it the right file?"),
        (
            ["", "x"],
            ["y", ""],
            (),
            "cleaning leaves none of 2 pairs (2 empty); is it parallel text?",
        ),
        (["a"], ["b"], ("--selection", "1"), "1 pairs with 1 different contents are too few"),
        (["a"], ["b", "c"], (), "a.de has 1 lines, b.en has 2 lines"),
        (["a"], ["b"], ("--vocabulary", "nowhere"), "nowhere: has no source.json"),
    ],
)
def test_what_cannot_be_prepared(
    folder: Path, capsys: pytest.CaptureFixture[str], german: list[str], english: list[str],
    options: tuple[str, ...], words: str,
) -> None:  # fmt: skip
    pair = ["--source", write("a.de", german), "--reference", write("b.en", english)]
    assert main(["prepare", *pair, "--output", "out", "--threads", "1", *options]) == 1
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""
    assert sorted(path.name for path in folder.iterdir()) == ["a.de", "b.en"]


def change_manifest(change: Callable[[dict[str, Any]], object]) -> None:
    manifest = json.loads(Path("out", MANIFEST).read_text("utf-8"))
    changed = change(manifest)
    Path("out", MANIFEST).write_text(json.dumps(manifest if changed is None else changed), "utf-8")


@pytest.mark.parametrize(
    "damage, words",
    [
        (lambda: Path("out", MANIFEST).unlink(), "has no manifest.json, so it is no prepared corpus"),
        (lambda: Path("out", MANIFEST).write_text('{"format":\n'), r"manifest.json:2: is not JSON"),
        (
            lambda: change_manifest(lambda m: [m]),
            'is no prepared corpus .expected "format": "redraft-corpus"',
        ),
        (lambda: change_manifest(lambda m: m | {"format": "x"}), "found 'x'"),
        (lambda: change_manifest(lambda m: m | {"version": 99}), "version 99, .*it needs a newer redraft"),
        (lambda: change_manifest(lambda m: m | {"version": 0}), "version 0, .*prepare it again"),
        (lambda: change_manifest(lambda m: m | {"version": None}), "version None, .*prepare it again"),
        (lambda: change_manifest(lambda m: m.pop("pairs") * 0 or m), "'pairs' is missing or damaged"),
        (lambda: change_manifest(lambda m: m | {"files": {}}), "does not list folds.npy, which a corpus has"),
        (lambda: change_manifest(lambda m: m | {"sides": ["a"]}), "does not list a.ids.npy"),
        (lambda: change_manifest(lambda m: m["files"].update({"folds.npy": 7})), "of folds.npy is damaged"),
        (lambda: Path("out/lines.npy").unlink(), "lines.npy: is missing; prepare the corpus again"),
        (lambda: Path("out/source.json").unlink(), "source.json: is missing"),
        (lambda: Path("out/source.ids.npy").write_bytes(b"x" * 50), "50 bytes, the manifest says 192"),
    ],
)
def test_damaged_folders_are_refused(folder: Path, damage: Callable[[], object], words: str) -> None:
    tiny()
    damage()
    with pytest.raises(UserError, match=words):
        PreparedCorpus.open("out")


def test_changed_bytes_are_found_by_verify(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny()
    for path in sorted(Path("out").iterdir()):
        before = path.read_bytes()
        path.write_bytes(before[:-3] + bytes([before[-3] ^ 1]) + before[-2:])
        capsys.readouterr()
        assert main(["inspect", "--verify", "out"]) == 1
        assert path.name in capsys.readouterr().err
        path.write_bytes(before)
    assert main(["inspect", "--verify", "out"]) == 0


@pytest.mark.parametrize("name", ["source.ids", "source.offsets", "parts", "folds"])
@pytest.mark.parametrize("place", [0, 8, 60, 128, 130])
def test_damage_never_ends_in_a_traceback(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, place: int
) -> None:
    """Without --verify changed bytes may pass, but not as anything but figures or one line."""
    tiny()
    path = Path("out", f"{name}.npy")
    content = bytearray(path.read_bytes())
    content[place : place + 8] = b"\xff" * len(content[place : place + 8])
    path.write_bytes(content)
    capsys.readouterr()
    if main(["inspect", "out"]):
        assert capsys.readouterr().err.count("\n") == 1


def test_what_a_corpus_does_not_have(folder: Path) -> None:
    corpus = tiny()
    with pytest.raises(UserError, match="has no side 'draft'; it has source, reference"):
        corpus.side("draft")
    with pytest.raises(UserError, match="no part is called 'test'"):
        corpus.part("test")
    Path("out/source.rare.json").write_text("{}")
    with pytest.raises(UserError, match=r"source.rare.json: is no list of rare words"):
        corpus.rare_words("source")
    with pytest.raises(UserError, match="no such folder; make it with `redraft prepare"):
        PreparedCorpus.open("nowhere")


def test_little_padding_on_europarl(shared_data: Path) -> None:
    """Below 5 % for 60,000 pairs, and less for more: there are enough sentences of each pair of lengths."""
    columns = []
    for code in ("en", "de"):
        lines = read_lines(shared_data / "europarl" / f"europarl_train600k.{code}.zst")
        ends = tokenize_block(list(islice(lines, 60_000)), get_language(code)).line_ends
        columns.append(np.diff(ends, prepend=0))
    assert Batches(np.stack(columns, axis=1), PADDING_BUDGET, 1).padding() < 0.05
