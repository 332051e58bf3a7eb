"""`redraft evaluate`: a draft and its refined versions side by side, with significance."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli.options import JsonOption, Tokens, TokensOption
from redraft.errors import UserError
from redraft.evaluate.plan import METRICS, Plan, Setting, Test

if TYPE_CHECKING:
    from redraft.evaluate.sides import Side
    from redraft.text import Language


class SettingChoice(StrEnum):
    """What the metrics get to see: one setting, or both one after the other."""

    cased = "cased"
    paper = "paper"
    both = "both"


def evaluate(
    draft: Annotated[
        str, typer.Option("--draft", metavar="FILE", help="The translation to measure, or to start from.")
    ],
    reference: Annotated[
        list[str], typer.Option("--reference", metavar="FILE", help="A reference; repeat it for several.")
    ],
    refined: Annotated[
        list[str] | None,
        typer.Option(
            "--refined", metavar="FILE", help="A refined version of the draft; repeat it for several."
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="FILE", help="The source; only its number of lines is checked."),
    ] = None,
    metrics: Annotated[
        str,
        typer.Option("--metrics", metavar="LIST", help="Of bleu, chrf and ter (slow), with commas between."),
    ] = "bleu,chrf",
    setting: Annotated[
        SettingChoice | None,
        typer.Option(
            "--setting",
            help="'cased': sacreBLEU's defaults. 'paper': lower-cased tokens, not tokenised again.",
            show_default="cased; paper with --tokens given",
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            "--language", metavar="CODE", help="Language of the translations.", show_default="by file name"
        ),
    ] = None,
    tokens: TokensOption = Tokens.auto,
    test: Annotated[
        Test, typer.Option("--test", help="How differences from the draft are tested.")
    ] = Test.bootstrap,
    samples: Annotated[
        int | None,
        typer.Option(
            "--samples", min=1, help="Samples of the test.", show_default="1000; randomisation 10000"
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the test.")] = 12345,
    json_output: JsonOption = False,
) -> None:
    """Measure a draft, and refined versions of it side by side.

    Prints scores with their signatures, differences with significance, length ratios, the share of the words
    that was edited, and whether that helped. Without --refined it measures the draft alone.
    """
    from redraft.evaluate.evaluation import evaluate as measure
    from redraft.evaluate.table import format_table
    from redraft.text import get_language, guess_language

    target = get_language(language) if language else guess_language(reference[0])
    given = tokens is Tokens.given
    plan = _make_plan(metrics, setting, test, samples, seed, target, given)
    sides = _read_sides(draft, refined or [], reference, source, target, given)
    last = 1 + len(refined or [])
    evaluation = measure(sides[0], sides[1:last], sides[last:], plan)
    if json_output:
        print(json.dumps(asdict(evaluation), ensure_ascii=False, indent=1))
    else:
        print(format_table(evaluation))


def _make_plan(
    metrics: str,
    setting: SettingChoice | None,
    test: Test,
    samples: int | None,
    seed: int,
    language: Language,
    given: bool,
) -> Plan:
    from redraft.evaluate.sides import describe_words

    # Text that is tokenised already must not be tokenised again.
    chosen = setting or (SettingChoice.paper if given else SettingChoice.cased)
    settings = (Setting.cased, Setting.paper) if chosen is SettingChoice.both else (Setting(chosen.value),)
    words = describe_words(language, given)
    return Plan(settings, _split_metrics(metrics), test, samples, seed, words)


def _split_metrics(metrics: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip().lower() for name in metrics.split(",")))
    unknown = [name for name in names if name not in METRICS]
    if unknown:
        raise typer.BadParameter(
            f"{unknown[0]!r} is no metric; choose from {', '.join(METRICS)}, with commas between",
            param_hint="'--metrics'",
        )
    return names


def _read_sides(
    draft: str, refined: list[str], references: list[str], source: str | None, language: Language, given: bool
) -> list[Side]:
    """The draft, the refined versions and the references; the source is read for its number of lines only."""
    from redraft.corpus.parallel import read_parallel
    from redraft.evaluate.sides import make_side

    paths = [draft, *refined, *references]
    titles = ["--draft", *_number("--refined", refined), *_number("--reference", references)]
    named = dict(zip(titles, paths, strict=True)) | ({"--source": source} if source else {})
    rows = list(read_parallel(named))
    if not rows:
        raise UserError(
            f"{draft}: has no lines, and neither have the other files; there is nothing to measure"
        )
    columns = list(zip(*rows, strict=True))[: len(paths)]
    names = _short_names(paths)
    return [make_side(name, list(lines), language, given) for name, lines in zip(names, columns, strict=True)]


def _number(title: str, paths: list[str]) -> list[str]:
    return [title] if len(paths) == 1 else [f"{title} {number}" for number in range(1, len(paths) + 1)]


def _short_names(paths: list[str]) -> list[str]:
    """File names, or whole paths where two files have the same name."""
    short = [Path(path).name or path for path in paths]
    return short if len(set(short)) == len(set(paths)) else paths
