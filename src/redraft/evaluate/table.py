"""An evaluation as aligned plain text: one column a system, then how the figures were made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from redraft.evaluate.edits import Verdicts
from redraft.evaluate.evaluation import Evaluation, Figure, System

T = TypeVar("T")
NAMES = {"bleu": "BLEU", "chrf": "chrF", "ter": "TER"}
Row = tuple[str, ...]


def format_table(evaluation: Evaluation) -> str:
    """The whole report; verdicts read raised / lowered / left."""
    systems = [evaluation.draft, *evaluation.refined]
    rows: list[Row] = [("", *(system.name for system in systems))]
    for number in range(len(evaluation.draft.figures)):
        rows += _figure_rows([system.figures[number] for system in systems])
    for setting in evaluation.draft.lengths:
        lengths = [system.lengths[setting] for system in systems]
        rows.append((f"length ratio, {setting}", *(f"{length.ratio:.4f}" for length in lengths)))
        rows.append(("  brevity penalty", *(f"{length.brevity_penalty:.4f}" for length in lengths)))
    if evaluation.refined:
        rows += _edit_rows(systems)
    return "\n".join([_title(evaluation), "", *_align(rows), "", *_notes(evaluation)])


def _title(evaluation: Evaluation) -> str:
    count = evaluation.sentences
    return f"{count} sentence{'s' * (count != 1)} against {', '.join(evaluation.references)}"


def _figure_rows(figures: Sequence[Figure]) -> list[Row]:
    """A metric, and how each refined version differs from the draft."""
    first = figures[0]
    rows: list[Row] = [
        (
            f"{NAMES[first.score.metric]}, {first.setting}",
            *(f"{figure.score.value:.2f}" for figure in figures),
        )
    ]
    if len(figures) == 1:
        return rows
    rows.append(("  gain", *(_if(figure.gain, _signed) for figure in figures)))
    if figures[1].comparison:
        tested = [figure.comparison for figure in figures]
        rows.append(
            ("  95 % interval", *(_if(c, lambda c: f"{_signed(c.low)} to {_signed(c.high)}") for c in tested))
        )
        rows.append(("  p", *(_if(c, lambda c: f"{c.p_value:.4f}") for c in tested)))
    rows.append(("  gain per 1 % edited", *(_if(figure.gain_per_edit, _signed) for figure in figures)))
    return rows


def _edit_rows(systems: Sequence[System]) -> list[Row]:
    """What was edited, and how sentence BLEU judges it. The draft's column stays empty."""
    edits = [system.edits for system in systems if system.edits]
    rows: list[Row] = [
        ("words edited", "", *(f"{e.edit_rate:.2f} %" for e in edits)),
        ("sentences changed", "", *(f"{e.changed_sentences.total} of {e.sentences}" for e in edits)),
        ("  raised / lowered / left", "", *(_verdicts(e.changed_sentences) for e in edits)),
    ]
    for kind in edits[0].single_edits:
        rows.append((f"{kind}s", "", *(str(e.single_edits[kind].total) for e in edits)))
        rows.append(("  raise / lower / leave", "", *(_verdicts(e.single_edits[kind]) for e in edits)))
    return rows


def _verdicts(verdicts: Verdicts) -> str:
    return f"{verdicts.raised} / {verdicts.lowered} / {verdicts.left}"


def _notes(evaluation: Evaluation) -> list[str]:
    """Where the figures come from: everything that is needed to make them again."""
    notes = [
        f"{NAMES[figure.score.metric]}, {figure.setting}: {figure.score.signature}"
        for figure in evaluation.draft.figures
    ]
    tested = [f.comparison for system in evaluation.refined for f in system.figures if f.comparison]
    if tested:
        notes.append(
            f"p, interval: paired {tested[0].test}, {tested[0].samples} samples, seed {tested[0].seed}"
        )
    return [*notes, f"words: {evaluation.words}"]


def _if(value: T | None, form: Callable[[T], str]) -> str:
    return "" if value is None else form(value)


def _signed(value: float) -> str:
    return f"{round(value, 2) + 0.0:+.2f}"  # adding 0.0 turns minus zero into zero


def _align(rows: Sequence[Row]) -> list[str]:
    """Names to the left, figures to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        ).rstrip()
        for row in rows
    ]
