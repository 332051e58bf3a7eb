"""`redraft draft`: source sentences to drafts, by any kind of drafter."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli.console import progress, say
from redraft.cli.options import (
    ForceOption,
    SourceLanguageOption,
    TargetLanguageOption,
    Tokens,
    TokensOption,
)

if TYPE_CHECKING:
    from redraft.drafting import Drafter, TokenSettings


class Kind(StrEnum):
    """Kinds of drafters."""

    dictionary = "dictionary"
    thot = "thot"
    command = "command"
    file = "file"


# The options that say where a kind of drafter takes its drafts from; one of them must be there.
_ORIGINS = {
    Kind.dictionary: ("--model", "--train-source", "--table"),
    Kind.thot: ("--model", "--train-source"),
    Kind.command: ("--command",),
    Kind.file: ("--drafts",),
}


def draft(
    drafter: Annotated[
        Kind | None, typer.Option(help="Kind of drafter.", show_default="what --model is")
    ] = None,
    source: Annotated[str, typer.Option(help="Source sentences, one a line.")] = "-",
    output: Annotated[str, typer.Option("--output", "-o", help="File for the drafts.")] = "-",
    model: Annotated[
        Path | None, typer.Option(help="A trained drafter: a folder of --save or the model/ of a jackknife.")
    ] = None,
    train_source: Annotated[str | None, typer.Option(help="Source sentences to learn from first.")] = None,
    train_reference: Annotated[str | None, typer.Option(help="Their translations.")] = None,
    save: Annotated[Path | None, typer.Option(help="Folder to keep in what was learned.")] = None,
    table: Annotated[
        str | None,
        typer.Option(help="dictionary: your own, lines of word<TAB>translation[<TAB>probability]."),
    ] = None,
    command: Annotated[
        str | None, typer.Option(help="command: a program that prints a draft for each line that it reads.")
    ] = None,
    batch_size: Annotated[
        int, typer.Option(min=1, help="command: lines for which the program is started once.")
    ] = 1000,
    timeout: Annotated[float, typer.Option(min=0.001, help="command: seconds for one batch.")] = 600.0,
    drafts: Annotated[str | None, typer.Option(help="file: drafts that are there already.")] = None,
    source_language: SourceLanguageOption = None,
    target_language: TargetLanguageOption = None,
    tokens: TokensOption = Tokens.auto,
    force: ForceOption = False,
) -> None:
    """Translate source sentences into drafts.

    dictionary and thot write lower-cased tokens with blanks between; they need a trained --model, or text
    to learn from (--train-source and --train-reference). command and file write lines as they get them.
    """
    given = {
        "--model": model,
        "--train-source": train_source,
        "--table": table,
        "--command": command,
        "--drafts": drafts,
    }
    kind = _check_options(drafter, [name for name, value in given.items() if value is not None])
    if (train_source is None) != (train_reference is None):
        raise typer.BadParameter("--train-source and --train-reference go together; give both")
    if save is not None and train_source is None:
        raise typer.BadParameter("--save keeps what is learned from --train-source, which is missing")
    from redraft.drafting import CommandDrafter, FileDrafter, open_drafter

    if train_source is not None and train_reference is not None and kind is not None:
        settings = _tokens(source_language, target_language, train_source, train_reference, tokens)
        with _trained(kind, settings, train_source, train_reference, save, force) as opened:
            _write(opened, source, output)
    elif table is not None:
        _write(
            _open_table(table, _tokens(source_language, target_language, source, "", tokens)), source, output
        )
    elif command is not None:
        _write(CommandDrafter.from_line(command, batch_size, timeout), source, output)
    elif drafts is not None:
        _write(FileDrafter(drafts), source, output)
    elif model is not None:
        _write(open_drafter(model, kind.value if kind else None), source, output)


def _check_options(kind: Kind | None, given: list[str]) -> Kind | None:
    """Where the drafts come from must be said once, and by an option that the kind has."""
    if kind is None and given != ["--model"]:
        raise typer.BadParameter(f"give --drafter ({', '.join(Kind)}), or --model alone")
    possible = _ORIGINS[kind] if kind else ("--model",)
    foreign = [name for name in given if name not in possible]
    if foreign:
        raise typer.BadParameter(f"the {kind} drafter has no {foreign[0]}; it takes {' or '.join(possible)}")
    if len(given) != 1:
        found = f"{' and '.join(given)} were given" if given else "none was given"
        raise typer.BadParameter(f"the {kind} drafter needs one of {', '.join(possible)}; {found}")
    return kind


def _tokens(
    source_language: str | None, target_language: str | None, source: str, reference: str, tokens: Tokens
) -> TokenSettings:
    from redraft.drafting import TokenSettings
    from redraft.text import guess_language

    languages = (
        source_language or guess_language(source).code,
        target_language or guess_language(reference).code,
    )
    return TokenSettings(*languages, tokens is Tokens.given)


@contextmanager
def _trained(
    kind: Kind, tokens: TokenSettings, source: str, reference: str, save: Path | None, force: bool
) -> Iterator[Drafter]:
    """A drafter that has just been trained; what it has learned is kept if `save` says where."""
    from redraft.drafting import TrainingText, get_trainer, open_drafter, train_drafter
    from redraft.files import check_output_folder

    if save is not None:
        check_output_folder(save, force, proof="drafter.json")
    with tempfile.TemporaryDirectory(prefix="redraft-") as temporary:
        text = TrainingText.write(Path(temporary), source, reference, tokens)
        folder = save or Path(temporary) / "model"
        train_drafter(get_trainer(kind.value), text, folder, replace=force)
        if save is not None:
            say(f"{save}: the {kind.value} drafter that was trained; use it again with --model")
        yield open_drafter(folder)


def _open_table(path: str, tokens: TokenSettings) -> Drafter:
    from redraft.drafting.dictionary import DictionaryDrafter, read_table

    return DictionaryDrafter(read_table(path), tokens, numbers=True)


def _write(drafter: Drafter, source: str, output: str) -> None:
    from redraft.corpus.reading import read_lines
    from redraft.files import write_file

    drafts = drafter.draft(read_lines(source))
    with (
        progress("drafting", "sentences") as report,
        nullcontext(sys.stdout) if output == "-" else write_file(output) as stream,
    ):
        for draft in drafts:
            stream.write(draft + "\n")
            report(1)
