"""`redraft detect`: which words of a draft are wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redraft.cli.options import Tokens, TokensOption
from redraft.cli.train import choose_device, import_torch
from redraft.errors import UserError

if TYPE_CHECKING:
    from redraft.bundle import Bundle
    from redraft.corpus.parallel import Corpus

BLOCK_LINES = 500


def detect(
    model: Annotated[Path, typer.Option(help="A model with a detector.", show_default=False)],
    source: Annotated[str | None, typer.Option(help="Source sentences, one a line.")] = None,
    draft: Annotated[str | None, typer.Option(help="Drafts of their translations.")] = None,
    output: Annotated[
        Path | None, typer.Option(help="File to write.", show_default="standard output")
    ] = None,
    scores: Annotated[
        bool, typer.Option("--scores", help="Print how probable a mistake each word is.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line: tokens, offsets, tags, scores.")
    ] = False,
    threshold: Annotated[
        float | None, typer.Option(help="A word is BAD from this probability on.", show_default="the model's")
    ] = None,
    tokens: TokensOption = Tokens.auto,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
) -> None:
    """Write one OK or BAD for each token of a draft, in the format of the WMT word-level task.

    Without --source and --draft, lines of source<TAB>draft are read from standard input.
    """
    import_torch()
    from redraft.bundle import Bundle
    from redraft.corpus.parallel import SeparateFiles, Table
    from redraft.files import write_file

    if (source is None) != (draft is None):
        raise typer.BadParameter("give both --source and --draft, or neither and source<TAB>draft lines")
    bundle = Bundle.open(model)
    corpus: Corpus = Table("-", ("source", "draft"), "tsv")
    if source is not None and draft is not None:
        corpus = SeparateFiles({"source": source, "draft": draft})
    limit = bundle.config["facts"].get("detector_threshold", 0.5) if threshold is None else threshold
    lines = _judge(bundle, corpus, tokens is Tokens.given, choose_device(device), limit, scores, as_json)
    if output is None:
        for line in lines:
            sys.stdout.write(line + "\n")
        return
    with write_file(output) as stream:
        for line in lines:
            stream.write(line + "\n")


def _judge(
    bundle: Bundle,
    corpus: Corpus,
    given: bool,
    device: Any,
    threshold: float,
    scores: bool,
    as_json: bool,
) -> Iterator[str]:
    """One line for each pair, block by block."""
    from redraft.training.measures import find_mistakes

    if not 0 <= threshold <= 1:
        raise UserError(f"--threshold {threshold}: expected a number from 0 to 1")
    detector = bundle.detector(device)
    for block in corpus.blocks(BLOCK_LINES):
        tokens, ids = _encode(bundle, block, given)
        for words, found in zip(tokens, find_mistakes(detector, *ids, device), strict=True):
            tags = ["BAD" if probability >= threshold else "OK" for probability in found.tolist()]
            if as_json:
                values = [round(probability, 4) for probability in found.tolist()]
                record = {"tokens": words.words, "starts": words.starts, "ends": words.ends}
                yield json.dumps(record | {"tags": tags, "scores": values}, ensure_ascii=False)
            else:
                yield " ".join(f"{probability:.4f}" for probability in found) if scores else " ".join(tags)


def _encode(
    bundle: Bundle, block: tuple[list[str], ...], given: bool
) -> tuple[list[Any], tuple[list[Any], list[Any]]]:
    """The draft's tokens, and the ids of both sides."""
    import numpy as np

    from redraft.text import get_language, normalize_all, tokenize

    sides = []
    for side, vocabulary in enumerate((bundle.source, bundle.target)):
        language = get_language(vocabulary.language)
        found = [tokenize(line, language, given) for line in block[side]]
        sides.append(
            (found, [np.array(vocabulary.ids(normalize_all(t.words)), dtype=np.int32) for t in found])
        )
    return sides[1][0], (sides[0][1], sides[1][1])
