"""docs/drafting.md shows what happens, and claims no figure that no benchmark wrote."""

from __future__ import annotations

import json
import re
from pathlib import Path

from redraft.cli.draft import Kind
from redraft.drafting import TRAINERS
from sessions import ROOT, run_sessions

PAGE = ROOT / "docs" / "drafting.md"


def test_shell_sessions(tmp_path: Path) -> None:
    assert run_sessions(PAGE, tmp_path) == 8


def test_every_kind_is_there() -> None:
    kinds = re.findall(r"^\| `(\w+)` \| .* \| (yes|) *\|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert [name for name, _learns in kinds] == [kind.value for kind in Kind]
    assert [name for name, learns in kinds if learns] == list(TRAINERS)


def test_figures_are_those_of_the_results() -> None:
    section = PAGE.read_text("utf-8").partition("## Figures")[2].partition("\n## ")[0]
    results = json.loads((ROOT / "results" / "drafting.json").read_text("utf-8"))
    measured = set(re.findall(r"\d+\.\d+", json.dumps(results)))
    shown = re.findall(r"\d+\.\d\d", section)
    assert shown
    assert [figure for figure in shown if figure.rstrip("0") not in measured and figure not in measured] == []
