"""`redraft truecase`: learn how words are cased."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.console import say
from redraft.cli.options import Tokens, TokensOption
from redraft.errors import UserError


def truecase(
    texts: Annotated[list[str], typer.Argument(metavar="TEXT...", help="Cased text, one sentence a line.")],
    output: Annotated[Path, typer.Option(help="File to write the model to.", show_default=False)],
    language: Annotated[
        str | None, typer.Option(help="Language code.", show_default="from the first name")
    ] = None,
    tokens: TokensOption = Tokens.auto,
) -> None:
    """Learn a truecase model from cased text. The files are read twice, so they cannot be a pipe."""
    from redraft.corpus.reading import STANDARD_INPUT, read_lines
    from redraft.text import guess_language
    from redraft.text.truecase import Truecase

    if STANDARD_INPUT in texts:
        raise UserError("the text is read twice and cannot come from standard input; name files")
    code = language or guess_language(texts[0]).code
    given = tokens is Tokens.given
    model = Truecase.learn(lambda: chain.from_iterable(read_lines(path) for path in texts), code, given)
    if model.known.size == 0:
        raise UserError(f"{', '.join(texts)}: no word occurs often enough to learn from; give more text")
    model.save(output)
    say(f"{output}: {model.known.size:,} known words, {len(model.special):,} special forms, language {code}")
