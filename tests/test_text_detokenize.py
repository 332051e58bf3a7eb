"""Text from tokens: blanks by the rules of each language, and languages found by code and by file name."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.text import detokenize, get_language, guess_language, tokenize
from redraft.text.detokenize import find_blanks
from redraft.text.languages import ENGLISH, GENERIC, GERMAN, LANGUAGES, Language

ENGLISH_LINES = """
It's Jim's dog, isn't it?
"Well," she said, "it is (almost) done."
He said 'yes' and the dogs' bowls were 'empty'.
“Curly quotes,” he said, “and ‘inner’ ones.”
“It’s John’s,” she said; the boys’ toys weren’t.
It costs $5, £3 or 50%... or 1,000.50!
See www.example.com/a, {name} and <b>bold</b>? No...
At 12:30 on 3/4 the score was 2:1: a draw and/or a win.
Mr. Smith [sic] met J. R. Tolkien.
A well-known fact: e.g. this #1 thing.
The U.S. and the U.K. agreed (see No. 5).
It was 20° and then 70° F.
""".strip().split("\n")

GERMAN_LINES = """
„Ja“, sagte er, „das ist (fast) fertig.“
Er sagte: „Sie meinte ‚nein‘ dazu.“
»Ja«, sagte er.
Das kostet 5 € oder 50% mehr, d. h. 1.234,50 €!
Am 3. Mai um 12:30 Uhr stand es 2:1.
Das Pauli'sche Prinzip und Andrea's Laden.
Siehe www.example.de/a, {name} und/oder <1>mehr</1>.
Nr. 5 [sic] usw. usf. und mehr…
Die Witwe von Rodrigo d'Arenberg sagt: c'est la vie.
Es sind -10° Celsius, also 14° F.
"Gerade Zeichen" gibt es auch, "oft" sogar.
""".strip().split("\n")


@pytest.mark.parametrize("line", ENGLISH_LINES)
def test_english_returns(line: str) -> None:
    assert detokenize(tokenize(line, ENGLISH).words, ENGLISH) == line.replace("<b>bold</b>", "<b> bold </b>")


@pytest.mark.parametrize("line", GERMAN_LINES)
def test_german_returns(line: str) -> None:
    assert detokenize(tokenize(line, GERMAN).words, GERMAN) == line.replace("<1>mehr</1>", "<1> mehr </1>")


@pytest.mark.parametrize(
    "words, language, expected",
    [
        ("", ENGLISH, ""),
        ("a", ENGLISH, "a"),
        (", a", ENGLISH, ", a"),
        ("( a )", GENERIC, "(a)"),
        ("« a » , b", GENERIC, "«a», b"),
        ("l 'eau", ENGLISH, "l'eau"),
        ("a ' b", GERMAN, "a 'b"),
        ('" a', ENGLISH, '"a'),
        ('a "', ENGLISH, 'a"'),
        ('" a " , " b "', ENGLISH, '"a", "b"'),
        ("don ’ t", ENGLISH, "don’t"),
        ("12 : 30 : a : 5", ENGLISH, "12:30: a: 5"),
        ("a / b _ c", ENGLISH, "a/b_c"),
        ("„ a ‚ b ‘ c “ d", GERMAN, "„a ‚b‘ c“ d"),
        ("„ a ‚ b “ c ‘", GERMAN, "„a ‚b“ c‘"),  # the outer quote closes the inner one too
    ],
)
def test_spacing(words: str, language: Language, expected: str) -> None:
    assert detokenize(words.split(), language) == expected


tokens = st.text(st.characters(), min_size=1, max_size=5).filter(lambda word: word.split() == [word])
marks = st.sampled_from([*"\"'’‘‚“”„«»().,:;!?/_$%5as", "'s", "...", "Haus"])
languages = st.sampled_from(sorted(LANGUAGES)).map(LANGUAGES.__getitem__)


@given(st.lists(marks | tokens, max_size=12), languages)
def test_only_blanks_are_added(words: list[str], language: Language) -> None:
    text = detokenize(words, language)
    assert text.replace(" ", "") == "".join(words)
    assert text == text.strip(" ")
    assert "  " not in text
    blanks = find_blanks(words, language)
    assert text.count(" ") == sum(blanks) <= max(len(words) - 1, 0)
    assert not any(blanks[:1])


@given(st.lists(st.text("abcxyzäöü", min_size=1), max_size=12), languages)
def test_ordinary_words_have_one_blank_between_them(words: list[str], language: Language) -> None:
    assert detokenize(words, language) == " ".join(words)
    assert tokenize(detokenize(words, language), language).words == words


@pytest.mark.parametrize("words", [["„"], ['"'], ["'", "s"], ["„", "‚"], ["“", '"', "'", "«"]])
def test_long_lines_take_linear_time(words: list[str]) -> None:
    start = time.perf_counter()
    for language in LANGUAGES.values():
        detokenize(words * (100_000 // len(words)), language)
    assert time.perf_counter() - start < 15  # about 1 s; searching all open quotes took minutes


@pytest.mark.parametrize(
    "code, expected",
    [
        ("de", GERMAN),
        ("DE", GERMAN),
        ("de-AT", GERMAN),
        ("de_DE", GERMAN),
        ("en", ENGLISH),
        ("en-GB", ENGLISH),
        ("fr", GENERIC),
        ("generic", GENERIC),
        ("", GENERIC),
        ("deu", GENERIC),
    ],
)
def test_languages_by_code(code: str, expected: Language) -> None:
    assert get_language(code) is expected


@pytest.mark.parametrize(
    "path, expected",
    [
        ("train.de", GERMAN),
        ("a.b/train.en.zst", ENGLISH),
        ("news.de.en", ENGLISH),
        ("train.en.de.gz", GERMAN),
        ("de/train.txt", GENERIC),
        ("de", GENERIC),
        ("-", GENERIC),
        ("train.fr", GENERIC),
    ],
)
def test_languages_by_file_name(path: str, expected: Language) -> None:
    assert guess_language(path) is expected


def test_every_language_says_what_its_files_are_called() -> None:
    for code, language in LANGUAGES.items():
        assert language.code == code == code.lower()
        assert not language.abbreviations & language.abbreviations_before_number
        assert all(word == word.lower() for word in language.function_words)
        assert not any(word.endswith(".") for word in language.abbreviations)
