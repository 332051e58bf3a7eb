"""Edits between a draft and its refined version, each judged by sentence BLEU, and the report on them."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.evaluate.edits import Verdicts, WordEdit, count_edits, find_edits
from redraft.evaluate.evaluation import evaluate
from redraft.evaluate.plan import Plan, Setting, Test
from redraft.evaluate.sentence_bleu import NOTHING
from redraft.evaluate.sides import Side
from redraft.evaluate.table import format_table

sentences = st.lists(st.integers(0, 4), max_size=10)


def side(name: str, *lines: str) -> Side:
    return Side(name, list(lines), [line.split() for line in lines])


REFERENCE = side("reference", "we saw the old house today", "it rains", "nothing changes here", "a b c d e")
DRAFT = side("draft", "we saw an house today", "it it rains", "nothing changes there", "a b c d")
REFINED = side("refined", "we saw the old house today", "it rains", "nothing changes there", "a x c d")


@given(sentences, sentences)
def test_edits_lead_from_the_draft_to_the_refined_version(draft: list[int], refined: list[int]) -> None:
    edited = list(draft)
    edits = list(find_edits(draft, refined))
    for edit in reversed(edits):  # from the end, so that places stay what they are
        edited[edit.start : edit.stop] = [] if edit.replacement == NOTHING else [edit.replacement]
    assert edited == refined
    assert len(edits) <= max(len(draft), len(refined))


def test_each_kind_of_edit() -> None:
    assert list(find_edits([1, 2, 3], [1, 4, 3])) == [WordEdit("substitution", 1, 2, 4)]
    assert list(find_edits([1, 2, 3], [1, 3])) == [WordEdit("deletion", 1, 2, NOTHING)]
    assert list(find_edits([1, 3], [1, 2, 3])) == [WordEdit("insertion", 1, 1, 2)]


@pytest.mark.kernel
def test_counts_worked_out_by_hand() -> None:
    counts = count_edits(DRAFT, REFINED, [REFERENCE])
    assert (counts.draft_words, counts.edits) == (15, 4)
    assert counts.edit_rate == pytest.approx(100 * 4 / 15)
    assert counts.sentences == 4
    assert counts.changed_sentences == Verdicts(total=3, raised=2, lowered=1, left=0)
    # "an" gives way to "the" (or "old"), the other one is inserted: either raises alone. "b" to "x" does not.
    assert counts.single_edits == {
        "substitution": Verdicts(total=2, raised=1, lowered=1, left=0),
        "deletion": Verdicts(total=1, raised=1, lowered=0, left=0),
        "insertion": Verdicts(total=1, raised=1, lowered=0, left=0),
    }


@pytest.mark.kernel
def test_an_edit_that_changes_no_match_leaves_the_sentence() -> None:
    counts = count_edits(side("draft", "u v a"), side("refined", "w v a"), [side("reference", "a")])
    assert counts.changed_sentences == counts.single_edits["substitution"] == Verdicts(1, 0, 0, 1)


@pytest.mark.kernel
def test_a_second_reference_may_approve_of_an_edit() -> None:
    one, two = side("one", "a b c d"), side("two", "a b c e")
    draft, refined = side("draft", "a b c d"), side("refined", "a b c e")
    assert count_edits(draft, refined, [one]).changed_sentences.lowered == 1
    assert count_edits(draft, refined, [one, two]).changed_sentences.left == 1


@pytest.mark.kernel
def test_evaluation_ties_gain_to_edits() -> None:
    result = evaluate(DRAFT, [REFINED, DRAFT], [REFERENCE], Plan(metrics=("chrf",), samples=20))
    (before,), (after,), (same,) = (system.figures for system in (result.draft, *result.refined))
    assert after.gain == pytest.approx(after.score.value - before.score.value)
    assert after.gain_per_edit == pytest.approx(after.gain / (100 * 4 / 15))
    assert after.comparison is not None
    assert after.comparison.gain == after.gain
    assert (same.gain, same.gain_per_edit) == (0, None)
    assert (before.gain, before.comparison) == (None, None)
    assert result.draft.lengths["cased"].words == 15


@pytest.mark.kernel
def test_case_counts_unless_every_setting_lower_cases() -> None:
    draft, refined, reference = (
        side("draft", "Der Hund"),
        side("refined", "der Hund"),
        side("reference", "der hund"),
    )
    edits = {}
    for settings in [(Setting.cased,), (Setting.paper,), (Setting.cased, Setting.paper)]:
        plan = Plan(settings, test=Test.none)
        found = evaluate(draft, [refined], [reference], plan).refined[0].edits
        assert found is not None
        edits[settings] = found.edits
    assert list(edits.values()) == [1, 0, 1]


@pytest.mark.kernel
def test_table_shows_every_figure_once() -> None:
    plan = Plan((Setting.cased, Setting.paper), ("bleu", "ter"), samples=20, seed=3, words="given")
    lines = format_table(evaluate(DRAFT, [REFINED], [REFERENCE], plan)).splitlines()
    assert lines[0] == "4 sentences against reference"
    assert lines[2].split() == ["draft", "refined"]
    titles = [line.split("  ")[0] for line in lines[3:] if line and not line.startswith(" ")]
    assert titles[:4] == ["BLEU, cased", "TER, cased", "BLEU, paper", "TER, paper"]
    (edited,) = [line for line in lines if line.startswith("words edited")]
    assert edited.split() == ["words", "edited", "26.67", "%"]
    assert len({len(line) for line in lines[2 : lines.index("", 3)]}) == 1  # figures end in one column
    assert "p, interval: paired bootstrap, 20 samples, seed 3" in lines
    assert lines[-1] == "words: given"


@pytest.mark.kernel
def test_table_of_a_draft_alone_has_no_differences() -> None:
    table = format_table(evaluate(DRAFT, [], [REFERENCE], Plan()))
    assert "BLEU, cased" in table
    assert not any(word in table for word in ("  gain", "edited", "interval"))


@pytest.mark.kernel
def test_table_writes_zero_without_a_minus() -> None:
    result = evaluate(DRAFT, [REFINED], [REFERENCE], Plan(metrics=("bleu",), test=Test.none))
    figure = dataclasses.replace(result.refined[0].figures[0], gain=-0.001)
    system = dataclasses.replace(result.refined[0], figures=[figure])
    assert "-0.00" not in format_table(dataclasses.replace(result, refined=[system]))
