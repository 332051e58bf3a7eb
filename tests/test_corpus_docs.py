"""What docs/corpus.md shows is what happens: its sessions and its figures."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest

from redraft.corpus.cleaning import REASONS
from sessions import ROOT, run_sessions

PAGE = ROOT / "docs" / "corpus.md"


def test_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_sessions(PAGE, tmp_path) == 4
    monkeypatch.chdir(tmp_path)
    code = "\n".join(re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, "corpus.md", str(PAGE), 0)
    assert doctest.DocTestRunner().run(test) == (0, len(test.examples))


def test_every_cleaning_rule_is_there() -> None:
    assert re.findall(r"^\| `(\w+)` \| (?:a side|the longer|both|source)", PAGE.read_text("utf-8"), re.M) == [
        *REASONS
    ]


def test_figures_are_those_of_the_results() -> None:
    shown = PAGE.read_text("utf-8").partition("## Figures")[2]
    results = json.loads((ROOT / "results" / "prepare.json").read_text("utf-8"))
    for run in results["prepare"].values():
        for figure in ("seconds", "processor_seconds", "peak_mib"):
            assert f" {run[figure]:,} " in shown
    assert f"{results['padding_percent'].popitem()[1]} %" in shown
    assert results["date"] in shown
    assert results["hardware"] in shown
    for ratio in results["ratio_to_sacremoses_in_processor_time"].values():
        assert f" {ratio} " in shown
