"""What people see while a command runs: progress and messages, on standard error only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Advance(Protocol):
    """Tell how much more is done."""

    def __call__(self, amount: int, /) -> None: ...


def say(message: str) -> None:
    """A message for people, on standard error, so that standard output stays clean for pipes."""
    print(message, file=sys.stderr)


@contextmanager
def progress(title: str, unit: str, total: int | None = None) -> Iterator[Advance]:
    """A bar with rate and time left when standard error is a terminal, and nothing otherwise."""
    if not sys.stderr.isatty():
        yield lambda _amount: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit)]
    clock = TimeRemainingColumn() if total else TimeElapsedColumn()
    with Progress(*columns, clock, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda amount: bar.advance(task, amount)
