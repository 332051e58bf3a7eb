"""A draft and its refined versions side by side: scores, differences, edits, as data for a table or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redraft.evaluate.edits import EditCounts, count_edits
from redraft.evaluate.plan import Plan, Setting, Test
from redraft.evaluate.scores import Lengths, Measure, Score, Statistics, measure_lengths
from redraft.evaluate.sides import Side, check_sides
from redraft.evaluate.significance import Comparison, compare


@dataclass(frozen=True)
class Figure:
    """One metric of one system in one setting; a refined one also against the draft."""

    setting: str
    score: Score
    gain: float | None = None  # by how much better than the draft: positive is good, for TER too
    gain_per_edit: float | None = None  # gain per per cent of the draft's words edited; None without edits
    comparison: Comparison | None = None


@dataclass(frozen=True)
class System:
    """A draft or a refined version with its figures."""

    name: str
    figures: list[Figure]
    lengths: dict[str, Lengths]  # by setting
    edits: EditCounts | None = None


@dataclass(frozen=True)
class Evaluation:
    """Everything that `redraft evaluate` reports."""

    sentences: int
    references: list[str]
    words: str
    draft: System
    refined: list[System]


def evaluate(draft: Side, refined: Sequence[Side], references: Sequence[Side], plan: Plan) -> Evaluation:
    """Measure a draft, and each refined version of it beside it."""
    sides = [draft, *refined]
    check_sides([*sides, *references])
    edits = _count_all_edits(sides, references, plan)
    figures: list[list[Figure]] = [[] for _ in sides]
    lengths: list[dict[str, Lengths]] = [{} for _ in sides]
    for setting in plan.settings:
        for metric in dict.fromkeys(["bleu", *plan.metrics]):  # lengths come from BLEU's counts in any case
            measure = Measure(metric, references, setting, plan.words)
            counts = [measure.count(side) for side in sides]
            if metric == "bleu":
                for known, statistics in zip(lengths, counts, strict=True):
                    known[setting.value] = measure_lengths(statistics)
            if metric in plan.metrics:
                for row, figure in zip(figures, _compare_all(measure, counts, edits, plan), strict=True):
                    row.append(figure)
    systems = [
        System(side.name, found, length, edited)
        for side, found, length, edited in zip(sides, figures, lengths, [None, *edits], strict=True)
    ]
    return Evaluation(len(draft), [side.name for side in references], plan.words, systems[0], systems[1:])


def _count_all_edits(sides: Sequence[Side], references: Sequence[Side], plan: Plan) -> list[EditCounts]:
    """Edits on words as the figures see them: in lower case where every setting lower-cases."""
    if all(setting is Setting.paper for setting in plan.settings):
        sides, references = [side.lowered() for side in sides], [side.lowered() for side in references]
    return [count_edits(sides[0], refined, references) for refined in sides[1:]]


def _compare_all(
    measure: Measure, counts: list[Statistics], edits: list[EditCounts], plan: Plan
) -> list[Figure]:
    """One metric of all systems, the draft's first."""
    base, *others = counts
    draft = measure.score(base)
    figures = [Figure(measure.setting.value, draft)]
    for statistics, edited in zip(others, edits, strict=True):
        gain = measure.gain(base.sum(axis=0), statistics.sum(axis=0))
        ratio = gain / edited.edit_rate if edited.edit_rate else None
        tested = plan.test is not Test.none
        comparison = (
            compare(measure, base, statistics, plan.test, plan.seed, plan.samples) if tested else None
        )
        figures.append(Figure(measure.setting.value, measure.score(statistics), gain, ratio, comparison))
    return figures
