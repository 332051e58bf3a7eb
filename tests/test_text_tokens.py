"""Tokens: offsets that hold for any string, the Moses conventions by example, linear time."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from redraft.text import tokenize, tokenize_block, tokenize_text, words_of
from redraft.text.languages import ENGLISH, GENERIC, GERMAN, LANGUAGES, Language
from redraft.text.protected import find_protected

# Any code point, lone surrogates included, and often the ones that rules are about.
TRICKY = [
    *"aZsß09.,'’`-:;!?%&#@<>/=\"“”„{}()[]$_| \n\t\r\0",
    *"\u0085\u00a0\u00ad\u0301\u200b\u200d\u2028\u2029\u3000\ufe0f\ufeff\ud83d\udc4d",
    *("1.5", "1,5", "...", "'s", "Mr.", "z.B.", "No. 5", "👩‍👩‍👧", "👍🏽", "🇩🇪", "1️⃣", "e\u0301"),
    *("www.x.org", "http://", "a@b.de", "<b c='d e'>", "</1>", "<!-- x -->", "&amp;"),
    *("{0}", "{{ x }}", "%s", "%(n)d"),
]
texts = st.lists(st.sampled_from(TRICKY) | st.characters(), max_size=25).map("".join)
languages = st.sampled_from(sorted(LANGUAGES)).map(LANGUAGES.__getitem__)
joining_left = Language("xx", "one that joins an apostrophe to what goes before", apostrophe="joins_previous")


def words(line: str, language: Language = ENGLISH) -> str:
    """The tokens with a bar between them, because some hold blanks."""
    return "|".join(tokenize(line, language).words)


def protected(line: str, language: Language = ENGLISH) -> list[str]:
    tokens = tokenize(line, language)
    return [tokens.words[index] for index in sorted(tokens.protected)]


@pytest.mark.kernel
@given(texts, languages | st.just(joining_left), st.booleans())
@example("\ud800 \x00\x1f\u0085a\u0301", ENGLISH, False)
@example("", ENGLISH, False)
def test_offsets_hold_for_any_string(line: str, language: Language, given_tokens: bool) -> None:
    tokens = tokenize(line, language, given_tokens)
    rest = 0
    for start, end in zip(tokens.starts, tokens.ends, strict=True):
        assert rest <= start < end <= len(line)
        assert not line[rest:start].strip()
        assert not line[start].isspace()
        assert not line[end - 1].isspace()
        rest = end
    assert not line[rest:].strip()
    assert tokens.text == line
    assert tokens.words == [line[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)]
    assert len(tokens) == len(tokens.words)
    assert tokens.protected <= set(range(len(tokens)))


@pytest.mark.kernel
@given(texts, languages)
def test_given_tokens_are_what_python_splits(line: str, language: Language) -> None:
    assert tokenize(line, language, given=True).words == line.split()


@given(texts, languages)
def test_only_protected_tokens_hold_white_space(line: str, language: Language) -> None:
    tokens = tokenize(line, language)
    for index, word in enumerate(tokens.words):
        assert index in tokens.protected or word.split() == [word]


@given(st.lists(texts, max_size=6), languages, st.booleans())
@example(["Nr.\n5", "a\n"], GERMAN, False)
@example(["<b\nc>", "", "No.", "5"], ENGLISH, False)
def test_a_block_is_its_lines(lines: list[str], language: Language, given_tokens: bool) -> None:
    block = tokenize_block(lines, language, given_tokens)
    flat = [line.replace("\n", " ") for line in lines]
    assert words_of(block) == [tokenize(line, language, given_tokens).words for line in flat]
    for line, same in zip(lines, flat, strict=True):
        assert tokenize(line, language, given_tokens).starts == tokenize(same, language, given_tokens).starts


@given(st.lists(texts, max_size=6), languages, st.booleans())
def test_a_text_is_its_lines(lines: list[str], language: Language, given_tokens: bool) -> None:
    flat = [line.replace("\n", " ") for line in lines]
    # An empty list and [""] are the same text: one empty line.
    assert words_of(tokenize_text("\n".join(flat), language, given_tokens)) == words_of(
        tokenize_block(flat or [""], language, given_tokens)
    )


@given(texts, languages)
def test_tokens_joined_by_blanks_are_given_tokens(line: str, language: Language) -> None:
    joined = tokenize(line, language).words
    again = tokenize(" ".join(joined), language, given=True).words
    assert again == " ".join(joined).split()
    assert again == tokenize(" ".join(again), language, given=True).words


@given(texts, languages)
def test_protected_stretches_stay_protected_as_given_tokens(line: str, language: Language) -> None:
    tokens = tokenize(line, language)
    if any(word.split() != [word] for word in tokens.words):
        return  # covered by an example: a tag with a blank becomes several tokens
    spaced = " ".join(tokens.words)
    for index in tokenize(spaced, language, given=True).protected & tokenize(spaced, language).protected:
        assert tokenize(spaced, language, given=True).words[index] == tokenize(spaced, language).words[index]


@pytest.mark.kernel
@pytest.mark.parametrize(
    "line, expected",
    [
        # Clitics go with their apostrophe; other apostrophes stand alone.
        ("It's Jim's dog, isn't it?", "It|'s|Jim|'s|dog|,|isn|'t|it|?"),
        ("I'm sure they've gone, he'd say", "I|'m|sure|they|'ve|gone|,|he|'d|say"),
        ("the 1990's and the '90s", "the|1990|'s|and|the|'|90s"),
        ("5'6 and 5'm", "5|'|6|and|5'm"),
        ("the dogs' bowls, 'quoted'", "the|dogs|'|bowls|,|'|quoted|'"),
        ("it’s", "it|’|s"),
        # Abbreviations, initials, periods inside.
        ("Mr. Smith met J. R. Tolkien.", "Mr.|Smith|met|J.|R.|Tolkien|."),
        ("It is 5 p.m. in the U.S. today.", "It|is|5|p.m.|in|the|U.S.|today|."),
        ("No. 5 is alive. No. Never.", "No.|5|is|alive|.|No|.|Never|."),
        ("Buy it etc. and go", "Buy|it|etc.|and|go"),
        ("He paid. they left", "He|paid.|they|left"),  # a small letter follows: no end of sentence
        # Numbers.
        ("1,000,000.50, 3,5 and 7,", "1,000,000.50|,|3,5|and|7|,"),
        ("He left at 5.", "He|left|at|5|."),
        (",5 5, a,5 5,a", ",|5|5|,|a|,|5|5|,|a"),
        ("12:30 3/4 -5 +5", "12|:|30|3|/|4|-5|+|5"),
        # Hyphens and backticks are parts of words, dashes are not.
        ("well-known -- a- -b `x`", "well-known|--|a-|-b|`x`"),
        ("a–b —", "a|–|b|—"),
        # Runs of periods.
        ("wait... what.. ok....", "wait|...|what|..|ok|...."),
        ("... .", "...|."),
        ("a.b a.) x_y", "a.b|a|.|)|x|_|y"),
        ("C++ C# .NET", "C|+|+|C|#|.NET"),
        # Marks go with what they stand on; an emoji is one token.
        ("e\u0301te\u0301 fo\u00adobar", "e\u0301te\u0301|fo\u00adobar"),
        ("👩‍👩‍👧👍🏽 🇩🇪 1️⃣!", "👩‍👩‍👧|👍🏽|🇩🇪|1️⃣|!"),
        (",\u0301a \u0301", ",\u0301|a|\u0301"),
        # White space of every kind.
        ("a\u2028b\u0085c\u00a0d\x1fe\tf\r", "a|b|c|d|e|f"),
        ("a\u200bb\0c", "a\u200bb|\0|c"),
        ("", ""),
    ],
)
def test_english(line: str, expected: str) -> None:
    assert words(line) == expected


@pytest.mark.kernel
@pytest.mark.parametrize(
    "line, expected",
    [
        ("Geht's? Das Pauli'sche Prinzip.", "Geht|'|s|?|Das|Pauli|'|sche|Prinzip|."),
        ("am 3. Mai, der 99. Tag, der 100. Tag", "am|3.|Mai|,|der|99.|Tag|,|der|100|.|Tag"),
        ("z. B. das, d.h. jenes usw. usf.", "z.|B.|das|,|d.h.|jenes|usw.|usf."),
        ("Nr. 5, Dr. Meier, S. 7", "Nr.|5|,|Dr.|Meier|,|S.|7"),
        ("Fig. 3 und Fig. Drei", "Fig.|3|und|Fig|.|Drei"),
        ("Karl V. und Ludwig XIV. Ende.", "Karl|V.|und|Ludwig|XIV.|Ende|."),
        ("1.234,5 €, 50 %", "1.234,5|€|,|50|%"),
        ("„Ja“, sagte ‚er‘", "„|Ja|“|,|sagte|‚|er|‘"),
    ],
)
def test_german(line: str, expected: str) -> None:
    assert words(line, GERMAN) == expected


@pytest.mark.kernel
def test_apostrophes_by_language() -> None:
    line = "l'eau d'or 'a' 5'"
    assert words(line, joining_left) == "l'|eau|d'|or|'|a|'|5|'"
    assert words(line, GENERIC) == "l|'|eau|d|'|or|'|a|'|5|'"
    assert words(line, ENGLISH) == "l|'eau|d|'or|'|a|'|5|'"


@pytest.mark.parametrize(
    "line, expected",
    [
        # URLs: no sentence punctuation at the end, brackets only if they were opened inside.
        ("see www.example.com, or (http://a.b/c_(d)).", ["www.example.com", "http://a.b/c_(d)"]),
        ("https://x.org/?a=b&c=%20! <ftp://x.org>", ["https://x.org/?a=b&c=%20", "ftp://x.org"]),
        ("„http://x.de“ ‚http://y.de‘ http://z.de…", ["http://x.de", "http://y.de", "http://z.de"]),
        ("**http://x.de/[a]** [http://x.de/]", ["http://x.de/[a]", "http://x.de/"]),
        ("http://{host}/x http://[::1]/ file:///a", ["http://{host}/x", "http://[::1]/", "file:///a"]),
        ("http:// www. www.) http://... x://", []),
        ("http://x.de/" + "y" * 5000 + ".", ["http://x.de/" + "y" * 5000]),
        ("mail me@x.org. <a.b+c@x-y.co.uk>", ["me@x.org", "a.b+c@x-y.co.uk"]),
        ("@user a@b x @ y.z", []),
        # Tags, with attributes, and the numbered ones of translation tools.
        ("<b>bold</b><br/>", ["<b>", "</b>", "<br/>"]),
        ("""<a href="x y" id='1' b=2 c>x</a>""", ["""<a href="x y" id='1' b=2 c>""", "</a>"]),
        ("<1>x</1> <2/> <12345>", ["<1>", "</1>", "<2/>"]),
        ("x <!-- a note --> y <!-- z", ["<!-- a note -->"]),
        ("a < b and c > d, a<b, <3, <- ->, 5<6>", ["<6>"]),
        # Placeholders.
        (
            "%s, %d: %-5.2f %(name)s %1$s %@ %5.1lf",
            ["%s", "%d", "%-5.2f", "%(name)s", "%1$s", "%@", "%5.1lf"],
        ),
        ("%1 of %n (%L2) %s%d", ["%1", "%n", "%L2", "%s%d"]),
        ("50 % of, 50%, 100%sure, 5 %, 10%d %%", []),
        ("{name} {0:.2f} {} ${HOME} {{ user }}", ["{name}", "{0:.2f}", "{}", "${HOME}", "{{ user }}"]),
        ("{ not } {a b} { } }{", []),
        ("&amp; &#39; &#x2F; AT&T; R&D a & b;", ["&amp;", "&#39;", "&#x2F;"]),
        ("", []),
    ],
)
def test_protected(line: str, expected: list[str]) -> None:
    assert protected(line) == expected


def test_a_word_ends_where_a_protected_stretch_begins() -> None:
    assert words("Hello{name}...<b>Mr.</b>5,<1/>5") == "Hello|{name}|...|<b>|Mr.|</b>|5|,|<1/>|5"


@pytest.mark.parametrize(
    "line, expected",
    [
        ("see <b> , <1> {x} .", {1, 3, 4}),
        ('the <a href="x y"> link', {1, 2, 3}),
        ("{{ user }} and % s", {0, 1, 2}),
        ("x<b> (www.x.org)", set()),  # the given token is more than the stretch: nobody may split it
    ],
)
def test_given_tokens_are_protected(line: str, expected: set[int]) -> None:
    assert tokenize(line, ENGLISH, given=True).protected == expected


ADVERSARIES = {
    "open tags": "<a " * 33_000,
    "attributes": "<a" + " b" * 50_000,
    "attributes without a value": "<a" + " b=" * 33_000,
    "attributes with values": "<a" + ' b="x"' * 16_000,
    "quotes in quotes": '<a x="' * 16_000,
    "both quotes": "<a x='<a y=\"" * 8_000,
    "blanks in a tag": "<a" + " " * 100_000,
    "blanks round a sign": "<a" + " b   =   " * 11_000,
    "closing tags": "</" * 50_000,
    "numbered tags": "<1" * 50_000,
    "comments": "<!--" * 25_000,
    "hyphens of a comment": "<!--" + "-" * 100_000,
    "braces": "{" * 100_000,
    "double braces": "{{a" * 33_000,
    "dollars": "${" * 50_000,
    "at signs": "@" * 100_000,
    "addresses": "a@" * 50_000,
    "domains": "a@" + "b." * 50_000,
    "long names": "a" * 100_000 + "@",
    "closing brackets": "www.x" + ")" * 100_000,
    "nested brackets": "www.x" + "(" * 50_000 + ")" * 50_000,
    "URLs": "www." * 25_000,
    "schemes": "a." * 50_000 + "://",
    "slashes": "://" * 33_000,
    "percents": "%" * 100_000,
    "placeholders": "%s" * 50_000 + "x",
    "flags": "%" + "0" * 100_000,
    "parentheses": "%(" * 50_000,
    "positions": "%1$" * 33_000,
    "ampersands": "&a" * 50_000,
    "entities": "&#" * 50_000,
    "periods": "." * 100_000,
    "abbreviations": "a." * 50_000,
    "abbreviation and blanks": "Mr." + " " * 100_000,
    "abbreviations and blanks": ("xy." + " " * 1000) * 100,
    "apostrophes": "'" * 100_000,
    "joiners": "\u200d" * 100_000,
    "one word": "a" * 100_000,
}


@pytest.mark.parametrize("line", ADVERSARIES.values(), ids=ADVERSARIES.keys())
def test_hostile_lines_take_linear_time(line: str) -> None:
    start = time.perf_counter()
    tokens = tokenize(line, ENGLISH)
    assert time.perf_counter() - start < 15  # about 1 s at most; a quadratic pattern would take minutes
    assert tokens.ends[-1] == len(line.rstrip())


def test_protected_stretches_are_looked_for_in_the_line_alone() -> None:
    text = "{{ a\nb }} <b\nc> www.x.org"
    assert list(find_protected(text, 5, 12)) == []
    assert words_of(tokenize_text(text, ENGLISH)) == [
        ["{", "{", "a"],
        ["b", "}", "}", "<", "b"],
        ["c", ">", "www.x.org"],
    ]


def test_functions_of_the_room_are_functions_whatever_is_imported_first() -> None:
    # `redraft.text.normalize` and `redraft.text.detokenize` are modules too.
    program = (
        "import redraft.text.detokenize, redraft.text.normalize\n"
        "from redraft.text import detokenize, normalize\n"
        "from redraft.text import get_language\n"
        "from redraft.text import detokenize as again\n"
        "print(again([normalize('Hi'), '!'], get_language('en')))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (result.stdout, result.stderr) == ("hi!\n", "")
