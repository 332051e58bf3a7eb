"""`command` and `file`: programs that answer, die, hang and miscount; files that are too short."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft.drafting import CommandDrafter, FileDrafter
from redraft.errors import UserError

UPPER = "import sys\nfor line in sys.stdin:\n    print(line.strip().upper())\n"


def program(folder: Path, code: str) -> list[str]:
    path = folder / "program.py"
    path.write_text(code, "utf-8")
    return [sys.executable, "-S", str(path)]  # -S: no packages, so it starts fast


def test_lines_go_in_and_come_out_in_order(tmp_path: Path) -> None:
    drafter = CommandDrafter(program(tmp_path, UPPER), batch_size=3)
    sources = [f"satz {number} ä\u2028b" for number in range(8)]
    assert list(drafter.draft(sources)) == [source.upper() for source in sources]
    assert list(drafter.draft([])) == []
    assert list(drafter.draft(["", "x", ""])) == ["", "X", ""]


def test_batches_are_taken_as_they_are_needed(tmp_path: Path) -> None:
    taken = []

    def sources() -> Iterator[str]:
        for number in range(100):
            taken.append(number)
            yield str(number)

    drafts = CommandDrafter(program(tmp_path, UPPER), batch_size=5).draft(sources())
    assert next(drafts) == "0"
    assert len(taken) == 5


def test_windows_ends_and_a_missing_last_newline(tmp_path: Path) -> None:
    code = "import sys\ntext = sys.stdin.read()\nsys.stdout.buffer.write(b'a\\r\\nb')\n"
    assert list(CommandDrafter(program(tmp_path, code)).draft(["x", "y"])) == ["a", "b"]


def test_more_text_than_a_pipe_holds(tmp_path: Path) -> None:
    """A program that prints while it reads blocks one that writes everything first."""
    sources = ["x" * 1000] * 2000
    assert (
        list(CommandDrafter(program(tmp_path, UPPER), batch_size=2000).draft(sources)) == ["X" * 1000] * 2000
    )


@pytest.mark.parametrize(
    ("code", "telling"),
    [
        ("print('one')", "printed 1 lines for 2 sentences in batch 2 (lines 3 to 4)"),
        (UPPER + "print('more')", "printed 3 lines for 2 sentences in batch 2 (lines 3 to 4)"),
        ("pass", "printed 0 lines for 2 sentences in batch 2 (lines 3 to 4)"),
        (
            "import sys; print('no such model', file=sys.stderr); sys.exit(3)",
            "died with exit code 3 (no such model) in batch 2 (lines 3 to 4), twice",
        ),
        ("import os; os.kill(os.getpid(), 9)", "was killed by signal 9 in batch 2 (lines 3 to 4), twice"),
        (
            "import sys; sys.stdout.buffer.write(b'a\\n\\xff\\n')",
            "line 2 of the answer to batch 2 (lines 3 to 4)",
        ),
    ],
)
def test_failures_name_the_batch_in_one_line(code: str, telling: str, tmp_path: Path) -> None:
    """The first batch goes well, the second one does not."""
    indented = code.replace("\n", "\n    ")
    first = "import sys\ntext = sys.stdin.read()\nif 's1\\n' in text:\n    print('a\\nb')\nelse:\n    "
    start = "import io; sys.stdin = io.StringIO(text)\n    "
    drafter = CommandDrafter(program(tmp_path, first + start + indented), batch_size=2)
    drafts = drafter.draft([f"s{number}" for number in range(1, 7)])
    assert [next(drafts), next(drafts)] == ["a", "b"]
    with pytest.raises(UserError) as caught:
        next(drafts)
    assert telling in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_program_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"pathlib.Path({str(tmp_path / 'pids')!r}).open('a').write(f'{{os.getpid()}} {{child.pid}} ')\n"
        "time.sleep(600)\n"
    )
    start = time.monotonic()
    with pytest.raises(UserError) as caught:
        list(CommandDrafter(program(tmp_path, code), timeout=0.7).draft(["x", "y", "z"]))
    assert "gave no answer within 0.7 s (--timeout) in batch 1 (lines 1 to 3), twice" in str(caught.value)
    assert time.monotonic() - start < 30
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 4  # started twice
    assert not any(map(is_running, pids))


def is_running(pid: int) -> bool:
    deadline = time.monotonic() + 5  # who ends processes that nobody waits for may take a moment
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return False
            os.kill(pid, 0)
        except (FileNotFoundError, ProcessLookupError):
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize(
    "failure", ["sys.exit(1)", f"os.kill(os.getpid(), {int(signal.SIGKILL)})", "time.sleep(600)"]
)
def test_what_fails_once_is_started_again(failure: str, tmp_path: Path) -> None:
    code = (
        "import os, pathlib, sys, time\n"
        f"mark = pathlib.Path({str(tmp_path / 'mark')!r})\n"
        f"if not mark.exists():\n    mark.touch()\n    print('half')\n    sys.stdout.flush()\n    {failure}\n"
    )
    drafter = CommandDrafter(program(tmp_path, code + UPPER), timeout=5 if "sleep" not in failure else 1.5)
    assert list(drafter.draft(["a", "b"])) == ["A", "B"]


def test_command_lines(tmp_path: Path) -> None:
    line = shlex.join(program(tmp_path, UPPER))
    assert list(CommandDrafter.from_line(line, 10, 60).draft(["a"])) == ["A"]
    with pytest.raises(UserError, match="cannot be split into words"):
        CommandDrafter.from_line("program 'x")
    with pytest.raises(UserError, match="--command is empty"):
        CommandDrafter.from_line("  ")
    with pytest.raises(UserError, match=r"no-such-program: cannot be started \(No such file"):
        list(CommandDrafter(["no-such-program"]).draft(["a"]))


def test_a_program_that_does_not_read_its_input(tmp_path: Path) -> None:
    code = "print('x\\n' * 2000, end='')"
    assert list(CommandDrafter(program(tmp_path, code), 2000).draft(["y" * 500] * 2000)) == ["x"] * 2000


def test_drafts_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "d.en"
    path.write_text("one\n\nthree\n", "utf-8")
    assert list(FileDrafter(str(path)).draft(["a", "b", "c"])) == ["one", "", "three"]


@pytest.mark.parametrize(("sentences", "telling"), [(5, "too short"), (2, "too long"), (0, "too long")])
def test_a_file_of_another_length(sentences: int, telling: str, tmp_path: Path) -> None:
    path = tmp_path / "d.en"
    path.write_text("one\n\nthree\n", "utf-8")
    with pytest.raises(UserError) as caught:
        list(FileDrafter(str(path)).draft(["x"] * sentences))
    assert f"{path}: 3 drafts for {sentences} source sentences, so it is {telling}" in str(caught.value)
