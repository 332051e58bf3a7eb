"""Two or three sides of a corpus read together: one file a side, or columns of one TSV or JSONL file."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from redraft.corpus.reading import STANDARD_INPUT, LineReader
from redraft.errors import UserError, located

SIDES = ("source", "draft", "reference")


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

    def __iter__(self) -> Iterator[tuple[str, ...]]: ...


class SeparateFiles:
    """One file a side; line i of each belongs together."""

    def __init__(self, paths: Mapping[str, str | Path]) -> None:
        self.sides = tuple(paths)
        self.readers = {side: LineReader(path) for side, path in paths.items()}
        piped = [side for side, path in paths.items() if str(path) == STANDARD_INPUT]
        if len(piped) > 1:
            raise UserError(f"{' and '.join(piped)} cannot both come from standard input; give all but one as files")

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        drift = _Drift()
        streams = [iter(reader) for reader in self.readers.values()]
        while True:
            row = tuple(line for stream in streams if (line := next(stream, None)) is not None)
            if len(row) == len(streams):
                drift.see(row)
                yield row
            elif row:
                raise self._mismatch(streams, drift)
            else:
                return

    def _mismatch(self, streams: list[Iterator[str]], drift: _Drift) -> UserError:
        for stream in streams:
            for _line in stream:
                pass
        counts = ", ".join(f"{reader.name} has {reader.lines} lines" for reader in self.readers.values())
        suspect = f"; lengths look wrong from line {drift.start} on" if drift.start else ""
        return UserError(f"{counts}{suspect}; the sides of a corpus need one line for each sentence")


class _Drift:
    """Where two sides that should be parallel begin to disagree in length, in constant memory (CUSUM).

    In parallel text the logarithm of the length ratio stays small; after a lost line it is large for ever after.
    """

    _ALLOWED = 0.5  # log ratio per line that parallel text does not exceed in the mean
    _ALARM = 3.0

    def __init__(self) -> None:
        self.line = 0
        self._sum = 0.0
        self._begin = 0
        self._alarmed = False

    def see(self, row: tuple[str, ...]) -> None:
        """Take note of the next row."""
        self.line += 1
        lengths = [len(side) + 3 for side in row]
        ratio = min(math.log(max(lengths) / min(lengths)), 2.0)
        if self._sum == 0.0:
            self._begin = self.line
        self._sum = max(0.0, self._sum + ratio - self._ALLOWED)
        self._alarmed = self._alarmed or self._sum > self._ALARM
        if self._sum == 0.0:
            self._alarmed = False

    @property
    def start(self) -> int | None:
        """The first line of the disagreement that lasted until the end, if there is one."""
        return self._begin if self._alarmed else None


class Table:
    """One TSV or JSONL file with a column or field for each side."""

    def __init__(self, path: str | Path, sides: Sequence[str], kind: str = "auto") -> None:
        self.sides = tuple(sides)
        self._reader = LineReader(path)
        self.readers = {"input": self._reader}
        self._kind = kind if kind != "auto" else _kind_of(str(path))

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        lines = iter(self._reader)
        for line in lines:
            if self._kind == "auto":
                self._kind = "jsonl" if line.lstrip().startswith("{") else "tsv"
            yield self._from_json(line) if self._kind == "jsonl" else self._from_tabs(line)

    def _from_tabs(self, line: str) -> tuple[str, ...]:
        cells = tuple(line.split("\t"))
        if len(cells) != len(self.sides):
            expected = f"expected {len(self.sides)} ({', '.join(self.sides)}); name them with --columns"
            raise located(self._reader.name, self._reader.lines, f"{len(cells)} columns, {expected}")
        return cells

    def _from_json(self, line: str) -> tuple[str, ...]:
        place = self._reader.name, self._reader.lines
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise located(*place, f"is not JSON ({error.msg} at character {error.pos + 1})") from None
        if not isinstance(record, dict):
            raise located(*place, f"expected a JSON object with {', '.join(self.sides)}, found {type(record).__name__}")
        for side in self.sides:
            if not isinstance(record.get(side), str):
                found = ", ".join(record) or "nothing"
                raise located(*place, f"no text in field {side!r} (fields: {found}); name the fields with --columns")
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
    """Rows of lines, one line from each side; sides of different length are an error that says both numbers."""
    return iter(SeparateFiles(paths))
