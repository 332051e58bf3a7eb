"""Each cleaning rule by hand-made pairs, at its limits, and counted under the first reason that holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from redraft.corpus.analysing import Analysed, Analysis, analyse
from redraft.corpus.cleaning import REASONS, CleaningRules, first_occurrences, telling_words
from redraft.text import get_language

RULES = CleaningRules()
GERMAN = "Das ist der Mann, der nicht in die Stadt und auf den Berg gehen wollte."
ENGLISH = "This is the man who did not want to go to the town and up the hill."


def look_at(
    *pairs: tuple[str, ...],
    rules: CleaningRules | None = RULES,
    sides: tuple[str, ...] = ("source", "reference"),
) -> Analysed:
    analysis = Analysis(sides, "de", "en", False, rules)
    return analyse(analysis, tuple("\n".join(side) for side in zip(*pairs, strict=True)))


def reason(*pair: str, **options: object) -> str | None:
    """Why a single pair is left out."""
    analysed = look_at(pair, **options)  # type: ignore[arg-type]
    found = [name for name, count in zip(REASONS, analysed.removed.tolist(), strict=True) if count]
    assert len(found) == 1 - analysed.kept.size
    return found[0] if found else None


@pytest.mark.kernel
@pytest.mark.parametrize(
    "source, reference, expected",
    [
        ("Ein Haus .", "A house .", None),
        ("", "A house .", "empty"),
        ("Ein Haus .", "", "empty"),
        (" \t\u00a0\u2003", "A house .", "empty"),
        ("", "", "empty"),
        ("ja " * 175, "yes " * 175, None),
        ("ja " * 176, "yes " * 175, "too_long"),
        ("ja " * 175, "yes " * 176, "too_long"),
        ("ja", "yes " * 12, None),  # 12 <= 4 x (1 + 2)
        ("ja", "yes " * 13, "length_ratio"),
        ("ja " * 13, "yes", "length_ratio"),
        ("ja " * 10, "yes " * 48, None),
        ("ja " * 10, "yes " * 49, "length_ratio"),
        ("Angela Merkel", "Angela Merkel", "identical"),
        ("Angela  Merkel!", "ANGELA MERKEL", "identical"),
        ("Angela Merkel", "Angela Merkel said", None),
        ("...", "...", "identical"),
        ("...", "!", None),
        (GERMAN, ENGLISH, None),
        (ENGLISH, GERMAN, "wrong_language"),
        (GERMAN, GERMAN + " Ja.", "wrong_language"),
        (ENGLISH + " Yes.", ENGLISH, "wrong_language"),
        ("Er sagte: the New York Times", "He said: the New York Times", None),
    ],
)
def test_rules(source: str, reference: str, expected: str | None) -> None:
    assert reason(source, reference) == expected


@pytest.mark.kernel
def test_the_first_reason_counts() -> None:
    assert reason("ja " * 2000, "yes") == "too_long"
    assert reason("", "yes " * 2000) == "empty"
    assert reason("ja " * 200, "ja " * 200) == "too_long"


@pytest.mark.kernel
@pytest.mark.parametrize(
    "rules, pair",
    [
        (replace(RULES, identical=False), ("Angela Merkel", "Angela Merkel")),
        (replace(RULES, wrong_language=False), (ENGLISH, GERMAN)),
        (replace(RULES, maximum_tokens=300), ("ja " * 300, "yes " * 300)),
        (replace(RULES, maximum_ratio=5.0), ("ja", "yes " * 15)),
    ],
)
def test_rules_can_be_changed(rules: CleaningRules, pair: tuple[str, str]) -> None:
    assert reason(*pair) is not None
    assert reason(*pair, rules=rules) is None


@pytest.mark.kernel
def test_without_cleaning_everything_is_kept() -> None:
    analysed = look_at(("", ""), ("ja " * 1000, "yes"), (ENGLISH, GERMAN), rules=None)
    assert analysed.kept.tolist() == [0, 1, 2]
    assert analysed.removed.tolist() == [0] * len(REASONS)


@pytest.mark.kernel
def test_drafts_are_only_checked_for_being_empty_or_too_long() -> None:
    sides = ("source", "draft", "reference")
    good = ("Ein Haus .", "A house .")
    for draft, expected in [
        ("A house .", None),
        ("Ein Haus .", None),
        ("ja " * 100, None),
        ("", "empty"),
        ("ja " * 176, "too_long"),
    ]:
        assert reason(good[0], draft, good[1], sides=sides) == expected


@pytest.mark.kernel
def test_counts_and_lines_of_a_shard() -> None:
    analysed = look_at(("a", ""), ("Ein Haus", "A house"), ("b", "b"), ("c", ""), ("Zwei 22", "Two 22"))
    assert analysed.lines == 5
    assert analysed.kept.tolist() == [1, 4]
    assert dict(zip(REASONS, analysed.removed.tolist(), strict=True)) == dict.fromkeys(REASONS, 0) | {
        "empty": 2,
        "identical": 1,
    }
    source = analysed.sides["source"]
    assert source.lengths.tolist() == [2, 2]
    assert [source.types[i] if i >= 0 else "<num>" for i in source.ids.tolist()] == [
        "ein",
        "haus",
        "zwei",
        "<num>",
    ]


@pytest.mark.kernel
def test_hashes_tell_what_differs() -> None:
    """Blanks do not count in either hash; case and punctuation do not count as content."""
    analysed = look_at(
        ("Ein Haus.", "A house."),
        ("Ein  Haus .", " A house. "),
        ("ein Haus!", "A House"),
        ("Ein Haus.", "A home."),
        ("A house.", "Ein Haus."),
        ("Cafe\u0301", "Coffee shop"),
        ("Caf\u00e9", "Coffee shop"),
    )
    exact, groups = analysed.exact.tolist(), analysed.groups.tolist()
    assert exact[0] == exact[1]
    assert len({exact[i] for i in (0, 2, 3, 4, 5)}) == 5
    assert groups[0] == groups[1] == groups[2]
    assert len({groups[i] for i in (0, 3, 4, 5)}) == 4
    assert exact[5] == exact[6]


def test_telling_words() -> None:
    german, english = get_language("de"), get_language("en")
    own, foreign = telling_words(german, english)
    assert {"der", "und", "nicht"} <= own
    assert {"the", "and", "not"} <= foreign
    assert not own & foreign
    assert telling_words(german, get_language("xx")) == (frozenset(), frozenset())
    assert telling_words(german, german) == (frozenset(), frozenset())


def test_first_occurrences() -> None:
    values = np.array([7, 3, 7, 7, 2, 3], dtype=np.uint64)
    assert first_occurrences(values).tolist() == [True, True, False, False, True, False]
    assert first_occurrences(values[:0]).tolist() == []
