"""Vocabularies: order, limits, symbols, the file and all that it refuses."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import UserError
from redraft.text import Vocabulary
from redraft.text.vocabulary import END, NULL, NUMBER, PAD, SPECIALS, START, UNKNOWN

COUNTS = {"b": 3, "a": 3, "c": 5, "d": 1, "<num>": 9, "<s>": 50, "<null>": 1}
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4) | st.sampled_from(SPECIALS)
counts = st.dictionaries(words, st.integers(0, 5))


def test_symbols_have_fixed_ids() -> None:
    assert (PAD, UNKNOWN, START, END, NUMBER, NULL) == (0, 1, 2, 3, 4, 5)
    assert Vocabulary.build({}, "en").words == ("<pad>", "<unk>", "<s>", "</s>", "<num>", "<null>")


def test_words_by_count_then_by_word() -> None:
    vocabulary = Vocabulary.build(COUNTS, "en")
    assert vocabulary.words == (*SPECIALS, "c", "a", "b", "d")
    assert vocabulary.counts == (0, 0, 0, 0, 9, 0, 5, 3, 3, 1)
    assert len(vocabulary) == 10


@pytest.mark.parametrize(
    "size, minimum_count, expected",
    [(2, 1, "c a"), (0, 1, ""), (99, 1, "c a b d"), (None, 3, "c a b"), (None, 6, ""), (1, 4, "c")],
)
def test_limits(size: int | None, minimum_count: int, expected: str) -> None:
    vocabulary = Vocabulary.build(COUNTS, "en", size, minimum_count)
    assert " ".join(vocabulary.words[len(SPECIALS) :]) == expected


def test_ids() -> None:
    vocabulary = Vocabulary.build(COUNTS, "en")
    assert vocabulary.ids(["c", "a", "b", "d", "A", "zebra", "<num>"]) == [
        6,
        7,
        8,
        9,
        UNKNOWN,
        UNKNOWN,
        NUMBER,
    ]
    assert [vocabulary.id(special) for special in SPECIALS if special != "<num>"] == [UNKNOWN] * 5


def test_coverage() -> None:
    vocabulary = Vocabulary.build({"a": 1, "b": 1}, "en")
    assert vocabulary.coverage({"a": 6, "x": 2, "<num>": 1, "<s>": 1}) == 0.7
    assert vocabulary.coverage({}) == 1.0
    assert vocabulary.coverage({"x": 1}) == 0.0


@given(counts, st.integers(0, 8) | st.none(), st.integers(1, 4))
def test_built_the_same_from_any_order(counts: dict[str, int], size: int | None, minimum: int) -> None:
    vocabulary = Vocabulary.build(counts, "de", size, minimum)
    assert vocabulary == Vocabulary.build(dict(reversed(counts.items())), "de", size, minimum)
    ranked = list(zip(vocabulary.words, vocabulary.counts, strict=True))[len(SPECIALS) :]
    assert ranked == sorted(ranked, key=lambda item: (-item[1], item[0]))
    assert all(count >= minimum for _, count in ranked)
    assert size is None or len(ranked) <= size
    assert [vocabulary.id(word) for word, _ in ranked] == list(range(len(SPECIALS), len(vocabulary)))
    assert len(set(vocabulary.words)) == len(vocabulary.words)
    assert 0 <= vocabulary.coverage(counts) <= 1


@given(counts)
def test_what_is_saved_is_loaded(counts: dict[str, int]) -> None:
    vocabulary = Vocabulary.build(counts, "de")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "de.json")
        vocabulary.save(path)
        first = path.read_bytes()
        assert Vocabulary.load(path) == vocabulary
        Vocabulary.load(path).save(path)
        assert path.read_bytes() == first


HEAD = {"format": "redraft-vocabulary", "version": 1, "language": "en"}
GOOD: dict[str, Any] = {**HEAD, "words": [*SPECIALS, "a", "b"], "counts": [0, 0, 0, 0, 0, 0, 2, 1]}
WORDS = GOOD["words"]

REFUSED = {
    "duplicate word": ({"words": [*SPECIALS, "a", "a"]}, "'a' stands twice, at 6 and 7"),
    "symbol twice": ({"words": [*SPECIALS, "a", "<s>"]}, "'<s>' stands twice, at 2 and 7"),
    "missing symbol": ({"words": [*SPECIALS[:5], "a", "b", "c"]}, "<null> must be word 5, found 'a'"),
    "symbols in another order": (
        {"words": ["<unk>", "<pad>", *WORDS[2:]]},
        "<pad> must be word 0, found '<unk>'",
    ),
    "no words": ({"words": [], "counts": []}, "<pad> must be word 0, found 'nothing'"),
    "older version": ({"version": 0}, "version 0, this redraft reads version 1; make it again"),
    "newer version": ({"version": 2}, "version 2, this redraft reads version 1; it needs a newer redraft"),
    "version that is no number": (
        {"version": "1"},
        "version '1', this redraft reads version 1; make it again",
    ),
    "version true": ({"version": True}, "version True"),
    "version NaN": ({"version": float("nan")}, "version nan"),
    "other format": ({"format": "redraft-truecase"}, "found 'redraft-truecase'"),
    "words that are no list": ({"words": "abc"}, "'words' is not a list of strings"),
    "words that are no strings": ({"words": [*SPECIALS, "a", 5]}, "'words' is not a list of strings"),
    "counts that are no list": ({"counts": None}, "'counts' is not a list of whole numbers"),
    "fractional counts": ({"counts": [0] * 7 + [1.5]}, "'counts' is not a list of whole numbers"),
    "negative counts": ({"counts": [0] * 7 + [-1]}, "'counts' is not a list of whole numbers"),
    "counts NaN": ({"counts": [0] * 7 + [float("nan")]}, "'counts' is not a list of whole numbers"),
    "counts true": ({"counts": [0] * 7 + [True]}, "'counts' is not a list of whole numbers"),
    "fewer counts than words": ({"counts": [0] * 7}, "8 words but 7 counts"),
    "language that is no code": ({"language": ["en"]}, "'language' is ['en']"),
}


@pytest.mark.parametrize("changes, message", REFUSED.values(), ids=REFUSED.keys())
def test_damaged_contents_are_refused_by_name(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    path = tmp_path / "en.json"
    path.write_text(json.dumps(GOOD), "utf-8")
    assert Vocabulary.load(path).words == tuple(WORDS)
    path.write_text(json.dumps(GOOD | changes), "utf-8")
    _refuses(path, message)


@pytest.mark.parametrize(
    "content, message",
    [
        (json.dumps(GOOD).encode()[:-20], "is not JSON"),
        (b"", "is not JSON"),
        (b"a b c", "is not JSON"),
        (b"[]", "is no vocabulary"),
        (b"null", "is no vocabulary"),
        (b"{}", "is no vocabulary"),
        (b"\xff\xfe{}", "is not UTF-8 at byte 0"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"version":' + b"1" * 5000 + b"}", "is not JSON"),
    ],
    ids=[
        "cut short",
        "empty",
        "text",
        "list",
        "null",
        "object",
        "other encoding",
        "deep nesting",
        "huge number",
    ],
)
def test_foreign_files_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "en.json"
    path.write_bytes(content)
    _refuses(path, message)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    _refuses(tmp_path / "en.json", "cannot be read")
    _refuses(tmp_path, "cannot be read")


def _refuses(path: Path, message: str) -> None:
    with pytest.raises(UserError) as caught:
        Vocabulary.load(path)
    text = str(caught.value)
    assert text.startswith(str(path))
    assert message in text
    assert "\n" not in text
    assert len(text) < 400
