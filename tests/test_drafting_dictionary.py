"""`dictionary`: counts and drafts worked out by hand, users' tables, saved models, determinism."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.drafting import DictionaryDrafter, TokenSettings, TrainingText, open_drafter, train_drafter
from redraft.drafting.alignment import align, one_thread
from redraft.drafting.dictionary import DictionaryTrainer, convert_number, count_translations, read_table
from redraft.errors import UserError
from redraft.files import hash_file
from redraft.text import get_language

GERMAN_TO_ENGLISH = TokenSettings("de", "en")
GIVEN = TokenSettings("de", "en", given=True)


def write(path: Path, text: str) -> str:
    path.write_text(text, "utf-8")
    return str(path)


def make_corpus(folder: Path, tokens: TokenSettings = GERMAN_TO_ENGLISH) -> TrainingText:
    """Sentences of a language in which every word has one translation, and 'am' has two words of them."""
    words = {
        "hund": "dog",
        "katze": "cat",
        "rot": "red",
        "blau": "blue",
        "schläft": "sleeps",
        "frisst": "eats",
    }
    german, english = [], []
    for subject in ("hund", "katze"):
        for colour in ("rot", "blau"):
            for verb in ("schläft", "frisst"):
                german.append(f"{subject.title()} {colour} {verb} am Fluss.")
                english.append(f"{words[subject].title()} {words[colour]} {words[verb]} by the river.")
    text = folder / "text"
    text.mkdir()
    source = write(folder / "a.de", "".join(f"{line}\n" for line in german))
    reference = write(folder / "a.en", "".join(f"{line}\n" for line in english))
    return TrainingText.write(text, source, reference, tokens, folds=2)


def test_counts_by_hand() -> None:
    aligned = [
        # das Haus -> the house; no link: the empty translation
        ((["das", "haus", "halt"], ["the", "house"]), [(0, 0), (1, 1)]),
        # neighbours make one translation, in the order of the target
        ((["am", "haus"], ["at", "the", "house"]), [(0, 0), (0, 1), (1, 2)]),
        # scattered links, and more neighbours than allowed, make one translation each
        ((["am"], ["at", "x", "the"]), [(0, 0), (0, 2)]),
        ((["lang"], ["a", "b", "c"]), [(0, 0), (0, 1), (0, 2)]),
    ]
    assert count_translations(aligned, longest=2) == {
        "das": {("the",): 1},
        "haus": {("house",): 2},
        "halt": {(): 1},
        "am": {("at", "the"): 1, ("at",): 1, ("the",): 1},
        "lang": {("a",): 1, ("b",): 1, ("c",): 1},
    }


def test_draft_by_hand() -> None:
    table = {"das": ("the",), "haus": ("house",), "am": ("at", "the"), "doch": (), "„": ("“",)}
    drafter = DictionaryDrafter(table, GERMAN_TO_ENGLISH)
    sources = [
        "Das Haus, am Xylophon.",  # punctuation and unknown words are copied, everything is lower-cased
        "Das Haus kostet 1.234,50 doch am 3. Mai 2,5%",  # numbers are copied, their marks changed
        "Doch!",
        "Doch doch",  # nothing would be left: copied
        "",
        "„Das",
    ]
    assert list(drafter.draft(sources)) == [
        "the house , at the xylophon .",
        "the house kostet 1,234.50 at the 3. mai 2.5 %",
        "!",
        "doch doch",
        "",
        "“ the",
    ]


def test_given_tokens_are_taken_as_they_are() -> None:
    drafter = DictionaryDrafter({"haus.": ("house!",)}, GIVEN)
    assert list(drafter.draft(["Haus.  Haus ."])) == ["house! haus ."]


@pytest.mark.parametrize(
    ("number", "converted"),
    [
        ("1.234", "1,234"),
        ("1.234.567,8", "1,234,567.8"),
        ("2,5", "2.5"),
        ("-2,5%", "-2.5%"),
        ("1234,5", "1234.5"),
        ("8.15", "8.15"),  # a time
        ("3.", "3."),  # an ordinal
        ("3.5.2019", "3.5.2019"),
        ("1990", "1990"),
        ("3/4", "3/4"),
    ],
)
def test_numbers(number: str, converted: str) -> None:
    assert convert_number(number, get_language("de"), get_language("en")) == converted


@given(st.from_regex(r"[-+]?\d{1,3}(\.\d{3}){0,2}(,\d+)?", fullmatch=True))
def test_numbers_there_and_back(number: str) -> None:
    german, english = get_language("de"), get_language("en")
    assert convert_number(convert_number(number, german, english), english, german) == number
    assert convert_number(number, german, german) == number


def test_table_of_a_user(tmp_path: Path) -> None:
    table = read_table(
        write(
            tmp_path / "t.tsv",
            "Haus\tbuilding\t0.2\nhaus\tHouse\t0.7\n\nhaus\thome\t0.7\n2\ttwo\n doch\t\nam\tat the\t1\r\n",
        )
    )
    assert table == {"haus": ("house",), "2": ("two",), "doch": (), "am": ("at", "the")}
    drafter = DictionaryDrafter(table, GERMAN_TO_ENGLISH, numbers=True)
    assert list(drafter.draft(["2 Haus am 1,5"])) == ["two house at the 1.5"]


@pytest.mark.parametrize(
    ("line", "telling"),
    [
        ("haus", "1 columns, expected word<TAB>translation"),
        ("a\tb\tc\td", "4 columns"),
        ("\thouse", "'' in the first column, expected one word"),
        ("new york\tx", "'new york' in the first column, expected one word"),
        ("haus\thouse\tmany", "'many' in the third column, expected a probability"),
        ("haus\thouse\t1.5", "'1.5' in the third column"),
        ("haus\thouse\tnan", "'nan' in the third column"),
    ],
)
def test_wrong_lines_of_a_table_are_named(line: str, telling: str, tmp_path: Path) -> None:
    path = write(tmp_path / "t.tsv", f"gut\tgood\n{line}\n")
    with pytest.raises(UserError) as caught:
        read_table(path)
    assert str(caught.value).startswith(f"{path}:2: ")
    assert telling in str(caught.value)


def test_learning_finds_the_words(tmp_path: Path) -> None:
    text = make_corpus(tmp_path)
    train_drafter(DictionaryTrainer(), text, tmp_path / "model")
    drafter = open_drafter(tmp_path / "model")
    assert list(drafter.draft(["Katze blau frisst am Fluss."])) == ["cat blue eats by the river ."]
    rows = [line.split("\t") for line in (tmp_path / "model" / "table.tsv").read_text("utf-8").splitlines()]
    assert ["hund", "dog", "1.000000"] in rows
    words = [row[0] for row in rows]
    assert words == sorted(words)


def test_the_table_of_a_model_can_be_used_as_ones_own(tmp_path: Path) -> None:
    train_drafter(DictionaryTrainer(), make_corpus(tmp_path), tmp_path / "model")
    sources = ["Hund rot schläft am Fluss.", "Fluss am Hund"]
    own = DictionaryDrafter(read_table(tmp_path / "model" / "table.tsv"), GERMAN_TO_ENGLISH)
    assert list(own.draft(sources)) == list(open_drafter(tmp_path / "model").draft(sources))


def test_training_again_gives_the_same_bytes(tmp_path: Path) -> None:
    text = make_corpus(tmp_path)
    for name in ("one", "two"):
        train_drafter(DictionaryTrainer(), text, tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert hash_file(path) == hash_file(tmp_path / "two" / path.name)


def test_alignment_of_real_size_is_deterministic(tmp_path: Path) -> None:
    """With two threads FastAlign's figures differ between runs; on the toy pair it must not show."""
    from redraft.cli import main

    assert main(["toy", "--output", str(tmp_path / "toy"), "--pairs", "1500"]) == 0
    source, reference = (str(tmp_path / "toy" / f"train.{code}") for code in ("de", "en"))
    (tmp_path / "text").mkdir()
    pairs = list(TrainingText.write(tmp_path / "text", source, reference, GERMAN_TO_ENGLISH).pairs())
    assert list(align(pairs)) == list(align(pairs))


