"""Lines from files: what ends a line, compression, damage, and memory that does not grow."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from redraft.corpus import reading
from redraft.corpus.reading import LineReader, read_lines
from redraft.errors import UserError

NO_ENDS = "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\x1dh\x1ei"  # other programs end lines there
MARK = b"\xef\xbb\xbf"
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "zstd": lambda data: zstandard.compress(data),
    "zstd in a stream": lambda data: _zstd_stream(data),
    "gzip members": lambda data: (
        gzip.compress(data[: len(data) // 2]) + gzip.compress(data[len(data) // 2 :])
    ),
    "zstd frames": lambda data: zstandard.compress(data[:1]) + zstandard.compress(data[1:]),
    "gzip with empty members": lambda data: gzip.compress(b"") + gzip.compress(data) + gzip.compress(b""),
    "zstd with empty frames": lambda data: zstandard.compress(b"") + zstandard.compress(data) * 1,
    "zstd of pzstd": lambda data: b"\x50\x2a\x4d\x18\x04\0\0\0abcd" + zstandard.compress(data),
    "gzip filled up with zeros": lambda data: gzip.compress(data) + bytes(5000),
}


def _zstd_stream(data: bytes) -> bytes:
    """Frames that do not say how long their contents are, as `zstd < in > out` writes them."""
    compressor = zstandard.ZstdCompressor().compressobj()
    return compressor.compress(data) + compressor.flush()


@pytest.fixture(params=PACKERS)
def packed(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[bytes], Path]:
    """Writes bytes to a file, in every kind of file in turn."""

    def write(data: bytes) -> Path:
        (tmp_path / "text").write_bytes(PACKERS[request.param](data))
        return tmp_path / "text"

    return write


@pytest.mark.parametrize(
    "data, lines",
    [
        (b"", []),
        (MARK, []),
        (b"\n", [""]),
        (b"\n\n", ["", ""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\nb", ["a", "b"]),
        (b"\n\na\n\n", ["", "", "a", ""]),
        (MARK + b"a\nb\n", ["a", "b"]),
        (MARK + b"\n", [""]),
        (MARK + MARK + b"a\n", ["\ufeffa"]),
        (b"a\n" + MARK + b"b\n", ["a", "\ufeffb"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\n\r\nb", ["a", "", "b"]),
        (b"a\rb\n\rc\n", ["a\rb", "\rc"]),
        (b"a\r\r\n", ["a\r"]),
        (b"a\0b\n\0\n", ["a\0b", "\0"]),
        (f"{NO_ENDS}\n".encode(), [NO_ENDS]),
        (b"x" * 100_000 + b"\ny\n", ["x" * 100_000, "y"]),
        ("ü".encode() * 300_000 + b"\nz", ["ü" * 300_000, "z"]),
        ("𝔘 é\n".encode(), ["𝔘 é"]),
    ],
)  # fmt: skip
def test_lines(packed: Callable[[bytes], Path], data: bytes, lines: list[str]) -> None:
    path = packed(data)
    reader = LineReader(path)
    assert list(reader) == lines
    assert reader.lines == len(lines)
    assert reader.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


# Anything but what ends a line; a "\r" before a "\n" belongs to the end.
texts = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]))
lines_of_text = st.lists(texts.filter(lambda line: not line.endswith("\r")))


@given(
    lines=lines_of_text,
    end=st.sampled_from(["\n", "\r\n"]),
    kind=st.sampled_from(sorted(PACKERS)),
    mark=st.booleans(),
)
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], end: str, kind: str, mark: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "written"
    data = "".join(line + end for line in lines).encode()
    if mark or data.startswith((MARK, b"\x1f\x8b")):
        data = MARK + data
    path.write_bytes(PACKERS[kind](data))
    assert list(read_lines(path)) == lines


@given(data=st.binary(max_size=40), chunk=st.integers(1, 5))
def test_chunks_do_not_matter(tmp_path_factory: pytest.TempPathFactory, data: bytes, chunk: int) -> None:
    """Any bytes at all: the same lines or the same complaint, wherever the pieces are cut."""
    path = tmp_path_factory.getbasetemp() / "cut"
    path.write_bytes(b"\n".join([data, data]))

    def outcome(size: int) -> object:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reading, "CHUNK", size)
            patch.setattr(reading, "STEP", size)
            try:
                return list(read_lines(path))
            except UserError as error:
                return str(error)

    assert outcome(chunk) == outcome(1 << 18)


@pytest.mark.parametrize(
    "data, line, byte",
    [
        (b"\xff\n", 1, 1),
        (b"a\nb\xe4c\n", 2, 2),
        ("größer\n".encode() + b"gr\xf6\xdfer", 2, 3),
        (MARK + b"ab\xff\n", 1, 6),
        (b"a\n\xc3\nb\n", 2, 1),
        (b"a\nbc\xe2\x82", 2, 3),
        (b"\xed\xa0\x80\n", 1, 1),  # half a surrogate pair
        (b"a\n\xc0\x80", 2, 1),  # NUL in more bytes than it needs
        (b"x" * 300_000 + b"\n" + b"y" * 299_999 + b"\xff", 2, 300_000),
    ],
)
def test_what_is_not_utf_8(packed: Callable[[bytes], Path], data: bytes, line: int, byte: int) -> None:
    path = packed(data)
    with pytest.raises(UserError) as caught:
        list(read_lines(path))
    assert str(caught.value).startswith(f"{path}:{line}: byte {byte} (0x")
    assert "is not UTF-8; convert the file with iconv" in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16(packed: Callable[[bytes], Path], encoding: str) -> None:
    path = packed("\ufeffHallo\n".encode(encoding))
    with pytest.raises(UserError, match=r":1: looks like UTF-16; convert it first: iconv -f UTF-16 -t UTF-8"):
        list(read_lines(path))


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress, _zstd_stream])
def test_every_truncation_is_noticed(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    data = pack("\n".join(f"Zeile {number}" for number in range(40)).encode())
    for size in range(4, len(data)):
        (tmp_path / "cut").write_bytes(data[:size])
        with pytest.raises(UserError, match=r"the (gzip|zstd) data end too early, after line \d+; the file"):
            list(read_lines(tmp_path / "cut"))
    (tmp_path / "cut").write_bytes(data + data[:15])
    with pytest.raises(UserError, match="end too early, after line 39"):
        list(read_lines(tmp_path / "cut"))


@pytest.mark.parametrize("kind, pack", [("gzip", gzip.compress), ("zstd", zstandard.compress)])
def test_damage_is_noticed(tmp_path: Path, kind: str, pack: Callable[[bytes], bytes]) -> None:
    text = "".join(f"Zeile {number * 7919 % 10007}\n" for number in range(200_000)).encode()
    data = bytearray(pack(text))
    for place in (len(data) // 2, len(data) - 3000):
        data[place : place + 40] = bytes(40)
    (tmp_path / "damaged").write_bytes(data)
    with pytest.raises(
        UserError, match=rf"damaged {kind} data after line \d+ \(.*\); fetch or write the file again"
    ):
        list(read_lines(tmp_path / "damaged"))
    (tmp_path / "damaged").write_bytes(pack(b"a\n") + b"garbage")
    with pytest.raises(UserError, match=rf"damaged {kind} data after line \d+"):
        list(read_lines(tmp_path / "damaged"))


@pytest.mark.parametrize(
    "path, words",
    [
        ("folder", "folder: is a folder; name a file"),
        ("nothing", "nothing: no such file"),
        ("file/inner", "cannot be read (Not a directory)"),
        ("n" * 300, "cannot be read (File name too long)"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, path: str, words: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(UserError) as caught:
        list(read_lines(tmp_path / path))
    assert str(caught.value).endswith(words)


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str, _mode: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(UserError, match=r"^secret: cannot be read \(Permission denied\)$"):
        list(read_lines("secret"))


def test_empty_name() -> None:
    with pytest.raises(UserError, match="an empty file name was given"):
        list(read_lines(""))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(b"a\nb\xff"))))
    with pytest.raises(UserError, match=r"^standard input:2: byte 2 \(0xff\) is not UTF-8"):
        list(read_lines("-"))
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UserError, match="standard input is closed; name a file, or pipe the text in"):
        list(read_lines("-"))


def test_a_slow_pipe(tmp_path: Path) -> None:
    """A byte at a time: compression is recognised all the same."""
    receive, send = os.pipe()
    writer = subprocess.Popen(
        [sys.executable, "-c", "import os, sys\nfor b in bytes.fromhex(sys.argv[1]): os.write(1, bytes([b]))",
         gzip.compress(MARK + b"a\nb\n").hex()],
        stdout=send,
    )  # fmt: skip
    os.close(send)
    with writer, open(receive, "rb", buffering=0) as stream:
        assert list(_read_stream(stream)) == ["a", "b"]


def _read_stream(stream: object) -> list[str]:
    class Input:
        buffer = stream

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", Input)
        return list(read_lines("-"))


COUNT = """
import json, resource, sys
from redraft.corpus.parallel import SeparateFiles
from redraft.corpus.reading import read_lines
limit = 400 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
if sys.argv[1:] == ["-"]:
    print(sum(1 for _ in read_lines("-")))
