"""What docs/evaluate.md shows is what happens: its files, its command and its Python session."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from redraft.cli import main

PAGE = Path(__file__).parents[1] / "docs" / "evaluate.md"


def without_versions(text: str) -> str:
    return re.sub(r"(version:|redraft-\w+-)[\w.]+", r"\1", text)


def test_shell_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (session,) = re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    ran = 0
    for step in session.split("$ ")[1:]:
        command, _, output = step.partition("\n")
        name, *arguments = command.split()
        if name == "cat":
            Path(arguments[0]).write_text(output, "utf-8")
            continue
        assert name == "redraft"
        assert main(arguments) == 0
        assert without_versions(capsys.readouterr().out) == without_versions(output)
        ran += 1
    assert ran == 1


def test_python_session() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False, parser=_Blocks())
    assert (results.failed, results.attempted) == (0, 6)


class _Blocks(doctest.DocTestParser):
    """Reads only the Python blocks, so that the closing fence is no expected output."""

    def parse(self, string: str, name: str = "<string>") -> list[str | doctest.Example]:
        return super().parse("\n".join(re.findall(r"```python\n(.*?)```", string, re.DOTALL)), name)
