"""The command line as a user meets it: versions, help, suggestions, exit codes, interrupts, pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from redraft import __version__
from redraft.cli import main
from redraft.cli.console import progress

REDRAFT = [sys.executable, "-c", "import sys; from redraft.cli import main; sys.exit(main())"]


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"redraft {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "telling"),
    [
        (["prepair"], "Did you mean 'prepare'?"),
        (["prepare", "--sorce", "x"], "--source"),
        (["toy"], "--output"),
        (["toy", "--pairs", "many", "--output", "x"], "many"),
    ],
)
def test_wrong_use_is_one_line_and_two(
    arguments: list[str], telling: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert printed.err.startswith("redraft: ")
    assert telling in printed.err


def test_no_command_shows_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "Commands:" in capsys.readouterr().err


def test_missing_file_is_one_line_and_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tokenize", "no-such-file.de"]) == 1
    assert capsys.readouterr().err == "redraft: no-such-file.de: no such file\n"


def test_full_disk_and_lost_rights_are_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_path: object) -> None:
        raise OSError(28, "No space left on device", "out.txt")

    monkeypatch.setattr("redraft.corpus.reading.read_lines", fail)
    assert main(["tokenize", "-"]) == 1
    assert capsys.readouterr().err == "redraft: out.txt: No space left on device\n"


def test_out_of_memory_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_path: object) -> None:
        raise MemoryError

    monkeypatch.setattr("redraft.corpus.reading.read_lines", fail)
    assert main(["tokenize", "-"]) == 1
    assert "out of memory" in capsys.readouterr().err


def test_reader_that_leaves_ends_us_quietly(tmp_path: Path) -> None:
    text = tmp_path / "long.en"
    text.write_text("a line of text .\n" * 200_000)
    shell = f"{' '.join(map(quote, REDRAFT))} tokenize {text} | head -1"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True)
    assert done.stdout == "a line of text .\n"
    assert done.stderr == ""


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupt_is_quiet(sent: signal.Signals, code: int, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*REDRAFT, "tokenize", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    )
    assert process.stdin is not None
    process.stdin.write(b"wait\n")
    process.stdin.flush()
    time.sleep(1.5)  # it is reading now
    process.send_signal(sent)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (code, b"")


def test_progress_is_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("working", "things", total=2) as advance:
        advance(1)
    assert capsys.readouterr().err == ""


def test_progress_shows_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with progress("working", "things", total=2) as advance:
        advance(2)
    assert "working" in capsys.readouterr().err


def test_help_is_fast_because_it_imports_nothing_heavy() -> None:
    code = "import sys; from redraft.cli import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "redraft.cli" in done.stderr.split()
    assert {"numba", "numpy", "sacrebleu", "torch", "matplotlib"} & set(done.stderr.split()) == set()


def test_core_runs_without_torch(tmp_path: Path) -> None:
    """A core install has no torch: everything but the networks works."""
    (tmp_path / "torch.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')\n"
    )
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    toy = [*REDRAFT, "toy", "--pairs", "20", "--output", "toy"]
    subprocess.run(toy, cwd=tmp_path, env=environment, check=True, capture_output=True)
    files = ["--source", "toy/train.de", "--reference", "toy/train.en"]
    done = subprocess.run(
        [*REDRAFT, "prepare", *files, "--output", "p", "--threads", "1"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "kept" in done.stdout


def quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


@pytest.mark.parametrize(("interruption", "code"), [(KeyboardInterrupt(), 130), (None, None)])
def test_interruption_of_compiled_code_is_quiet(
    interruption: BaseException | None,
    code: int | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(_path: object) -> None:
        raise SystemError("returned a result with an exception set") from interruption

    monkeypatch.setattr("redraft.corpus.reading.read_lines", fail)
    if code is None:  # a real error of the interpreter stays one
        with pytest.raises(SystemError):
            main(["tokenize", "-"])
    else:
        assert main(["tokenize", "-"]) == code
    assert capsys.readouterr().err == ""
