"""Normalisation: what is a number, lower case, composed characters, and the table of characters."""

from __future__ import annotations

import json
import runpy
import unicodedata
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.text import looks_like_number, normalize, normalize_all, tokenize_block, words_of
from redraft.text.characters import CODE_POINTS, SPACE, characters, decode, encode
from redraft.text.interning import NUMBER_ID, hash_lines
from redraft.text.languages import ENGLISH, GERMAN
from redraft.text.normalize import compose, normalize_block
from redraft.text.vocabulary import UNKNOWN, Vocabulary

SCRIPT = Path(__file__).parents[1] / "scripts" / "make_characters.py"

NUMBERS = """
    0 7 42 007 1990 1.234,5 1,234.5 1234,50 12:30 2008-12-31 31.12.2008 3/4 1'000 1’000 10-12 10–12 1:2:3
    +5 -5 ±5 −5 –5 .5 ,5 -.5 +1.234,5
    3. 31. 5% 3,5% 5‰ 1st 2nd 3rd 4th 11TH 21St
    ½ 3½ ² Ⅳ ٣ १२ １２
""".split()  # noqa: SIM905
WORDS = """
    a five fünf Mai 1990s 90s 4x4 B2B 1a a1 5th. 3rd. 5%. %5 5%% 5.. 1..2 1,,2 -- - + . , % 1- 1: 1/ -a +-5
    --5 ..5 1st2 st th 1sth 5€ $5 #5 1e5 0x1F 1_000 1°
""".split()  # noqa: SIM905


@pytest.mark.kernel
@pytest.mark.parametrize("word", NUMBERS)
def test_numbers(word: str) -> None:
    assert looks_like_number(word)
    assert normalize(word) == "<num>"


@pytest.mark.kernel
@pytest.mark.parametrize("word", WORDS)
def test_words(word: str) -> None:
    assert not looks_like_number(word)
    assert normalize(word) == word.lower()


@pytest.mark.kernel
@pytest.mark.parametrize(
    "word, expected",
    [
        ("Haus", "haus"),
        ("ÄRGER", "ärger"),
        ("Straße", "straße"),
        ("STRASSE", "strasse"),
        ("Cafe\u0301", "café"),
        ("E\u0301COLE", "école"),
        ("İzmir", "izmir"),  # one character stays one
        ("ΟΔΟΣ", "οδοσ"),  # the same letter wherever it stands
        ("ǅ", "ǆ"),
        ("\u212b", "å"),
        ("Zu\u00adcker\u200b", "zucker"),
        ("\ufeffa\u2060b", "ab"),
        ("\u00ad", "\u00ad"),  # nothing else is left
        ("👍🏽", "👍🏽"),
        ("\ud800A", "\ud800a"),
        ("\0", "\0"),
        ("<B>", "<b>"),
    ],
)
def test_lower_and_composed(word: str, expected: str) -> None:
    assert normalize(word) == expected


@pytest.mark.parametrize("word", ["<num>", "<NUM>", "<unk>", "<s>", "</s>", "<pad>", "<null>"])
def test_text_that_looks_like_a_symbol_is_unknown(word: str) -> None:
    vocabulary = Vocabulary.build({"a": 1, "<num>": 5}, "en")
    assert vocabulary.id(normalize(word)) == UNKNOWN
    assert vocabulary.id(normalize("5")) == 4


def test_many_words_at_once() -> None:
    assert normalize_all([]) == []
    assert normalize_all(["A", "5", "a", "B", "5%", "A"]) == ["a", "<num>", "a", "b", "<num>", "a"]


surfaces = st.text(st.characters(), min_size=1, max_size=8) | st.sampled_from([*NUMBERS, *WORDS])


@pytest.mark.kernel
@given(st.lists(surfaces, max_size=8))
def test_each_word_is_normalised_by_itself(words: list[str]) -> None:
    assert normalize_all(words) == [normalize(word) for word in words]
    assert all(normalize_all(words))


@given(st.lists(surfaces, max_size=8))
def test_case_and_composition_do_not_matter(words: list[str]) -> None:
    lowered = normalize_all(words)
    assert normalize_all([unicodedata.normalize("NFD", word) for word in words]) == lowered
    assert normalize_all([unicodedata.normalize("NFC", word) for word in words]) == lowered


@pytest.mark.kernel
@given(st.lists(st.text(max_size=20), max_size=5))
def test_a_block_is_normalised_like_its_words(lines: list[str]) -> None:
    block = tokenize_block([compose(line) for line in lines], GERMAN)
    ids, types = normalize_block(block)
    words = [word for line in words_of(block) for word in line]
    for word, number in zip(words, ids.tolist(), strict=True):
        assert looks_like_number(word) == (number == NUMBER_ID)
        assert number == NUMBER_ID or types[number] in (normalize(word), "<num>")
    assert len(set(types)) == len(types)
    # Types are numbered in the order in which they come up.
    first_seen = list(dict.fromkeys(number for number in ids.tolist() if number != NUMBER_ID))
    assert first_seen == list(range(len(types)))


@pytest.mark.kernel
def test_many_types() -> None:
    words = [f"w{'x' * (i % 7)}{i % 1500}q" for i in range(3000)]
    assert normalize_all(words) == words


@pytest.mark.kernel
def test_hashes_of_lines() -> None:
    def hashes(line: str) -> tuple[int, int]:
        block = tokenize_block([line], ENGLISH)
        table = characters()
        exact, loose = hash_lines(*block, table.flags, table.lower)
        return int(exact[0]), int(loose[0])

    exact, loose = hashes("The house, 5.")
    assert hashes("The  house , 5 .") == (exact, loose)
    other, same = hashes("the HOUSE 5!")
    assert (other != exact, same) == (True, loose)
    assert hashes("The house, 6.")[1] != loose
    assert hashes("Th ehouse, 5.")[0] != exact
    assert hashes("!")[1] != hashes("?")[1]  # nothing but punctuation: compared as it stands
    assert hashes("") == hashes(" ")


@given(st.text(st.characters()))
def test_code_points(text: str) -> None:
    assert decode(encode(text)) == text
    assert len(encode(text)) == len(text)


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def test_the_shipped_table_is_what_the_script_makes(script: dict[str, Any]) -> None:
    """For the characters that both know: the table's Unicode may be older or newer than this Python's."""
    table = characters()
    flags_of, lower_of = script["flags_of"], script["lower_of"]
    codes = [code for code in range(CODE_POINTS) if unicodedata.category(chr(code)) != "Cn"]
    flags = np.array([flags_of(code) for code in codes])
    lower = np.array([lower_of(code) for code in codes])
    known = (table.flags[codes] != 0) | (table.lower[codes] != codes)
    # A character without properties may be a symbol, or one that the table's Unicode does not know yet.
    agree = (table.flags[codes] == flags) & (table.lower[codes] == lower)
    assert np.all(agree | ~known)
    shipped = json.loads(files("redraft.text").joinpath("characters.json").read_text("ascii"))["unicode"]
    if shipped == unicodedata.unidata_version:
        assert np.all(agree)
    assert np.all(agree[np.array(codes) < 0x600])


def test_white_space_is_what_python_says() -> None:
    spaces = np.flatnonzero(characters().flags & SPACE).tolist()
    assert spaces == [code for code in range(CODE_POINTS) if chr(code).isspace()]


def test_the_script_writes_runs(script: dict[str, Any]) -> None:
    assert script["ranges"]([0, 1, 1, 2, 0, 2], 0) == [[1, 2, 1], [3, 3, 2], [5, 5, 2]]
