"""Run the shell sessions of a Markdown page the way a reader would, and compare what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Step:
    """One command of a session and the standard output that the page shows under it."""

    command: str
    output: str


def read_steps(page: Path) -> Iterator[Step]:
    """The commands of all ```console blocks of a page, in order."""
    for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = step.partition("\n")
            while command.endswith("\\"):
                more, _, output = output.partition("\n")
                command = command[:-1] + more
            yield Step(command, output)


def run_sessions(page: Path, folder: Path) -> int:
    """Run every command in `folder`, which sees the project's scripts; returns how many there were."""
    (folder / "scripts").symlink_to(ROOT / "scripts")
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    steps = list(read_steps(page))
    for step in steps:
        done = subprocess.run(
            ["bash", "-c", step.command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{step.command}\n{done.stderr}"
        assert without_versions(done.stdout) == without_versions(step.output), step.command
    return len(steps)


def without_versions(text: str) -> str:
    """Text in which versions of packages do not matter."""
    return re.sub(r"(version:|redraft-\w+-)[\w.]+", r"\1", text)
