"""`redraft detect`: which words of a draft are wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redraft.cli.options import Tokens, TokensOption
from redraft.cli.train import choose_device, import_torch
from redraft.errors import UserError

if TYPE_CHECKING:
    from redraft.bundle import Bundle
    from redraft.corpus.parallel import Corpus
    from redraft.text import Tokens as Tokens_

    Form = Callable[[Tokens_, list[str], list[float]], str]

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
    marked: Annotated[
        bool,
        typer.Option("--marked", help="Print the drafts with BAD words in brackets, or red on a terminal."),
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
    lines = _judge(
        bundle,
        corpus,
        tokens is Tokens.given,
        choose_device(device),
        limit,
        _form(scores, as_json, marked, output),
    )
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
    form: Form,
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
            yield form(words, tags, found.tolist())


def _form(scores: bool, as_json: bool, marked: bool, output: Path | None) -> Form:
    """How a sentence is printed."""
    if scores + as_json + marked > 1:
        raise typer.BadParameter("--scores, --json and --marked exclude each other; give one of them")
    if as_json:
        return _as_json
    if marked:
        return partial(_as_marked, colours=output is None and sys.stdout.isatty())
    return _as_scores if scores else lambda _words, tags, _scores: " ".join(tags)


def _as_scores(words: Tokens_, tags: list[str], scores: list[float]) -> str:
    return " ".join(f"{score:.4f}" for score in scores)


def _as_json(words: Tokens_, tags: list[str], scores: list[float]) -> str:
    record = {"tokens": words.words, "starts": words.starts, "ends": words.ends}
    values = [round(score, 4) for score in scores]
    return json.dumps(record | {"tags": tags, "scores": values}, ensure_ascii=False)


def _as_marked(words: Tokens_, tags: list[str], scores: list[float], colours: bool) -> str:
    """The draft as it stands, every byte of it, with marks round the wrong words."""
    before, after = ("\x1b[1;31m", "\x1b[0m") if colours else ("[", "]")
    pieces, place = [], 0
    for start, end, tag in zip(words.starts, words.ends, tags, strict=True):
        word = words.text[start:end]
        pieces += [words.text[place:start], f"{before}{word}{after}" if tag == "BAD" else word]
        place = end
    return "".join([*pieces, words.text[place:]])


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
