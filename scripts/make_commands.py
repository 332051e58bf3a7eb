"""Write docs/commands.md: what every command says of itself. A test checks that the page is up to date."""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path

HEAD = """# Commands

Every command prints results on standard output and messages on standard error. `-` reads standard input.
Exit codes: 0 done, 1 the input or the machine is at fault, 2 the command line is, 130 interrupted.

This page is written by `make docs` from the commands themselves.
"""


def describe_commands() -> str:
    """The whole page."""
    os.environ["COLUMNS"] = "100"
    from redraft.cli import app, main

    def ask(*arguments: str) -> str:
        with contextlib.redirect_stdout(io.StringIO()) as output:
            main([*arguments, "--help"])
        return "\n".join(line.rstrip() for line in output.getvalue().strip().splitlines())

    names = [command.callback.__name__ for command in app.registered_commands if command.callback]
    pages = [f"## redraft {name}\n\n```\n{ask(name)}\n```\n" for name in names]
    return "\n".join([HEAD, f"```\n{ask()}\n```\n", *pages])


if __name__ == "__main__":
    path = Path(__file__).parents[1] / "docs" / "commands.md"
    path.write_text(describe_commands(), encoding="utf-8")
