"""Lines from files: plain, gzip or zstd, text, TSV or JSONL, from disk or standard input, always streaming.

A line ends at "\\n" and nowhere else: U+2028, U+0085 and a lone "\\r" are ordinary characters of a line. One
byte-order mark at the start and the "\\r" of "\\r\\n" belong to the file, not to the text.
"""

from __future__ import annotations

import hashlib
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

import zstandard

from redraft.errors import UserError, located

CHUNK = 1 << 18
STEP = 1 << 8  # compressed bytes at a time: more text than 8 MiB is never in them
STANDARD_INPUT = "-"
_GZIP, _ZSTD = (b"\x1f\x8b",), (b"\x28\xb5\x2f\xfd", *(bytes([0x50 + i]) + b"*M\x18" for i in range(16)))
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class LineReader:
    """The lines of one file as strings. After the last one, `sha256` and `lines` describe what was read."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self.name = "standard input" if self.path == STANDARD_INPUT else self.path
        self.lines = 0
        self._mark = 0  # bytes of a mark before the first line
        self._hash = hashlib.sha256()

    @property
    def sha256(self) -> str:
        """The hash of the bytes read so far, as they stand on disk (compressed where they are)."""
        return self._hash.hexdigest()

    def __iter__(self) -> Iterator[str]:
        for piece in self._whole_lines():
            lines = self._decode(piece)
            self.lines += len(lines)
            yield from lines

    def _raw(self) -> Iterator[bytes]:
        """The bytes of the file, chunk by chunk."""
        if not self.path:
            raise UserError("an empty file name was given; name a file, or '-' for standard input")
        if self.path == STANDARD_INPUT and sys.stdin is None:
            raise UserError("standard input is closed; name a file, or pipe the text in")
        try:
            stream: BinaryIO
            if self.path == STANDARD_INPUT:
                stream = sys.stdin.buffer
                yield from self._hashed(stream)
            else:
                with open(self.path, "rb") as stream:
                    yield from self._hashed(stream)
        except IsADirectoryError:
            raise UserError(f"{self.path}: is a folder; name a file") from None
        except FileNotFoundError:
            raise UserError(f"{self.path}: no such file") from None
        except OSError as error:
            raise UserError(f"{self.name}: cannot be read ({error.strerror or error})") from error

    def _hashed(self, stream: BinaryIO) -> Iterator[bytes]:
        while chunk := stream.read(CHUNK):
            self._hash.update(chunk)
            yield chunk

    def _decompressed(self) -> Iterator[bytes]:
        chunks = self._raw()
        first = next(chunks, b"")
        while len(first) < 4 and (more := next(chunks, b"")):  # a slow pipe may give a byte at a time
            first += more
        if first.startswith(_GZIP):
            return self._inflate(_chain(first, chunks), "gzip")
        if first.startswith(_ZSTD):
            return self._inflate(_chain(first, chunks), "zstd")
        return _chain(first, chunks)

    def _inflate(self, chunks: Iterator[bytes], kind: str) -> Iterator[bytes]:
        """Decompress member after member; a file that was cut short is an error, not a shorter corpus."""
        steps = (chunk[start : start + STEP] for chunk in chunks for start in range(0, len(chunk), STEP))
        decoder, inside = _decoder(kind), False  # inside a member of the file
        for data in steps:
            # Tapes and some programs fill up gzip files with zeros.
            while data := data if inside or kind == "zstd" else data.lstrip(b"\0"):
                if text := self._decompress(decoder, data, kind):
                    yield text
                inside, data = not decoder.eof, decoder.unused_data
                if not inside:
                    decoder = _decoder(kind)
        if inside:
            raise UserError(
                f"{self.name}: the {kind} data end too early, after line {self.lines}; the file was cut short"
            )

    def _decompress(self, decoder: _Decoder, data: bytes, kind: str) -> bytes:
        try:
            return decoder.decompress(data)
        except (zlib.error, zstandard.ZstdError) as error:
            problem = f"damaged {kind} data after line {self.lines} ({error}); fetch or write the file again"
            raise UserError(f"{self.name}: {problem}") from None

    def _without_mark(self) -> Iterator[bytes]:
        """The text without a byte-order mark; one of another encoding is an error that says what to do."""
        chunks = self._decompressed()
        first = b""
        while len(first) < len(_BYTE_ORDER_MARK) and (more := next(chunks, b"")):
            first += more
        if first.startswith(_UTF16):
            raise located(self.name, 1, "looks like UTF-16; convert it first: iconv -f UTF-16 -t UTF-8")
        self._mark = len(first) - len(first.removeprefix(_BYTE_ORDER_MARK))
        return _chain(first[self._mark :], chunks)

    def _whole_lines(self) -> Iterator[bytes]:
        """The text in pieces that end at a line's end; the newline of the last line is optional."""
        rest: list[bytes] = []
        for chunk in self._without_mark():
            cut = chunk.rfind(b"\n")
            if cut < 0:
                rest.append(chunk)
                continue
            rest.append(chunk[:cut])
            yield b"".join(rest)
            rest = [chunk[cut + 1 :]]
        last = b"".join(rest)
        if last:
            yield last

    def _decode(self, piece: bytes) -> list[str]:
        try:
            text = piece.decode("utf-8")
        except UnicodeDecodeError as error:
            line = self.lines + piece.count(b"\n", 0, error.start) + 1
            place = error.start - piece.rfind(b"\n", 0, error.start) + (self._mark if line == 1 else 0)
            problem = f"byte {place} (0x{piece[error.start]:02x}) is not UTF-8; convert the file with iconv"
            raise located(self.name, line, problem) from None
        lines = text.split("\n")
        if "\r" in text:
            lines = [line.removesuffix("\r") for line in lines]
        return lines


def read_lines(path: str | Path) -> Iterator[str]:
    """The lines of a file ('-' is standard input) without their ends."""
    return iter(LineReader(path))


def _chain(first: bytes, chunks: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from chunks


class _Decoder(Protocol):
    """Decompresses one member of a file: the interface that zlib and zstandard share."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


def _decoder(kind: str) -> _Decoder:
    return zlib.decompressobj(wbits=31) if kind == "gzip" else zstandard.ZstdDecompressor().decompressobj()
