"""`file`: drafts that are already there, one a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from redraft.corpus.reading import LineReader
from redraft.errors import UserError


@dataclass(frozen=True)
class FileDrafter:
    """Line i of a file is the draft of sentence i."""

    path: str

    def draft(self, sources: Iterable[str]) -> Iterator[str]:
        """The lines of the file; one too many or too few is an error that says both numbers."""
        reader = LineReader(self.path)
        lines = iter(reader)
        sentences = 0
        missing = 0
        for _source in sources:
            sentences += 1
            if (line := next(lines, None)) is None:
                missing += 1
            else:
                yield line
        for _line in lines:
            pass
        if reader.lines != sentences:
            what = "too short" if missing else "too long"
            raise UserError(
                f"{reader.name}: {reader.lines} drafts for {sentences} source sentences, so it is {what}; "
                "a draft stands on the line of its source, an empty one on an empty line"
            )
