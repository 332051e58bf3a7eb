"""`redraft embeddings`: make word embeddings of a prepared corpus, and show the neighbours of words."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli.console import say
from redraft.cli.options import ForceOption, JsonOption
from redraft.errors import UserError

if TYPE_CHECKING:
    from redraft.corpus.prepared import PreparedCorpus, Side
    from redraft.model.embeddings import Embeddings, Neighbours


def embeddings(
    file: Annotated[Path, typer.Argument(help="The embeddings; with --corpus, the file to write.")],
    words: Annotated[
        list[str] | None,
        typer.Argument(help="Words to show neighbours of; '-' reads them.", show_default=False),
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option(help="Make the embeddings of this folder that `redraft prepare` wrote.")
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="Neighbours to show of each word.")] = 10,
    dimensions: Annotated[int, typer.Option(min=1, help="Length of a word's row.")] = 256,
    context_words: Annotated[
        int, typer.Option(min=1, help="Most frequent words of each language counted.")
    ] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Decides rows of words that never occur.")] = 1,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show the neighbours of words in both languages, by cosine; with --corpus, make the embeddings first.

    Embeddings are made of the training part, by Hellinger PCA of its co-occurrence matrix.
    """
    try:
        from redraft.model.embeddings import Embeddings
    except ModuleNotFoundError as error:
        raise UserError(f"embeddings need {error.name}; install it: pip install 'redraft[train]'") from error

    if corpus is None:
        loaded = Embeddings.load(file)
    else:
        if file.exists() and not force:
            raise UserError(f"{file}: exists already; remove it, name another output or add --force")
        from redraft.corpus.prepared import PreparedCorpus

        loaded = make_embeddings(PreparedCorpus.open(corpus), dimensions, context_words, seed)
        loaded.save(file)
    if not words:
        _print_summary(loaded, as_json)
        return
    found = _find(loaded, file, sys.stdin.read().split() if words == ["-"] else words, count)
    if as_json:
        print(json.dumps([{"word": word} | asdict(near) for word, near in found], ensure_ascii=False))
    else:
        print("\n\n".join(_format(word, near, loaded) for word, near in found))


def make_embeddings(corpus: PreparedCorpus, dimensions: int, context_words: int, seed: int) -> Embeddings:
    """Hellinger PCA of the training part of a prepared corpus."""
    from redraft.model.embeddings import Embeddings, WordVectors, hellinger_pca

    vocabularies = corpus.source_vocabulary, corpus.target_vocabulary
    sizes = f"{len(vocabularies[0]):,} source and {len(vocabularies[1]):,} target words"
    source_side, target_side = (_training_side(corpus, name) for name in ("source", "reference"))
    pairs = len(source_side.lengths)
    say(f"making embeddings of {sizes} from {pairs:,} pairs")
    tables = hellinger_pca(
        source_side,
        target_side,
        len(vocabularies[0]),
        len(vocabularies[1]),
        dimensions,
        context_words,
        seed,
    )
    source, target = (
        WordVectors(vocabulary.language, vocabulary.words, table)
        for vocabulary, table in zip(vocabularies, tables, strict=True)
    )
    settings = {"dimensions": dimensions, "context_words": context_words, "seed": seed, "pairs": pairs}
    return Embeddings(source, target, settings)


def _training_side(corpus: PreparedCorpus, name: str) -> Side:
    """The sentences of the training part; what networks are judged by must not shape what they start from."""
    import numpy as np

    from redraft.corpus.prepared import Side

    side = corpus.side(name)
    chosen = np.zeros(len(corpus), dtype=np.bool_)
    chosen[corpus.part("training")] = True
    offsets = np.concatenate([[0], np.cumsum(side.lengths[chosen])])
    return Side(side.ids[np.repeat(chosen, side.lengths)], offsets)


def _find(embeddings: Embeddings, file: Path, words: list[str], count: int) -> list[tuple[str, Neighbours]]:
    from redraft.text import normalize

    found = []
    for word in words:
        normal = normalize(word)
        near = embeddings.neighbours(normal, count)
        if not near:
            languages = f"neither in {embeddings.source.language} nor in {embeddings.target.language}"
            raise UserError(f"{file}: does not have {normal!r}, {languages}; try another form of it")
        found += [(normal, entry) for entry in near]
    return found


def _format(word: str, near: Neighbours, embeddings: Embeddings) -> str:
    """One word's neighbours as two columns, its own language on the left."""
    own, other = embeddings.source.language, embeddings.target.language
    if near.language != own:
        own, other = other, own
    lines = [f"{word} ({near.language})", f"  {own:<32}{other}"]
    columns = ([f"{found.cosine:.3f} {found.word}" for found in side] for side in (near.within, near.across))
    rows = zip_longest(*columns, fillvalue="")
    return "\n".join([*lines, *(f"  {left:<31} {right}".rstrip() for left, right in rows)])


def _print_summary(embeddings: Embeddings, as_json: bool) -> None:
    sides = {"source": embeddings.source, "target": embeddings.target}
    if as_json:
        sizes = {name: {"language": side.language, "words": len(side.words)} for name, side in sides.items()}
        print(json.dumps({**sizes, **embeddings.settings}))
        return
    words = " and ".join(f"{len(side.words):,} {side.language}" for side in sides.values())
    settings = ", ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in embeddings.settings.items())
    print(f"{words} words; {settings}")
