"""`command`: any program that reads source sentences and prints drafts, line in, line out.

The program is started once for each batch and sees the end of its input there. So programs that print only
when they have read everything work too, and an answer with a line too many or too few is noticed at once.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import IO

from redraft.errors import UserError


@dataclass(frozen=True)
class CommandDrafter:
    """Runs a program over batches of lines. One that dies or hangs is started once more for that batch."""

    command: Sequence[str]
    batch_size: int = 1000
    timeout: float = 600.0  # seconds for one batch

    @classmethod
    def from_line(cls, line: str, batch_size: int = 1000, timeout: float = 600.0) -> CommandDrafter:
        """A drafter from a command line as one types it; there is no shell, so no pipes and variables."""
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise UserError(f"--command {line!r}: cannot be split into words ({error})") from None
        if not words:
            raise UserError("--command is empty; give a program that reads and writes one sentence a line")
        return cls(words, batch_size, timeout)

    def draft(self, sources: Iterable[str]) -> Iterator[str]:
        """The lines that the program prints."""
        stream = iter(sources)
        number, first = 1, 1
        while batch := list(islice(stream, self.batch_size)):
            where = f"batch {number} (lines {first} to {first + len(batch) - 1})"
            yield from self._translate(batch, where)
            number, first = number + 1, first + len(batch)

    def _translate(self, batch: list[str], where: str) -> list[str]:
        text = "".join(line.replace("\n", " ") + "\n" for line in batch).encode("utf-8", "surrogatepass")
        try:
            output = self._run(text)
        except _Failed:
            try:
                output = self._run(text)
            except _Failed as failure:
                raise UserError(f"{self._name}: {failure} in {where}, twice") from None
        lines = self._decode(output, where)
        if len(lines) != len(batch):
            counts = f"{len(lines)} lines for {len(batch)} sentences"
            raise UserError(f"{self._name}: printed {counts} in {where}; it must print one line for each")
        return lines

    @property
    def _name(self) -> str:
        return shlex.join(self.command)

    def _run(self, text: bytes) -> bytes:
        with tempfile.TemporaryFile() as messages:
            try:
                process = subprocess.Popen(
                    self.command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=messages,
                    process_group=0,  # so that what the program starts ends with it
                )
            except OSError as error:
                raise UserError(f"{self._name}: cannot be started ({error.strerror or error})") from None
            with process:
                try:
                    output, _ = process.communicate(text, timeout=self.timeout)
                except subprocess.TimeoutExpired:
                    raise _Failed(f"gave no answer within {self.timeout:g} s (--timeout)") from None
                finally:
                    _end(process)
            if process.returncode:
                raise _Failed(f"{_describe(process.returncode)}{_last_words(messages)}")
            return output

    def _decode(self, output: bytes, where: str) -> list[str]:
        try:
            text = output.decode("utf-8")
        except UnicodeDecodeError as error:
            line = output.count(b"\n", 0, error.start) + 1
            raise UserError(f"{self._name}: line {line} of the answer to {where} is not UTF-8") from None
        lines = text.split("\n")
        if lines[-1] == "":
            lines.pop()
        return [line.removesuffix("\r") for line in lines]


class _Failed(Exception):
    """The program died or hung; trying once more may help."""


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the program and of all that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.poll()


def _describe(code: int) -> str:
    return f"died with exit code {code}" if code > 0 else f"was killed by signal {-code}"


def _last_words(messages: IO[bytes]) -> str:
    """The last line that the program wrote to standard error."""
    messages.seek(0, os.SEEK_END)
    messages.seek(max(0, messages.tell() - 2000))
    lines = [line.strip() for line in messages.read().decode("utf-8", "replace").split("\n") if line.strip()]
    return f" ({lines[-1][:200]})" if lines else ""
