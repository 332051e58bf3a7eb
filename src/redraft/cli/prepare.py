"""`redraft prepare`: parallel text to arrays, vocabularies and a manifest."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from redraft.files import check_output_folder

if TYPE_CHECKING:
    from redraft.corpus.cleaning import CleaningRules
    from redraft.corpus.parallel import Corpus
    from redraft.corpus.prepared import PreparedCorpus
    from redraft.corpus.preparing import VocabularyRules
    from redraft.corpus.statistics import PartStatistics

_ROW = "{:<20}{:<11}{:>10}{:>13}{:>10}{:>10}{:>9}"


def prepare(
    output: Annotated[Path, typer.Option(help="Folder to write.", show_default=False)],
    source: Annotated[str | None, typer.Option(help="Source sentences, one a line.")] = None,
    reference: Annotated[str | None, typer.Option(help="Their translations.")] = None,
    draft: Annotated[str | None, typer.Option(help="Drafts of their translations.")] = None,
    table: Annotated[
        str | None,
        typer.Option("--input", help="One TSV or JSONL file with all sides, instead of one file each."),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            help="What the columns of --input hold (TSV), or the fields to take (JSONL).",
            show_default="source,reference",
        ),
    ] = None,
    source_language: SourceLanguageOption = None,
    target_language: TargetLanguageOption = None,
    tokens: TokensOption = Tokens.auto,
    clean: Annotated[
        bool, typer.Option(help="Leave out pairs that nothing good can be learned from.")
    ] = True,
    max_tokens: Annotated[int, typer.Option(min=1, help="Longest sentence that is kept.")] = 175,
    max_ratio: Annotated[
        float, typer.Option(min=1.0, help="Longer side <= ratio x (shorter side + 2).")
    ] = 4.0,
    source_words: Annotated[int, typer.Option(min=1, help="Largest source vocabulary.")] = 170_000,
    target_words: Annotated[int, typer.Option(min=1, help="Largest target vocabulary.")] = 120_000,
    min_count: Annotated[int, typer.Option(min=1, help="Rarer words are unknown.")] = 2,
    vocabulary: Annotated[
        Path | None,
        typer.Option(
            help="Take the vocabularies of this folder (a prepared corpus or a bundle) instead of new ones."
        ),
    ] = None,
    network_validation: Annotated[int, typer.Option(min=0, help="Pairs for network validation.")] = 0,
    classifier: Annotated[int, typer.Option(min=0, help="Pairs for the classifier.")] = 0,
    selection: Annotated[int, typer.Option(min=0, help="Pairs for selection.")] = 0,
    folds: Annotated[int, typer.Option(min=1, max=255, help="Folds for the jackknife.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Decides parts and folds.")] = 1,
    threads: ThreadsOption = 0,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Turn parallel text into training arrays, vocabularies and a manifest.

    Sides come from separate files (--source, --reference, and --draft for triples) or from one TSV or JSONL
    file (--input). Plain, gzip and zstd are told apart by their content.
    """
    from redraft.corpus.analysing import Analysis
    from redraft.corpus.prepared import MANIFEST
    from redraft.corpus.preparing import Settings
    from redraft.corpus.preparing import prepare as run
    from redraft.text import guess_language
    from redraft.workers import open_workers

    corpus = _open_corpus(source, draft, reference, table, columns)
    words = _vocabulary(vocabulary, source_words, target_words, min_count)
    languages = (
        source_language or (words.source.language if words.source else guess_language(source or "").code),
        target_language or (words.target.language if words.target else guess_language(reference or "").code),
    )
    settings = Settings(
        Analysis(corpus.sides, *languages, tokens is Tokens.given, _cleaning(clean, max_tokens, max_ratio)),
        words,
        {"network_validation": network_validation, "classifier": classifier, "selection": selection},
        folds,
        seed,
    )
    check_output_folder(output, force, proof=MANIFEST)
    with open_workers(resolve_threads(threads)) as workers, progress("preparing", "pairs") as report:
        prepared = run(corpus, output, settings, workers, replace=force, report=report)
    say(f"languages: {languages[0]} to {languages[1]} (change with --source-language, --target-language)")
    print_corpus(prepared, as_json)


