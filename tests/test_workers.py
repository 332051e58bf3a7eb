"""Workers: the same behaviour in this process and on local ones, and no process is ever left behind."""

from __future__ import annotations

import functools
import itertools
import logging
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from redraft.errors import UserError, located
from redraft.workers import (
    LineError,
    LocalProcesses,
    Serial,
    Shard,
    WorkerDied,
    WorkerFailed,
    Workers,
    open_workers,
)
from redraft.workers.failures import describe_exit

OpenWorkers = Callable[..., Workers]
KINDS: dict[str, OpenWorkers] = {
    "serial": Serial,
    "two processes": functools.partial(LocalProcesses, 2),
}


@pytest.fixture(params=list(KINDS.values()), ids=list(KINDS))
def kind(request: pytest.FixtureRequest) -> OpenWorkers:
    opened: OpenWorkers = request.param
    return opened


# What runs in the workers. This module is imported there as `test_workers`.


def square(number: int) -> int:
    return number * number


def square_late(number: int) -> int:
    """The first shards take longest, so they finish out of order."""
    time.sleep(max(0.0, 0.05 - 0.01 * number))
    return number * number


def fail_at_three(number: int, error: Exception) -> int:
    if number < 3:
        time.sleep(0.03)  # the failure is there before the results that it must not overtake
    if number >= 3:
        raise error
    return number


def read_memory(_: int) -> object:
    raise MemoryError


def leave(code: int) -> int:
    sys.exit(code)


def die(number: int, first: int, how: str, mark: str | None) -> int:
    """End the process at shard `first`: always, or only where there is no file `mark` yet."""
    if number == first and (mark is None or not Path(mark).exists()):
        if mark is not None:
            Path(mark).touch()
        if how == "exit":
            os._exit(3)
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die_once_each(number: int, folder: str) -> int:
    return die(number, number, "kill", f"{folder}/{number}")


def print_both(number: int) -> int:
    print(f"out {number}")
    print(f"err {number}", file=sys.stderr)
    return number


def grow(payload: bytes) -> bytes:
    return bytes(reversed(payload[:2])) + payload[2:]


def unpicklable(_: int) -> object:
    return lambda: None


def report(_: int) -> dict[str, object]:
    return {
        "pid": os.getpid(),
        "initialised": os.environ.get("TEST_WORKERS_INITIALISED"),
        "stdin": sys.stdin.read(),
        "threads": os.environ["OMP_NUM_THREADS"],
        "main": getattr(sys.modules["__main__"], "__file__", None),
    }


def initialise() -> None:
    os.environ["TEST_WORKERS_INITIALISED"] = str(int(os.environ.get("TEST_WORKERS_INITIALISED", 0)) + 1)


def initialised(_: int) -> str | None:
    return os.environ.get("TEST_WORKERS_INITIALISED")


def fail_to_start() -> None:
    raise UserError("model: has no part called detector")


def announce(number: int, pid: int) -> None:
    """One write, so that what two workers say at once does not get mixed up."""
    os.write(1, f"{number} {pid}\n".encode())


def sleep_forever(number: int) -> int:
    announce(number, os.getpid())
    time.sleep(1000)
    return number


def start_a_program(number: int) -> int:
    program = subprocess.Popen(["sleep", "1000"])
    announce(number, program.pid)
    return program.wait()


def start_and_leave(number: int) -> int:
    print(subprocess.Popen(["sleep", "1000"]).pid)
    return number


def bring_up(_: int) -> int:
    """Use workers inside a worker."""
    with LocalProcesses(2) as workers:
        return sum(workers.run(square, shards_of(range(3))))


def shards_of(payloads: Iterable[int]) -> Iterator[Shard[int]]:
    """Ten lines a shard, all of one file."""
    for number, payload in enumerate(payloads):
        yield Shard("corpus.de", 10 * number + 1, payload)


def run_all(workers: Workers, function: Callable[[int], object], payloads: Iterable[int]) -> list[object]:
    with workers:
        return list(workers.run(function, shards_of(payloads)))


