"""Two or three sides of a corpus read together: one file a side, or columns of one TSV or JSONL file."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol

from redraft.corpus.drift import Drift
from redraft.corpus.reading import STANDARD_INPUT, LineReader
from redraft.errors import UserError, located

ROWS = 1000  # lines of each side that `read_parallel` holds
Place = tuple[str, int]  # file and line
_SURROGATE = re.compile("[\ud800-\udfff]")


class Corpus(Protocol):
    """A parallel corpus that can be read once: named sides, rows of strings, and what was read."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides, in the order of each row."""
        ...

    @property
    def readers(self) -> Mapping[str, LineReader]:
        """The files behind it, by the side or table that each holds."""
        ...

    def blocks(self, rows: int) -> Iterator[tuple[list[str], ...]]:
        """The rows, so many at a time and fewer in the last block, as one list of lines for each side."""
        ...


class SeparateFiles:
    """One file a side; line i of each belongs together."""

    def __init__(self, paths: Mapping[str, str | Path]) -> None:
        self.sides = tuple(paths)
        self.readers = {side: LineReader(path) for side, path in paths.items()}
        piped = [side for side, path in paths.items() if str(path) == STANDARD_INPUT]
        if len(piped) > 1:
            raise UserError(
                f"{' and '.join(piped)} cannot both come from standard input; give all but one as files"
            )

    def blocks(self, rows: int) -> Iterator[tuple[list[str], ...]]:
        """See `Corpus.blocks`; sides of different length are an error."""
        drift = Drift(len(self.sides))
        streams = [iter(reader) for reader in self.readers.values()]
        while any(block := tuple(list(islice(stream, rows)) for stream in streams)):
            shortest = min(map(len, block))
            drift.see([side[:shortest] for side in block])
            if shortest < max(map(len, block)):
                raise self._mismatch(streams, drift)
            yield block

    def _mismatch(self, streams: list[Iterator[str]], drift: Drift) -> UserError:
        for stream in streams:
            deque(stream, maxlen=0)  # to its end, for the number of its lines
        counts = {f"{reader.name} has {reader.lines} lines": None for reader in self.readers.values()}
        advice = "as far as the shortest goes they fit together, so look at the ends"
        if drift.start:
            advice = f"lengths look wrong from line {drift.start} on, so look for a lost or split line there"
        return UserError(f"{', '.join(counts)}, but line n of each must belong to sentence n; {advice}")


class Table:
    """One TSV or JSONL file with a column or field for each side."""

    def __init__(self, path: str | Path, sides: Sequence[str], kind: str = "auto") -> None:
        self.sides = tuple(sides)
        self._reader = LineReader(path)
        self.readers = {"input": self._reader}
        self._kind = kind if kind != "auto" else _kind_of(str(path))
        twice = [side for place, side in enumerate(sides) if side in sides[:place]]
        if twice:
            raise UserError(f"the column {twice[0]!r} is named twice; every column needs a name of its own")

    def blocks(self, rows: int) -> Iterator[tuple[list[str], ...]]:
        """See `Corpus.blocks`."""
        parsed = self._rows()
        while block := list(islice(parsed, rows)):
            yield tuple(list(side) for side in zip(*block, strict=True))

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for number, line in enumerate(self._reader, start=1):
            if self._kind == "auto":
                self._kind = "jsonl" if line.lstrip().startswith("{") and "\t" not in line else "tsv"
            place = self._reader.name, number
            yield self._from_json(line, place) if self._kind == "jsonl" else self._from_tabs(line, place)

    def _from_tabs(self, line: str, place: Place) -> tuple[str, ...]:
        cells = tuple(line.split("\t"))
        if len(cells) != len(self.sides):
            expected = f"expected {len(self.sides)} ({', '.join(self.sides)}); name them with --columns"
            raise located(*place, f"{len(cells)} columns, {expected}")
        return cells

    def _from_json(self, line: str, place: Place) -> tuple[str, ...]:
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise located(*place, f"is not JSON ({error.msg} at character {error.pos + 1})") from None
        except (ValueError, RecursionError) as error:  # a number or a nesting that is absurd
            raise located(*place, f"is not JSON that can be read ({error})") from None
        if not isinstance(record, dict):
            raise located(
                *place, f"expected a JSON object with {', '.join(self.sides)}, found {type(record).__name__}"
            )
        for side in self.sides:
            if not isinstance(record.get(side), str):
                found = ", ".join(record) or "nothing"
                raise located(
                    *place, f"no text in field {side!r} (fields: {found}); name the fields with --columns"
                )
            if not record[side].isascii() and _SURROGATE.search(record[side]):
                problem = f"field {side!r} holds half a character (\\ud800 to \\udfff without its pair)"
                raise located(*place, f"{problem}; write the pair or the character itself")
        return tuple(record[side].replace("\n", " ") for side in self.sides)  # a segment is one line


def _kind_of(path: str) -> str:
    """TSV or JSONL by the file's name; standard input and other names are judged by their first line."""
    for suffix in reversed(Path(path).suffixes):
        if suffix in (".jsonl", ".ndjson"):
            return "jsonl"
        if suffix in (".tsv", ".tab"):
            return "tsv"
    return "auto"


def read_parallel(paths: Mapping[str, str | Path]) -> Iterator[tuple[str, ...]]:
    """Rows of lines, one line from each side; sides of different length are an error."""
    for block in SeparateFiles(paths).blocks(ROWS):
        yield from zip(*block, strict=True)
