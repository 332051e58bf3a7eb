"""Corpus metrics: sacreBLEU's figures with signatures that say how they were made, in both settings."""

from __future__ import annotations

import math

import pytest
import sacrebleu

from redraft.errors import UserError
from redraft.evaluate.plan import METRICS, Setting
from redraft.evaluate.scores import KINDS, Lengths, Measure, Score, measure_lengths
from redraft.evaluate.sides import Side, check_sides, describe_words, make_side
from redraft.text import get_language

ENGLISH = get_language("en")
DRAFT = ["The house, that he sees, is small.", "We are going home now."]
FIRST = ["The house he sees is small.", "We are going home."]
SECOND = ["The house that he is looking at is small.", "We now go home."]


def side(lines: list[str]) -> Side:
    return make_side("lines", lines, ENGLISH)


def measure(metric: str, setting: Setting, draft: list[str], *references: list[str]) -> Score:
    made = Measure(metric, [side(lines) for lines in references], setting, "redraft-en")
    return made.score(made.count(side(draft)))


@pytest.mark.parametrize("references", [[FIRST], [FIRST, SECOND]])
def test_cased_is_what_sacrebleu_gives_by_default(references: list[list[str]]) -> None:
    peers = (sacrebleu.corpus_bleu, sacrebleu.corpus_chrf, sacrebleu.corpus_ter)
    for metric, peer in zip(METRICS, peers, strict=True):
        assert measure(metric, Setting.cased, DRAFT, *references).value == pytest.approx(
            peer(DRAFT, references).score
        )


def test_paper_is_lower_cased_on_our_tokens() -> None:
    tokens = ["the house , that he sees , is small .", "we are going home now ."]
    against = ["the house he sees is small .", "we are going home ."]
    expected = sacrebleu.corpus_bleu(tokens, [against], tokenize="none", force=True).score
    shouted = [line.upper() for line in DRAFT]
    assert measure("bleu", Setting.paper, shouted, FIRST).value == pytest.approx(expected)
    assert measure("bleu", Setting.cased, shouted, FIRST).value < expected / 2


def test_signatures_say_how_the_score_was_made() -> None:
    version = sacrebleu.__version__
    cased = measure("bleu", Setting.cased, DRAFT, FIRST, SECOND)
    assert cased.signature == f"nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:{version}"
    paper = measure("bleu", Setting.paper, DRAFT, FIRST)
    assert paper.signature == f"nrefs:1|case:lc|eff:no|tok:none|smooth:exp|version:{version}|words:redraft-en"
    assert str(paper) == f"bleu|{paper.signature} = {paper.value:.2f}"
    assert "case:lc" in measure("chrf", Setting.paper, DRAFT, FIRST).signature


def test_given_tokens_stay_as_they_are() -> None:
    given = make_side("lines", ["don't stop-here ."], ENGLISH, given=True)
    assert given.words == [["don't", "stop-here", "."]]
    assert describe_words(ENGLISH, given=True) == "given"
    assert describe_words(ENGLISH).startswith("redraft-en-")


def test_lines_are_tokenised_in_blocks_without_a_seam() -> None:
    lines = [f"Line {number}, and more." for number in range(5000)]
    made = side(lines)
    assert len(made.words) == 5000
    assert made.words[4097] == ["Line", "4097", ",", "and", "more", "."]


def test_every_metric_that_can_be_asked_for_is_there() -> None:
    assert tuple(KINDS) == METRICS


@pytest.mark.parametrize("metric, better", [("bleu", "more"), ("ter", "less")])
def test_gain_is_positive_when_things_get_better(metric: str, better: str) -> None:
    made = Measure(metric, [side(FIRST)], Setting.cased, "")
    worse, best = made.count(side(DRAFT)).sum(axis=0), made.count(side(FIRST)).sum(axis=0)
    assert made.gain(worse, best) == abs(made.value(best) - made.value(worse)) > 0 > made.gain(best, worse)
    assert (made.value(best) > made.value(worse)) == (better == "more")


def test_lengths_as_bleu_counts_them() -> None:
    made = Measure("bleu", [side(["a b c d e", "a b"]), side(["a b c d", "a b c d e f"])], Setting.cased, "")
    # Nearest references: 4 words for "a b c", 2 for "a".
    assert measure_lengths(made.count(side(["a b c", "a"]))) == Lengths(4, 6, 4 / 6, math.exp(1 - 6 / 4))
    assert measure_lengths(made.count(side(["a b c d e f", "a b"]))) == Lengths(8, 7, 8 / 7, 1.0)
    assert measure_lengths(made.count(side(["", ""]))) == Lengths(0, 6, 0.0, 0.0)


def test_sides_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(UserError, match="short has 1 lines and long has 2"):
        check_sides([Side("long", ["a", "b"], [["a"], ["b"]]), Side("short", ["a"], [["a"]])])
    with pytest.raises(UserError, match="empty: has no lines"):
        check_sides([Side("empty", [], [])])
