"""Where work runs: one function over many shards, results in order, in this process or on local processes.

with open_workers(threads) as workers:
    for result in workers.run(count_tokens, shards):
        ...
"""

from redraft.workers.failures import WorkerDied, WorkerFailed
from redraft.workers.interface import LineError, Shard, Workers
from redraft.workers.local import LocalProcesses, open_workers
from redraft.workers.serial import Serial

__all__ = [
    "LineError",
    "LocalProcesses",
    "Serial",
    "Shard",
    "WorkerDied",
    "WorkerFailed",
    "Workers",
    "open_workers",
]
