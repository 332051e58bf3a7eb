"""`redraft toy`: write a small synthetic parallel corpus to try things on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.console import say
from redraft.cli.options import ForceOption
from redraft.files import write_folder

_HELD_OUT = 1000


def toy(
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write; it must not exist yet.")],
    pairs: Annotated[int, typer.Option("--pairs", min=1, help="Sentence pairs for training.")] = 20_000,
    val: Annotated[
        int | None,
        typer.Option(
            "--val", min=1, help="Pairs for validation.", show_default="1000, or a tenth of --pairs if less"
        ),
    ] = None,
    test: Annotated[
        int | None,
        typer.Option(
            "--test", min=1, help="Pairs for testing.", show_default="1000, or a tenth of --pairs if less"
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed writes the same bytes.")] = 1,
    force: ForceOption = False,
) -> None:
    """Write a synthetic German-English corpus: train, val and test, each with a .de and an .en file."""
    from redraft.corpus.toy import make_toy_corpus, summarise, write_toy_corpus

    held_out = max(1, min(_HELD_OUT, pairs // 10))
    with write_folder(output, replace=force, proof="train.de") as folder:
        corpus = make_toy_corpus(pairs, val or held_out, test or held_out, seed)
        write_toy_corpus(corpus, folder)
    for part in summarise(corpus):
        say(
            f"{part.name:5} {part.pairs:7,} pairs ({part.distinct_pairs:,} distinct)"
            f"  de: {part.german_tokens:,} tokens, {part.german_types:,} types"
            f"  en: {part.english_tokens:,} tokens, {part.english_types:,} types"
        )
