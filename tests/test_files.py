"""Outputs are complete or absent, whatever happens while they are written."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from redraft import files
from redraft.errors import UserError
from redraft.files import hash_file, read_json, write_file, write_folder, write_json


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def fill(path: Path, content: str, **options: object) -> None:
    with write_folder(path, **options) as folder:  # type: ignore[arg-type]
        (folder / "proof.txt").write_text(content)


def test_file_appears_when_complete(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    with write_file(target) as stream:
        stream.write("größer\n")
        assert not target.exists()
    assert target.read_bytes() == "größer\n".encode()
    assert names(tmp_path) == ["out.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_file_stays_as_it_was_on_failure(tmp_path: Path, error: type[BaseException]) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")

    def fail() -> None:
        with write_file(target) as stream:
            stream.write("new")
            raise error

    with pytest.raises(error):
        fail()
    assert target.read_text() == "old"
    assert names(tmp_path) == ["out.txt"]


def test_permissions_are_the_usual_ones(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        with write_file(tmp_path / "file"):
            pass
        fill(tmp_path / "folder", "x")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "folder").stat().st_mode) == 0o750


def test_file_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    with write_file(tmp_path / "link") as stream:
        stream.write("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_pipes_and_devices_are_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()))
    reader.start()
    with write_file(pipe) as stream:
        stream.write("through")
    reader.join()
    assert received == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    with write_file("/dev/null", binary=True) as stream:
        stream.write(b"nothing")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_full_disk_names_the_output(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^/dev/full: cannot be written \(No space left on device\)$"):
        write_json("/dev/full", list(range(10_000)))
    code = (
        "import resource; from redraft.files import write_file; from redraft.errors import UserError\n"
        "old = resource.getrlimit(resource.RLIMIT_FSIZE)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, old[1]))\n"
        "try:\n with write_file('out', binary=True) as stream: stream.write(b'x' * 5000)\n"
        "except UserError as error: print(error)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, old)"  # whoever measures coverage writes at the end
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert ran.stdout == "out: cannot be written (File too large)\n"
    assert names(tmp_path) == []


def test_an_error_that_is_not_the_outputs_stays_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="elsewhere"), write_file(tmp_path / "out"):
        (tmp_path / "elsewhere").read_text()


@pytest.mark.parametrize(
    "output, words",
    [
        ("folder", "is a folder; name a file"),
        ("missing/file", "missing is no folder; make it first"),
    ],
)
def test_file_that_cannot_be_written(tmp_path: Path, output: str, words: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError) as caught, write_file(tmp_path / output):
        pass
    assert str(caught.value) == f"{tmp_path / output}: {words}" or words in str(caught.value)


def test_folder_appears_when_complete(tmp_path: Path) -> None:
    with write_folder(tmp_path / "above" / "out") as folder:
        (folder / "inner").mkdir()
        (folder / "inner" / "file").write_text("x")
        assert names(tmp_path / "above") == [folder.name]
    assert (tmp_path / "above" / "out" / "inner" / "file").read_text() == "x"
    assert names(tmp_path / "above") == ["out"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_folder_stays_as_it_was_on_failure(tmp_path: Path, error: type[BaseException]) -> None:
    fill(tmp_path / "out", "old")

    def fail() -> None:
        with write_folder(tmp_path / "out", replace=True) as folder:
            (folder / "proof.txt").write_text("new")
            raise error

    with pytest.raises(error):
        fail()
    assert (tmp_path / "out" / "proof.txt").read_text() == "old"
    assert names(tmp_path) == ["out"]


@pytest.mark.parametrize("in_one_step", [True, False])
def test_folder_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_one_step: bool) -> None:
    if not in_one_step:
        monkeypatch.setattr(files, "_exchange", lambda *_: False)
    fill(tmp_path / "out", "old")
    (tmp_path / "out" / "leftover").touch()
    fill(tmp_path / "out", "new", replace=True, proof="proof.txt")
    assert names(tmp_path / "out") == ["proof.txt"]
    assert (tmp_path / "out" / "proof.txt").read_text() == "new"
    assert names(tmp_path) == ["out"]


def test_the_older_folder_comes_back_when_the_new_one_cannot_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "out", "old")
    rename = os.rename

    def fail_for_new(source: Path, target: Path) -> None:
        if source.suffix == ".partial":
            raise KeyboardInterrupt
        rename(source, target)

    monkeypatch.setattr(files, "_exchange", lambda *_: False)
    monkeypatch.setattr(os, "rename", fail_for_new)
    with pytest.raises(KeyboardInterrupt):
        fill(tmp_path / "out", "new", replace=True)
    assert (tmp_path / "out" / "proof.txt").read_text() == "old"
    assert names(tmp_path) == ["out"]


@pytest.mark.skipif(sys.platform != "linux", reason="the system must be able to swap two folders in one step")
def test_a_reader_never_misses_a_folder_that_is_replaced(tmp_path: Path) -> None:
    fill(tmp_path / "out", "0")
    missed, done = [], threading.Event()

    def look() -> None:
        while not done.is_set():
            missed.append(not (tmp_path / "out").is_dir())

    reader = threading.Thread(target=look)
    reader.start()
    for number in range(50):
        fill(tmp_path / "out", str(number), replace=True)
    done.set()
    reader.join()
    assert missed
    assert not any(missed)


def test_folder_through_a_link(tmp_path: Path) -> None:
    fill(tmp_path / "real", "old")
    (tmp_path / "link").symlink_to("real")
    fill(tmp_path / "link", "new", replace=True)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "proof.txt").read_text() == "new"
    assert names(tmp_path) == ["link", "real"]


@pytest.mark.parametrize(
    "output, options, words",
    [
        ("mine", {}, "exists already; remove it, name another output or add --force"),
        ("file", {"replace": True}, "is a file"),
        ("mine", {"replace": True, "proof": "manifest.json"}, "it has no manifest.json"),
    ],
)
def test_folder_that_is_not_replaced(
    tmp_path: Path, output: str, options: dict[str, object], words: str
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=words):
        fill(tmp_path / output, "new", **options)
    assert names(tmp_path) == ["file", "mine"]
    assert names(tmp_path / "mine") == ["thesis.tex"]


def test_an_empty_folder_may_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    fill(tmp_path / "out", "new", replace=True, proof="manifest.json")
    assert names(tmp_path / "out") == ["proof.txt"]


def test_what_killed_runs_left_is_removed_and_what_others_are_writing_is_not(tmp_path: Path) -> None:
    code = (
        "import os, sys; from redraft.files import write_file, write_folder\n"
        "with write_folder('out') as folder, write_file('text') as stream:\n"
        " (folder / 'large').write_bytes(bytes(1000)); print(flush=True); sys.stdin.read(); os._exit(9)"
    )
    for name in ("out", "text"):
        (tmp_path / f".{name}.other.0123456789abcdef.partial").touch()  # of another output
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        assert process.stdout is not None
        process.stdout.readline()
        fill(tmp_path / "out", "mine", replace=True)
        write_json(tmp_path / "text", "mine")
        being_written = [name for name in names(tmp_path) if name.startswith(".")]
        assert len(being_written) == 4
        process.communicate()
    fill(tmp_path / "out", "mine", replace=True)
    write_json(tmp_path / "text", "mine")
    assert names(tmp_path) == [
        ".out.other.0123456789abcdef.partial",
        ".text.other.0123456789abcdef.partial",
        "out",
        "text",
    ]


def test_a_place_without_locks_is_written_to_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError("no locks here")

    monkeypatch.setattr(files.fcntl, "flock", no_locks)
    left = tmp_path / ".out.0123456789abcdef.partial"
    left.mkdir()
    fill(tmp_path / "out", "x")
    assert names(tmp_path) == [left.name, "out"]


def test_json_round_trip(tmp_path: Path) -> None:
    value = {"b": ["ä", 1, 2.5, None], "a": {}}
    write_json(tmp_path / "x.json", value)
    assert read_json(tmp_path / "x.json") == value
    assert (tmp_path / "x.json").read_text("utf-8").endswith("}\n")


@pytest.mark.parametrize(
    "content, words",
    [
        (b'{\n"a": 1,\n', r"x.json:3: is not JSON \(.*\); was it cut short\?"),
        (b'"\xff"', "x.json: is not UTF-8 at byte 1"),
        (b"[" * 100_000, "x.json: is not JSON that can be read"),
        (b"1" * 5000, "x.json: is not JSON that can be read"),
    ],
)
def test_damaged_json(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(UserError, match=words):
        read_json(tmp_path / "x.json")


def test_missing_json(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"x.json: cannot be read \(No such file or directory\)"):
        read_json(tmp_path / "x.json")


def test_hash(tmp_path: Path) -> None:
    (tmp_path / "abc").write_bytes(b"abc")
    assert hash_file(tmp_path / "abc").startswith("ba7816bf8f01cfea")
