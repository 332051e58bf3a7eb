"""`redraft tokenize`: text to tokens, one sentence a line."""

from __future__ import annotations

import sys
from itertools import islice
from typing import Annotated

import typer

from redraft.cli.options import Tokens, TokensOption


def tokenize(
    path: Annotated[str, typer.Argument(metavar="[FILE]", help="Text, one sentence a line.")] = "-",
    language: Annotated[str | None, typer.Option(help="Language code.", show_default="from the name")] = None,
    normalized: Annotated[
        bool, typer.Option("--normalized", help="Lower-case, and numbers as <num>: what the networks see.")
    ] = False,
    tokens: TokensOption = Tokens.auto,
) -> None:
    """Write tokens with blanks between them, in the conventions of the Moses tokeniser, without escaping."""
    from redraft.corpus.reading import read_lines
    from redraft.text import get_language, guess_language, normalize_all, tokenize_block, words_of

    rules = get_language(language) if language else guess_language(path)
    lines = read_lines(path)
    while block := list(islice(lines, 1000)):
        for words in words_of(tokenize_block(block, rules, tokens is Tokens.given)):
            sys.stdout.write(" ".join(normalize_all(words) if normalized else words) + "\n")
