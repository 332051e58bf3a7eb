"""Workers that are processes of this machine, and the choice between them and this process."""

from __future__ import annotations

import json
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection
from multiprocessing.reduction import send_handle
from types import TracebackType
from typing import Any, Self

from redraft.workers.failures import WorkerDied, WorkerFailed, describe_exit
from redraft.workers.interface import (
    Initialise,
    Payload,
    Result,
    Shard,
    Workers,
    check_function,
    name_function,
)
from redraft.workers.run import Run
from redraft.workers.serial import Serial

# Every worker has one core: threads of its own would fight with the other workers, and make forking unsafe.
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from redraft.workers.nursery import main; main(int(sys.argv[2]))"
)


def open_workers(count: int, initialise: Initialise | None = None) -> Workers:
    """Workers for `count` processes at most: this process alone for 1, local processes for more."""
    return Serial(initialise) if count == 1 else LocalProcesses(count, initialise)


class LocalProcesses:
    """Runs shards on up to `count` processes, each of which calls `initialise` before its first shard.

    A worker that dies (killed, crashed, `os._exit`) is replaced and its shard run once more; if that ends in
    the same way, the run raises WorkerDied. At most two shards per process are taken and not yet yielded.
    The script that uses this needs no `if __name__ == "__main__"`: workers never import it.
    """

    def __init__(self, count: int, initialise: Initialise | None = None) -> None:
        if count < 1:
            raise ValueError(f"{count} worker processes: at least 1 is needed")
        if initialise is not None:
            check_function(initialise)
        self._count = count
        self._initialise = initialise
        self._nursery: NurseryProcess | None = None
        self._running = False

    def __enter__(self) -> Self:
        self._nursery = NurseryProcess()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        if self._nursery is not None:
            self._nursery.close()
        self._nursery = None

    def run(
        self, function: Callable[[Payload], Result], shards: Iterable[Shard[Payload]]
    ) -> Iterator[Result]:
        """Yield the function's result for each shard, in order (see `Workers.run`)."""
        check_function(function)
        if self._nursery is None:
            raise RuntimeError("open the workers first: `with LocalProcesses(...) as workers:`")
        return self._results(self._nursery, function, shards)

    def _results(
        self, nursery: NurseryProcess, function: Callable[[Payload], Result], shards: Iterable[Shard[Payload]]
    ) -> Iterator[Result]:
        if self._running:
            raise RuntimeError("another run of these workers is not finished: finish or close it first")
        self._running = True
        grace = 0.0
        try:
            nursery.load(function, self._initialise)
            yield from Run[Payload, Result](nursery, self._count).results(shards)
            grace = 1.0
        except KeyboardInterrupt:
            nursery.close()  # it may have been interrupted in the middle of a message
            raise
        finally:
            self._running = False
            nursery.end(grace)


class NurseryProcess:
    """This end of the nursery: starts it, has workers forked, and learns how they ended."""

    def __init__(self) -> None:
        here, there = socket.socketpair()
        with there:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-P",  # no file of the current folder may pose as a module while the nursery starts
                    *(["-O"] * sys.flags.optimize),
                    *(f"-W{option}" for option in sys.warnoptions),
                    "-c",
                    _START,
                    json.dumps([entry for entry in sys.path if isinstance(entry, str)]),
                    str(there.fileno()),
                ],
                stdin=subprocess.DEVNULL,  # the program's standard input is its own
                env=dict.fromkeys(_ONE_THREAD, "1") | os.environ,
                pass_fds=[there.fileno()],
                process_group=0,
            )
        self.control: Connection[Any, Any] = Connection(here.detach())
        self.exit_codes: dict[int, int] = {}  # of workers that have ended, by pid

    def load(self, function: object, initialise: object) -> None:
        """Import and unpickle what the workers will run."""
        name = ".".join(name_function(function))
        try:
            pickled = pickle.dumps((function, initialise), pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            raise TypeError(f"{name} cannot be sent to another process: {error}") from error
        try:
            self._ask("load", pickled)
        except _Refused as refusal:
            failed = WorkerFailed(f"{name} cannot be loaded by the workers: {refusal.last_line}")
            failed.add_note(str(refusal))
            raise failed from None

    def fork(self) -> tuple[int, Connection[Any, Any]]:
        """A new worker: its process id and the connection that payloads and results pass through."""
        here, there = socket.socketpair()
        with here, there:
            try:
                pid = self._ask("fork", descriptor=there.fileno())
            except _Refused as refusal:
                raise WorkerDied(str(refusal)) from None
            return pid, Connection(here.detach())

    def end(self, grace: float) -> None:
        """End all workers, and forget them; a nursery that is closed or dead has none."""
        if not self.control.closed:
            try:
                self._ask("end", grace)
            except WorkerDied:
                self.close()
            self.exit_codes.clear()

    def close(self) -> None:
        """End everything and wait until it is gone."""
        self.control.close()
        try:
            self._process.wait(timeout=5.0)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def hear(self) -> tuple[Any, ...]:
        """The next message; of workers that ended, note is taken."""
        try:
            message: tuple[Any, ...] = self.control.recv()
        except (EOFError, OSError) as error:
            raise self._describe_death() from error
        if message[0] == "exited":
            self.exit_codes[message[1]] = message[2]
        return message

    def _ask(self, command: str, *values: object, descriptor: int | None = None) -> Any:
        try:
            self.control.send((command, *values))
            if descriptor is not None:
                send_handle(self.control, descriptor, self._process.pid)
        except OSError as error:
            raise self._describe_death() from error
        while (message := self.hear())[0] == "exited":
            pass
        if message[0] == "failed":
            raise _Refused(message[1])
        return message[1]

    def _describe_death(self) -> WorkerDied:
        code = self._process.wait()
        return WorkerDied(f"the process that starts the workers {describe_exit(code)}")


class _Refused(Exception):
    """The nursery could not do what it was asked; the message is its reason."""

    @property
    def last_line(self) -> str:
        return str(self).strip().rpartition("\n")[2]
