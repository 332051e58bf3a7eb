"""The README does what it says, and the page of commands is up to date."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from sessions import ROOT, run_sessions


def test_readme_sessions(tmp_path: Path) -> None:
    assert run_sessions(ROOT / "README.md", tmp_path) >= 6


def test_what_is_where_names_real_places() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(.+?)`", row)]
    assert "src/redraft/text" in named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_room_is_in_the_table() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    rooms = [path.name for path in (ROOT / "src" / "redraft").iterdir() if (path / "__init__.py").exists()]
    assert [room for room in rooms if f"`src/redraft/{room}`" not in readme] == []


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in (ROOT / "docs").iterdir())]
)
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    targets = re.findall(r"\]\(([^)#:]+)\)", path.read_text("utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


def test_commands_page_is_what_the_commands_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    monkeypatch.delitem(sys.modules, "make_commands", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    from make_commands import describe_commands

    written = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert written == describe_commands(), "run `make docs`"
