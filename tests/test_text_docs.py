"""What docs/text.md shows is what happens: its sessions, numbers, vocabulary and figures."""

from __future__ import annotations

import json
import re
from pathlib import Path

from redraft.text import Vocabulary, looks_like_number
from sessions import ROOT, run_sessions

PAGE = ROOT / "docs" / "text.md"


def page() -> str:
    return PAGE.read_text("utf-8")


def test_shell_sessions(tmp_path: Path) -> None:
    assert run_sessions(PAGE, tmp_path) == 10


def test_numbers_and_words() -> None:
    found = re.search(
        r"these are numbers: (.*?); and these are words:(.*?)\.$", page(), re.DOTALL | re.MULTILINE
    )
    assert found is not None
    numbers, words = (re.findall(r"`(.+?)`", part) for part in found.groups())
    assert (len(numbers), len(words)) == (10, 7)
    assert [word for word in numbers if not looks_like_number(word)] == []
    assert [word for word in words if looks_like_number(word)] == []


def test_vocabulary(tmp_path: Path) -> None:
    path = tmp_path / "en.json"
    (block,) = re.findall(r"```json\n(.*?)```", page(), re.DOTALL)
    path.write_text(block, "utf-8")
    vocabulary = Vocabulary.load(path)
    assert vocabulary.words[6:] == ("the", "house")
    vocabulary.save(tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_text("utf-8")) == json.loads(block)


def test_figures_are_those_of_the_results() -> None:
    """A figure of the page that no benchmark wrote would be a claim."""
    shown = re.findall(r"\d\d\.\d+ %", page().partition("## Figures")[2])
    results = "".join(
        (ROOT / "results" / name).read_text("utf-8") for name in ("tokens.json", "surface.json")
    )
    measured = {float(figure) for figure in re.findall(r"percent\": ([\d.]+)", results)}
    assert shown
    assert [figure for figure in shown if float(figure.removesuffix(" %")) not in measured] == []