else:
    corpus = SeparateFiles({"source": sys.argv[1], "reference": sys.argv[2]})
    print(sum(len(block[0]) for block in corpus.blocks(1000)))
"""


def count_in_little_memory(*paths: str, stdin: IO[bytes] | None = None) -> int:
    ran = subprocess.run(
        [sys.executable, "-c", COUNT, *paths],
        stdin=stdin,
        stdout=subprocess.PIPE,
        check=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    return int(ran.stdout)


def test_memory_does_not_grow_with_a_pipe() -> None:
    """300 MB of lines through a process that has 400 MiB of addresses, Python and numpy included."""
    endless = "yes 'Das ist ein kurzer Satz von vierzig Zeichen' | head -c 300000000"
    with subprocess.Popen(["sh", "-c", endless], stdout=subprocess.PIPE) as pipe:
        assert count_in_little_memory("-", stdin=pipe.stdout) == 6_818_182


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_memory_does_not_grow_with_what_a_small_file_unpacks_to(tmp_path: Path, kind: str) -> None:
    """Two times 220 MB of equal lines, in 20 kB of zstd data: in one piece, they would not fit."""
    packer = zlib.compressobj(wbits=31) if kind == "gzip" else zstandard.ZstdCompressor().compressobj()
    block = b"Das ist ein kurzer Satz von vierzig Zeichen\n" * 500_000
    path = tmp_path / "text"
    path.write_bytes(b"".join([*(packer.compress(block) for _ in range(10)), packer.flush()]))
    assert count_in_little_memory(str(path), str(path)) == 5_000_000
