"""`redraft inspect`: what a prepared corpus holds, and whether it is whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.options import JsonOption
from redraft.cli.prepare import print_summary, summarise


def inspect(
    corpus: Annotated[Path, typer.Argument(help="A folder that `redraft prepare` wrote.")],
    verify: Annotated[bool, typer.Option("--verify", help="Compare the contents of all files too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the figures of a prepared corpus; a damaged or unfinished one is refused."""
    from redraft.corpus.prepared import PreparedCorpus

    PreparedCorpus.open(corpus, verify=verify)
    if as_json:
        print(json.dumps(summarise(corpus), ensure_ascii=False))
    else:
        print_summary(corpus)
