"""Files that are either complete or absent: written beside their place, and moved there at the end.

What is half-written, `.NAME.xxxxxxxxxxxxxxxx.partial`, is locked as long as its process lives. What a
killed process has left behind is not, and the next run that writes the same output removes it.
"""

from __future__ import annotations

import atexit
import ctypes
import errno
import fcntl
import functools
import glob
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from redraft.errors import UserError

_DISK_ERRORS = (None, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # None: numpy tells no number
_HERE, _EXCHANGE = -100, 2  # AT_FDCWD, RENAME_EXCHANGE


@contextmanager
def write_file(path: str | os.PathLike[str], binary: bool = False) -> Iterator[IO[Any]]:
    """Open a file that takes its place at `path` only when the block ends without an exception.

    A pipe or a device (/dev/stdout) has no place to take and is written to directly.
    """
    target = Path(path)
    if target.is_dir():
        raise UserError(f"{target}: is a folder; name a file to write to")
    if target.exists() and not target.is_file():
        with _explain_failure(target), _open(target, binary) as stream:
            yield stream
        return
    if not target.resolve().parent.is_dir():
        raise UserError(f"{target}: cannot be written, because {target.parent} is no folder; make it first")
    with _partial(target, folder=False) as partial:
        with _explain_failure(target, _DISK_ERRORS), _open(partial, binary) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        _take_usual_permissions(partial, 0o666)
        os.replace(partial, target.resolve())


@contextmanager
def write_folder(
    path: str | os.PathLike[str], replace: bool = False, proof: str | None = None
) -> Iterator[Path]:
    """Fill a folder that appears at `path` only when complete; an older one is removed only after that.

    With `proof`, only a folder that holds a file of this name (or nothing) is replaced: `--force` with a
    mistyped output must not remove what is not ours.
    """
    target = Path(path)
    check_output_folder(target, replace, proof)
    with _explain_failure(target):
        target.resolve().parent.mkdir(parents=True, exist_ok=True)
    with _partial(target, folder=True) as partial:
        with _explain_failure(target, _DISK_ERRORS):
            yield partial
            _flush_files(partial)
        _take_usual_permissions(partial, 0o777)
        _move_into_place(partial, target.resolve())


def check_output_folder(target: Path, replace: bool = False, proof: str | None = None) -> None:
    """Refuse what `write_folder` would refuse, before any work is done."""
    if not target.exists():
        above = next(folder for folder in target.absolute().parents if folder.exists())
        if not above.is_dir():
            raise UserError(f"{target}: cannot be written, because {above} is a file; name another output")
        return
    if not replace:
        raise UserError(f"{target}: exists already; remove it, name another output or add --force")
    if not target.is_dir():
        raise UserError(f"{target}: is a file, and a folder is to be written there; name another output")
    if proof is not None and not (target / proof).is_file() and any(target.iterdir()):
        problem = f"is not replaced, because it has no {proof} and so was not written by this command"
        raise UserError(f"{target}: {problem}; name another output")


@contextmanager
def _partial(target: Path, folder: bool) -> Iterator[Path]:
    """An empty file or folder beside the target, locked, and removed where the block fails."""
    place = target.resolve()  # a link stays, and what it leads to is written
    # The name is known before there is anything, so that no signal can come between making and removing it.
    partial = place.parent / f".{place.name}.{secrets.token_hex(8)}.partial"
    lock = None
    # A signal may strike inside contextlib itself, where nobody catches it: then it is removed on leaving.
    at_exit = atexit.register(functools.partial(_remove, partial))
    try:
        with _explain_failure(target):
            _remove_leftovers(place)
            lock = _make_locked(partial, folder)
        yield partial
    except BaseException:
        _remove(partial)
        raise
    finally:
        if lock is not None:
            os.close(lock)
    atexit.unregister(at_exit)


def _make_locked(partial: Path, folder: bool) -> int:
    while True:
        if folder:
            partial.mkdir(0o700)
        else:
            os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with suppress(FileNotFoundError):
            lock = os.open(partial, os.O_RDONLY)
            _try_lock(lock)
            if partial.exists():  # another run may have taken it for a leftover before it was locked
                return lock
            os.close(lock)


def _remove_leftovers(target: Path) -> None:
    """Remove what killed runs have left of the same target; what cannot be locked or removed stays."""
    for left in target.parent.glob(f".{glob.escape(target.name)}.????????????????.partial"):
        with suppress(OSError):
            lock = os.open(left, os.O_RDONLY)
            try:
                if _try_lock(lock):
                    _remove(left)
            finally:
                os.close(lock)


def _try_lock(handle: int) -> bool:
    """Lock a file or folder until it is closed; false where another process has, or where locks fail."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _move_into_place(partial: Path, target: Path) -> None:
    if not target.exists():
        os.rename(partial, target)
    elif _exchange(partial, target):
        _remove(partial)  # which is the older folder now
    else:
        old = partial.with_suffix(".old")
        os.rename(target, old)
        try:
            os.rename(partial, target)
        except BaseException:
            os.rename(old, target)
            raise
        _remove(old)


def _exchange(first: Path, second: Path) -> bool:
    """Swap two folders in one step; false where the system or the file system cannot."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    return (
        rename is not None and rename(_HERE, os.fsencode(first), _HERE, os.fsencode(second), _EXCHANGE) == 0
    )


def _open(path: Path, binary: bool) -> IO[Any]:
    return open(path, "wb") if binary else open(path, "w", encoding="utf-8", newline="\n")


def _flush_files(folder: Path) -> None:
    """Have all contents on the disk before their names are, so that a power failure leaves no empty files."""
    for path in folder.rglob("*"):
        if path.is_file():
            with open(path, "rb") as stream:
                os.fsync(stream.fileno())


def _take_usual_permissions(path: Path, mode: int) -> None:
    """Temporary files are private; what is left for the user has the permissions of any new file."""
    mask = os.umask(0)
    os.umask(mask)
    os.chmod(path, mode & ~mask)


@contextmanager
def _explain_failure(target: Path, numbers: tuple[int | None, ...] = ()) -> Iterator[None]:
    """Turn the system's errors into one that names the target; with `numbers`, only those."""
    try:
        yield
    except OSError as error:
        if isinstance(error, BrokenPipeError) or (numbers and error.errno not in numbers):
            raise
        raise UserError(f"{target}: cannot be written ({error.strerror or error})") from error


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
    except (ValueError, RecursionError) as error:  # a number or a nesting that is absurd
        raise UserError(f"{path}: is not JSON that can be read ({error})") from error


def hash_file(path: str | os.PathLike[str]) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
