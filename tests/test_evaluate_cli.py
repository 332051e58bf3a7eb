"""`redraft evaluate`: files in, a table or JSON out, and one clear line where something is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

from redraft.cli import main

LINES = {
    "test.de": ["Sie kam gestern an .", "Das ist alles ."],
    "draft.en": ["She came yesterday on .", "That is everything ."],
    "better.en": ["She arrived yesterday .", "That is everything ."],
    "test.en": ["She arrived yesterday .", "That is all ."],
    "short.en": ["She arrived yesterday ."],
    "empty.en": [],
}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """`redraft evaluate` in a folder with LINES as files: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    for name, lines in LINES.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")

    def call(*options: str) -> tuple[int, str, str]:
        code = main(["evaluate", *options])
        return code, *capsys.readouterr()

    return call


def read_json(run: Run, *options: str) -> dict[str, Any]:
    code, output, errors = run(*options, "--json")
    assert (code, errors) == (0, "")
    result: dict[str, Any] = json.loads(output)
    return result


def test_json_holds_scores_differences_and_edits(run: Run) -> None:
    options = (
        "--source",
        "test.de",
        "--draft",
        "draft.en",
        "--refined",
        "better.en",
        "--reference",
        "test.en",
    )
    result = read_json(run, *options, "--samples", "50", "--metrics", "bleu")
    assert (result["sentences"], result["references"]) == (2, ["test.en"])
    before, after = result["draft"]["figures"][0], result["refined"][0]["figures"][0]
    expected = sacrebleu.corpus_bleu(LINES["draft.en"], [LINES["test.en"]], force=True).score
    assert before["score"]["value"] == pytest.approx(expected)
    assert before["score"]["signature"].startswith("nrefs:1|case:mixed|eff:no|tok:13a")
    assert after["gain"] == pytest.approx(after["score"]["value"] - expected)
    assert after["comparison"]["samples"] == 50
    # "came" to "arrived", "on" away: 2 edits of 9 words, which make the first sentence its reference.
    edits = result["refined"][0]["edits"]
    assert (edits["edits"], edits["draft_words"]) == (2, 9)
    assert edits["changed_sentences"] == {"total": 1, "raised": 1, "lowered": 0, "left": 0}
    assert after["gain_per_edit"] == pytest.approx(after["gain"] / (200 / 9))
    assert result["draft"]["edits"] is None


def test_several_refined_versions_and_references_stand_side_by_side(run: Run) -> None:
    files = (
        "--refined",
        "better.en",
        "--refined",
        "test.en",
        "--reference",
        "test.en",
        "--reference",
        "better.en",
    )
    code, output, _ = run("--draft", "draft.en", *files, "--test", "none", "--metrics", "chrf")
    lines = output.splitlines()
    assert code == 0
    assert lines[0] == "2 sentences against test.en, better.en"
    assert lines[2].split() == ["draft.en", "better.en", "test.en"]
    assert lines[3].split()[-2:] == ["100.00", "100.00"]


def test_given_tokens_are_measured_as_they_are(run: Run) -> None:
    Path("given.en").write_text("don't stop here\n")
    result = read_json(run, "--draft", "given.en", "--reference", "given.en", "--tokens", "given")
    assert {figure["setting"] for figure in result["draft"]["figures"]} == {"paper"}
    assert result["draft"]["lengths"]["paper"]["words"] == 3
    assert result["words"] == "given"


def test_language_comes_from_the_reference_or_from_the_option(run: Run) -> None:
    files = ("--draft", "draft.en", "--reference", "test.en")
    assert read_json(run, *files)["words"].startswith("redraft-en-")
    assert read_json(run, *files, "--language", "de")["words"].startswith("redraft-de-")


def test_both_settings_and_randomisation(run: Run) -> None:
    files = ("--draft", "draft.en", "--refined", "better.en", "--reference", "test.en")
    result = read_json(run, *files, "--setting", "both", "--test", "randomisation", "--samples", "30")
    assert [f["setting"] for f in result["draft"]["figures"]] == ["cased", "cased", "paper", "paper"]
    assert result["refined"][0]["figures"][0]["comparison"]["test"] == "randomisation"


def test_two_files_of_one_name_are_told_apart_by_their_folders(run: Run) -> None:
    Path("other").mkdir()
    Path("other/draft.en").write_text("Hello .\nYes .\n")
    files = ("--draft", "draft.en", "--refined", "other/draft.en", "--reference", "test.en")
    result = read_json(run, *files)
    assert (result["draft"]["name"], result["refined"][0]["name"]) == ("draft.en", "other/draft.en")


@pytest.mark.parametrize(
    "options, code, complaint",
    [
        (["--draft", "draft.en"], 2, "Missing option '--reference'"),
        (["--draft", "draft.en", "--reference", "none.en"], 1, "none.en: no such file"),
        (["--draft", "draft.en", "--reference", "short.en"], 1, "draft.en has 2 lines, short.en has 1 lines"),
        (
            ["--source", "short.en", "--draft", "draft.en", "--reference", "test.en"],
            1,
            "short.en has 1 lines",
        ),
        (["--draft", "empty.en", "--reference", "empty.en"], 1, "empty.en: has no lines"),
        (["--draft", "-", "--reference", "-"], 1, "cannot both come from standard input"),
        (
            ["--draft", "draft.en", "--reference", "test.en", "--metrics", "bleu,meteor"],
            2,
            "'meteor' is no metric",
        ),
        (["--draft", "draft.en", "--reference", "test.en", "--samples", "0"], 2, "--samples"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(run: Run, options: list[str], code: int, complaint: str) -> None:
    result, output, errors = run(*options)
    assert (result, output) == (code, "")
    assert complaint in errors
    assert errors.startswith("redraft: ")
    assert errors.count("\n") == 1
