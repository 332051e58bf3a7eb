"""What callers know of workers: shards go in, results come out in order, a failure names its shard."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

from redraft.errors import UserError

Payload = TypeVar("Payload")
Result = TypeVar("Result")
Initialise = Callable[[], object]


@dataclass(frozen=True)
class Shard(Generic[Payload]):
    """A piece of the work: the payload is what the function gets, the rest is what an error says."""

    name: str  # the file or whatever else the user knows this by
    first_line: (
        int | None
    )  # the line of that file where the payload begins, from 1; None where there are no lines
    payload: Payload

    @property
    def place(self) -> str:
        """Where a failure is whose line is not known."""
        return self.name if self.first_line is None else f"{self.name} (from line {self.first_line})"


class LineError(UserError):
    """For functions that run over shards: line `offset` of this shard (from 0) is wrong, and how.

    It arrives at the caller as a UserError that begins with the shard's name and the line of the whole file.
    """

    def __init__(self, offset: int, problem: str) -> None:
        super().__init__(offset, problem)  # both, so that it can be pickled
        self.offset = offset
        self.problem = problem

    def __str__(self) -> str:
        return self.problem


class Workers(Protocol):
    """Runs a function over shards; a context manager, and no process outlives its block."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

    def run(
        self, function: Callable[[Payload], Result], shards: Iterable[Shard[Payload]]
    ) -> Iterator[Result]:
        """Yield `function(shard.payload)` for each shard, in the order of the shards.

        The function is defined at the top of a module that can be imported, or is a functools.partial of
        such a one; payloads and results can be pickled. Shards are taken as they are needed, a few ahead of
        the result that is asked for, so an endless stream is fine. Where several shards fail, the first in
        order is reported. One run at a time: finish or close it before asking the next one for results.
        """
        ...


def name_function(function: object) -> tuple[str, str]:
    """The module and name of a function, or of the function in a partial, or of a callable object's class."""
    while isinstance(function, functools.partial):
        function = function.func
    named = function if hasattr(function, "__qualname__") else type(function)
    return str(getattr(named, "__module__", "")), str(getattr(named, "__qualname__", named))


def check_function(function: Callable[..., object]) -> None:
    """Reject what another process could not import, so that all kinds of workers take the same functions."""
    module, name = name_function(function)
    if "<" in name:  # <lambda> or <locals>
        raise TypeError(
            f"{name} cannot run in another process: workers need a function defined at the top of a module "
            "(bind its settings with functools.partial)"
        )
    if module == "__main__":
        raise TypeError(
            f"{name} is defined in the script that is being run, which workers do not import; "
            "move it to a module"
        )
