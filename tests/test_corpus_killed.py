"""`redraft prepare` that is killed, interrupted or terminated leaves a complete corpus or none."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from redraft.cli import main
from redraft.corpus.prepared import PreparedCorpus
from redraft.errors import UserError
from redraft.files import hash_file

PREPARE = [sys.executable, "-c", "import sys; from redraft.cli import main; sys.exit(main())", "prepare"]
MOMENTS = 10


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("killed") / "toy"
    assert main(["toy", "--output", str(path), "--pairs", "4000", "--seed", "1"]) == 0
    return path


def start(toy: Path, output: Path, *options: str, source: str | None = None) -> subprocess.Popen[bytes]:
    command = [*PREPARE, "--source", source or f"{toy}/train.de", "--reference", f"{toy}/train.en"]
    command += ["--source-language", "de", "--output", str(output), "--threads", "2", *options]
    streams = {
        "stdin": subprocess.PIPE if source else None,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
    }
    return subprocess.Popen(command, **streams)  # type: ignore[call-overload,no-any-return]


def hashes(path: Path) -> dict[str, str]:
    return {file.name: hash_file(file) for file in path.iterdir()}


def hidden(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


def is_accepted(path: Path) -> bool:
    try:
        PreparedCorpus.open(path)
    except UserError:
        return False
    return True


def test_killed_at_ten_moments(toy: Path, tmp_path: Path) -> None:
    finished, output = tmp_path / "finished", tmp_path / "out"
    begin = time.monotonic()
    with start(toy, finished) as process:
        process.communicate()
    duration = time.monotonic() - begin
    chance = random.Random(1)
    for _ in range(MOMENTS):
        with start(toy, output) as process:
            time.sleep(chance.random() * duration)
            process.kill()
            process.communicate()
        if output.exists():
            assert is_accepted(output)
        for path in tmp_path.iterdir():  # also what stands there unfinished, under its own name
            assert not is_accepted(path) or hashes(path) == hashes(finished)
        if output.exists():
            os.rename(output, tmp_path / f"done {time.monotonic()}")
    with start(toy, output) as process:
        process.communicate()
    assert hashes(output) == hashes(finished)
    assert hidden(tmp_path) == []  # what the killed ones left is gone


def test_killed_while_it_replaces(toy: Path, tmp_path: Path) -> None:
    """With --force there is a complete corpus at every moment: the older one or the new one."""
    output = tmp_path / "out"
    accepted = []
    for seed in ("1", "2"):
        with start(toy, output, "--seed", seed, "--force") as process:
            process.communicate()
        accepted.append(hashes(output))
    chance = random.Random(2)
    for number in range(3):
        with start(toy, output, "--seed", "12"[number % 2], "--force") as process:
            while not hidden(tmp_path) and process.poll() is None:
                time.sleep(0.001)
            time.sleep(chance.random() * 0.3)
            process.kill()
            process.communicate()
        assert hashes(PreparedCorpus.open(output, verify=True).path) in accepted


@pytest.mark.parametrize("processes", ["1", "2"])
@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_while_it_reads(
    toy: Path, tmp_path: Path, number: signal.Signals, code: int, processes: str
) -> None:
    """It waits for more text from a pipe, so it is certain to be in the middle of its work."""
    with start(toy, tmp_path / "out", "--threads", processes, source="-") as process:
        assert process.stdin is not None
        process.stdin.write(b"Ein Satz.\n" * 100)
        process.stdin.flush()
        while not hidden(tmp_path):
            time.sleep(0.002)
        process.send_signal(number)
        process.wait()
        process.stdin.close()
        assert process.stdout is not None
        assert process.stderr is not None
        assert (process.returncode, process.stdout.read(), process.stderr.read()) == (code, b"", b"")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "number, code, processes",
    [
        (signal.SIGINT, 130, "1"),
        (signal.SIGINT, 130, "2"),
        (signal.SIGTERM, 143, "1"),
        (signal.SIGTERM, 143, "2"),
    ],
)
def test_interrupted_at_any_moment(
    toy: Path, tmp_path: Path, number: signal.Signals, code: int, processes: str
) -> None:
    with start(toy, tmp_path / "out", "--threads", processes) as process:
        while not hidden(tmp_path) and process.poll() is None:
            time.sleep(0.001)
        time.sleep(random.Random(f"{number} {processes}").random() * 0.4)
        process.send_signal(number)
        _, errors = process.communicate()
    assert hidden(tmp_path) == []
    if (tmp_path / "out").exists():  # it was done when the signal came, perhaps leaving already
        PreparedCorpus.open(tmp_path / "out", verify=True)
    else:
        assert (process.returncode, errors) == (code, b"")
