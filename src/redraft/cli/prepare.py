"""`redraft prepare`: parallel text to arrays, vocabularies and a manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli.console import progress, say
from redraft.cli.options import ForceOption, JsonOption, ThreadsOption, Tokens, TokensOption, resolve_threads
from redraft.errors import UserError

if TYPE_CHECKING:
    from redraft.corpus.cleaning import CleaningRules
    from redraft.corpus.parallel import Corpus
    from redraft.corpus.preparing import VocabularyRules


def prepare(
    output: Annotated[Path, typer.Option(help="Folder to write.", show_default=False)],
    source: Annotated[str | None, typer.Option(help="Source sentences, one a line.")] = None,
    reference: Annotated[str | None, typer.Option(help="Their translations.")] = None,
    draft: Annotated[str | None, typer.Option(help="Drafts of their translations.")] = None,
    table: Annotated[
        str | None, typer.Option("--input", help="One TSV or JSONL file with all sides, instead of one file each.")
    ] = None,
    columns: Annotated[
        str, typer.Option(help="What the columns of --input hold (TSV), or the fields to take (JSONL).")
    ] = "source,reference",
    source_language: Annotated[str | None, typer.Option(help="Language code.", show_default="from the name")] = None,
    target_language: Annotated[str | None, typer.Option(help="Language code.", show_default="from the name")] = None,
    tokens: TokensOption = Tokens.auto,
    clean: Annotated[bool, typer.Option(help="Leave out pairs that nothing good can be learned from.")] = True,
    max_tokens: Annotated[int, typer.Option(min=1, help="Longest sentence that is kept.")] = 175,
    max_ratio: Annotated[float, typer.Option(min=1.0, help="Longer side <= ratio x (shorter side + 2).")] = 4.0,
    source_words: Annotated[int, typer.Option(min=1, help="Largest source vocabulary.")] = 170_000,
    target_words: Annotated[int, typer.Option(min=1, help="Largest target vocabulary.")] = 120_000,
    min_count: Annotated[int, typer.Option(min=1, help="Rarer words are unknown.")] = 2,
    vocabulary: Annotated[
        Path | None,
        typer.Option(help="Take the vocabularies of this folder (a prepared corpus or a bundle) instead of new ones."),
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

    Sides come from separate files (--source, --reference, and --draft for triples) or from one TSV or JSONL file
    (--input). Plain, gzip and zstd are told apart by their content.
    """
    from redraft.corpus.analysing import Analysis
    from redraft.corpus.preparing import Settings
    from redraft.corpus.preparing import prepare as run
    from redraft.text import guess_language
    from redraft.workers import open_workers

    corpus = _open_corpus(source, draft, reference, table, columns)
    languages = (
        source_language or guess_language(source or "").code,
        target_language or guess_language(reference or "").code,
    )
    settings = Settings(
        Analysis(corpus.sides, *languages, tokens is Tokens.given, _cleaning(clean, max_tokens, max_ratio)),
        _vocabulary(vocabulary, source_words, target_words, min_count),
        {"network_validation": network_validation, "classifier": classifier, "selection": selection},
        folds,
        seed,
    )
    if output.exists() and not force:
        raise UserError(f"{output}: exists already; remove it, name another output or add --force")
    say(f"languages: {languages[0]} to {languages[1]} (change with --source-language, --target-language)")
    with open_workers(resolve_threads(threads)) as workers, progress("preparing", "pairs") as report:
        prepared = run(corpus, output, settings, workers, replace=force, report=report)
    if as_json:
        print(json.dumps(summarise(prepared.path), ensure_ascii=False))
    else:
        print_summary(prepared.path)


def _open_corpus(
    source: str | None, draft: str | None, reference: str | None, table: str | None, columns: str
) -> Corpus:
    from redraft.corpus.parallel import SeparateFiles, Table

    if table is not None:
        if source or draft or reference:
            raise typer.BadParameter("give either --input or files for each side, not both")
        return Table(table, [column.strip() for column in columns.split(",")])
    if source is None or reference is None:
        raise typer.BadParameter("give --source and --reference, or --input with all sides in one file")
    sides = {"source": source, "draft": draft, "reference": reference}
    return SeparateFiles({side: path for side, path in sides.items() if path is not None})


def _cleaning(clean: bool, max_tokens: int, max_ratio: float) -> CleaningRules | None:
    from redraft.corpus.cleaning import CleaningRules

    return CleaningRules(maximum_tokens=max_tokens, maximum_ratio=max_ratio) if clean else None


def _vocabulary(folder: Path | None, source: int, target: int, minimum: int) -> VocabularyRules:
    from redraft.corpus.preparing import VocabularyRules
    from redraft.text import Vocabulary

    if folder is None:
        return VocabularyRules(source, target, minimum)
    loaded = [Vocabulary.load(folder / name) for name in ("source.json", "target.json")]
    return VocabularyRules(source, target, minimum, *loaded)


def summarise(path: Path) -> dict[str, object]:
    """What a prepared corpus holds, for machines."""
    from dataclasses import asdict

    from redraft.corpus.prepared import PreparedCorpus
    from redraft.corpus.statistics import describe

    corpus = PreparedCorpus.open(path)
    manifest = corpus.manifest
    return {key: manifest[key] for key in ("sides", "read", "removed", "pairs")} | {
        "vocabulary": {"source": len(corpus.source_vocabulary), "target": len(corpus.target_vocabulary)},
        "parts": [asdict(part) for part in describe(corpus)],
    }


def print_summary(path: Path) -> None:
    """What a prepared corpus holds, for people."""
    from redraft.corpus.prepared import PreparedCorpus
    from redraft.corpus.statistics import describe

    corpus = PreparedCorpus.open(path)
    removed = {reason.replace("_", " "): count for reason, count in corpus.manifest["removed"].items() if count}
    why = f" ({', '.join(f'{count:,} {reason}' for reason, count in removed.items())})" if removed else ""
    print(f"{corpus.manifest['read']:,} pairs read, {sum(removed.values()):,} left out{why}, {len(corpus):,} kept")
    print(f"{'part':<20}{'side':<11}{'sentences':>10}{'tokens':>13}{'types':>10}{'coverage':>10}{'unknown':>9}")
    for part in describe(corpus):
        for side in part.sides:
            print(
                f"{part.part:<20}{side.side:<11}{side.sentences:>10,}{side.tokens:>13,}{side.types:>10,}"
                f"{side.coverage:>10.2%}{side.unknown_rate:>9.2%}"
            )
    sizes = f"{len(corpus.source_vocabulary):,} source and {len(corpus.target_vocabulary):,} target"
    print(f"vocabularies: {sizes} words; padding in batches: {describe(corpus)[0].padding:.1%}")