def test_threads_are_limited_and_given_back() -> None:
    import ctypes

    import thot

    count = ctypes.CDLL(thot.__file__).omp_get_max_threads
    before = count()
    with one_thread():
        assert count() == 1
    assert count() == before


def test_pairs_without_words_and_very_long_ones_teach_nothing() -> None:
    usable = (["haus"], ["house"])
    long = ["haus"] * 5000
    assert [pair for pair, _links in align([([], ["x"]), usable, (long, long), (["x"], [])])] == [usable]
    with pytest.raises(UserError, match="no sentence pair with words on both sides"):
        list(align([([], ["x"])]))


def test_damaged_models_are_refused_by_name(tmp_path: Path) -> None:
    model = tmp_path / "model"
    train_drafter(DictionaryTrainer(), make_corpus(tmp_path), model)
    with pytest.raises(UserError, match="kind 'dictionary', not 'thot'"):
        open_drafter(model, "thot")
    table = model / "table.tsv"
    table.write_text(table.read_text("utf-8").replace("dog", "god"), "utf-8")  # the same size
    with pytest.raises(UserError, match=r"table\.tsv: is not what was trained"):
        open_drafter(model)
    table.unlink()
    with pytest.raises(UserError, match=r"table\.tsv: is missing"):
        open_drafter(model)


@pytest.mark.parametrize(
    ("change", "telling"),
    [
        ({"format": "other"}, 'expected "format": "redraft-drafter"'),
        ({"version": 2}, "version 2, this redraft reads 1"),
        ({"kind": "oracle"}, "kind 'oracle'; this redraft knows dictionary, thot"),
        ({"files": None}, "has no 'files'"),
    ],
)
def test_foreign_manifests_are_refused(change: dict[str, object], telling: str, tmp_path: Path) -> None:
    model = tmp_path / "model"
    train_drafter(DictionaryTrainer(), make_corpus(tmp_path), model)
    manifest = json.loads((model / "drafter.json").read_text("utf-8"))
    (model / "drafter.json").write_text(json.dumps(manifest | change), "utf-8")
    with pytest.raises(UserError) as caught:
        open_drafter(model)
    assert telling in str(caught.value)
    with pytest.raises(UserError, match=r"has no drafter\.json"):
        open_drafter(tmp_path)
