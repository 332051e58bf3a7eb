"""`redraft inspect`: what a prepared corpus holds, and whether it is whole."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.options import JsonOption
from redraft.cli.prepare import print_corpus


def inspect(
    corpus: Annotated[Path, typer.Argument(help="A folder that `redraft prepare` wrote.")],
    verify: Annotated[bool, typer.Option("--verify", help="Compare the contents of all files too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the figures of a prepared corpus; a damaged or unfinished one is refused."""
    from redraft.corpus.prepared import PreparedCorpus

    print_corpus(PreparedCorpus.open(corpus, verify=verify), as_json)
