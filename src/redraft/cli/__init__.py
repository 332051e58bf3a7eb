"""The command line: `redraft COMMAND`. One file per command; this one joins them.

Errors that a user can mend become one line. Exit codes: 0 done, 1 the input or the machine is at fault,
2 the command line is, 130 interrupted.
"""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import Annotated

import typer

from redraft import __version__
from redraft.cli import (
    detect,
    detokenize,
    draft,
    embeddings,
    evaluate,
    inspect,
    jackknife,
    model,
    prepare,
    tokenize,
    toy,
    train,
    truecase,
)
from redraft.errors import UserError, find_interruption

app = typer.Typer(
    help="Improve a translation that already exists, one word at a time.",
    epilog="Results go to standard output, messages to standard error. '-' reads standard input.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

for command in (
    toy.toy,
    draft.draft,
    jackknife.jackknife,
    train.train,
    detect.detect,
    prepare.prepare,
    inspect.inspect,
    embeddings.embeddings,
    evaluate.evaluate,
    tokenize.tokenize,
    detokenize.detokenize,
    truecase.truecase,
):
    app.command()(command)
app.add_typer(model.model, name="model")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"redraft {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and leave.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Improve a translation that already exists, one word at a time."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; whatever a user can mend is one line on standard error."""
    signal.signal(signal.SIGTERM, _leave_on_terminate)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")  # whatever the locale says
    try:
        code = app(
            list(arguments) if arguments is not None else None, prog_name="redraft", standalone_mode=False
        )
        sys.stdout.flush()
        return int(code or 0)
    except typer.TyperException as error:
        return _fail(_add_given(error.format_message(), arguments or sys.argv[1:]), error.exit_code)
    except UserError as error:
        return _fail(str(error), 1)
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except _Terminated as signalled:
        return int(signalled.args[0])
    except SystemError as error:
        interruption = find_interruption(error)
        if isinstance(interruption, KeyboardInterrupt):
            return 130
        if isinstance(interruption, _Terminated):
            return int(interruption.args[0])
        raise
    except BrokenPipeError:
        # The reader of our output left (`| head`): point the stream elsewhere, so that the exit stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (OSError, MemoryError) as error:
        return _fail(_describe_failure(error), 1)


class _Terminated(BaseException):
    """A signal asked us to end; no handler of ordinary exceptions may swallow it."""


def _leave_on_terminate(signal_number: int, frame: FrameType | None) -> None:
    """Make `kill` unwind the stack like Ctrl-C, so that half-written files are removed."""
    raise _Terminated(128 + signal_number)


def _add_given(message: str, arguments: Sequence[str]) -> str:
    """Say which value was wrong where the message names only its option."""
    message = message.replace("Value error, ", "")
    named = re.match(r"Invalid value for '(--?[\w-]+)", message)
    if named is None:
        return message
    for argument, following in zip(arguments, [*arguments[1:], ""], strict=True):
        given = following if argument == named[1] else argument.removeprefix(f"{named[1]}=")
        if argument == named[1] or given != argument:
            return message if repr(given) in message else f"{message} (given: {given!r})"
    return message


def _fail(message: str, code: int) -> int:
    text = message.strip()
    print(text if "\n" in text else f"redraft: {text}", file=sys.stderr)
    return code


def _describe_failure(error: OSError | MemoryError) -> str:
    if isinstance(error, MemoryError):
        return "out of memory; use fewer --threads or a smaller input"
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{error.strerror or error}"
