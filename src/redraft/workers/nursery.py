"""The process that workers are forked from: it imports a function's modules once, for all workers to share.

It is started afresh (`python -c`), so it holds no thread, lock, open file or `__main__` of the program that
uses it, and forking is safe in it. It is the workers' parent: it reports how they ended, and when its
connection closes, whatever the reason, it ends them all and itself. It and each worker lead a process group
of their own: Ctrl-C in the terminal reaches only the user's program, which then closes the connection, and
the programs that a worker started are ended together with it.

Commands: ("load", pickled function and initialise), ("fork",) followed by the worker's socket, ("end",
seconds of grace); each is answered ("done", value) or ("failed", problem). ("exited", pid, code) comes at any
time.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import time
import traceback
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import recv_handle
from typing import Any, NoReturn

from redraft.workers.process import serve


def main(descriptor: int) -> None:
    """Serve one program over the socket with this descriptor, until it closes."""
    for number in (signal.SIGINT, signal.SIGTERM):
        # A handler that does nothing, because programs that a worker starts would inherit SIG_IGN.
        signal.signal(number, _do_nothing)
    nursery = _Nursery(Connection(descriptor))
    try:
        nursery.serve()
    except (EOFError, OSError, RuntimeError):
        pass  # the program has closed its end, was interrupted in the middle of a message, or is dead
    finally:
        nursery.end(grace=0.0)


def _do_nothing(*_: object) -> None:
    pass


def _kill_group(pid: int) -> None:
    """End a worker and what it has started; a worker that has ended may have left the latter."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


class _Nursery:
    def __init__(self, control: Connection[Any, Any]) -> None:
        self.control = control
        self.loaded: tuple[Any, Any] = (None, None)
        self.children: set[int] = set()
        self.child_exited, self.wakeup = os.pipe()  # readable whenever a child has ended
        os.set_blocking(self.wakeup, False)
        signal.signal(signal.SIGCHLD, _do_nothing)
        signal.set_wakeup_fd(self.wakeup, warn_on_full_buffer=False)

    def serve(self) -> None:
        while True:
            ready = wait([self.control, self.child_exited])
            if self.child_exited in ready:
                os.read(self.child_exited, 4096)
                for pid, code in self.reap():
                    self.control.send(("exited", pid, code))
            if self.control in ready:
                self.control.send(self.obey(*self.control.recv()))

    def obey(self, command: str, *values: Any) -> tuple[str, object]:
        match command:
            case "load":
                return self.load(*values)
            case "fork":
                return self.fork(recv_handle(self.control))
            case _:
                self.end(*values)
                return "done", None

    def load(self, pickled: bytes) -> tuple[str, object]:
        try:
            self.loaded = pickle.loads(pickled)
        except Exception:
            return "failed", traceback.format_exc()
        gc.collect()
        gc.freeze()  # collections in the workers would write to the pages of what is here, and so copy them
        return "done", None

    def fork(self, descriptor: int) -> tuple[str, object]:
        try:
            pid = os.fork()
        except OSError as error:
            os.close(descriptor)
            return "failed", f"no worker process can be started ({error.strerror})"
        if pid == 0:
            self.become_worker(descriptor)
        with contextlib.suppress(OSError):  # the worker does the same: whoever comes first
            os.setpgid(pid, pid)
        os.close(descriptor)
        self.children.add(pid)
        return "done", pid

    def become_worker(self, descriptor: int) -> NoReturn:
        try:
            os.setpgid(0, 0)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.close(self.child_exited)
            os.close(self.wakeup)
            os.set_inheritable(descriptor, False)
            self.control.close()
            serve(Connection(descriptor), *self.loaded)
        except ConnectionError:
            pass  # the program has closed its end
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)

    def reap(self) -> list[tuple[int, int]]:
        """The children that have ended since the last call, with their exit codes."""
        ended = []
        for pid in list(self.children):
            found, status = os.waitpid(pid, os.WNOHANG)
            if found:
                self.children.remove(pid)
                _kill_group(pid)
                ended.append((pid, os.waitstatus_to_exitcode(status)))
        return ended

    def end(self, grace: float) -> None:
        """End all workers; those that are about to leave by themselves have some seconds of grace."""
        deadline = time.monotonic() + grace
        while self.children and time.monotonic() < deadline:
            self.reap()
            time.sleep(0.002)
        for pid in self.children:
            _kill_group(pid)
        for pid in self.children:
            os.waitpid(pid, 0)
        self.children.clear()