def _open_corpus(
    source: str | None, draft: str | None, reference: str | None, table: str | None, columns: str | None
) -> Corpus:
    from redraft.corpus.parallel import SeparateFiles, Table

    if table is not None:
        if not (source is draft is reference is None):
            raise typer.BadParameter("give it or files for each side, not both", param_hint="'--input'")
        return Table(table, [column.strip() for column in (columns or "source,reference").split(",")])
    if columns is not None:
        raise typer.BadParameter("it says what --input holds, and there is none", param_hint="'--columns'")
    if source is None or reference is None:
        missing = "--source" if source is None else "--reference"
        advice = "it is missing; give --source and --reference, or --input with all sides in one file"
        raise typer.BadParameter(advice, param_hint=f"'{missing}'")
    sides = {"source": source, "draft": draft, "reference": reference}
    return SeparateFiles({side: path for side, path in sides.items() if path is not None})


def _cleaning(clean: bool, max_tokens: int, max_ratio: float) -> CleaningRules | None:
    from redraft.corpus.cleaning import CleaningRules

    if not math.isfinite(max_ratio):
        raise typer.BadParameter("expected a finite number", param_hint="'--max-ratio'")
    return CleaningRules(maximum_tokens=max_tokens, maximum_ratio=max_ratio) if clean else None


def _vocabulary(folder: Path | None, source: int, target: int, minimum: int) -> VocabularyRules:
    from redraft.corpus.preparing import VocabularyRules
    from redraft.text import Vocabulary

    if folder is None:
        return VocabularyRules(source, target, minimum)
    missing = [name for name in ("source.json", "target.json") if not (folder / name).is_file()]
    if missing:
        raise UserError(f"{folder}: has no {missing[0]}, so there are no vocabularies to take from it")
    loaded = [Vocabulary.load(folder / name) for name in ("source.json", "target.json")]
    return VocabularyRules(source, target, minimum, *loaded)


def print_corpus(corpus: PreparedCorpus, as_json: bool) -> None:
    """What a prepared corpus holds, for people or for machines."""
    from redraft.corpus.statistics import describe

    parts = describe(corpus)
    if as_json:
        print(json.dumps(_summarise(corpus, parts), ensure_ascii=False))
    else:
        _print_table(corpus, parts)


def _summarise(corpus: PreparedCorpus, parts: list[PartStatistics]) -> dict[str, object]:
    manifest = corpus.manifest
    return {key: manifest[key] for key in ("sides", "read", "removed", "pairs")} | {
        "vocabulary": {"source": len(corpus.source_vocabulary), "target": len(corpus.target_vocabulary)},
        "parts": [asdict(part) for part in parts],
    }


def _print_table(corpus: PreparedCorpus, parts: list[PartStatistics]) -> None:
    removed = {reason: count for reason, count in corpus.manifest["removed"].items() if count}
    reasons = ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in removed.items())
    left_out = f"{sum(removed.values()):,} left out{f' ({reasons})' if reasons else ''}"
    print(f"{corpus.manifest['read']:,} pairs read, {left_out}, {len(corpus):,} kept")
    print(_ROW.format("part", "side", "sentences", "tokens", "types", "coverage", "unknown"))
    for part in parts:
        for side in part.sides:
            counts = (f"{count:,}" for count in (side.sentences, side.tokens, side.types))
            shares = (f"{share:.2%}" for share in (side.coverage, side.unknown_rate))
            print(_ROW.format(part.part, side.side, *counts, *shares))
    sizes = f"{len(corpus.source_vocabulary):,} source and {len(corpus.target_vocabulary):,} target"
    print(f"vocabularies: {sizes} words; padding in batches: {parts[0].padding:.1%}")
