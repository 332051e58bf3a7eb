"""Files that are either complete or absent: every output is written beside its place and moved there at the end."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from redraft.errors import UserError


@contextmanager
def write_file(path: str | os.PathLike[str], binary: bool = False) -> Iterator[IO[Any]]:
    """Open a file that takes its place at `path` only when the block ends without an exception."""
    target = Path(path)
    if target.is_dir():
        raise UserError(f"{target}: is a folder; name a file to write to")
    with _explain_failure(target):
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".partial", dir=target.parent)
        os.close(handle)
    try:
        with open(name, "wb") if binary else open(name, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        _take_usual_permissions(name, 0o666)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def write_folder(path: str | os.PathLike[str], replace: bool = False) -> Iterator[Path]:
    """Fill a folder that appears at `path` only when complete; an older one is removed only after that."""
    target = Path(path)
    if target.exists() and not replace:
        raise UserError(f"{target}: exists already; remove it, name another output or add --force")
    if target.exists() and not target.is_dir():
        raise UserError(f"{target}: is a file, and a folder is to be written there; name another output")
    with _explain_failure(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".partial", dir=target.parent))
    try:
        yield partial
        _take_usual_permissions(partial, 0o777)
        _move_into_place(partial, target)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def _move_into_place(partial: Path, target: Path) -> None:
    if not target.exists():
        os.rename(partial, target)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".old", dir=target.parent))
    os.rename(target, old / target.name)
    os.rename(partial, target)
    shutil.rmtree(old, ignore_errors=True)


def _take_usual_permissions(path: str | Path, mode: int) -> None:
    """Temporary files are private; what is left for the user has the permissions of any new file."""
    mask = os.umask(0)
    os.umask(mask)
    os.chmod(path, mode & ~mask)


@contextmanager
def _explain_failure(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(f"{target}: cannot be written ({error.strerror})") from error


def write_json(path: str | os.PathLike[str], value: object) -> None:
    """Write JSON for people and diffs: indented, keys as given, one newline at the end."""
    with write_file(path) as stream:
        json.dump(value, stream, ensure_ascii=False, indent=1)
        stream.write("\n")


def read_json(path: str | os.PathLike[str]) -> Any:
    """Read JSON; a file that is missing, no UTF-8 or no JSON is named together with the line."""
    try:
        return json.loads(Path(path).read_bytes().decode("utf-8"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is not UTF-8 at byte {error.start}, so it is no JSON") from error
    except json.JSONDecodeError as error:
        raise UserError(f"{path}:{error.lineno}: is not JSON ({error.msg}); was it cut short?") from error


def hash_file(path: str | os.PathLike[str]) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
