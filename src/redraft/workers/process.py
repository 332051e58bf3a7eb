"""What runs inside a worker process: shards in, results out, until the other end of the connection closes.

A thread beside the work reads ahead. So the parent never waits for long while it sends a shard, even to a
worker that is itself sending a large result, and the two cannot block each other. The thread also notices
when the parent has gone, and ends this process even in the middle of a long shard.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, NoReturn

from redraft.workers.failures import Failure
from redraft.workers.interface import Initialise


def serve(
    connection: Connection[Any, Any], function: Callable[[Any], object], initialise: Initialise | None
) -> NoReturn:
    """Answer each pickled payload with a pickled result or Failure, in order; never returns.

    An answer is sent whole before the next shard begins, so a process dies at its first unanswered one.
    """
    payloads: SimpleQueue[bytes] = SimpleQueue()  # never more than the parent allows to be unanswered
    threading.Thread(target=_read, args=(connection, payloads), daemon=True).start()
    failure = _start(initialise)
    while True:
        answer = _answer(function, payloads.get(), failure)
        # What the function printed is out before its result is: an idle worker has nothing left to lose.
        sys.stdout.flush()
        sys.stderr.flush()
        connection.send_bytes(answer)
        del answer  # or it would stay in memory all through the next shard


def _start(initialise: Initialise | None) -> Failure | None:
    try:
        if initialise is not None:
            initialise()
    except (Exception, SystemExit) as error:
        return Failure.describe(error, starting=True)
    return None


def _answer(function: Callable[[Any], object], payload: bytes, failure: Failure | None) -> bytes:
    if failure is not None:
        return pickle.dumps(failure)
    try:
        return pickle.dumps(function(pickle.loads(payload)), pickle.HIGHEST_PROTOCOL)
    except (Exception, SystemExit) as error:
        return pickle.dumps(Failure.describe(error))


def _read(connection: Connection[Any, Any], payloads: SimpleQueue[bytes]) -> NoReturn:
    try:
        while True:
            payloads.put(connection.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)  # the parent has closed the connection or is dead: nobody wants the results
    except BaseException:
        traceback.print_exc()  # out of memory, most likely
        os._exit(1)