def run_into(
    results: list[object], workers: Workers, function: Callable[[int], object], shards: Iterable[Shard[int]]
) -> None:
    """Keep what came before a failure."""
    with workers:
        for result in workers.run(function, shards):
            results.append(result)


def children_of(parent: int) -> set[int]:
    """The processes that `parent` has started, and theirs."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found |= {int(folder.name)} | children_of(int(folder.name))
    return found


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until_gone(pids: Iterable[int]) -> set[int]:
    deadline = time.monotonic() + 5
    while (left := {pid for pid in pids if is_running(pid)}) and time.monotonic() < deadline:
        time.sleep(0.01)
    return left


# Results, in order


def test_results_come_in_the_order_of_the_shards(kind: OpenWorkers) -> None:
    assert run_all(kind(), square_late, range(20)) == [number * number for number in range(20)]


@pytest.mark.parametrize("count", [1, 3])
def test_results_are_the_same_for_any_number_of_processes(count: int) -> None:
    assert run_all(LocalProcesses(count), square_late, range(20)) == [number * number for number in range(20)]


def test_no_shards_give_no_results(kind: OpenWorkers) -> None:
    assert run_all(kind(), square, []) == []


def test_a_result_may_be_anything(kind: OpenWorkers) -> None:
    results = [None, False, b"", ValueError]
    with kind() as workers:
        assert list(workers.run(give_back, [Shard("x", None, result) for result in results])) == results


def give_back(payload: object) -> object:
    return payload


def test_open_workers_chooses_by_count() -> None:
    assert isinstance(open_workers(1), Serial)
    assert isinstance(open_workers(2), LocalProcesses)
    with pytest.raises(ValueError, match="0 worker processes"):
        open_workers(0)


def test_shards_are_taken_only_a_few_ahead(kind: OpenWorkers) -> None:
    taken = 0

    def count_taken() -> Iterator[Shard[int]]:
        nonlocal taken
        for shard in shards_of(itertools.count()):
            taken += 1
            yield shard

    count = getattr(kind, "args", (0,))[0]
    with kind() as workers:
        results = workers.run(square, count_taken())
        assert taken == 0
        for number in range(50):
            assert next(results) == number * number
            assert taken - number <= max(1, 2 * count)


def test_several_runs_use_the_same_workers_one_after_another(kind: OpenWorkers) -> None:
    with kind() as workers:
        assert list(workers.run(square, shards_of(range(5)))) == [0, 1, 4, 9, 16]
        unfinished = workers.run(square, shards_of(itertools.count()))
        next(unfinished)
        del unfinished
        assert list(workers.run(square_late, shards_of(range(3)))) == [0, 1, 4]


def test_two_runs_at_once_are_refused() -> None:
    with LocalProcesses(2) as workers:
        first = workers.run(square, shards_of(range(9)))
        next(first)
        with pytest.raises(RuntimeError, match="another run"):
            next(workers.run(square, shards_of(range(9))))
        assert next(first) == 1


def test_workers_must_be_opened_first() -> None:
    with pytest.raises(RuntimeError, match="with LocalProcesses"):
        LocalProcesses(2).run(square, [])


def test_payloads_and_results_of_50_mb_pass_each_other() -> None:
    payload = b"ab" + bytes(50_000_000)
    with LocalProcesses(2) as workers:
        for result in workers.run(grow, (Shard("big", None, payload) for _ in range(4))):
            assert result[:2] == b"ba"
            assert len(result) == len(payload)


def test_initialise_runs_once_in_each_process(kind: OpenWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_WORKERS_INITIALISED", raising=False)
    monkeypatch.setenv("TEST_WORKERS_RESTORE_ENVIRONMENT", "1")
    try:
        assert set(run_all(kind(initialise=initialise), initialised, range(20))) == {"1"}
    finally:
        os.environ.pop("TEST_WORKERS_INITIALISED", None)


def test_workers_have_one_thread_no_input_and_not_the_main_script() -> None:
    with LocalProcesses(2) as workers:
        for number in range(3):
            for found in workers.run(report, shards_of(range(4))):
                assert found["pid"] != os.getpid()
                assert found["stdin"] == ""
                assert found["threads"] == os.environ.get("OMP_NUM_THREADS", "1"), number
                assert found["main"] is None


def test_what_workers_print_is_not_lost(kind: OpenWorkers, capfd: pytest.CaptureFixture[str]) -> None:
    run_all(kind(), print_both, range(5))
    captured = capfd.readouterr()
    assert sorted(captured.out.split("\n")) == ["", *(f"out {number}" for number in range(5))]
    assert sorted(captured.err.split("\n")) == ["", *(f"err {number}" for number in range(5))]


def test_workers_inside_a_worker() -> None:
    assert run_all(LocalProcesses(2), bring_up, range(2)) == [5, 5]


# Failures say where


@pytest.mark.parametrize(
    "error, message",
    [
        (LineError(4, "is too long"), "corpus.de:35: is too long"),
        (UserError("has no tokens"), "corpus.de (from line 31): has no tokens"),
        (located("corpus.en", 33, "is not UTF-8"), "corpus.en:33: is not UTF-8"),
        (FileNotFoundError(2, "No such file", "x"), "corpus.de (from line 31): x: No such file"),
        (MemoryError(), "corpus.de (from line 31): out of memory; use fewer processes or a smaller input"),
    ],
    ids=["line", "user", "located", "file", "memory"],
)
def test_a_user_error_is_one_line_with_its_place(kind: OpenWorkers, error: Exception, message: str) -> None:
    results: list[object] = []
    function = functools.partial(fail_at_three, error=error)
    with pytest.raises(UserError) as raised:
        run_into(results, kind(), function, shards_of(range(9)))
    assert str(raised.value) == message
    assert type(raised.value) is UserError
    assert results == [0, 1, 2]


@pytest.mark.parametrize("error", [ValueError("odd"), KeyError("word"), OSError("odd")], ids=str)
def test_any_other_error_carries_its_traceback(kind: OpenWorkers, error: Exception) -> None:
    with pytest.raises(WorkerFailed) as raised:
        run_all(kind(), functools.partial(fail_at_three, error=error), range(9))
    assert str(raised.value) == f"corpus.de (from line 31): {type(error).__name__}: {error}"
    assert "in fail_at_three" in "".join(traceback.format_exception(raised.value))


def test_sys_exit_in_a_function_is_a_failure(kind: OpenWorkers) -> None:
    with pytest.raises(WorkerFailed, match=r"corpus.de \(from line 1\): SystemExit: 4"):
        run_all(kind(), leave, [4])


def test_a_shard_without_lines_is_known_by_name(kind: OpenWorkers) -> None:
    fail = functools.partial(fail_at_three, error=LineError(0, "is empty"))
    with pytest.raises(UserError, match=r"^fold 3: is empty$"):
        run_into([], kind(), fail, [Shard("fold 3", None, 3)])


def test_an_error_while_starting_names_no_shard(kind: OpenWorkers) -> None:
    with pytest.raises(UserError, match=r"^model: has no part called detector$"):
        run_all(kind(initialise=fail_to_start), square, range(3))


def test_an_error_in_the_stream_of_shards_comes_after_the_results_before_it(kind: OpenWorkers) -> None:
    def broken() -> Iterator[Shard[int]]:
        yield from shards_of(range(3))
        raise UserError("corpus.de:31: is not UTF-8")

    results: list[object] = []
    with pytest.raises(UserError, match="31: is not UTF-8"):
        run_into(results, kind(), square_late, broken())
    assert results == [0, 1, 4]


def test_functions_that_workers_cannot_import_are_refused(
    kind: OpenWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    def local(number: int) -> int:
        return number

    for function, message in ((lambda number: number, "<lambda>"), (local, "<locals>.local")):
        with pytest.raises(TypeError, match=f"{message} cannot run in another process"), kind() as workers:
            workers.run(functools.partial(function), [])
        with pytest.raises(TypeError, match=message):
            kind(initialise=function)
    monkeypatch.setattr(square, "__module__", "__main__")
    with (
        pytest.raises(TypeError, match="square is defined in the script that is being run"),
        kind() as workers,
    ):
        workers.run(square, [])


def test_what_cannot_be_sent_is_named() -> None:
    with LocalProcesses(2) as workers:
        with pytest.raises(WorkerFailed, match=r"corpus.de \(from line 1\): .*[Pp]ickle"):
            list(workers.run(unpicklable, shards_of(range(1))))
        with pytest.raises(TypeError, match="cannot be sent to another process"):
            list(workers.run(functools.partial(give_back, lambda: None), shards_of(range(1))))
        with pytest.raises(WorkerFailed, match=r"corpus.de \(from line 1\): .*[Pp]ickle"):
            list(workers.run(give_back, [Shard("corpus.de", 1, threading.Lock())]))


def test_a_function_that_workers_cannot_find_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    module = type(sys)("module_of_this_process_only")
    module.square = square  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(square, "__module__", module.__name__)
    with pytest.raises(WorkerFailed, match="No module named 'module_of_this_process_only'"):
        run_all(LocalProcesses(2), square, range(3))


# Death


@pytest.mark.parametrize("how", ["exit", "kill"])
@pytest.mark.parametrize("count", [1, 3])
def test_a_worker_that_dies_once_is_replaced(
    tmp_path: Path, how: str, count: int, caplog: pytest.LogCaptureFixture
) -> None:
    function = functools.partial(die, first=5, how=how, mark=str(tmp_path / "mark"))
    assert run_all(LocalProcesses(count), function, range(20)) == list(range(20))
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith("corpus.de (from line 51): a worker process ")


@pytest.mark.parametrize(
    "how, end", [("exit", "ended with exit code 3"), ("kill", "was killed by signal 9 (SIGKILL")]
)
@pytest.mark.parametrize("count", [1, 3])
def test_a_shard_that_kills_two_workers_is_reported(how: str, end: str, count: int) -> None:
    results: list[object] = []
    function = functools.partial(die, first=5, how=how, mark=None)
    with pytest.raises(WorkerDied) as raised:
        run_into(results, LocalProcesses(count), function, shards_of(range(20)))
    assert str(raised.value).startswith(f"corpus.de (from line 51): the worker process {end}")
    assert "\n" not in str(raised.value)
    assert results == list(range(5))


def test_every_shard_may_kill_one_worker(tmp_path: Path) -> None:
    function = functools.partial(die_once_each, folder=str(tmp_path))
    assert run_all(LocalProcesses(2), function, range(6)) == list(range(6))


def test_workers_that_all_die_at_once_are_replaced() -> None:
    with LocalProcesses(3) as workers:
        (nursery,) = children_of(os.getpid())
        results = workers.run(square_late, shards_of(range(20)))
        got = [next(results)]
        for pid in children_of(nursery):
            os.kill(pid, signal.SIGKILL)
        assert got + list(results) == [number * number for number in range(20)]


def test_an_idle_worker_that_dies_is_replaced() -> None:
    def shards() -> Iterator[Shard[int]]:
        yield from shards_of(range(2))
        time.sleep(0.05)
        for pid in children_of(os.getpid()) - children:
            os.kill(pid, signal.SIGKILL)
        yield from shards_of(range(2, 5))

    with LocalProcesses(2) as workers:
        children = children_of(os.getpid())
        assert list(workers.run(square, shards())) == [0, 1, 4, 9, 16]


def test_the_death_of_the_nursery_is_reported() -> None:
    with LocalProcesses(2) as workers:
        (nursery,) = children_of(os.getpid())
        results = workers.run(square, shards_of(itertools.count()))
        next(results)
        os.kill(nursery, signal.SIGKILL)
        with pytest.raises(WorkerDied, match="the process that starts the workers was killed by signal 9"):
            list(results)


@pytest.mark.parametrize(
    "code, description",
    [
        (0, "ended with exit code 0"),
        (-11, "was killed by signal 11 (SIGSEGV)"),
        (-9, "was killed by signal 9 (SIGKILL, out of memory?)"),
        (-40, "was killed by signal 40 (unknown)"),
    ],
)
def test_exit_codes_in_words(code: int, description: str) -> None:
    assert describe_exit(code) == description


# Nothing is left behind


def test_closing_early_ends_the_workers_and_leaving_the_block_ends_all() -> None:
    before = children_of(os.getpid())
    with LocalProcesses(2) as workers:
        nursery = children_of(os.getpid()) - before
        for _ in workers.run(square, shards_of(itertools.count())):
            break
        assert children_of(os.getpid()) - before == nursery
    assert children_of(os.getpid()) == before


def test_what_a_worker_started_ends_with_the_run(capfd: pytest.CaptureFixture[str]) -> None:
    with LocalProcesses(2) as workers:
        next(workers.run(start_and_leave, shards_of(range(1))))
        started = int(capfd.readouterr().out)
        assert wait_until_gone([started]) == set()


def test_an_exception_of_the_consumer_ends_all() -> None:
    before = children_of(os.getpid())
    with pytest.raises(ZeroDivisionError), LocalProcesses(2) as workers:
        assert all(1 // number for number in workers.run(square, shards_of(itertools.count())))
    assert children_of(os.getpid()) == before


SCRIPT = """
import itertools, sys
import test_workers
from redraft.workers import LocalProcesses, Shard
with LocalProcesses(2) as workers:
    try:
        for _ in workers.run(test_workers.{function}, (Shard("x", None, n) for n in itertools.count())):
            pass
    except KeyboardInterrupt:
        sys.exit(130)
