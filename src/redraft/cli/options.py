"""Options that several commands share, each with one name, one type and one explanation."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated

import typer


class Tokens(StrEnum):
    """How text becomes tokens."""

    auto = "auto"
    given = "given"


TokensOption = Annotated[
    Tokens,
    typer.Option("--tokens", help="'auto' tokenises; 'given' takes white-space tokens as they are."),
]
SourceLanguageOption = Annotated[
    str | None, typer.Option("--source-language", help="Language code.", show_default="from the name")
]
TargetLanguageOption = Annotated[
    str | None, typer.Option("--target-language", help="Language code.", show_default="from the name")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace an output that exists already.")]
ThreadsOption = Annotated[
    int,
    typer.Option(
        "--threads", min=0, help="Processes to use; 0 means one per core.", show_default="all cores"
    ),
]


def resolve_threads(threads: int) -> int:
    """The number of processes that `--threads` asks for; 0 means as many as this process may run on."""
    return threads or len(os.sched_getaffinity(0))
