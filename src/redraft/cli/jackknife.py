"""`redraft jackknife`: a draft for every training sentence by a system that has not seen it."""

from __future__ import annotations

import json
from pathlib import Path, PurePath
from typing import Annotated

import typer

from redraft.cli.console import progress, say
from redraft.cli.options import (
    ForceOption,
    JsonOption,
    SourceLanguageOption,
    TargetLanguageOption,
    ThreadsOption,
    Tokens,
    TokensOption,
    resolve_threads,
)
from redraft.errors import UserError


def jackknife(
    source: Annotated[str, typer.Option(help="Source sentences to learn from and to draft, one a line.")],
    reference: Annotated[str, typer.Option(help="Their translations.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write.", show_default=False)],
    drafter: Annotated[str, typer.Option(help="Kind of drafter: dictionary or thot.")] = "dictionary",
    also: Annotated[
        list[str] | None,
        typer.Option(help="Source sentences of another set, for the full system to draft; may be repeated."),
    ] = None,
    folds: Annotated[
        int, typer.Option(min=2, max=255, help="How many parts; each has a system of its own.")
    ] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Decides the folds.")] = 1,
    source_language: SourceLanguageOption = None,
    target_language: TargetLanguageOption = None,
    tokens: TokensOption = Tokens.auto,
    threads: ThreadsOption = 0,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make drafts to learn from: of every training sentence, by a system that has not seen it.

    The pairs are cut into folds, pairs that say the same into the same one, and a system is trained without
    each fold to draft its sentences. A run that was stopped goes on when the same command is given again.
    """
    from redraft.drafting import Jackknife, TokenSettings, run_jackknife
    from redraft.text import guess_language
    from redraft.workers import open_workers

    settings = TokenSettings(
        source_language or guess_language(source).code,
        target_language or guess_language(reference).code,
        tokens is Tokens.given,
    )
    task = Jackknife(
        drafter, source, reference, settings, _name_sets(also or []), set_name(source), folds, seed
    )
    with (
        open_workers(resolve_threads(threads)) as workers,
        progress("drafting", "sentences") as report,
    ):
        made = run_jackknife(task, output, workers, force=force, report=report, say=say)
    if not made:
        say(f"{output}: is there already, made from these inputs with these settings")
    names = [task.name, *task.also]
    if as_json:
        print(json.dumps({name: str(output / f"{name}.draft") for name in names}, ensure_ascii=False))
    else:
        for name in names:
            print(output / f"{name}.draft")


def set_name(path: str) -> str:
    """What a set is called: the name of its file up to the first period (data/train.de.gz: train)."""
    return PurePath(path).name.split(".")[0] or PurePath(path).name


def _name_sets(paths: list[str]) -> dict[str, str]:
    sets: dict[str, str] = {}
    for path in paths:
        name = set_name(path)
        if name in sets:
            raise UserError(
                f"{sets[name]} and {path} would both be written to {name}.draft; rename one of them"
            )
        sets[name] = path
    return sets
