"""One run over local processes: hands shards to workers, puts results in order, replaces dead workers."""

from __future__ import annotations

import logging
import pickle
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, Protocol

from redraft.workers.failures import Failure, WorkerDied, WorkerFailed, describe_exit
from redraft.workers.interface import Payload, Result, Shard

_AHEAD = 2  # shards per worker: one that it works on, one that it has at hand when that is done
_logger = logging.getLogger(__name__)


class Nursery(Protocol):
    """Where workers come from."""

    control: Connection[Any, Any]
    exit_codes: dict[int, int]

    def fork(self) -> tuple[int, Connection[Any, Any]]: ...

    def hear(self) -> object: ...


@dataclass
class _Task:
    """A shard until its result is yielded; its payload is kept as long as it may have to be sent again."""

    shard: Shard[None]  # only its name and line
    payload: bytes
    deaths: int = 0  # workers that died on it
    answer: bytes | Exception | None = None


@dataclass(eq=False)
class _Worker:
    pid: int
    connection: Connection[Any, Any]
    tasks: deque[_Task] = field(default_factory=deque)  # sent and not yet answered, in order
    silent: bool = False  # no answer will come any more: it has ended, or is about to

    @property
    def has_room(self) -> bool:
        return not self.silent and len(self.tasks) < _AHEAD


class Run(Generic[Payload, Result]):
    """The state of one run; everything happens inside `results`, while the caller waits for the next one."""

    def __init__(self, nursery: Nursery, count: int) -> None:
        self._nursery = nursery
        self._count = count
        self._workers: list[_Worker] = []
        self._unsent: deque[_Task] = deque()
        self._window: deque[_Task] = deque()  # taken and not yet yielded, in order

    def results(self, shards: Iterable[Shard[Payload]]) -> Iterator[Result]:
        """Yield the results in order; workers end when the connections close."""
        remaining: Iterator[Shard[Payload]] | None = iter(shards)
        try:
            while True:
                self._receive(timeout=0)
                if self._window and self._window[0].answer is not None:
                    yield self._open(self._window.popleft())
                if remaining is not None and len(self._window) < _AHEAD * self._count:
                    if not self._take(remaining):
                        remaining = None
                elif not self._window:
                    return
                elif self._window[0].answer is None:
                    self._receive(timeout=None)
        finally:
            for worker in self._workers:
                worker.connection.close()

    def _take(self, remaining: Iterator[Shard[Payload]]) -> bool:
        """Take one more shard; false where there is none, or where the stream of shards itself has failed."""
        try:
            shard = next(remaining)
        except StopIteration:
            return False
        except Exception as error:  # its turn comes after the results of the shards before it
            self._window.append(_Task(Shard("", None, None), b"", answer=error))
            return False
        task = _Task(Shard(shard.name, shard.first_line, None), b"")
        self._window.append(task)
        try:
            task.payload = pickle.dumps(shard.payload, pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            task.answer = Failure.describe(error).at(shard)
            return False
        self._unsent.append(task)
        self._send()
        return True

    def _send(self) -> None:
        while self._unsent:
            worker = self._find_worker(fresh=self._unsent[0].deaths > 0)
            if worker is None:
                return
            task = self._unsent.popleft()
            worker.tasks.append(task)
            try:
                worker.connection.send_bytes(task.payload)
            except OSError:
                worker.silent = True  # it is dead; what it had is sent again when we learn how it died

    def _find_worker(self, fresh: bool) -> _Worker | None:
        """The least busy worker with room; a new one where all are busy and there may be more.

        A shard that runs once more has a fresh one: another may be dying too, and the shard would be blamed.
        """
        with_room = [worker for worker in self._workers if worker.has_room]
        best = min(with_room, key=lambda worker: len(worker.tasks), default=None)
        if (fresh or best is None or best.tasks) and len(self._workers) < self._count:
            best = _Worker(*self._nursery.fork())
            self._workers.append(best)
        return best

    def _receive(self, timeout: float | None) -> None:
        """Take in what has arrived; wait for something if there is nothing yet."""
        speaking = [worker.connection for worker in self._workers if not worker.silent]
        ready = set(wait([self._nursery.control, *speaking], timeout))
        if self._nursery.control in ready:
            self._nursery.hear()
        for worker in list(self._workers):
            if worker.connection in ready:
                self._receive_answer(worker)
            if worker.pid in self._nursery.exit_codes:
                self._bury(worker)
        self._send()

    def _receive_answer(self, worker: _Worker) -> None:
        try:
            answer = worker.connection.recv_bytes()
        except (EOFError, OSError):
            worker.silent = True
            return
        task = worker.tasks.popleft()
        task.answer, task.payload = answer, b""

    def _bury(self, worker: _Worker) -> None:
        """A worker has ended: take its last answers, blame the shard it was at, and free its place."""
        worker.silent = False  # it may be unable to hear us and yet have answers on the way
        while not worker.silent and worker.connection.poll():
            self._receive_answer(worker)
        worker.connection.close()
        self._workers.remove(worker)
        end = describe_exit(self._nursery.exit_codes.pop(worker.pid))
        if not worker.tasks:
            return
        blamed = worker.tasks[0]
        blamed.deaths += 1
        if blamed.deaths > 1:
            worker.tasks.popleft()
            blamed.answer = WorkerDied(
                f"{blamed.shard.place}: the worker process {end}, and so did one before it in the "
                "same place; use fewer processes or a smaller input"
            )
        else:
            _logger.warning("%s: a worker process %s; its part runs once more", blamed.shard.place, end)
        # First those that need a fresh worker: there is a place for one now.
        self._unsent = deque(sorted([*worker.tasks, *self._unsent], key=lambda task: task.deaths == 0))

    def _open(self, task: _Task) -> Result:
        if isinstance(task.answer, Exception):
            raise task.answer
        assert task.answer is not None
        result: Result | Failure = pickle.loads(task.answer)
        if isinstance(result, Failure):
            error = result.at(task.shard)
            if isinstance(error, WorkerFailed):
                error.add_note(result.trace)
            raise error
        return result