"""


def start_script(function: str) -> tuple[subprocess.Popen[str], list[int]]:
    """A program with two busy workers, and all its processes, its own among them."""
    script = subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(function=function)],
        cwd=Path(__file__).parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert script.stdout is not None
    announced = [int(script.stdout.readline().split()[1]) for _ in range(2)]
    return script, [script.pid, *children_of(script.pid), *announced]


@pytest.mark.parametrize("function", ["sleep_forever", "start_a_program"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
def test_the_end_of_the_program_is_the_end_of_all(function: str, number: signal.Signals) -> None:
    script, pids = start_script(function)
    with script:
        assert (
            len(pids) >= 6
        )  # the program, the nursery, two workers, and those two again or what they started
        os.kill(script.pid, number)
        _, messages = script.communicate(timeout=10)
        assert script.returncode == (130 if number == signal.SIGINT else -number)
        assert messages == ""
        assert wait_until_gone(pids) == set()


def test_signals_to_all_processes_end_quietly() -> None:
    script, pids = start_script("sleep_forever")
    with script:
        for pid in reversed(pids):
            os.kill(pid, signal.SIGINT)
        _, messages = script.communicate(timeout=10)
        assert (script.returncode, messages) == (130, "")
        assert wait_until_gone(pids) == set()


def test_an_interrupt_at_any_moment_leaves_nothing() -> None:
    """Also while the workers are being started, or in the middle of a message."""
    source = SCRIPT.format(function="square").replace("with Local", "print(flush=True)\nwith Local")
    for delay in (0.0, 0.03, 0.1, 0.3):
        with subprocess.Popen(
            [sys.executable, "-c", source],
            cwd=Path(__file__).parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as script:
            assert script.stdout is not None
            script.stdout.readline()
            time.sleep(delay)
            pids = children_of(script.pid)
            script.send_signal(signal.SIGINT)
            script.communicate(timeout=10)
            assert script.returncode in (130, -signal.SIGINT)
            assert wait_until_gone(pids) == set()


@pytest.mark.parametrize("way", ["file", "stdin", "-c"])
def test_scripts_need_no_main_guard(tmp_path: Path, way: str) -> None:
    source = (
        "print('started')\nimport test_workers\nfrom redraft.workers import LocalProcesses\n"
        "print(test_workers.run_all(LocalProcesses(2), test_workers.square, range(4)))\n"
    )
    (tmp_path / "script.py").write_text(source)
    arguments = {"file": [str(tmp_path / "script.py")], "stdin": ["-"], "-c": ["-c", source]}[way]
    done = subprocess.run(
        [sys.executable, *arguments],
        input=source if way == "stdin" else "",
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert (done.stdout, done.stderr) == ("started\n[0, 1, 4, 9]\n", "")
