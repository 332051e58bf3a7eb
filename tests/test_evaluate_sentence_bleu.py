"""Sentence BLEU on ids: sacreBLEU's figures, and every variant scored as if the edit had really been made."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from redraft.evaluate.sentence_bleu import (
    NOTHING,
    Edits,
    Sentences,
    join_sentences,
    number_words,
    score_edits,
    score_many,
    score_sentence,
    score_substitutions,
)

PEER = BLEU(tokenize="none", effective_order=True)

# Few different words, so that n-grams repeat and counts are clipped.
words = st.integers(0, 4)
sentences = st.lists(words, max_size=12)


def peer_score(draft: list[int], *references: list[int]) -> float:
    def text(ids: list[int]) -> str:
        return " ".join(f"w{word}" for word in ids)

    return float(PEER.sentence_score(text(draft), [text(reference) for reference in references]).score)


@st.composite
def sentence_and_edits(draw: st.DrawFn) -> tuple[list[int], list[tuple[int, int, int]]]:
    draft = draw(sentences)
    places = st.tuples(st.integers(0, len(draft)), st.integers(0, len(draft))).map(sorted)
    spans = st.lists(st.tuples(places, st.integers(NOTHING, 5)), max_size=6)
    return draft, [(start, stop, word) for (start, stop), word in draw(spans)]


def apply(draft: list[int], start: int, stop: int, replacement: int) -> list[int]:
    return draft[:start] + [replacement] * (replacement != NOTHING) + draft[stop:]


@pytest.mark.kernel
def test_exact_score_worked_out_by_hand() -> None:
    # a b c d against a b c e: 3/4 words, 2/3 pairs, 1/2 triples, no match of four smoothed to 1/2 of 1/1.
    assert score_sentence([0, 1, 2, 3], [0, 1, 2, 4]) == pytest.approx(100 * (3 / 4 * 2 / 3 / 2 / 2) ** 0.25)
    # Two words that match, in a reference of four: effective order 2, brevity penalty exp(1 - 4/2).
    assert score_sentence([0, 1], [0, 1, 2, 3]) == pytest.approx(100 * math.exp(-1))
    # A word given three times counts once, as in the reference: 1/3; pairs 1/(2 * 2), triples 1/(4 * 1).
    assert score_sentence([7, 7, 7], [7, 8, 9]) == pytest.approx(100 * (1 / 3 / 4 / 4) ** (1 / 3))


@pytest.mark.kernel
@pytest.mark.parametrize("draft, reference", [([], [1]), ([1], []), ([], []), ([1, 2, 3, 4, 5], [6, 7])])
def test_nothing_in_common_is_zero(draft: list[int], reference: list[int]) -> None:
    assert score_sentence(draft, reference) == 0 == peer_score(draft, reference)


@pytest.mark.kernel
@given(sentences, st.lists(sentences, min_size=1, max_size=3))
def test_equals_sacrebleu(draft: list[int], references: list[list[int]]) -> None:
    assert score_sentence(draft, *references) == pytest.approx(peer_score(draft, *references), abs=1e-9)


@pytest.mark.kernel
@given(sentence_and_edits(), st.lists(sentences, min_size=1, max_size=2))
def test_variant_equals_the_edit_made(
    draft_and_edits: tuple[list[int], list[tuple[int, int, int]]], references: list[list[int]]
) -> None:
    draft, edits = draft_and_edits
    columns = np.array(edits, int).reshape(-1, 3).T
    base, scores = score_edits(draft, Edits(*columns), *references)
    assert base == pytest.approx(peer_score(draft, *references), abs=1e-9)
    assert list(scores) == [score_sentence(apply(draft, *edit), *references) for edit in edits]


@pytest.mark.kernel
def test_one_candidate_per_word() -> None:
    draft, reference = [0, 1, 2, 3], [0, 1, 5, 3]
    base, scores = score_substitutions(draft, [0, 4, 5, NOTHING], reference)
    assert scores[0] == base  # the word that stands there
    assert scores[1] < base < scores[2] == pytest.approx(100)
    assert scores[3] == score_sentence([0, 1, 2], reference)


@pytest.mark.kernel
@given(st.lists(st.tuples(sentences, sentences, sentences, words), max_size=5))
def test_many_sentences_equal_single_ones(
    lines: list[tuple[list[int], list[int], list[int], int]],
) -> None:
    drafts, first, second, fillers = ([line[side] for line in lines] for side in range(4))
    starts = [place for draft in drafts for place in range(len(draft))]
    candidates = [filler for draft, filler in zip(drafts, fillers, strict=True) for _ in draft]
    joined = join_sentences(drafts)
    edits = Edits(starts, np.array(starts, int) + 1, candidates)
    scores, variants = score_many(
        joined, [join_sentences(first), join_sentences(second)], edits, joined.offsets
    )
    single = [
        score_substitutions(draft, [filler] * len(draft), one, two)
        for draft, one, two, filler in zip(drafts, first, second, fillers, strict=True)
    ]
    assert list(scores) == [score for score, _ in single]
    assert list(variants) == [value for _, values in single for value in values]


@pytest.mark.kernel
def test_reads_a_slice_of_a_longer_array_that_cannot_be_written() -> None:
    ids = np.array([9, 9, 0, 1, 2, 3, 9], np.int32)
    ids.flags.writeable = False
    part = Sentences(ids, np.array([2, 6]))
    assert list(part[0]) == [0, 1, 2, 3]
    assert score_many(part, [join_sentences([[0, 1, 2, 4]])])[0][0] == score_sentence(
        [0, 1, 2, 3], [0, 1, 2, 4]
    )


def test_both_sides_share_the_numbers_of_words() -> None:
    numbers: dict[str, int] = {}
    drafts = number_words([["das", "Haus", "das"], []], numbers)
    references = number_words([["ein", "Haus"]], numbers)
    assert [list(drafts[0]), list(drafts[1]), list(references[0])] == [[0, 1, 0], [], [2, 1]]


@pytest.mark.parametrize(
    "edit, complaint",
    [
        ((1, 3, 0), r"edit 0 puts 0 for \[1, 3\) of a draft of 2 words"),
        ((-1, 0, 0), r"\[-1, 0\)"),
        ((2, 1, 0), r"\[2, 1\)"),
        ((0, 1, -2), "edit 0 puts -2"),
    ],
)
def test_an_edit_outside_its_draft_is_refused(edit: tuple[int, int, int], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        score_edits([1, 2], Edits(*np.array([edit]).T), [1])


def test_input_that_would_lead_the_kernel_astray_is_refused() -> None:
    with pytest.raises(ValueError, match="ids from 0 on"):
        score_sentence([-1], [1])
    with pytest.raises(ValueError, match="flat array"):
        score_sentence([[1, 2]], [1])
    with pytest.raises(ValueError, match="beyond the 1 ids"):
        Sentences(np.zeros(1, np.int32), np.array([0, 2]))
    with pytest.raises(ValueError, match=r"at least one reference, not \[\]"):
        score_sentence([1])
    with pytest.raises(ValueError, match=r"not \[2\]"):
        score_many(join_sentences([[1]]), [join_sentences([[1], [2]])])
    with pytest.raises(ValueError, match="2 starts, 1 stops"):
        score_edits([1, 2], Edits([0, 1], [1], [0, 0]), [1])
    with pytest.raises(ValueError, match="edit offsets of 1 drafts"):
        score_many(join_sentences([[1]]), [join_sentences([[1]])], Edits([0], [1], [0]))


def test_equals_sacrebleu_on_3000_real_sentences(shared_data: Path) -> None:
    lines = [line.split() for line in (shared_data / "europarl" / "test.en").read_text("utf-8").splitlines()]
    chance = random.Random(1)
    vocabulary = sorted({word for line in lines for word in line})
    changed = [[w if chance.random() > 0.2 else chance.choice(vocabulary) for w in line] for line in lines]
    numbers: dict[str, int] = {}
    references, drafts = number_words(lines, numbers), number_words(changed, numbers)
    candidates = np.array([chance.randrange(len(numbers)) for _ in drafts.ids])
    places = np.concatenate([np.arange(len(line)) for line in changed])
    edits = Edits(places, places + 1, candidates)
    scores, variants = score_many(drafts, [references], edits, drafts.offsets)
    inverse = list(numbers)
    for index, (draft, reference) in enumerate(zip(changed, lines, strict=True)):
        expected = PEER.sentence_score(" ".join(draft), [" ".join(reference)]).score
        assert scores[index] == pytest.approx(expected, abs=1e-9)
        at = int(drafts.offsets[index]) + chance.randrange(len(draft))
        edited = [*draft[: places[at]], inverse[candidates[at]], *draft[places[at] + 1 :]]
        expected = PEER.sentence_score(" ".join(edited), [" ".join(reference)]).score
        assert variants[at] == pytest.approx(expected, abs=1e-9)
    assert len(scores) == 3000
