"""Lexicon tables are text, one entry per line, columns apart by two or more spaces; `-` is an empty cell."""

from __future__ import annotations

import re
from collections.abc import Iterator

_COLUMN_GAP = re.compile(r" {2,}")


def rows(table: str, columns: int) -> Iterator[list[str]]:
    """The cells of every line that is neither empty nor a comment; all lines must have as many."""
    for line in table.splitlines():
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        cells = ["" if cell == "-" else cell for cell in _COLUMN_GAP.split(text)]
        if len(cells) != columns:
            raise ValueError(f"{text!r}: {len(cells)} columns, expected {columns}")
        yield cells
