"""How failures travel: as text from the worker, and as an exception that names the shard at the caller."""

from __future__ import annotations

import re
import signal
import traceback
from dataclasses import dataclass
from typing import Any

from redraft.errors import UserError, located
from redraft.workers.interface import LineError, Shard

_BEGINS_WITH_PLACE = re.compile(r"[^\n]+?:\d+: ")  # what `located` writes


class WorkerDied(UserError):
    """A worker process ended in the middle of its work, twice on the same shard."""


class WorkerFailed(Exception):
    """A function raised an exception that no user can mend; the notes or the cause hold its traceback."""


@dataclass(frozen=True)
class Failure:
    """An exception as text: exceptions themselves may not survive pickling, or drag data along."""

    problem: str
    for_user: bool  # arrives as UserError, one line; otherwise as WorkerFailed
    offset: int | None  # line within the shard, from 0
    has_place: bool  # the problem says where it is, or has nothing to do with the shard
    trace: str

    @classmethod
    def describe(cls, error: BaseException, starting: bool = False) -> Failure:
        """Put an exception of a shard's function (or of `initialise`, when `starting`) into words."""
        problem, for_user = _explain(error)
        return cls(
            problem=problem,
            for_user=for_user,
            offset=error.offset if isinstance(error, LineError) else None,
            has_place=starting or (isinstance(error, UserError) and bool(_BEGINS_WITH_PLACE.match(problem))),
            trace="".join(traceback.format_exception(error)),
        )

    def at(self, shard: Shard[Any]) -> UserError | WorkerFailed:
        """The exception that the caller sees."""
        if self.offset is not None:
            line = None if shard.first_line is None else shard.first_line + self.offset
            return located(shard.name, line, self.problem)
        problem = self.problem if self.has_place else f"{shard.place}: {self.problem}"
        return UserError(problem) if self.for_user else WorkerFailed(problem)


def _explain(error: BaseException) -> tuple[str, bool]:
    """What went wrong, and whether the input or the machine is at fault and not the program."""
    if isinstance(error, UserError):
        return str(error), True
    if isinstance(error, MemoryError):
        return "out of memory; use fewer processes or a smaller input", True
    if isinstance(error, OSError) and error.strerror:
        return (f"{error.filename}: {error.strerror}" if error.filename else error.strerror), True
    return "".join(traceback.format_exception_only(error)).strip(), False


def describe_exit(code: int) -> str:
    """How a process ended, from its exit code; a negative one is a signal, as in `subprocess`."""
    if code >= 0:
        return f"ended with exit code {code}"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else "unknown"
    hint = ", out of memory?" if -code == signal.SIGKILL else ""
    return f"was killed by signal {-code} ({name}{hint})"
