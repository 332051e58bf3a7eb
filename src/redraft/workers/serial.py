"""Workers that are this very process: for one core, for debugging, and as the measure for all other kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Self

from redraft.errors import find_interruption
from redraft.workers.failures import Failure
from redraft.workers.interface import Initialise, Payload, Result, Shard, check_function


class Serial:
    """Runs shard after shard in this process; `initialise` is called once, before the first shard."""

    def __init__(self, initialise: Initialise | None = None) -> None:
        if initialise is not None:
            check_function(initialise)
        self._initialise = initialise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        return None

    def run(
        self, function: Callable[[Payload], Result], shards: Iterable[Shard[Payload]]
    ) -> Iterator[Result]:
        """Yield the function's result for each shard, in order (see `Workers.run`)."""
        check_function(function)
        return self._results(function, shards)

    def _results(
        self, function: Callable[[Payload], Result], shards: Iterable[Shard[Payload]]
    ) -> Iterator[Result]:
        for shard in shards:
            starting = self._initialise is not None
            try:
                if self._initialise is not None:
                    self._initialise()
                    self._initialise = None
                    starting = False
                result = function(shard.payload)
            except (Exception, SystemExit) as error:
                interruption = find_interruption(error)
                if interruption is not None:
                    raise interruption from None
                raise Failure.describe(error, starting).at(shard) from error
            yield result
