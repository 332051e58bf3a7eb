"""`redraft detokenize`: tokens to text, with blanks and capitals where the language puts them."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from redraft.errors import UserError


def detokenize(
    path: Annotated[str, typer.Argument(metavar="[FILE]", help="Tokens with blanks between them.")] = "-",
    language: Annotated[str | None, typer.Option(help="Language code.", show_default="from the name")] = None,
    truecase: Annotated[
        Path | None, typer.Option(help="Case the words with this model (see `truecase`).")
    ] = None,
) -> None:
    """Write text: tokens joined as the language is spaced and, with a model, cased."""
    from redraft.corpus.reading import read_lines
    from redraft.text import detokenize as join
    from redraft.text import get_language, guess_language, tokenize
    from redraft.text.truecase import Truecase

    rules = get_language(language) if language else guess_language(path)
    model = Truecase.load(truecase) if truecase is not None else None
    if model is not None and not language and rules is get_language("generic"):
        rules = get_language(model.language)
    if model is not None and get_language(model.language) != rules:
        raise UserError(
            f"{truecase}: was learned from {model.language}, and the text is {language or rules.code}; "
            "give the model for this language"
        )
    lines = read_lines(path)
    while block := list(islice(lines, 1000)):
        sentences = [line.split() for line in block]
        if model is not None:  # {userName} stays as it is
            protected = [tokenize(line, rules, given=True).protected for line in block]
            fixed = [
                [i in spans for i in range(len(s))] for s, spans in zip(sentences, protected, strict=True)
            ]
            sentences = model.apply_all(sentences, fixed)
        for words in sentences:
            sys.stdout.write(join(words, rules) + "\n")
