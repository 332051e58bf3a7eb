"""Measures a command: time, processor time and peak memory over all the processes that it starts.

from measure import machine, measure
figures = measure([sys.executable, "-m", "redraft", ...])

python benchmarks/measure.py -- redraft prepare ...
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import IO, Any

_MIB = 2**20
_MEMORY = ("Pss:", "Rss:", "VmHWM:")
_TICKS = os.sysconf("SC_CLK_TCK")
_PACKAGES = ("redraft", "numpy", "numba", "rapidfuzz", "sacrebleu", "zstandard")
_Stream = int | IO[Any] | None


@dataclass(frozen=True)
class Measurement:
    """What one command took; memory in MiB."""

    wall_seconds: float
    cpu_seconds: float  # user and system, all processes
    peak_mib: float  # largest sum of PSS seen: shared pages count once, so this is what the machine must have
    peak_rss_mib: float  # largest sum of RSS seen: shared pages count for every process, an upper bound
    largest_process_mib: float  # largest high-water mark of RSS of a single process, kept by the kernel
    most_processes: int
    samples: int
    exit_code: int

    def __str__(self) -> str:
        return (
            f"{self.wall_seconds:.2f} s, {self.cpu_seconds:.2f} CPU s, peak {self.peak_mib:.0f} MiB "
            f"(RSS sum {self.peak_rss_mib:.0f}, largest process {self.largest_process_mib:.0f}), "
            f"{self.most_processes} processes"
        )


def measure(
    command: Sequence[str | os.PathLike[str]],
    *,
    interval: float = 0.02,
    check: bool = True,
    environment: Mapping[str, str] | None = None,
    folder: str | os.PathLike[str] | None = None,
    stdin: _Stream = None,
    stdout: _Stream = None,
    stderr: _Stream = None,
) -> Measurement:
    """Run a command to its end and look at its processes every `interval` seconds.

    `environment` is added to this process's own. With `check`, a failing command raises CalledProcessError.
    A peak shorter than the interval is missed; `largest_process_mib` catches it, for one process, unless it
    is the last thing that the process does.
    """
    sampler = _Sampler()
    start = time.perf_counter()
    with subprocess.Popen(
        [os.fspath(argument) for argument in command],
        env={**os.environ, **(environment or {})},
        cwd=folder,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
    ) as process:
        try:
            while True:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                sampler.sample(process.pid)
                time.sleep(interval)
        except BaseException:
            process.kill()
            raise
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if check and process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, [os.fspath(argument) for argument in command])
    return Measurement(
        wall_seconds=wall,
        # The first figure misses processes that nobody waited for, the second what each one did last.
        cpu_seconds=max(usage.ru_utime + usage.ru_stime, sum(sampler.cpu_seconds.values())),
        peak_mib=sampler.peak_pss / _MIB,
        peak_rss_mib=sampler.peak_rss / _MIB,
        largest_process_mib=sampler.largest_process / _MIB,
        most_processes=sampler.most_processes,
        samples=sampler.samples,
        exit_code=process.returncode,
    )


class _Sampler:
    """Keeps the largest sums over a tree of processes."""

    def __init__(self) -> None:
        self.peak_pss = 0
        self.peak_rss = 0
        self.largest_process = 0
        self.most_processes = 0
        self.samples = 0
        self.cpu_seconds: dict[int, float] = {}  # by process id, as last seen

    def sample(self, root: int) -> None:
        """Add up what the processes of the tree use now; one that ends meanwhile counts as nothing."""
        pss = rss = processes = 0
        for pid, cpu_seconds in _find_tree(root):
            self.cpu_seconds[pid] = cpu_seconds
            memory = _read_memory(pid)
            pss += memory.get("Pss", 0)
            rss += memory.get("Rss", 0)
            self.largest_process = max(self.largest_process, memory.get("VmHWM", 0))
            processes += bool(memory)
        self.peak_pss = max(self.peak_pss, pss)
        self.peak_rss = max(self.peak_rss, rss)
        self.most_processes = max(self.most_processes, processes)
        self.samples += 1


def _find_tree(root: int) -> Iterator[tuple[int, float]]:
    """The process and all its descendants, each with the processor time it has used itself."""
    children: dict[int, list[int]] = {}
    cpu_seconds: dict[int, float] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                # After the name, which may hold anything: 0 state, 1 parent, ... 11 user, 12 system time.
                fields = Path("/proc", entry, "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry))
            cpu_seconds[int(entry)] = (int(fields[11]) + int(fields[12])) / _TICKS
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        if pid in cpu_seconds:
            yield pid, cpu_seconds[pid]
        waiting += children.get(pid, [])


def _read_memory(pid: int) -> dict[str, int]:
    """`Pss`, `Rss` and `VmHWM` (the highest RSS so far) of a process in bytes; empty where it has ended."""
    # Not ru_maxrss: a program inherits that one from whoever started it, here from the benchmark script.
    try:
        lines = Path("/proc", str(pid), "smaps_rollup").read_text().splitlines()
        lines += Path("/proc", str(pid), "status").read_text().splitlines()
    except OSError:
        return {}
    fields = (line.split() for line in lines)
    return {words[0][:-1]: int(words[1]) * 1024 for words in fields if words and words[0] in _MEMORY}


def machine(packages: Sequence[str] = _PACKAGES) -> dict[str, object]:
    """What figures depend on: the class of hardware (no names of hosts), versions, the date."""
    installed = {distribution.metadata["Name"].lower() for distribution in importlib.metadata.distributions()}
    return {
        "hardware": _describe_hardware(),
        "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in packages if name in installed},
        "date": date.today().isoformat(),
    }


def _describe_hardware() -> str:
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return f"{cores} {'core' if cores == 1 else 'cores'}, {_describe_vectors()}, {round(memory / 2**30)} GiB"


def _describe_vectors() -> str:
    """The widest vector instructions that the processor has."""
    flags = next(
        (line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("flags")), ""
    )
    has = set(flags.split())
    for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2"), ("avx", "AVX")):
        if flag in has:
            return name
    return platform.machine()


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure a command line; figures go to standard error, because standard output is the command's."""
    parser = argparse.ArgumentParser(
        description="Measure time and peak memory of a command and all its processes."
    )
    parser.add_argument(
        "--interval", type=float, default=0.02, help="seconds between two looks (default 0.02)"
    )
    parser.add_argument("--json", action="store_true", help="print figures and machine as one JSON object")
    parser.add_argument("command", nargs="+", metavar="-- command", help="the command and its arguments")
    options = parser.parse_args(arguments)
    figures = measure(options.command, interval=options.interval, check=False)
    if options.json:
        print(json.dumps({**asdict(figures), "machine": machine()}), file=sys.stderr)
    else:
        print(f"{figures}\n{_describe_hardware()}", file=sys.stderr)
    return figures.exit_code if figures.exit_code >= 0 else 128 - figures.exit_code


if __name__ == "__main__":
    sys.exit(main())
