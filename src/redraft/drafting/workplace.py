"""Long work that may be stopped at any moment: a plan says what it is for, and a lock keeps others out.

A plan is what decides the result: hashes of inputs, settings, versions. Where it is the same, work goes on.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from redraft.errors import UserError
from redraft.files import check_output_folder, read_json, write_json

MANIFEST = "manifest.json"
PLAN = "plan.json"

Plan = Mapping[str, Any]
Say = Callable[[str], None]


def is_complete(output: Path, plan: Plan, force: bool) -> bool:
    """Whether OUTPUT holds just what is asked for; anything else is refused, or to be replaced."""
    check_output_folder(output, True, proof=MANIFEST)
    if force or not (output / MANIFEST).is_file():
        return False
    if difference := _compare(read_json(output / MANIFEST), plan):
        raise UserError(
            f"{output}: was made with {difference}; name another output or add --force to replace it"
        )
    return True


@contextmanager
def open_work(work: Path, plan: Plan, force: bool, say: Say) -> Iterator[None]:
    """Begin the work folder, or go on with it if it was begun with the same plan; one process at a time."""
    work.mkdir(parents=True, exist_ok=True)
    with _lock(work):
        if not (work / PLAN).is_file():
            if any(not entry.name.startswith(f".{PLAN}.") for entry in work.iterdir()):
                raise UserError(f"{work}: has no {PLAN}, so it is not ours; remove it or name another output")
            write_json(work / PLAN, plan)
        elif difference := _compare(read_json(work / PLAN), plan):
            if not force:
                raise UserError(f"{work}: was begun with {difference}; add --force to begin anew")
            say(f"{work}: was begun with {difference}; beginning anew")
            _empty(work)
            write_json(work / PLAN, plan)
        else:
            say(f"going on with what was done in {work}")
        yield


def remove_work(work: Path) -> None:
    """Remove the work folder; its plan goes last, so that it can be recognised if this is stopped too."""
    _empty(work)
    shutil.rmtree(work)


def remove_finished_work(work: Path, plan: Plan) -> None:
    """Remove what a run left that was stopped when its output was complete; work on something else stays."""
    if (work / PLAN).is_file() and not _compare(read_json(work / PLAN), plan):
        with _lock(work):
            remove_work(work)


def _empty(work: Path) -> None:
    for entry in work.iterdir():
        if entry.is_dir():
            shutil.rmtree(entry)
        elif entry.name != PLAN:
            entry.unlink()


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Keep other processes out of a folder; the lock ends with this process, however that ends."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            problem = "another run is at work there; wait for it or name another output"
            raise UserError(f"{folder}: {problem}") from None
        yield
    finally:
        os.close(descriptor)


def _compare(found: Any, plan: Plan) -> str | None:
    """What is different in the plan of an earlier run, in a few words; None if nothing is."""
    if not isinstance(found, dict) or any(found.get(key) != plan[key] for key in ("format", "version")):
        return "another version of redraft"
    for part, title in (("inputs", "another"), ("also", "another set"), ("settings", ""), ("versions", "")):
        before, now = found.get(part), plan[part]
        if before == now:
            continue
        if not isinstance(before, dict):
            return f"no {part}"
        names = [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]
        if title:
            return f"{title} {names[0]}"
        return f"{names[0]} {before.get(names[0])} (now {now.get(names[0])})"
    return None
